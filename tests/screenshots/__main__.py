"""A new site is prepared in a folder of its own. Its first visitors build, play, lead and edit; then one of them opens
each page for its picture."""

import argparse
import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.support import chromium
from tests.support.site import copied, serving

from . import company, pages

SIZES = {"phone": (390, 844), "laptop": (1280, 900)}
SCHEMES = ("light", "dark")
KEPT = 960  # pixels, the greatest width of a picture: a laptop's is scaled to three quarters
QUALITY = 30


def main():
    parser = argparse.ArgumentParser("python -m tests.screenshots", description="Takes the pictures of every page.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("docs/screenshots"))
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.webp"):
        old.unlink()
    with (
        tempfile.TemporaryDirectory() as data,
        serving(company.with_an_admin(copied(data))) as site,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS) as browser,
    ):
        host = f"http://localhost:{site.port}"
        places, states = company.gathered(lambda: browser.new_context(base_url=host))
        for size, (width, height) in SIZES.items():
            for scheme in SCHEMES:
                for who, state in states.items():
                    context = browser.new_context(
                        base_url=host,
                        storage_state=state,
                        viewport={"width": width, "height": height},
                        color_scheme=scheme,
                    )
                    page = context.new_page()
                    for name, address in getattr(pages, who).items():
                        page.goto(address.format(**places))
                        taken(page, folder / f"{name}-{size}-{scheme}.webp")
                    if who == "ADA":
                        company.read_a_pack(page)
                        taken(page, folder / f"pack-report-{size}-{scheme}.webp")
                    context.close()


def taken(page, path):
    page.evaluate("document.fonts.ready")
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.thumbnail((KEPT, KEPT), Image.Resampling.LANCZOS)
    picture.save(path, quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
