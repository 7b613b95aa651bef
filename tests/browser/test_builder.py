"""Building in a browser: each sample as a new visitor would, with script and without, by pointer and by keyboard."""

import json

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from characters.models import Character
from characters.samples import add_samples
from tests.support.browser import PHONE, WIDE
from tests.support.characters import SAMPLES, document, owned_by

pytestmark = pytest.mark.django_db(transaction=True)
STEPS = ("origin", "aspects", "abilities", "job", "equipment", "review")
ABILITIES = ("strength", "agility", "vitality", "mind", "spirit", "presence")
SHELVES = ("armor", "simple-weapons", "martial-weapons", "gear")
IDS = "buttons => buttons.map(one => one.id)"


class Walk:
    """A new visitor who makes the character that a file describes, with nothing but the pages."""

    def __init__(self, page):
        self.page, self.shelf, self.sold = page, None, {}
        page.goto("/characters/")
        page.get_by_role("button", name="Make a character").click()
        page.wait_for_url("**/build/origin/")
        self.root = page.url.removesuffix("origin/")

    def step(self, name):
        self.page.get_by_role("navigation", name="Steps").get_by_role("link", name=name).click()
        self.page.wait_for_url(f"**/build/{name.lower()}/")

    def press(self, selector):
        """Press a button and wait for the character to have changed."""
        builder = self.page.locator("#builder")
        before = builder.get_attribute("data-version")
        self.page.locator(selector).click()
        expect(builder).not_to_have_attribute("data-version", before)
        self.page.wait_for_load_state()  # without script the version comes before the rest of the new page

    def answer(self, choice, slug):
        """Take the option, or write it in if the rules do not list it. A sole option is already taken."""
        anchor = choice.replace(".", "-")
        if self.page.locator(f"#{anchor} button[name=drop][value$=':{slug}']").count():
            return
        option = f"#{anchor} button[name=take][value$=':{slug}']"
        if self.page.locator(option).count():
            self.press(option)
        else:
            self.page.fill(f"#{anchor}-word", slug)
            self.press(f"#{anchor}-write")

    def origin(self, wanted):
        for part in ("lineage", "culture", "background"):
            self.answer(f"core-rules.{part}", wanted["origin"][part])
        self.choices(wanted, lambda key: not key.startswith("fighter."))

    def choices(self, wanted, here):
        for key, answers in wanted["choices"].items():
            for one in answers if here(key) else ():
                self.answer(key, one)

    def aspects(self, wanted):
        self.step("Aspects")
        self.answer("core-rules.disposition", wanted["origin"]["disposition"])
        for aspect in wanted["aspects"]:
            self.page.fill(f"#{aspect['kind']}-text", aspect["text"])
            self.press(f"#{aspect['kind']}-write")

    def swap(self, result):
        """Give the first ability this result, which another ability has."""
        self.page.locator("#rank-1").focus()
        self.page.select_option("#rank-1", label=str(result))

    def abilities(self, wanted):
        self.step("Abilities")
        method, ranks = wanted["abilities"]["method"], wanted["abilities"]["ranks"]
        self.page.goto(f"{self.root}abilities/?method={method}")
        for number, ability in enumerate(ABILITIES, start=1):
            if method == "array":
                self.page.select_option(f"#rank-{number}", label=str(ranks[ability]))
            else:
                self.page.fill(f"#rank-{number}", str(ranks[ability]))
        self.press("#keep-ranks")
        for ability, points in wanted["abilities"]["bonuses"].items():
            for _ in range(points):
                self.press(f"#core-rules-ability-bonuses-rank-{ability}-more")

    def job(self, wanted):
        self.step("Job")
        self.answer("core-rules.job", wanted["job"])
        self.choices(wanted, lambda key: key.startswith("fighter."))

    def equipment(self, wanted):
        self.step("Equipment")
        for item in wanted["inventory"]:
            if "custom" in item:
                self.page.fill("#own-thing-name", item["custom"])
                self.press("#own-thing-add")
                continue
            self.buy(item["item"])
            row = f".thing:has(h3) >> nth={len(self.page.locator('.thing').all()) - 1}"
            if item.get("quantity", 1) > 1:
                self.page.locator(row).get_by_label("How many").fill(str(item["quantity"]))
                self.press(f"{row} >> button[name=count]")
            place = f"{row} >> button[name=state][value={item['state']}]"
            if self.page.locator(place).get_attribute("aria-pressed") != "true":  # it goes to a free place by itself
                self.press(place)

    def buy(self, slug):
        """Opens each shelf only once, and remembers what it sells."""
        buttons = {f"{kind}-{slug}-buy" for kind in ("armor", "weapon", "gear")}
        for shelf in sorted(SHELVES, key=lambda one: one not in self.sold):
            if shelf not in self.sold:
                self.go_to(shelf)
                self.sold[shelf] = set(self.page.locator("button[id$=-buy]").evaluate_all(IDS))
            for button in buttons & self.sold[shelf]:
                self.go_to(shelf)
                return self.press(f"#{button}")
        raise AssertionError(f"{slug} is on no shelf")

    def go_to(self, shelf):
        if shelf != self.shelf:
            self.page.goto(f"{self.root}equipment/?shelf={shelf}")
        self.shelf = shelf

    def review(self, wanted):
        self.step("Review")
        self.page.get_by_label("Name", exact=True).fill(wanted["name"])
        self.press("#keep-name")
        expect(self.page.get_by_text(f"{wanted['name']} is complete")).to_be_visible()
        self.page.get_by_role("link", name="Open the sheet").click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(wanted["name"])


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize("slug", SAMPLES)
def test_a_new_visitor_builds_a_sample(new_page, slug, script):
    add_samples()
    page, wanted = new_page(script=script, width=PHONE if slug == SAMPLES[0] else WIDE), document(slug)
    walk = Walk(page)
    for step in STEPS:
        getattr(walk, step)(wanted)
    built = json.loads(page.request.get(f"{page.url}download/").text())
    sample = json.loads(page.request.get(f"/samples/{slug}/download/").text())
    assert built == sample


@pytest.fixture
def unfinished(db):
    """A character of Ana's with something open, something chosen and something to fix in every step."""
    ana = User.objects.create_user("ana", "ana@example.com", "a long password")
    return owned_by(ana, "ysolde-marrow", name="", aspects=[{"kind": "trait", "text": "Hums"}], choices={
        "human-culture.skills": ["insight", "athletics"],
    })  # fmt: skip


def test_the_side_sheet_opens_and_scrolls_by_keyboard_on_a_phone(new_page, axe, unfinished):
    page = new_page(user=unfinished.owner, width=PHONE)
    page.goto(f"/characters/{unfinished.pk}/build/equipment/")
    page.locator(".side-sheet summary").focus()
    page.keyboard.press("Enter")
    last = page.locator(".side-sheet .side-list > div").last
    expect(last).not_to_be_in_viewport()
    axe(page)
    page.keyboard.press("End")
    expect(last).to_be_in_viewport()
    expect(page.locator(".side-sheet summary")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(last).to_be_hidden()


def test_that_nothing_can_be_bought_is_said_once_with_the_way_to_the_background(new_page, sound):
    page = new_page(width=PHONE)
    walk = Walk(page)
    page.goto(f"{walk.root}equipment/?shelf=gear")
    shop = page.locator("#shop")
    expect(shop.locator(".ware")).not_to_have_count(0)
    expect(shop.locator("form")).to_have_count(0)
    expect(shop.get_by_text("you cannot buy anything")).to_have_count(0)
    expect(shop.get_by_text("pay for nothing")).to_have_count(1)
    sound(page)
    shop.get_by_role("link", name="To your background").click()
    walk.answer("core-rules.background", "ambassador")
    page.goto(f"{walk.root}equipment/?shelf=gear")
    expect(shop.get_by_role("button", name="Buy")).not_to_have_count(0)
    expect(shop.get_by_role("link", name="To your background")).to_have_count(0)


def test_every_step_is_accessible_and_fits(new_page, sound, unfinished):
    page = new_page(user=unfinished.owner)
    root = f"/characters/{unfinished.pk}/build"
    for path in ["/characters/", *(f"{root}/{step}/" for step in STEPS), f"{root}/abilities/?method=rolled"]:
        page.goto(path)
        sound(page)


def test_the_empty_list_of_characters_and_the_bin_are_accessible(new_page, axe, unfinished):
    page = new_page()
    page.goto("/characters/")
    axe(page)
    page = new_page(width=PHONE, user=unfinished.owner)
    page.goto("/characters/")
    page.get_by_text("More for").click()
    axe(page)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Bin")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Bin")).to_have_count(0)


def test_on_a_phone_the_ways_to_a_first_character_are_equally_wide(new_page):
    page = new_page(width=PHONE)
    page.goto("/characters/")
    widths = {page.get_by_role("button", name=name).bounding_box()["width"] for name in ("Make a", "Surprise")}
    assert len(widths) == 1


def test_the_builder_works_by_keyboard_and_keeps_the_focus(new_page):
    page = new_page()
    walk = Walk(page)
    for selector in ("#core-rules-lineage-lineage-elf", "#core-rules-culture-culture-human-culture"):
        page.locator(selector).focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"{selector}[name=drop]")).to_be_focused()
        # The page restores the place of the pressed control in the next frame; no person is faster than that.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    walk.step("Abilities")
    page.get_by_role("link", name="Point buy").click()
    page.wait_for_url("**/build/abilities/?*")
    page.locator("#up-1").focus()
    for _ in range(2):
        before = page.locator("#builder").get_attribute("data-version")
        page.keyboard.press("Space")
        expect(page.locator("#builder")).not_to_have_attribute("data-version", before)
        expect(page.locator("#up-1")).to_be_focused()
    expect(page.locator("#rank-1")).to_have_value("12")
    page.locator("#down-2").focus()
    for left, focused in {"9": "#down-2", "8": "#pick-2"}.items():  # at its lowest, another Space must not raise it
        page.keyboard.press("Space")
        expect(page.locator("#rank-2")).to_have_value(left)
        expect(page.locator(focused)).to_be_focused()


def test_the_side_sheet_marks_a_number_that_changed(new_page):
    page = new_page()
    walk = Walk(page)
    walk.press("#core-rules-lineage-lineage-dwarf")
    expect(page.locator(".side-sheet .vital.just-changed", has_text="Speed")).to_contain_text("was 0 ft")
    expect(page.get_by_role("status")).to_contain_text("Dwarf")


def test_results_swap_places_when_one_is_taken_twice(new_page):
    page = new_page()
    walk = Walk(page)
    page.goto(f"{walk.root}abilities/?method=array")
    walk.swap(8)
    expect(page.locator("#rank-6")).to_have_value("0")


def test_without_script_a_result_given_twice_is_refused_by_its_field(new_page):
    page = new_page(script=False, width=PHONE)
    walk = Walk(page)
    page.goto(f"{walk.root}abilities/?method=array")
    page.select_option("#rank-6", label="15")
    page.locator("#keep-ranks-below").click()
    expect(page.locator("#ranks-error")).to_have_text(
        "Strength and Presence have the same result. Give one of them another."
    )
    expect(page.locator("#rank-6")).to_be_focused()
    expect(page.locator("#rank-6")).to_be_in_viewport()
    expect(page.locator("#ranks-error")).to_be_in_viewport()


@pytest.mark.smoke
def test_a_refusal_shows_by_its_field_and_keeps_what_was_typed(new_page, axe):
    page = new_page()
    Walk(page)
    page.goto(f"/characters/{Character.objects.latest('pk').pk}/build/abilities/?method=points")
    page.fill("#rank-1", "15")
    page.fill("#rank-2", "15")
    page.fill("#rank-3", "15")
    page.locator("#keep-ranks").click()
    expect(page.locator("#ranks-error")).to_contain_text("These ranks cost 21 points")
    expect(page.locator("#rank-3")).to_have_value("15")
    axe(page)


def test_text_typed_in_other_fields_survives_an_answer(new_page):
    page = new_page()
    walk = Walk(page)
    page.goto(f"{walk.root}aspects/")
    for kind in ("trait", "ideal", "flaw"):
        page.fill(f"#{kind}-text", f"My {kind}")
    page.locator("#trait-write").click()
    expect(page.locator("#trait .aspect-text")).to_have_text("My trait")
    expect(page.locator("#trait-text")).to_have_value("")
    for kind in ("ideal", "flaw"):
        expect(page.locator(f"#{kind}-text")).to_have_value(f"My {kind}")


def test_an_opened_rule_stays_open_and_the_options_of_an_answered_question_fold(new_page):
    page = new_page(width=PHONE)
    walk = Walk(page)
    rule = page.locator("#core-rules-background details").first
    rule.locator("summary").click()
    walk.press("#core-rules-lineage-lineage-elf")
    others = page.locator("#core-rules-lineage .other-options")
    others.locator("> summary").click()
    walk.press("#core-rules-lineage-lineage-human")
    expect(rule).to_have_attribute("open", "")
    expect(others).not_to_have_attribute("open", "")


def test_assigned_results_survive_a_bonus(new_page):
    page = new_page()
    walk = Walk(page)
    page.goto(f"{walk.root}abilities/?method=array")
    walk.swap(8)
    walk.press("#core-rules-ability-bonuses-rank-mind-more")
    expect(page.locator("#rank-1")).to_have_value("5")
    expect(page.locator("#rank-6")).to_have_value("0")


def test_refused_ranks_survive_a_bonus(new_page):
    page = new_page()
    walk = Walk(page)
    page.goto(f"{walk.root}abilities/?method=points")
    for number in (1, 2, 3):
        page.fill(f"#rank-{number}", "15")
    page.locator("#keep-ranks").click()
    expect(page.locator("#ranks-error")).to_be_visible()
    walk.press("#core-rules-ability-bonuses-rank-mind-more")
    for number in (1, 2, 3):
        expect(page.locator(f"#rank-{number}")).to_have_value("15")


def test_without_script_a_line_says_that_each_button_saves_its_own_field(new_page):
    for script in (False, True):
        page = new_page(width=PHONE, script=script)
        Walk(page)
        assert ("each button saves only the field beside it" in page.inner_text("body")) is not script


def test_going_to_another_step_saves_what_was_typed(new_page):
    page = new_page(width=PHONE)
    walk = Walk(page)
    page.fill("#character-name", "Tamsin Oake")
    page.get_by_role("link", name="On to Aspects").click()
    page.wait_for_url("**/build/aspects/")
    expect(page.locator("#breadcrumbs")).to_contain_text("Tamsin Oake")
    page.fill("#trait-text", "I hum")
    page.fill("#flaw-text", "I hum badly")
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Abilities").click()
    page.wait_for_url("**/build/abilities/")
    walk.swap(8)
    page.get_by_role("link", name="On to Job").click()
    page.wait_for_url("**/build/job/")
    character = Character.objects.latest("pk")
    assert {one.text for one in character.aspects.all()} == {"I hum", "I hum badly"}
    assert character.inputs.get(stat__key="rank.strength").value == 8


def test_the_link_onward_stops_once_at_refused_ranks(new_page):
    page = new_page()
    walk = Walk(page)
    page.goto(f"{walk.root}abilities/?method=points")
    for number in (1, 2, 3):
        page.fill(f"#rank-{number}", "15")
    page.get_by_role("link", name="On to Job").click()
    expect(page.locator("#ranks-error")).to_contain_text("These ranks cost 21 points")
    expect(page.locator("#rank-3")).to_have_value("15")
    page.get_by_role("link", name="On to Job").click()
    page.wait_for_url("**/build/job/")
    page.goto(f"{walk.root}abilities/?method=points")
    page.fill("#rank-1", "99")
    page.get_by_role("link", name="On to Job").click()
    walk.press("#core-rules-ability-bonuses-rank-mind-more")  # this press does not leave the page
    expect(page.locator("#rank-1")).to_have_value("99")
    assert page.url == f"{walk.root}abilities/?method=points"


@pytest.mark.smoke
def test_a_guest_who_signs_up_keeps_their_draft(new_page):
    page = new_page(script=False)
    walk = Walk(page)
    walk.press("#core-rules-lineage-lineage-dwarf")
    page.locator(".guest-note").get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill("mara")
    page.get_by_label("Email").fill("mara@example.com")
    page.get_by_label("Password").fill("a very long password")
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url(f"{walk.root}origin/")
    expect(page.locator("#core-rules-lineage-lineage-dwarf[name=drop]")).to_be_visible()
    assert Character.objects.get(sample="").owner.username == "mara"


def test_an_answer_older_than_the_page_is_dropped(new_page):
    page = new_page()
    walk = Walk(page)
    page.evaluate("document.getElementById('builder').dataset.version = '99'")
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator("#core-rules-lineage-lineage-dwarf").click()
    page.wait_for_timeout(300)
    expect(page.locator("#core-rules-lineage-lineage-dwarf[name=take]")).to_be_visible()
    expect(page.locator("#builder")).to_have_attribute("data-version", "99")
    page.goto(f"{walk.root}origin/")
    expect(page.locator("#core-rules-lineage-lineage-dwarf[name=drop]")).to_be_visible()
    expect(page.locator("#builder")).not_to_have_attribute("data-version", "99")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_enter_sends_the_field_that_has_the_focus(new_page, unfinished, script):
    page = new_page(user=unfinished.owner, script=script)
    root = f"/characters/{unfinished.pk}/build"

    def enter(path, field, text):
        page.goto(f"{root}/{path}")
        before = page.locator("#builder").get_attribute("data-version")
        page.locator(field).fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("#builder")).not_to_have_attribute("data-version", before)

    enter("origin/", "#ambassador-languages-word", "Heron whistles")
    enter("origin/", "#ambassador-languages-word", "Quarry signs")
    expect(page.locator("#ambassador-languages .own-text")).to_have_text(["Heron whistles", "Quarry signs"])
    enter("equipment/", ".thing >> nth=3 >> [name=quantity]", "4")
    expect(page.locator(".thing >> nth=3 >> [name=quantity]")).to_have_value("4")
    enter("abilities/?method=points", "#rank-1", "12")
    expect(page.locator("#rank-1")).to_have_value("12")


def test_on_a_phone_a_question_stands_further_from_the_one_before_than_its_own_parts_do(new_page, unfinished):
    page = new_page(width=PHONE, user=unfinished.owner)
    page.goto(f"{unfinished.get_absolute_url()}build/aspects/")
    first, second = (page.locator(".builder-step > .question").nth(at).bounding_box() for at in range(2))
    assert second["y"] - first["y"] - first["height"] == 24


def test_ranks_that_are_not_saved_yet_stand_at_the_end_of_their_line(new_page):
    walk = Walk(new_page())
    walk.step("Abilities")
    page = walk.page
    row = page.locator("#ranks .ability-row").first
    line, field = row.bounding_box(), row.locator("select").bounding_box()
    assert line["x"] + line["width"] == field["x"] + field["width"]


def test_ranks_that_are_not_saved_yet_fit_a_phone_in_large_text(new_page):
    page = new_page(width=PHONE)
    Walk(page).step("Abilities")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_on_a_wide_screen_the_lines_of_the_abilities_step_end_together(new_page):
    walk = Walk(new_page())
    walk.step("Abilities")
    page = walk.page
    line = page.locator(".step-nav ol").evaluate("ol => getComputedStyle(ol, '::after').borderBottomWidth")
    assert line == "2px"
    for row in page.locator(".ability-row:has(.stepper)").all():
        box, stepper = row.bounding_box(), row.locator(".stepper").bounding_box()
        assert box["x"] + box["width"] == stepper["x"] + stepper["width"]
    page.get_by_role("link", name="Point buy").click()
    pick = page.locator("#ranks .ability-row").first
    costs, rank = (pick.locator(f".{part} .faint").bounding_box() for part in ("ability-pick", "ability-now"))
    assert abs(costs["y"] - rank["y"]) < 1


def test_every_step_begins_at_the_same_height(new_page, unfinished):
    page = new_page(user=unfinished.owner)
    heights = set()
    for step in ("aspects", "abilities", "job", "equipment"):
        page.goto(f"{unfinished.get_absolute_url()}build/{step}/")
        heights.add(page.locator(".step-head + *").bounding_box()["y"])
    assert len(heights) == 1


def test_the_name_of_a_thing_keeps_room_beside_its_places(new_page, ana):
    page = new_page(user=ana)
    page.set_viewport_size({"width": 1024, "height": 800})
    page.goto(f"{owned_by(ana, 'ilien-of-the-reeds').get_absolute_url()}build/equipment/")
    for name in page.locator(".thing > :first-child").all():
        assert name.bounding_box()["width"] >= 12 * 16


def test_on_a_phone_the_first_question_is_near_the_top(new_page, unfinished):
    page = new_page(width=PHONE, user=unfinished.owner)
    for step, at_most in (("origin", 290), ("job", 190)):
        page.goto(f"{unfinished.get_absolute_url()}build/{step}/")
        assert page.locator(".question-head").first.bounding_box()["y"] < at_most


def test_where_a_thing_is_and_how_many_there_are_is_one_line_below_its_name(new_page, ana):
    page = new_page(width=WIDE, user=ana)
    page.goto(f"{owned_by(ana, 'ilien-of-the-reeds').get_absolute_url()}build/equipment/")
    for thing in page.locator(".thing").all():
        name, places, count = (part.bounding_box() for part in thing.locator("> *").all())
        assert name["y"] + name["height"] <= places["y"] == count["y"]


def test_what_is_for_sale_has_its_tags_on_one_line(new_page, ana):
    page = new_page(width=WIDE, user=ana)
    page.goto(f"{owned_by(ana, 'ilien-of-the-reeds').get_absolute_url()}build/equipment/")
    assert {tags.bounding_box()["height"] < 30 for tags in page.locator(".ware .tags").all()} == {True}


def test_on_a_phone_the_menu_of_an_ability_stands_beside_its_name(new_page):
    page = new_page(width=PHONE)
    Walk(page).step("Abilities")
    row = page.locator("#ranks .ability-row").first
    name, menu, affects = (row.locator(part).bounding_box() for part in ("label", "select", "p"))
    assert name["x"] + name["width"] <= menu["x"]
    assert menu["y"] <= name["y"] + name["height"] / 2 <= menu["y"] + menu["height"] <= affects["y"]
