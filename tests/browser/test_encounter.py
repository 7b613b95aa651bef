"""A fight of three rounds by three people, one with a phone: turns, a condition of two rounds, hits, and the television
that shows it."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from campaigns.models import Encounter
from campaigns.verbs import campaigns, combatants, creatures, encounters, membership, screens, seats, turn_order
from characters.models import Character
from characters.people import Person
from tests.campaigns.fights import WOLF
from tests.characters.cast import new_key
from tests.support.browser import PHONE
from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GUESTS = ("Ada", "Bea", "Cleo", "Dora", "Edda", "Fara", "Gita", "Hana", "Ines", "Jori", "Kata", "Lene", "Mona", "Nora")


@pytest.fixture
def campaign(ana):
    """Ana's table, with Bo, Cid and their characters."""
    made = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    for name, character in (("bo", "Borrin"), ("cid", "Ysolde")):
        user = User.objects.create_user(name, f"{name}@example.com", "a long password")
        token = membership.make_invite(made.pk, Person(ana), new_key(), role="player", most=1, days=1)
        membership.join(token, Person(user), name=name.capitalize())
        seats.bring(made.pk, Person(user), owned_by(user, name=character).pk)
    return made


def fill_creature(lead):
    lead.get_by_role("link", name="New creature").click()
    lead.get_by_label("Name").fill("Wolf")
    lead.locator("#id_vital").fill("11")
    lead.locator("#id_guard").fill("13")
    lead.locator("#id_rolls").fill("Bite 3D+4")
    lead.locator("#id_many").fill("2")
    lead.get_by_role("button", name="Add it").click()


def enter(lead, name, total):
    row = lead.locator(".fight-line", has=lead.get_by_role("heading", name=name))
    row.locator(".fight-more > summary").click()
    row.get_by_label("Initiative").fill(str(total))
    row.get_by_role("button", name="Save").click()
    expect(
        lead.locator(".fight-line", has=lead.get_by_role("heading", name=name)).locator(".fight-place")
    ).to_have_text(str(total))


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_button_shows_its_letter_where_the_letter_presses_it(new_page, ana, campaign, script):
    encounters.begin(campaign.pk, Person(ana), new_key())
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    lead = new_page(user=ana, script=script)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    for name, letter in (("Next turn", "n"), ("Back", "b")):
        button = lead.get_by_role("button", name=name, exact=True)
        drawn = button.evaluate("one => getComputedStyle(one, '::after').content")
        assert drawn == (f'"{letter}" / ""' if script else "none")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_three_people_play_three_rounds(new_page, ana, campaign, script):
    address = f"{campaign.get_absolute_url()}encounter/"
    lead = new_page(user=ana, script=script)
    bo, cid = (
        new_page(user=User.objects.get(username=name), script=script, **width)
        for name, width in (("bo", {"width": PHONE}), ("cid", {}))
    )
    lead.goto(campaign.get_absolute_url())
    lead.get_by_role("link", name="Encounter").click()
    lead.get_by_role("button", name="Begin an encounter").click()
    expect(lead.locator(".fight-line")).to_have_count(2)  # before it, a new creature is not asked how many come
    fill_creature(lead)
    expect(lead.locator(".fight-line")).to_have_count(4)
    for name, total in (("Borrin", 15), ("Wolf 1", 12), ("Ysolde", 9), ("Wolf 2", 6)):
        enter(lead, name, total)
    turn = lead.locator(".turn-words h2")
    if script:
        lead.wait_for_load_state()
        lead.locator("h1").click()
        lead.keyboard.press("n")
    else:
        lead.get_by_role("button", name="First turn").click()
    expect(turn).to_have_text("Borrin")
    row = lead.locator(".fight-line", has=lead.get_by_role("heading", name="Wolf 1"))
    lead.get_by_text("Add a condition").click()
    lead.get_by_label("On", exact=True).select_option(label="Wolf 1")
    lead.locator("#condition").fill("Asleep")
    lead.get_by_label("Rounds").fill("2")
    lead.get_by_role("button", name="Add the condition").click()
    expect(row).to_contain_text("Asleep, 2 rounds")

    bo.goto(address)
    expect(bo.get_by_role("heading", name="It’s your turn, Borrin")).to_be_visible()
    bo.get_by_role("button", name="End my turn").click()
    expect(bo.locator(".turn-words h2")).to_have_text("Wolf 1")
    lead.goto(address)
    expect(turn).to_have_text("Wolf 1")
    expect(row).to_contain_text("Asleep, 1 round")
    lead.get_by_role("button", name="Next turn").click()
    expect(turn).to_have_text("Ysolde")
    cid.goto(address)
    cid.get_by_role("button", name="End my turn").click()
    expect(cid.locator(".turn-words h2")).to_have_text("Wolf 2")
    lead.goto(address)
    expect(turn).to_have_text("Wolf 2")
    lead.get_by_label("Health of Wolf 2, how much").fill("4")
    lead.get_by_role("button", name="Damage Wolf 2").click()
    expect(lead.locator("#live")).to_contain_text("7 of 11")
    lead.get_by_role("button", name="Undo").click()
    expect(lead.locator("#live")).not_to_contain_text("7 of 11")
    lead.get_by_role("button", name="Bite 3D+4 for Wolf 2").click()
    expect(lead.locator(".fight-rolled")).to_contain_text("Bite 3D+4:")

    for name in ("Borrin", "Wolf 1"):
        lead.get_by_role("button", name="Next turn").click()
        expect(turn).to_have_text(name)
    expect(row).not_to_contain_text("Asleep")
    if script:
        lead.locator("h1").click()
        lead.keyboard.press("b")
    else:
        lead.get_by_role("button", name="Back").click()
    expect(turn).to_have_text("Borrin")
    expect(row).to_contain_text("Asleep, 1 round")
    for name in ("Wolf 1", "Ysolde", "Wolf 2", "Borrin"):
        lead.get_by_role("button", name="Next turn").click()
        expect(turn).to_have_text(name)
    expect(lead.locator(".turn-words")).to_contain_text("Round 3")
    expect(row).not_to_contain_text("Asleep")

    lead.get_by_role("button", name="Make a screen").click()
    television = new_page(script=script)
    television.goto(lead.get_by_label("The new screen").input_value())
    expect(television.locator("h1")).to_have_text("Borrin")
    expect(television.locator(".screen-line")).to_have_count(4)
    lead.get_by_role("button", name="End the encounter").click()
    expect(lead.locator("#live")).to_contain_text("No encounter now")
    television.reload()
    expect(television.locator("h1")).to_have_text("Saltmarsh")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_creatures_are_described_ahead_and_are_there_when_the_encounter_begins(new_page, sound, ana, campaign, script):
    lead = new_page(user=ana, script=script, width=PHONE)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    for name in ("A wolf with quite a long name", "Witch"):
        lead.get_by_role("link", name="New creature").click()
        lead.get_by_label("Name").fill(name)
        lead.get_by_role("button", name="Save").click()
    many = lead.get_by_label("A wolf with quite a long name, how many")
    many.fill("many")
    lead.get_by_label("Witch, how many").fill("1")
    lead.get_by_label("Hidden for players: Witch").check()
    if script:
        creatures.create(campaign.pk, Person(ana), new_key(), name="Bat")
        lead.evaluate(DRAWN_AGAIN, f"campaign {campaign.pk}")
        expect(lead.get_by_label("Bat, how many")).to_be_visible()
        expect(lead.get_by_label("Hidden for players: Witch")).to_be_checked()
    lead.get_by_role("button", name="Begin an encounter").click()
    expect(lead.locator(".seats .field-error")).to_have_text("Enter a whole number from 0 to 20.")
    expect(lead.get_by_label("Hidden for players: Witch")).to_be_checked()
    expect(many).to_have_value("many")
    if script:
        sound(lead)
    many.fill("2")
    lead.get_by_role("button", name="Begin an encounter").click()
    expect(lead.locator(".fight-line")).to_have_count(5)
    assert campaign.encounters.get().combatants.get(creature__name="Witch").hidden


DRAWN_AGAIN = """thing => new Promise(done => {
  document.addEventListener("htmx:after:swap", () => setTimeout(done), {once: true});
  document.dispatchEvent(new CustomEvent("thing-number", {detail: {thing, number: "another"}}));
})"""


def test_numbers_of_creatures_stay_while_somebody_else_begins(new_page, ana, campaign):
    creatures.create(campaign.pk, Person(ana), new_key(), **WOLF)
    lead = new_page(user=ana)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    many = lead.get_by_label("Wolf, how many")
    many.fill("2")
    encounters.begin(campaign.pk, Person(ana), new_key())
    lead.evaluate(DRAWN_AGAIN, f"campaign {campaign.pk}")
    expect(many).to_have_value("2")
    many.press("Enter")
    expect(lead.get_by_role("heading", name="Wolf 2")).to_be_visible()
    assert campaign.encounters.count() == 1


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_an_encounter_begins_or_continues_from_the_first_screen(new_page, ana, campaign, script):
    for number in range(12):
        named = {**WOLF, "name": f"Wolf of the marshes and the drowned villages {number}"}
        creatures.create(campaign.pk, Person(ana), new_key(), **named)
    begun = encounters.begin(campaign.pk, Person(ana), new_key())
    encounters.end(campaign.pk, Person(ana), begun.pk)
    lead = new_page(width=PHONE, script=script, user=ana)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    begin, resume = (lead.get_by_role("button", name=name) for name in ("Begin an encounter", "Continue the last one"))
    for button in (begin, resume):
        box = button.bounding_box()
        assert box["y"] + box["height"] <= lead.viewport_size["height"]
    lead.emulate_media(media="print")
    expect(begin).to_be_hidden()
    expect(lead.get_by_text("Wolf of the marshes").first).to_be_hidden()
    lead.emulate_media(media="screen")
    resume.click()
    expect(lead.get_by_role("heading", name="Set the order")).to_be_visible()


def test_a_roll_of_a_creature_is_read_out_with_its_name(new_page, ana, campaign):
    """A status region that comes with its text already in it is often not read out, so it is there before."""
    encounters.begin(campaign.pk, Person(ana), new_key())
    creatures.create(campaign.pk, Person(ana), new_key(), many=1, hidden=False, **WOLF)
    lead = new_page(user=ana)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    line = lead.locator(".fight-line", has=lead.get_by_role("heading", name="Wolf"))
    region = line.locator(".fight-who [role=status]")
    expect(region).to_have_text("")
    region.evaluate("one => { window.before = one; }")
    lead.get_by_role("button", name="Bite 3D+4 for Wolf").click()
    expect(region).to_contain_text("Wolf: Bite")
    assert lead.evaluate("before.isConnected && before.textContent.includes('Bite')")
    lead.get_by_label("Health of Wolf, how much").fill("4")
    lead.get_by_role("button", name="Damage Wolf", exact=True).click()
    expect(lead.locator("form.late").get_by_role("button")).to_have_text("Undo: Damage 4: Wolf.")


def test_a_heading_that_has_the_focus_keeps_it_when_the_page_is_drawn_again(new_page, ana, campaign):
    page = new_page(user=ana)
    page.goto(f"{campaign.get_absolute_url()}encounter/")
    page.get_by_role("button", name="Begin an encounter").click()
    heading = page.get_by_role("heading", name="Set the order")
    expect(heading).to_be_focused()
    page.evaluate(DRAWN_AGAIN, f"campaign {campaign.pk}")
    expect(heading).to_be_focused()


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_player_types_in_their_roll_on_a_phone(new_page, ana, campaign, script):
    encounters.begin(campaign.pk, Person(ana), new_key())
    lead, bo = new_page(user=ana), new_page(user=User.objects.get(username="bo"), script=script, width=PHONE)
    for page in (lead, bo):
        page.goto(f"{campaign.get_absolute_url()}encounter/")
    bo.get_by_label("Initiative of Borrin").fill("17")
    with bo.expect_response(lambda response: response.request.method == "POST"):
        bo.get_by_role("button", name="Save").click()
    expect(bo.get_by_label("Initiative of Borrin")).to_have_value("17")
    lead.reload()
    row = lead.locator(".fight-line", has=lead.get_by_role("heading", name="Borrin"))
    expect(row.locator(".fight-place")).to_have_text("17")


def test_every_page_of_an_encounter_is_accessible_and_fits(new_page, sound, ana, campaign):
    who, bo = Person(ana), User.objects.get(username="bo")
    address = f"{campaign.get_absolute_url()}encounter/"
    lead, player = new_page(user=ana), new_page(user=bo)
    lead.goto(address)
    sound(lead)
    encounters.begin(campaign.pk, who, new_key())
    columns = {"name": "A wolf with quite a long name", "vital": 11, "guard": 13, "rolls": "Bite 3D+4", "notes": "x"}
    wolf = creatures.create(campaign.pk, who, new_key(), many=2, hidden=False, **columns)
    lead.goto(address)
    sound(lead)
    player.goto(address)
    sound(player)
    turn_order.next_turn(campaign.pk, who, new_key(), saw=0)
    for page in (lead, player):
        page.goto(address)
    lead.locator(".fight-more > summary").first.click()
    lead.locator(".fight-more > summary").last.click()
    sound(lead)
    sound(player)
    lead.get_by_role("button", name="Make a screen").click()
    television = new_page()
    television.goto(lead.get_by_label("The new screen").input_value())
    sound(lead)
    sound(television)
    for vitals in ("numbers", "words"):
        campaign.screens.update(vitals=vitals)
        television.reload()
        sound(television)
    for path in (f"creatures/{wolf.pk}/", "creatures/"):
        lead.goto(f"{campaign.get_absolute_url()}{path}")
        sound(lead)
    assert Encounter.objects.count() == 1


def test_on_a_television_every_line_fits_the_screen(new_page, ana, campaign):
    who = Person(ana)
    encounters.begin(campaign.pk, who, new_key())
    wolf = creatures.create(campaign.pk, who, new_key(), many=8, hidden=False, name="Wolf", vital=11)
    turn_order.next_turn(campaign.pk, who, new_key(), saw=0)
    lead, television = new_page(user=ana), new_page()
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    lead.get_by_role("button", name="Make a screen").click()
    television.goto(lead.get_by_label("The new screen").input_value())
    for many in (10, 20):
        for width, height in ((1920, 1080), (1280, 900)):
            television.set_viewport_size({"width": width, "height": height})
            last = television.locator(".screen-line").last.bounding_box()
            assert last["y"] + last["height"] <= height
            size = television.locator(".screen-name").last.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
            assert size >= width / 55
        if many == 10:
            combatants.bring_creatures(campaign.pk, who, new_key(), wolf.pk, many=10, hidden=False)
            television.reload()


def television_of(new_page, ana, campaign, names, many=1, **how):
    """A television that shows an encounter with creatures of these names, on its first turn."""
    who = Person(ana)
    encounters.begin(campaign.pk, who, new_key())
    for name in names:
        creatures.create(campaign.pk, who, new_key(), many=many, hidden=False, name=name, vital=11)
    turn_order.next_turn(campaign.pk, who, new_key(), saw=0)
    television = new_page(**how)
    television.set_viewport_size({"width": 1920, "height": 1080})
    television.goto(f"/screen/{screens.make_screen(campaign.pk, who, new_key(), vitals='numbers')}/")
    return television


def test_long_names_fit_a_television_and_none_is_cut(new_page, sound, ana, campaign):
    long = [f"{name} of the long bridge over the brown river Wend" for name in GUESTS]
    Character.objects.filter(name="Borrin").update(name=long[0])
    television = television_of(new_page, ana, campaign, long[1:14])
    lines = television.locator(".screen-line")
    assert lines.count() == 15
    assert television.evaluate("document.documentElement.scrollHeight") <= 1080
    for name in television.locator(".screen-name, h1").all():
        size = name.evaluate("one => [one.scrollWidth - one.clientWidth, parseFloat(getComputedStyle(one).fontSize)]")
        assert size[0] <= 0
        assert size[1] >= 24
    sound(television)


def test_on_a_phone_the_screen_is_as_readable_as_other_pages(new_page, ana, campaign):
    phone = television_of(new_page, ana, campaign, ["Wolf", "Goblin with a crossbow"], many=5, script=False)
    phone.set_viewport_size({"width": PHONE, "height": 844})
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE
    for one in phone.locator(".screen-name, .screen-vital b, .screen-vital small").all():
        box = one.evaluate("one => [one.scrollWidth - one.clientWidth, parseFloat(getComputedStyle(one).fontSize)]")
        assert box[0] <= 0 or one.evaluate("one => getComputedStyle(one).display") == "inline"
        assert box[1] >= 12
    left = {one.bounding_box()["x"] for one in phone.locator(".screen-line").all()}
    assert len(left) == 1  # no second column
    again, last = (
        phone.get_by_role("link", name="Reload").bounding_box(),
        phone.locator(".screen-line").last.bounding_box(),
    )
    assert min(again["width"], again["height"]) >= 44
    assert last["y"] + last["height"] <= again["y"]


def test_a_long_turn_order_keeps_the_current_turn_in_sight(new_page, ana, campaign):
    long = [f"{name} of the long bridge over the brown Wend" for name in GUESTS]
    television = television_of(new_page, ana, campaign, long, many=4)
    assert television.evaluate("document.documentElement.scrollHeight") > 1080
    for _ in range(27):  # the last of the left column
        turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=Encounter.objects.get().steps)
    television.reload()
    expect(television.locator(".is-now")).to_be_in_viewport(ratio=1)
    now, head = television.locator(".is-now").bounding_box(), television.locator(".screen-head").bounding_box()
    assert 0 <= head["y"] < now["y"]


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_the_order_is_dragged_and_a_character_is_hit(new_page, sound, ana, campaign, width):
    encounters.begin(campaign.pk, Person(ana), new_key())
    creatures.create(campaign.pk, Person(ana), new_key(), many=1, hidden=False, name="Wolf", vital=11)
    lead = new_page(user=ana, width=width)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    names = lead.locator(".fight-line h3")
    expect(names).to_have_text(["Borrin", "Ysolde", "Wolf"])
    for name, beside, order in (
        ("Wolf", "Borrin", ["Wolf", "Borrin", "Ysolde"]),
        ("Wolf", "Ysolde", ["Borrin", "Ysolde", "Wolf"]),
    ):
        line = lead.locator(".fight-line", has=lead.get_by_role("heading", name=name))
        over = lead.locator(".fight-line", has=lead.get_by_role("heading", name=beside)).locator("h3")
        line.locator(".fight-place").drag_to(over)
        expect(names).to_have_text(order)
    line = lead.locator(".fight-line", has=lead.get_by_role("heading", name="Borrin"))
    before = int(line.locator(".fight-state b").first.inner_text())
    line.get_by_label("Health of Borrin, how much").fill("4")
    line.get_by_role("button", name="Damage Borrin").click()
    expect(line.locator(".fight-state b").first).to_have_text(str(before - 4))
    said = lead.get_by_role("status").filter(has_text="Damage 4: Borrin.")
    expect(said).to_be_visible()
    assert said.bounding_box()["height"] <= 1, "the line with Undo says it to eyes"
    sound(lead)
    lead.locator(".late", has_text="Borrin").get_by_role("button", name="Undo").click()
    expect(line.locator(".fight-state b").first).to_have_text(str(before))
    expect(lead.locator(".fight-line")).to_have_count(3)


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_a_hit_and_its_undoing_move_no_line(new_page, sound, ana, campaign, width):
    encounters.begin(campaign.pk, Person(ana), new_key())
    long = "Wolf of the long bridge over the brown river Wend"
    creatures.create(campaign.pk, Person(ana), new_key(), many=1, hidden=False, name=long, vital=11)
    turn_order.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    lead = new_page(user=ana, width=width)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    sound(lead)
    on_page = "document.querySelector('.fight').getBoundingClientRect().top + scrollY"
    before = lead.evaluate(on_page)
    for name in ("Borrin", long):
        form = lead.locator(".fight-line", has=lead.get_by_role("heading", name=name)).locator(".fight-hit")
        form.locator("input[name=amount]").fill("4")
        form.get_by_role("button").first.click()
        expect(lead.locator(".late", has_text=name)).to_be_visible()
        assert lead.evaluate(on_page) == before, name
    sound(lead)
    for name in (long, "Borrin"):
        lead.locator(".late", has_text=name).get_by_role("button", name="Undo").click()
        expect(lead.locator(".late", has_text=name)).to_have_count(0)
    assert lead.evaluate(on_page) == before


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_only_without_script_a_page_offers_to_be_loaded_again(new_page, ana, campaign, script):
    television = television_of(new_page, ana, campaign, ["Wolf"], script=script)
    player = new_page(user=User.objects.get(username="bo"), script=script)
    player.goto(f"{campaign.get_absolute_url()}encounter/")
    for page in (television, player):
        expect(page.get_by_text("Wolf").first).to_be_visible()
        expect(page.get_by_role("link", name="Reload")).to_be_visible(visible=not script)


def test_on_a_phone_the_buttons_fill_their_bar_and_a_line_is_low(new_page, ana, campaign):
    who = Person(ana)
    encounters.begin(campaign.pk, who, new_key())
    columns = {"name": "Wolf", "vital": 11, "guard": 13, "rolls": "Bite 3D+4"}
    creatures.create(campaign.pk, who, new_key(), many=1, hidden=False, **columns)
    turn_order.next_turn(campaign.pk, who, new_key(), saw=0)
    lead = new_page(user=ana, width=PHONE)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    bar, back, following = (lead.locator(which).bounding_box() for which in (".turn-bar", "#back", "#next"))
    assert back["x"] == bar["x"]
    assert following["x"] + following["width"] == bar["x"] + bar["width"]
    assert following["y"] == back["y"]
    lines = {name: lead.locator(".fight-line", has_text=name).bounding_box()["height"] for name in ("Borrin", "Wolf")}
    assert lines["Borrin"] < 110
    assert lines["Wolf"] < 155


def test_whose_turn_it_is_and_where_a_line_is_dropped_show_without_shadows(new_page, ana, campaign):
    television = television_of(new_page, ana, campaign, ["Wolf"])
    television.emulate_media(forced_colors="active")
    assert television.locator(".is-now").evaluate("one => getComputedStyle(one).borderLeftStyle") == "solid"
    lead = new_page(user=ana, forced_colors="active")
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    other = lead.locator(".fight-line:not(.is-now)").first
    for way, edge in (("up", "borderTopWidth"), ("down", "borderBottomWidth")):
        other.evaluate("(one, way) => one.dataset.drop = way", way)
        assert other.evaluate("(one, edge) => getComputedStyle(one)[edge]", edge) == "3px"


def test_a_line_moves_further_with_each_press_and_says_whose_it_is(new_page, ana, campaign):
    encounters.begin(campaign.pk, Person(ana), new_key())
    creatures.create(campaign.pk, Person(ana), new_key(), many=2, hidden=False, **WOLF)
    lead = new_page(user=ana)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    lead.locator(".fight-line", has=lead.get_by_role("heading", name="Wolf 2")).locator(".fight-more > summary").click()
    more = lead.locator(".fight-more[open]")
    earlier = more.get_by_role("button", name="Earlier")
    earlier.focus()
    names = lead.locator(".fight-line h3")
    for place in (2, 1, 0):
        lead.keyboard.press("Enter")
        expect(names.nth(place)).to_have_text("Wolf 2")
        expect(earlier).to_be_focused()
        expect(more.get_by_role("status")).to_have_text(f"Place {place + 1} of 4")
    lead.get_by_label("Initiative of Wolf 2", exact=True).fill("12")
    lead.get_by_role("button", name="Save the initiative of Wolf 2").click()
    expect(lead.locator(".fight-place").first).to_have_text("12")


def test_a_name_of_two_lines_keeps_its_distance_from_the_field_below(new_page, ana, campaign):
    encounters.begin(campaign.pk, Person(ana), new_key())
    seat = campaign.seats.first()
    Character.objects.filter(pk=seat.character_id).update(name="Ilien of the Reeds")
    lead = new_page(width=PHONE, user=ana)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    row = lead.locator(".fight-line", has_text="Ilien of the Reeds")
    name, field = row.locator("h3").bounding_box(), row.get_by_role("textbox").bounding_box()
    assert name["height"] > 30
    assert field["y"] - name["y"] - name["height"] >= 8


def test_whose_turn_it_is_is_not_a_second_heading_of_the_page(new_page, ana, campaign):
    encounters.begin(campaign.pk, Person(ana), new_key())
    lead = new_page(user=ana)
    lead.goto(f"{campaign.get_absolute_url()}encounter/")
    sizes = [
        lead.locator(one).evaluate("h => parseFloat(getComputedStyle(h).fontSize)") for one in ("h1", ".turn-bar h2")
    ]
    assert sizes[0] > sizes[1]
