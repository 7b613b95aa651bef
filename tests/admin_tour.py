"""Follows the tour of docs/admin.md and takes its pictures: `python -m tests.admin_tour`.

Each entry is written and saved once, then all are published. A step of the tour that no longer works fails here.
"""

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from .support import chromium
from .support.site import ROOT, copied, serving

QUALITY = 45
PASSWORD = "lanterns over the weir"
# The list, the fields to type, the lines, and the text that the preview must show before the entry is saved.
ENTRIES = {
    "talent": (
        "Talents",
        {"Name": "Stone Skin", "Summary": "Your skin hardens when you need it."},
        ["+1 to Defense while wearing no armor", "Bonus action: Harden your skin, 1 use, back after a short rest"],
        ["+1 Defense while wearing no armor", "Bonus action: Harden your skin, spends 1 Harden your skin"],
    ),
    "lineage": (
        "Lineages",
        {"Name": "Fenfolk", "Summary": "People of the reeds, at home in the dark and the wet."},
        ["Speed starts at 30", "gains Darksight", "resists poison", "knows Common"],
        ["Speed starts at 30 feet", "Gains Darksight", "Resists Poison", "Knows Common"],
    ),
    "job": (
        "Jobs",
        {"Name": "Warden", "Summary": "Keeps the border, and comes back from it.", "Max rank": "3"},
        [
            "+8 to Health per rank",
            "from rank 1: is proficient with Survival",
            "from rank 2: +1 to Defense",
            "from rank 3: advantage on saving throws of Vitality",
        ],
        ["+8 Health at each rank", "Advantage on Vitality saving throws from rank 3"],
    ),
    "property": (
        "Weapon properties",
        {"Name": "Balanced", "Summary": "It goes where you mean it to."},
        ["+1 on attack rolls"],
        ["+1 on attack rolls with this item"],
    ),
    "condition": (
        "Conditions",
        {"Name": "Chilled", "Summary": "The cold has got into your bones."},
        ["disadvantage on checks of Agility", "-10 to Speed"],
        ["Disadvantage on Agility checks", "−10 feet Speed"],
    ),
}


def main():
    parser = argparse.ArgumentParser("python -m tests.admin_tour", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("docs/admin"))
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(copied(data)) as site,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS) as browser,
    ):
        for name in ("ada", "bo"):
            superuser(data, name)
        ada, bo = (editor(browser, site, name) for name in ("ada", "bo"))
        for name, (kind, fields, lines, read) in ENTRIES.items():
            ada.goto("/admin/")
            ada.get_by_role("link", name=kind, exact=True).click()
            ada.get_by_role("link", name="Add").first.click()
            for label, words in fields.items():
                ada.get_by_label(label).first.fill("")
                ada.get_by_label(label).first.press_sequentially(words)
            ada.get_by_label("What it does").fill("\n".join(lines))
            ada.get_by_label("Status").select_option("published")
            for words in read:
                expect(ada.locator("#preview")).to_contain_text(words)
            picture(ada, folder / f"{name}.webp")
            ada.get_by_role("button", name="Save", exact=True).first.click()
            ada.get_by_role("link", name=fields["Name"]).first.click()
            expect(ada.get_by_label("What it does")).to_have_value(written(lines))
        both(ada, bo, folder)
        ada.goto("/admin/rules/job/?q=warden")
        ada.get_by_role("link", name="Warden").click()
        ada.locator("#ranks").scroll_into_view_if_needed()
        picture(ada, folder / "ranks.webp")
        ada.goto("/admin/")
        ada.locator(".unpublished a").click()
        picture(ada, folder / "publish.webp")
        ada.get_by_role("button", name="Publish").click()
        expect(ada.get_by_text("Everything is published.")).to_be_visible()


def written(lines):
    """A pattern for the lines as the page shows them again: any capitals, and a true minus."""
    words = "\n".join(re.escape(line).replace("\\-", "[−-]") for line in lines)
    return re.compile(f"^{words}$", re.IGNORECASE)


def both(ada, bo, folder):
    """Two people edit one entry."""
    for page in (bo, ada):
        page.goto("/admin/rules/talent/?q=stone")
        page.get_by_role("link", name="Stone Skin").click()
    bo.get_by_label("Summary").fill("Your skin turns to stone.")
    bo.get_by_role("button", name="Save", exact=True).first.click()
    expect(bo.get_by_text("was changed successfully")).to_be_visible()
    ada.get_by_label("Summary").fill("Your skin is as hard as a road.")
    ada.get_by_role("button", name="Save", exact=True).first.click()
    expect(ada.locator(".theirs")).to_contain_text("Your skin turns to stone.")
    picture(ada, folder / "both.webp")


def superuser(data, name):
    subprocess.run(
        [
            sys.executable,
            "manage.py",
            "createsuperuser",
            "--noinput",
            "--username",
            name,
            "--email",
            f"{name}@example.com",
        ],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(data), "DJANGO_SUPERUSER_PASSWORD": PASSWORD},
        check=True,
        capture_output=True,
    )


def editor(browser, site, name):
    page = browser.new_context(
        base_url=f"http://localhost:{site.port}", viewport={"width": 1200, "height": 800}, color_scheme="light"
    ).new_page()
    page.goto("/accounts/login/?next=/admin/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/admin/")
    return page


def picture(page, path):
    page.evaluate("document.fonts.ready")
    page.evaluate("document.activeElement?.blur()")
    Image.open(io.BytesIO(page.screenshot())).save(path, quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
