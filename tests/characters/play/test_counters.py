"""Typed amounts, limited features, and their bounds (sections 23.3 and 25, ruling 41)."""

import pytest

from characters.actions import form_values
from characters.change.refusals import Refused
from rules.games.table_action import Adjustment, Typed
from tests.characters.cast import refuses
from tests.characters.play.table import Fixed, seated

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "typed"),
    [("-7", Typed(by=-7)), ("+5", Typed(by=5)), ("12", Typed(to=12)), (" − 3 ", Typed(by=-3)), ("0", Typed(to=0))],
)
def test_a_typed_amount_is_read_as_a_change_or_a_new_value(text, typed):
    assert form_values.amount(Adjustment(), text, "amount") == typed


@pytest.mark.parametrize(
    "text",
    ["", "-", "+0", "seven", "1.5", "1e3", "--3", "++5", "-+5", "+ -5", "٣", "9" * 19, "100001", 7, "3 4", "\x003"],
)
def test_text_that_is_no_amount_is_refused(text):
    with refuses("amount"):
        form_values.amount(Adjustment(empty="Type one."), text, "amount")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5),
        ("+5", 5),
        ("-5", -5),
        ("", None),
        ("-", None),
        ("-+5", None),
        ("++5", None),
        ("9" * 30, form_values.LARGEST),
    ],
)
def test_digits_have_one_sign_at_most(text, number):
    assert form_values.digits(text) == number


def test_a_typed_amount_changes_or_sets_health():
    seat = seated(level=3)
    full = seat.left("health")
    seat.adjust(resource="health", amount="-7")
    seat.adjust(resource="health", amount="+5")
    assert seat.left("health") == full - 2
    change = seat.adjust(resource="health", amount="12")
    assert seat.left("health") == 12
    assert change.sentence == "Mira has 12 health."
    with pytest.raises(Refused, match="from 0"):
        seat.adjust(resource="health", amount=str(full + 1))


def test_a_typed_loss_of_health_counts_as_damage_and_can_wound():
    seat = seated(level=9, ranks={"vitality": 10})
    seat.adjust(resource="health", amount="-20")
    assert seat.spent("wounds") == 1


def test_setting_health_to_zero_makes_the_character_dying(seat):
    seat.adjust(resource="health", amount="0")
    assert "dying" in seat.conditions
    seat.adjust(resource="health", amount="3")
    assert "dying" not in seat.conditions


@pytest.mark.parametrize(("slug", "most"), [("stamina", 3), ("resolve", 2), ("second-wind", 1)])
def test_other_counters_stay_between_zero_and_their_maximum(slug, most):
    seat = seated(level=3, ranks={"spirit": 14})
    assert seat.left(slug) == most
    seat.adjust(resource=slug, amount="-1")
    assert seat.left(slug) == most - 1
    seat.adjust(resource=slug, amount="+9")
    assert seat.left(slug) == most
    with pytest.raises(Refused, match="full"):
        seat.adjust(resource=slug, amount="+1")
    with pytest.raises(Refused, match="left"):
        seat.adjust(resource=slug, amount="-9")
    with pytest.raises(Refused, match="from 0"):
        seat.adjust(resource=slug, amount="9")


def test_wounds_and_lowered_resources_count_up():
    seat = seated(level=3)
    seat.adjust(resource="wounds", amount="+2")
    seat.adjust(resource="wounds", amount="-1")
    assert seat.spent("wounds") == 1
    seat.adjust(resource="resources-lowered", amount="+1")
    assert seat.sheet.value("resources.rank") == 3
    seat.adjust(resource="wounds", amount="10")
    assert "dead" in seat.conditions


def test_unknown_counters_are_refused():
    with pytest.raises(Refused, match="no such thing"):
        seated().adjust(resource="mana", amount="+1")


def test_second_wind_heals_by_its_dice():
    seat = seated(level=4, state={"health": 5})
    change = seat.use(action="second-wind", chance=Fixed(3, 4))
    assert seat.left("health") == 5 + 7 + 8
    assert change.sentence == "Mira uses Second Wind: 15, and regains 15 health."
    with pytest.raises(Refused, match="spent"):
        seat.use(action="second-wind")


def test_second_wind_says_that_wounds_halve_it():
    seat = seated(level=4, state={"health": 5, "wounds": 1})
    change = seat.use(action="second-wind", chance=Fixed(3, 4))
    assert change.sentence == "Mira uses Second Wind: 15, and regains 7 health (halved by wounds)."


def test_a_feature_without_dice_only_spends():
    seat = seated(level=2)
    seat.use(action="action-surge")
    assert seat.spent("action-surge") == 1
    with pytest.raises(Refused, match="cannot"):
        seat.use(action="moonwalk")


@pytest.mark.parametrize(("slug", "number"), [("health", 13), ("wounds", 0), ("resolve", 1), ("second-wind", 1)])
def test_typing_the_number_that_a_counter_already_has_is_refused(seat, slug, number):
    number = seat.left(slug) if slug == "health" else number
    with pytest.raises(Refused, match=f"that is {number} already"):
        seat.adjust(resource=slug, amount=str(number))


def test_the_dead_gain_no_health_by_typing(seat):
    seat.adjust(resource="wounds", amount="+10")
    for amount in ("+1", "1", "12"):
        with pytest.raises(Refused, match="The character is dead"):
            seat.adjust(resource="health", amount=amount)


@pytest.mark.parametrize("slug", ["death-successes", "death-failures"])
def test_death_saves_are_rolled_and_not_counted_by_hand(seat, slug):
    seat.adjust(resource="health", amount="0")
    with pytest.raises(Refused, match="are rolled"):
        seat.adjust(resource=slug, amount="3")
    assert seat.conditions >= {"dying"}


def test_using_an_action_that_has_its_own_form_is_refused():
    seat = seated(level=3, state={"health": 5})
    with pytest.raises(Refused, match="its own form"):
        seat.use(action="spend-stamina-die")
    assert seat.spent("stamina") == 0
