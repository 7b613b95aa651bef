"""The people who open the pages, and what they do before: build, play, lead, sit down, edit the rules."""

import os
import re
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from uuid import uuid4

ROOT = Path(__file__).parents[2]
PACK = ROOT / "docs/packs/river-folk"
PASSWORD = "lanterns over the weir"

BEGUN = {"lineage": "lineage:human", "culture": "culture:human-culture", "background": "background:ambassador"}


def with_an_admin(data: Path) -> Path:
    """The data folder of a site, where Ada may edit the rules."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(data), "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    command = ("manage.py", "createsuperuser", "--noinput", "--username", "ada", "--email", "ada@example.com")
    subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True, capture_output=True)
    return data


def gathered(new_context) -> tuple[dict[str, str], dict[str, object]]:
    """The addresses for the names in `pages.py`, and the signed-in state of each person who opens pages."""
    mara, bo, cid, ada = (new_context().new_page() for _ in range(4))
    places = of_mara(mara)
    places |= {"his": seated(bo, "bo", places, 1), "hers": seated(cid, "cid", places, 2)}
    places |= of_another_table(bo, mara)
    asked(mara, bo, places)
    places |= of_ada(ada)
    states = {"MARA": mara, "BO": bo, "ADA": ada}
    return places, {who: page.context.storage_state() for who, page in states.items()} | {"NOBODY": None}


def of_mara(page) -> dict[str, str]:
    """A sample that is hit, rolls and takes a level; a dying one; a character just begun; a table with an encounter."""
    sign_up(page, "mara")
    page.goto("/characters/")
    fallen = press(page, "form[action^='/samples/'] button >> nth=2")
    post(page, f"{fallen}introduction/")
    post(page, f"{fallen}play/take-damage/", amount="200")
    page.goto("/characters/")
    mine = press(page, "form[action^='/samples/'] button >> nth=0")
    post(page, f"{mine}introduction/")
    post(page, f"{mine}levels/experience/", amount="2000", reason="The mill at the weir")
    page.goto(f"{mine}level-up/?take=core-rules.level-job&for=job:fighter")
    page.locator("#commit").click()
    page.wait_for_url("**/gained/*/")
    gained = page.url
    post(page, f"{mine}play/take-damage/", amount="4")
    post(page, f"{mine}play/add-condition/", condition="condition:poisoned")
    post(page, f"{mine}play/roll/", roll="skill.athletics", target="15")
    page.goto("/")
    young = press(page, "form[action='/characters/start/'] button >> nth=0")
    for choice, ref in BEGUN.items():
        post(page, f"{young}build/choose/", choice=f"core-rules.{choice}", level="1", take=ref)
    campaign = begun(
        page, "The salt road", "Six days along the coast, with a cart that is not ours. Thursdays at seven."
    )
    post(page, f"{campaign}seats/bring/", character=pk(mine))
    post(page, f"{campaign}notes/write/", text="The tide turns at dusk, and the cart is empty.", reader="everyone")
    post(
        page,
        f"{campaign}next-session/",
        date=str(date.today() + timedelta(9)),
        time="19:00",
        minutes="240",
        place="At Wren’s",
    )
    invite = link_in(post(page, f"{campaign}invites/make/", role="player", most="6", days="7"), "/join/")
    screen = link_in(post(page, f"{campaign}screens/make/", vitals="bars"), "/screen/")
    shared = link_in(post(page, f"{mine}share/make/"), "/shared/")
    page.goto("/characters/")
    sample = page.locator("a[href^='/samples/']").first.get_attribute("href")
    found = {"mine": mine, "young": young, "fallen": fallen, "gained": gained, "campaign": campaign, "sample": sample}
    return found | {"invite": invite, "screen": screen, "shared": shared}


def seated(page, name, places, sample) -> str:
    """A character, copied from a sample, with which somebody sits at Mara's table."""
    sign_up(page, name)
    page.goto("/characters/")
    character = press(page, f"form[action^='/samples/'] button >> nth={sample}")
    post(page, f"{character}introduction/")
    post(page, places["invite"])
    post(page, f"{places['campaign']}seats/bring/", character=pk(character))
    return character


def of_another_table(page, mara) -> dict[str, str]:
    """A table that rolls for ability ranks, and a character that Bo begins there with his rolls."""
    other = begun(mara, "Glass harbor", "")
    terms = {"abilityMethod": "roll", "pointBuyBudget": "15", "pointBuyMax": "15", "allowReroll": "false"}
    rules = {f"rule-{key}": value for key, value in {"startingLevel": "1", **terms}.items()}
    post(mara, f"{other}terms/", more_xp="0", **rules)
    post(page, link_in(post(mara, f"{other}invites/make/", role="player", most="6", days="7"), "/join/"))
    post(page, f"{other}dice/roll/")
    page.goto(other)
    return {"other": other, "rolled": press(page, "form[action$='/seats/begin/'] button")}


def asked(page, bo, places) -> None:
    """Begin an encounter and its first turn; ask Bo about a roll, a relationship and a purchase."""
    campaign, mine, his, hers = (places[name] for name in ("campaign", "mine", "his", "hers"))
    post(page, f"{campaign}encounter/begin/")
    post(page, f"{campaign}creatures/", name="Wolf", vital="11", guard="13", rolls="Bite 3D+4", many="2")
    post(page, f"{campaign}encounter/initiative/")
    post(page, f"{campaign}encounter/next/", saw="0")
    post(page, f"{campaign}act/roll/", do="propose", rule="each", to=pk(his), roll="skill.awareness", target="12")
    page.goto(f"{campaign}rules/")
    page.locator("[name=rule-relationships]").select_option("on")
    page.locator("button[name=save]").click()
    page.wait_for_load_state()
    post(page, f"{campaign}relationships/", way="hand", first=pk(his), second=pk(hers))
    post(bo, f"{campaign}purchases/", buyer=pk(his), to=pk(hers), ref="armor:breastplate", quantity="1")


def of_ada(page) -> dict[str, str]:
    """An edit that is not published yet."""
    page.goto("/accounts/login/")
    page.fill("[name=login]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/")
    page.goto("/admin/rules/talent/")
    page.get_by_role("link", name="Tough", exact=True).click()
    entry = page.url
    page.fill("[name=summary]", "Three more health for each level, and a higher wound threshold.")
    page.locator("[name=_save]").first.click(timeout=5000)
    page.wait_for_url("**/talent/")
    page.goto("/admin/rules/job/")
    page.get_by_role("link", name="Fighter", exact=True).click()
    part = page.url
    page.goto("/admin/rules/source/")
    source = page.locator("#result_list tbody th a").first.get_attribute("href").removesuffix("change/")
    return {"entry": entry, "part": part, "source": source}


def read_a_pack(page) -> None:
    page.goto("/admin/rules/source/upload/")
    page.get_by_label("The pack").set_input_files(sorted(PACK.iterdir()))
    page.get_by_role("button", name="Read the pack").click()
    page.get_by_role("heading", name="Added").wait_for()


def sign_up(page, name):
    page.goto("/accounts/signup/")
    page.fill("[name=username]", name)
    page.fill("[name=email]", f"{name}@example.com")
    page.fill("[name=password1]", PASSWORD)
    page.press("[name=password1]", "Enter")
    page.wait_for_url("**/characters/")


def begun(page, name, description) -> str:
    page.goto("/campaigns/")
    return campaign_in(post(page, "/campaigns/begin/", name=name, description=description).url)


def press(page, button) -> str:
    """Press a button; returns the address of the character that it leads to."""
    page.locator(button).click()
    page.wait_for_url(re.compile(r"/characters/\d+/"))
    return re.search(r"/characters/\d+/", page.url)[0]


def campaign_in(url) -> str:
    return re.search(r"/campaigns/\d+/", url)[0]


def link_in(answer, beginning) -> str:
    """The link with a token that an answer shows once."""
    return re.search(rf"{beginning}[\w-]{{10,}}/", answer.text())[0]


def pk(place) -> str:
    return place.split("/")[2]


def post(page, address, **fields):
    """Send a form as the page's own forms do."""
    token = next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")
    form = {"csrfmiddlewaretoken": token, "key": uuid4().hex, **fields}
    answer = page.request.post(address, form=form, headers={"Referer": page.url})
    assert answer.ok, (address, answer.status, re.findall(r"(?:error|notice)[^>]*>\s*([^<]{5,150})", answer.text())[:3])
    return answer
