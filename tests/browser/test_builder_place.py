"""After a press in the builder, the pressed control stays in place or the next question has the focus."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE
from tests.support.characters import document, owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEAR = 2  # pixels
UNFOLDED = "one => one.closest('details')?.setAttribute('open', '')"
TOP = "one => one.getBoundingClientRect().top"
HALFWAY = "one => one.scrollIntoView({block: 'center', behavior: 'instant'})"
UNCOVERED = """one => {
    const {x, y, width} = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + 2));
}"""
# For each kind of question: the step, what is typed first, and what is pressed.
KINDS = {
    "compared": ("origin", None, "#core-rules-lineage-lineage-human"),
    "the last of several": ("origin", None, "#human-culture-skills-skill-athletics"),
    "one of many": ("origin", None, "#ambassador-knowledge-knowledge-history"),
    "a language": ("origin", None, "#ambassador-languages-language-dwarven"),
    "one's own word": ("origin", ("#ambassador-languages-word", "Heron whistles"), "#ambassador-languages-write"),
    "a single card": ("aspects", None, "#core-rules-disposition-disposition-good"),
    "a suggestion": ("aspects", None, "#bond-3"),
    "a roll": ("aspects", None, "#flaw-roll"),
    "one's own sentence": ("aspects", ("#ideal-text", "Nobody is left behind."), "#ideal-write"),
    "a rank": ("abilities/?method=points", None, "#up-3"),
    "ranks": ("abilities/?method=array", None, "#keep-ranks"),
    "points": ("abilities", None, "#core-rules-ability-bonuses-rank-mind-more"),
    "a job, taken back": ("job", None, "#core-rules-job-job-fighter"),
    "a purchase": ("equipment/?shelf=gear", None, ".ware-buy button:visible >> nth=9"),
    "a place": ("equipment", None, "#things .place >> nth=5"),
    "a thing of one's own": ("equipment", ("#own-thing-name", "A blue button"), "#own-thing-add"),
    "a name": ("review", ("#character-name", "Tamsin Oake"), "#keep-name"),
    "another answer where much is asked": ("origin", None, "#core-rules-culture-culture-elven-culture"),
}
LINES = """one => {
  const words = new Range();
  words.selectNodeContents(one);
  return words.getClientRects().length;
}"""


@pytest.fixture
def unfinished(db):
    """A character with something open in every step."""
    ana = User.objects.create_user("ana", "ana@example.com", "a long password")
    origin = {"culture": "human-culture", "background": "ambassador"}
    abilities = {**document("ysolde-marrow")["abilities"], "bonuses": {"strength": 1}}
    choices = {"human-culture.skills": ["stealth"]}
    open_yet = {"name": "", "job": None, "aspects": [], "origin": origin, "abilities": abilities, "choices": choices}
    return owned_by(ana, "ysolde-marrow", **open_yet)


def press(page, control):
    """Tap on a phone, click on a wide screen; returns when the answer is drawn."""
    version = page.locator("#builder").get_attribute("data-version")
    (control.tap if page.viewport_size["width"] == PHONE else control.click)()
    expect(page.locator("#builder")).not_to_have_attribute("data-version", version)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def went_on(page):
    """True if the page has moved to the next question: its heading has the focus and is in sight."""
    return page.evaluate("document.activeElement.matches('h2, [rel=next]')") and page.locator(":focus").evaluate(
        "one => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight"
    )


@pytest.mark.parametrize("fonts", ["early", "late"])
@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_a_pressed_control_stays_in_place(new_page, unfinished, width, fonts):
    page = new_page(user=unfinished.owner, width=width, has_touch=width == PHONE)
    waiting, strayed = [], []
    if fonts == "late":
        page.route("**/*.woff2", lambda route: waiting.append(route))
    for kind, (step, typed, pressed) in KINDS.items():
        path = step if "/" in step else f"{step}/"
        page.goto(f"/characters/{unfinished.pk}/build/{path}", wait_until="domcontentloaded")
        if fonts == "early":
            page.evaluate("document.fonts.ready.then(() => null)")
        if typed:
            page.fill(*typed)
        control = page.locator(pressed)
        control.evaluate(UNFOLDED)
        control.evaluate(HALFWAY)
        address, before = control.get_attribute("id"), control.evaluate(TOP)
        press(page, control)
        if fonts == "late":
            assert waiting, "the page asks for no font"
            while waiting:
                waiting.pop().continue_()
            page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => null)")
        now = page.locator(f"[id='{address}']") if address else control
        at_the_top = fonts == "late" and page.evaluate("scrollY") == 0  # the page cannot scroll further up
        if at_the_top or went_on(page):
            continue
        off = now.evaluate(TOP) - before if now.count() and now.is_visible() else None
        if off is None or abs(off) > NEAR:
            strayed.append(f"{kind}: {off}")
    assert not strayed


def test_without_the_script_of_the_builder_a_press_moves_the_page(new_page):
    page = new_page()
    page.route("**/builder*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto("/characters/")
    page.get_by_role("button", name="Make a character").click()
    press(page, page.locator("#core-rules-lineage-lineage-human"))
    culture = page.locator("#core-rules-culture-culture-human-culture")
    culture.evaluate(HALFWAY)
    before = culture.evaluate(TOP)
    press(page, culture)
    assert abs(culture.evaluate(TOP) - before) > NEAR


def test_the_bar_leads_to_the_first_open_question(new_page, unfinished):
    page = new_page(user=unfinished.owner, width=PHONE)
    page.goto(f"/characters/{unfinished.pk}/build/origin/")
    expect(page.locator(".onward")).to_contain_text("9 of 12 open")
    expect(page.locator(".onward")).to_be_in_viewport()
    page.get_by_role("link", name="Next question").click()
    expect(page.locator("#core-rules-lineage-title")).to_be_in_viewport()


@pytest.mark.parametrize(("roll", "shown"), [("#bond-roll", "#bond"), ("#roll-missing", "#trait")])
def test_a_rolled_aspect_is_in_sight_and_its_heading_has_the_focus(new_page, unfinished, roll, shown):
    page = new_page(user=unfinished.owner, width=PHONE, has_touch=True)
    page.goto(f"/characters/{unfinished.pk}/build/aspects/")
    press(page, page.locator(roll))
    expect(page.locator(f"{shown} .own-answer")).to_be_in_viewport(ratio=1)
    expect(page.locator(f"{shown}-title")).to_be_focused()


@pytest.mark.parametrize("other", ["#bond-roll", "#bond-3"])
def test_words_typed_beside_a_roll_or_a_suggestion_stay_and_are_in_view(new_page, unfinished, other):
    page = new_page(user=unfinished.owner)
    page.goto(f"/characters/{unfinished.pk}/build/aspects/")
    page.fill("#bond-text", "My sister at the mill")
    press(page, page.locator(other))
    expect(page.locator("#bond .own-answer")).to_have_count(1)
    expect(page.locator("#bond-text")).to_have_value("My sister at the mill")
    expect(page.locator("#bond-text")).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("step", ["origin", "abilities", "job"])
def test_on_a_laptop_the_steps_never_cover_the_link_onward(new_page, unfinished, step, script):
    page = new_page(user=unfinished.owner, width=WIDE, script=script)
    page.goto(f"/characters/{unfinished.pk}/build/{step}/")
    for pages in (0, 0.3, 1):
        page.evaluate("share => scrollTo({top: share * document.body.scrollHeight, behavior: 'instant'})", pages)
        assert page.locator(".onward .button").evaluate(UNCOVERED)


@pytest.mark.parametrize("width", [PHONE, 768])
def test_the_names_of_all_steps_stay_in_sight(new_page, unfinished, width):
    page = new_page(user=unfinished.owner)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"/characters/{unfinished.pk}/build/origin/")
    page.evaluate("scrollTo(0, 1500)")
    names = page.locator(".step-nav .step-name")
    expect(names).to_have_text(["Origin", "Aspects", "Abilities", "Job", "Equipment", "Review"])
    for name in names.all():
        expect(name).to_be_in_viewport(ratio=1)


def test_on_a_phone_a_finished_step_has_another_line_than_the_one_that_is_open(new_page, db):
    ana = User.objects.create_user("ana", "ana@example.com", "a long password")
    page = new_page(user=ana, width=PHONE)
    page.goto(f"/characters/{owned_by(ana).pk}/build/job/")
    line = (
        "all => all.map(one => { const s = getComputedStyle(one); return s.borderBottomStyle + s.borderBottomColor })"
    )
    here = page.locator(".step-nav a[aria-current]").evaluate_all(line)
    done = page.locator(".step-nav a:not([aria-current]):has(.badge-done)").evaluate_all(line)
    assert (len(here), len(done)) == (1, 3)
    assert here[0] not in done


def test_what_is_missing_and_its_step_are_on_one_line(new_page, unfinished):
    page = new_page(user=unfinished.owner, width=PHONE)
    page.goto(f"/characters/{unfinished.pk}/build/review/")
    rows = page.locator("[aria-labelledby=missing-title] .link-list li")
    ends = rows.evaluate_all("all => all.map(one => one.lastElementChild.getBoundingClientRect().right)")
    assert len(ends) >= 5
    assert max(ends) - min(ends) < 1


def test_a_message_does_not_cover_the_link_onward(new_page, unfinished):
    page = new_page(user=unfinished.owner, width=PHONE)
    page.goto(f"/characters/{unfinished.pk}/build/origin/")
    page.locator("#ambassador-knowledge-knowledge-history").click()
    expect(page.locator(".toasts p")).to_be_visible()
    said, way = (page.locator(one).bounding_box() for one in (".toasts p", ".onward .button"))
    assert said["y"] + said["height"] <= way["y"]
    page.locator(".onward-next").evaluate("one => { one.textContent = 'Choose a knowledge (History and Religion)'; }")
    said, bar = (page.locator(one).bounding_box() for one in (".toasts p", ".onward"))
    assert said["y"] + said["height"] <= bar["y"]


def test_without_script_the_page_returns_to_the_answered_question(new_page, unfinished):
    page = new_page(user=unfinished.owner, width=PHONE, script=False)
    page.goto(f"/characters/{unfinished.pk}/build/origin/")
    page.locator("#ambassador-knowledge-knowledge-history").click()
    page.wait_for_url("**/build/origin/#ambassador-knowledge")
    expect(page.locator("#ambassador-knowledge-title")).to_be_in_viewport()


def test_origin_is_short_on_a_phone(new_page, sound):
    page = new_page(width=PHONE)
    page.goto("/characters/")
    page.get_by_role("button", name="Make a character").click()
    page.wait_for_url("**/build/origin/")
    for part in ("lineage-lineage-human", "culture-culture-human-culture", "background-background-ambassador"):
        version = page.locator("#builder").get_attribute("data-version")
        page.locator(f"#core-rules-{part}").click()
        expect(page.locator("#builder")).not_to_have_attribute("data-version", version)
    screens = page.evaluate("document.documentElement.scrollHeight / innerHeight")
    assert screens <= 5, f"{screens:.1f} screens"
    page.evaluate("scrollTo(0, 2000)")
    expect(page.locator(".step-nav [aria-current]")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Next question")).to_be_in_viewport()
    assert page.locator("#ambassador-languages button[name=word]").count() >= 2
    sound(page)


@pytest.mark.parametrize("script", [True, False])
def test_a_name_is_given_on_the_first_page(new_page, script):
    page = new_page(width=PHONE, script=script)
    page.goto("/characters/")
    page.get_by_role("button", name="Make a character").click()
    for line in (page.get_by_text("Choose a face"), page.get_by_text("Name", exact=True)):
        assert line.evaluate(LINES) == 1
    page.fill("#character-name", "Tamsin Oake")
    page.locator("#keep-name").click()
    expect(page.locator(".side-name")).to_contain_text("Tamsin Oake")
    expect(page.get_by_role("heading", level=1)).to_have_text("Origin")
    assert page.get_by_role("link", name="Choose a face").get_attribute("href").endswith("/face/")
