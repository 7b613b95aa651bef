"""Pictures of every page on a phone and a laptop, in daylight and at night: `python -m tests.screenshots [FOLDER]`.

A new site is prepared in a folder of its own, and its first visitor, who has an account, builds, plays and leads.
"""

import io
import re
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from .support import chromium
from .support.site import copied, serving

SIZES = {"phone": (390, 844), "laptop": (1280, 900)}
SCHEMES = ("light", "dark")
QUALITY = 45
NAME, PASSWORD = "mara", "lanterns over the weir"

# {mine} is a hero who plays, {young} one who is being built, {campaign} a table, {gained} what a level brought.
PAGES = {
    "front": "/",
    "samples": "/characters/",
    "sheet": "{mine}",
    "glance": "{mine}glance/",
    "explanation": "{mine}explain/defense/",
    "odds": "{mine}odds/skill.athletics/",
    "roll": "{mine}roll/skill.athletics/?target=15",
    "rolls": "{mine}rolls/",
    "rest": "{mine}rest/",
    "downtime": "{mine}downtime/",
    "history": "{mine}history/",
    "levels": "{mine}levels/",
    "level-up": "{mine}level-up/",
    "pick": "{mine}level-up/?take=core-rules.level-job&for=job:fighter",
    "level-taken": "{gained}",
    "plan": "{mine}plan/",
    "compare": "{mine}compare/",
    "pool": "{mine}pool/",
    "timeline": "{mine}timeline/",
    "house-rules": "{mine}house-rules/",
    "content": "{mine}content/",
    "face": "{mine}face/",
    "share": "{mine}share/",
    "origin": "{young}build/origin/",
    "job": "{young}build/job/",
    "abilities": "{young}build/abilities/",
    "equipment": "{young}build/equipment/",
    "aspects": "{young}build/aspects/",
    "review": "{young}build/review/",
    "rules": "/rules/",
    "how-to-play": "/rules/polyhedral/chapter/",
    "glossary": "/rules/polyhedral/term/",
    "rules-compare": "/rules/polyhedral/compare/weapon/?entry=dagger&entry=longsword&entry=greatsword",
    "can-take": "{mine}can-take/",
    "rules-narrowed": "/rules/search/?q=attack&kind=feature",
    "rules-kind": "/rules/polyhedral/talent/",
    "rules-entry": "/rules/polyhedral/job/fighter/",
    "rules-search": "/rules/search/?q=sword",
    "account": "/accounts/email/",
    "campaigns": "/campaigns/",
    "campaign": "{campaign}",
    "encounter": "{campaign}encounter/",
    "campaign-people": "{campaign}people/",
    "campaign-settings": "{campaign}settings/",
    "campaign-log": "{campaign}log/",
    "campaign-notes": "{campaign}notes/",
    "not-found": "/nothing/here/",
}
# These send on whoever is signed in.
OUTSIDE = {"sign-up": "/accounts/signup/", "sign-in": "/accounts/login/", "first-visit": "/characters/"}


def main(folder="docs/screenshots"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(copied(data)) as site,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS) as browser,
    ):
        host = f"http://localhost:{site.port}"
        context = browser.new_context(base_url=host)
        places = prepared(context.new_page())
        signed_in = context.storage_state()
        for size, (width, height) in SIZES.items():
            for scheme in SCHEMES:
                for state, pages in ((signed_in, PAGES), (None, OUTSIDE)):
                    page = browser.new_context(
                        base_url=host,
                        storage_state=state,
                        viewport={"width": width, "height": height},
                        color_scheme=scheme,
                    ).new_page()
                    for name, address in pages.items():
                        page.goto(address.format(**places))
                        page.evaluate("document.fonts.ready")
                        picture = Image.open(io.BytesIO(page.screenshot()))
                        picture.save(folder / f"{name}-{size}-{scheme}.webp", quality=QUALITY, method=6)


def prepared(page) -> dict:
    """Sign up, take a sample and a level, be hit and roll, begin a character and a campaign; where these are."""
    page.goto("/accounts/signup/")
    page.fill("[name=username]", NAME)
    page.fill("[name=email]", f"{NAME}@example.com")
    page.fill("[name=password1]", PASSWORD)
    page.press("[name=password1]", "Enter")
    page.wait_for_url("**/")
    page.goto("/")
    page.locator("form[action$='/copy/'] button").first.click()
    mine = place(page)
    post(page, f"{mine}levels/experience/", amount="2000", reason="The mill at the weir")
    page.goto(f"{mine}level-up/?take=core-rules.level-job&for=job:fighter")
    page.locator("#commit").click()
    page.wait_for_url("**/gained/*/")
    gained = page.url
    post(page, f"{mine}play/take-damage/", amount="4")
    post(page, f"{mine}play/add-condition/", condition="condition:poisoned")
    post(page, f"{mine}play/roll/", roll="skill.athletics", target="15")
    page.goto("/")
    page.locator("form[action='/characters/start/'] button").first.click()
    young = place(page)
    page.goto("/campaigns/")
    post(page, "/campaigns/begin/", name="The salt road")
    page.goto("/campaigns/")
    campaign = re.search(r'href="(/campaigns/\d+/)"', page.content())[1]
    post(page, f"{campaign}seats/bring/", character=mine.split("/")[2])
    post(page, f"{campaign}encounter/begin/")
    post(page, f"{campaign}creatures/", name="Wolf", vital="11", guard="13", rolls="Bite 3D+4", many="2")
    post(page, f"{campaign}encounter/initiative/")
    post(page, f"{campaign}encounter/next/", saw="0")
    return {"mine": mine, "young": young, "campaign": campaign, "gained": gained}


def place(page) -> str:
    page.wait_for_url(re.compile(r"/characters/\d+/"))
    return re.search(r"/characters/\d+/", page.url)[0]


def post(page, address, **fields):
    """As the page's own forms do."""
    token = next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")
    form = {"csrfmiddlewaretoken": token, "key": f"picture {address} {fields}"[:60], **fields}
    answer = page.request.post(address, form=form, headers={"Referer": page.url})
    assert answer.ok, (address, answer.status, answer.text()[:300])


if __name__ == "__main__":
    main(*sys.argv[1:])
