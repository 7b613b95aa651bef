"""A turn: its parts, movement, Dash, standing up, surprise and falls (sections 21, 22, 27 and 30)."""

from dataclasses import replace

import pytest

from characters.access import OWNER
from characters.change.refusals import Refused
from characters.pages.sheet.live import LiveCharacter
from characters.pages.sheet.rest_preview import ahead
from characters.read.versions import read
from rules.engine import Held, derive
from rules.games.polyhedral import turn_view
from tests.characters.play.table import SWORD, Fixed, seated, suffering
from tests.support.characters import put_xp

pytestmark = pytest.mark.django_db

ELVEN = {"lineage": "elf", "culture": "elven-culture", "background": "ambassador", "disposition": "free"}


def turn_of(seat):
    """The turn as the page shows it."""
    return read(seat.fresh).table.turn


def on_the_map(seat):
    return turn_of(seat).on_the_map


# Movement


def test_ac_01_a_dash_doubles_the_movement(seat):
    assert seat.use(action="dash").sentence == "Mira uses Dash. Now 60 ft of movement left."
    assert (seat.left("movement"), seat.left("action")) == (60, 0)
    assert "dashing" in seat.conditions


def test_ac_02_a_dash_while_hindered_covers_30_ft():
    seat = suffering("hindered")
    seat.use(action="dash")
    seat.move(feet=30)
    assert seat.left("movement") == 0


def test_ac_03_a_dash_while_slowed_leaves_30_ft():
    seat = suffering("slowed")
    seat.use(action="dash")
    assert seat.left("movement") == 30


def test_each_dash_adds_the_speed_once_more(seat):
    seat.use(action="dash")
    seat.use(action="dash")
    assert seat.left("movement") == 90


def test_st_09_hindered_movement_costs_double():
    seat = suffering("hindered")
    assert seat.move(feet=15).sentence == "Mira moves 15 ft for 30 ft of speed: 0 ft left."
    with pytest.raises(Refused, match="5 ft would take 10 ft of speed, and you have 0 ft left"):
        seat.move(feet=5)


@pytest.mark.parametrize("hindered", [["hindered", "prone"], ["prone"], ["hindered"]])
def test_several_hindrances_count_once(hindered):
    seat = suffering(*hindered, on=["difficult-ground", "squeezing"])
    seat.move(feet=5, hindered=True)
    assert seat.left("movement") == 20


def test_losing_a_level_that_brings_the_character_down_ends_defending():
    seat = seated(level=5, ranks={"vitality": 10})
    seat.use(action="defend", whom="")
    seat.take_damage(amount=12)
    change = put_xp(seat.character.pk, seat.who, 0)
    assert change.sentence.endswith("Now dying and prone. No longer defending.")
    assert "defending" not in seat.conditions
    assert seat.undo(seat.undo(change)).after == change.after


def test_moving_through_somebodys_space_is_hindered(seat):
    """SZ-02, SZ-03 and SZ-05."""
    seat.move(feet=5, hindered=True)
    assert seat.left("movement") == 20


def test_or_18_woodland_stride_ignores_difficult_woodland():
    strider, other = suffering(origin=ELVEN, on=["difficult-woodland"]), suffering(on=["difficult-woodland"])
    strider.move(feet=30)
    assert strider.spent("movement") == 30
    with pytest.raises(Refused, match="would take 60 ft"):
        other.move(feet=30)


def test_the_ground_that_is_offered_hinders_this_character():
    now, mire = read(seated().character), "condition:hindered"
    rows = [replace(row, when="source-of-fear-in-sight") for row in now.bundle.elements[mire].effects]
    bundle = now.bundle.with_elements([replace(now.bundle.elements[mire], effects=tuple(rows))])

    def offered(build):
        return [slug for slug, _, _ in turn_view.turn_of(bundle, build, derive(bundle, build)).ground]

    everyones = ["difficult-ground", "difficult-woodland", "squeezing"]
    assert offered(now.build) == everyones
    held = replace(now.build, conditions=(Held(mire),))
    assert offered(held) == sorted([*everyones, "source-of-fear-in-sight"])


def test_becoming_slowed_during_a_turn_lowers_the_movement_left(seat):
    seat.move(feet=10)
    seat.add_condition(condition="condition:slowed")
    assert seat.left("movement") == 5


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [("grappled", "Speed is 0 while grappled."), ("stunned", "No movement while incapacitated.")],
)
def test_the_grappled_and_the_stunned_cannot_move(condition, sentence):
    with pytest.raises(Refused, match=sentence):
        suffering(condition).move(feet=5)


def test_movement_is_set_by_hand(seat):
    assert seat.adjust(resource="movement", amount="12").sentence == "Mira: 12 ft of movement left."
    assert seat.left("movement") == 12


# Prone


def test_cb_09_standing_up_costs_half_the_speed():
    seat = suffering("prone")
    assert seat.use(action="stand-up").sentence == "Mira stands up: 15 ft left."
    assert (seat.left("movement"), seat.conditions) == (15, set())


def test_cb_10_crawling_costs_double():
    seat = suffering("prone")
    seat.move(feet=15)
    assert seat.left("movement") == 0


def test_cb_11_standing_up_is_refused_with_too_little_movement_left(seat):
    seat.move(feet=20)
    seat.add_condition(condition="condition:prone")
    with pytest.raises(Refused, match="Standing up would take 15 ft of speed, and you have 10 ft left"):
        seat.use(action="stand-up")


@pytest.mark.parametrize(
    ("held", "sentence"),
    [([], "Mira is not prone."), (["prone", "restrained"], "Speed is 0 while restrained.")],
)
def test_the_standing_and_the_restrained_cannot_stand_up(held, sentence):
    seat = suffering(*held)
    with pytest.raises(Refused, match=f"^{sentence}$"):
        seat.use(action="stand-up")
    assert seat.conditions == set(held)


# Zones and squares


def test_cb_13_and_cb_14_a_dash_crosses_one_zone(seat):
    assert (seat.sheet.value("zones"), on_the_map(seat)) == (0, "You may go anywhere in your zone.")
    seat.use(action="dash")
    assert (seat.sheet.value("zones"), on_the_map(seat)) == (1, "You may go anywhere in your zone, and 1 zone further.")


def test_cb_15_the_slowed_are_too_slow_to_cross_a_zone():
    seat = suffering("slowed")
    assert on_the_map(seat) == "Too slow to cross a zone: you can only move up to someone near you."
    seat.use(action="dash")
    assert on_the_map(seat) == "You may go anywhere in your zone."


@pytest.mark.parametrize("slug", ["hindered", "prone"])
def test_the_hindered_and_the_prone_cross_half_as_far(slug):
    """Section 21.4: hindered is half speed, so that a Dash of 60 ft is 30 ft of ground (AC-02)."""
    seat = suffering(slug)
    assert on_the_map(seat) == "Too slow to cross a zone: you can only move up to someone near you."
    seat.use(action="dash")
    assert (seat.sheet.value("zones"), on_the_map(seat)) == (0, "You may go anywhere in your zone.")
    assert on_the_map(suffering(slug, switches={"battleMap": "grid"})) == "3 squares in all; you fill 1 × 1."


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({"battleMap": "none"}, ""),
        ({"battleMap": "grid"}, "6 squares in all; you fill 1 × 1."),
        (
            {"battleMap": "grid", "gridDiagonals": "5-10-5"},
            "6 squares in all; you fill 1 × 1. Every second diagonal counts as 2.",
        ),
    ],
)
def test_the_battle_map_of_the_house_rules_decides_how_far_is_told(switches, words):
    assert on_the_map(seated(switches=switches)) == words


# Action, bonus action and reaction


def test_a_used_reaction_can_be_given_back(seat):
    assert seat.adjust(resource="reaction", amount="-1").sentence == "Mira uses the reaction."
    assert seat.left("reaction") == 0
    assert seat.adjust(resource="reaction", amount="+1").sentence == "Mira gets back the reaction."
    assert seat.left("reaction") == 1


@pytest.mark.parametrize(
    ("action", "part"),
    [("help", "action"), ("off-hand-attack", "bonus-action"), ("opportunity-attack", "reaction"), ("rally", "action")],
)
def test_using_an_action_takes_its_part_of_the_turn(seat, action, part):
    seat.use(action=action)
    assert [slug for slug in ("action", "bonus-action", "reaction") if not seat.left(slug)] == [part]


def test_rally_from_the_page_of_rests_takes_the_action(seat):
    seat.begin_rest(rest="rally")
    assert seat.left("action") == 0


def test_second_wind_takes_the_bonus_action(seat):
    seat.take_damage(amount=4)
    seat.use(action="second-wind", chance=Fixed(3, 3))
    assert (seat.left("bonus-action"), seat.left("action")) == (0, 1)


def test_a_second_action_is_allowed_and_the_sentence_says_so(seat):
    seat.use(action="search")
    assert seat.use(action="help").sentence == "Mira uses Help. The action of this turn was used already."
    assert seat.spent("action") == 1


@pytest.mark.parametrize(
    ("first", "then", "word"),
    [("search", "off-hand-attack", "action"), ("off-hand-attack", "search", "bonus action")],
)
def test_the_slowed_have_either_an_action_or_a_bonus_action(first, then, word):
    seat = suffering("slowed")
    assert turn_of(seat).either == "slowed"
    seat.use(action=first)
    sentence = seat.use(action=then).sentence
    assert sentence.endswith(f"The {word} was used already: only one of the two while slowed.")


def test_a_character_who_is_not_slowed_has_an_action_and_a_bonus_action(seat):
    seat.use(action="search")
    assert seat.use(action="off-hand-attack").sentence == "Mira uses Off-hand attack."


def test_action_surge_gives_one_more_action():
    seat = seated(level=2)
    seat.use(action="search")
    seat.use(action="action-surge")
    assert seat.left("action") == 1
    assert seat.use(action="help").sentence == "Mira uses Help."


def test_the_sentence_of_disengage_says_no_opportunity_attacks():
    assert seated().use(action="disengage").sentence == "Mira uses Disengage. No opportunity attacks this turn."


def test_only_the_first_attack_takes_the_action():
    seat = seated(level=5, items=SWORD)
    seat.use(action="action-surge")
    for _ in range(2):
        seat.roll(roll="attack.longsword.one-hand", faces=(1, 2, 3))
    assert (seat.left("action"), seat.spent("action")) == (1, 1)


def test_an_attack_while_stunned_takes_no_action():
    seat = suffering("stunned", items=SWORD)
    seat.roll(roll="attack.longsword.one-hand", faces=(1, 2, 3))
    assert seat.spent("action") == 0


# Spells


SPELL = {"name": "Sleep", "time": "action", "test": "mind"}
CANTRIP = {"name": "Spark", "time": "bonus action", "cantrip": True}
TOO_MANY = "That is a second spell in one turn, and neither is a cantrip."


def cast(seat, **spell):
    seat.add_spell(**spell)
    row = max(int(address.partition(":")[2]) for address in seat.facts if address.startswith("spell:"))
    return seat.roll(roll=f"cast.{row}").sentence


@pytest.mark.parametrize("first", [SPELL, CANTRIP])
def test_ac_14_a_spell_and_a_cantrip_fit_in_one_turn(seat, first):
    """An action and a bonus action, in any order."""
    said = [cast(seat, **spell) for spell in (first, CANTRIP if first is SPELL else SPELL)]
    assert not [one for one in said if "turn" in one]
    assert (seat.left("action"), seat.left("bonus-action")) == (0, 0)


def test_ac_15_a_second_spell_that_is_no_cantrip_is_pointed_out(seat):
    """The sentence says so, and the table decides."""
    cast(seat, **SPELL)
    assert cast(seat, **CANTRIP | {"cantrip": False}).endswith(TOO_MANY)
    seat.next_round()
    assert TOO_MANY not in cast(seat, **SPELL)


def test_a_second_spell_with_the_action_is_pointed_out(seat):
    cast(seat, **SPELL)
    assert cast(seat, **CANTRIP | {"time": "action"}).endswith("The action of this turn was used already.")


# A turn begins


def used_up(**more):
    seat = seated(items=SWORD, **more)
    seat.use(action="dash")
    seat.move(feet=40)
    seat.use(action="opportunity-attack")
    seat.use(action="off-hand-attack")
    return seat


@pytest.mark.parametrize("again", ["next_round", "extra_turn"])
def test_a_new_turn_restores_actions_and_movement(again):
    seat = used_up()
    sentence = getattr(seat, again)().sentence
    assert sentence == {"next_round": "Mira starts a turn.", "extra_turn": "Mira takes an extra turn."}[again]
    assert [seat.left(slug) for slug in ("action", "bonus-action", "reaction", "movement")] == [1, 1, 1, 30]
    assert seat.conditions == set()


def test_rolling_initiative_restores_actions_and_movement():
    seat = used_up()
    seat.roll(roll="initiative", faces=(1, 2, 3))
    assert [seat.left(slug) for slug in ("action", "bonus-action", "reaction", "movement")] == [1, 1, 1, 30]
    assert seat.conditions == set()


def test_rallying_restores_no_action_and_no_movement(seat):
    seat.move(feet=10)
    seat.begin_rest(rest="rally")
    seat.finish_rest()
    assert (seat.left("movement"), seat.left("action")) == (20, 0)


def test_everything_done_in_a_turn_can_be_undone():
    seat = seated(items=SWORD)
    before = seat.facts
    changes = [
        seat.use(action="dash"), seat.move(feet=20), seat.next_round(),
        seat.roll(roll="attack.longsword.one-hand", faces=(1, 2, 3)), seat.notice(stealth=40),
        seat.fall(feet=10, faces=(1,)),
    ]  # fmt: skip
    for change in reversed(changes):
        seat.undo(change)
    assert {key: value for key, value in seat.facts.items() if value} == {k: v for k, v in before.items() if v}


def test_the_list_of_limited_uses_leaves_out_the_parts_of_a_turn():
    seat = used_up()
    table = read(seat.fresh).table
    assert "second-wind" in table.uses
    assert not {"action", "movement", "dashes"} & table.uses.keys()


def test_the_preview_of_a_rest_leaves_out_the_parts_of_a_turn(seat):
    """Rally takes the action."""
    live = LiveCharacter.of(seat.fresh, seat.who, OWNER)
    rally = live.page_rules.ahead(live.bundle, live.build, live.sheet)["rally"]
    assert [line.key for line in ahead(live, rally).counters] == ["rally"]


def test_the_preview_of_a_rest_says_what_ends_by_itself():
    """Nobody who is slowed is defending, though a character file may say both."""
    seat = seated(state={"conditions": [{"condition": "slowed"}, {"condition": "defending", "until": "the bell"}]})
    live = LiveCharacter.of(seat.fresh, seat.who, OWNER)
    adventure = live.page_rules.ahead(live.bundle, live.build, live.sheet)["adventure"]
    assert ahead(live, adventure).ends == ("Defending",)
    assert seat.end_adventure().sentence.endswith(" No longer defending.")


# Surprise


@pytest.mark.parametrize(("stealth", "surprised"), [(13, False), (14, True)], ids=["CB-07", "CB-08"])
def test_stealth_above_passive_awareness_surprises(stealth, surprised):
    choices = {"human-culture.skills": ["athletics", "awareness"], "fighter.fighting-style": ["defense"]}
    seat = seated(ranks={"mind": 14}, choices=choices)
    assert seat.sheet.rolls["skill.awareness"].passive == 13
    seat.notice(stealth=stealth)
    assert ("surprised" in seat.conditions) == surprised


def test_passive_awareness_below_zero_has_a_true_minus_sign():
    seat = seated(ranks={"mind": 4})
    seat.adjust(resource="wounds", amount="9")
    assert "passive Awareness −" in seat.notice(stealth=12).sentence


def test_surprise_lasts_until_the_first_turn_is_over(seat):
    seat.notice(stealth=30)
    seat.next_round()
    assert "surprised" in seat.conditions
    seat.next_round()
    assert "surprised" not in seat.conditions


def test_noticing_one_threat_ends_surprise(seat):
    seat.notice(stealth=30)
    seat.notice(stealth=31)
    assert seat.notice(stealth=1).sentence.startswith("Mira notices the threat")
    assert "surprised" not in seat.conditions


# Falls


def test_ru_07_a_fall_deals_a_die_for_every_10_ft_and_leaves_prone():
    seat = seated(ranks={"vitality": 16})
    health = seat.left("health")
    change = seat.fall(feet=30, faces=(1, 2, 1))
    assert change.sentence == "Mira falls 30 ft. Mira takes 4 damage (4 bludgeoning)."
    assert health - seat.left("health") == 4
    assert "prone" in seat.conditions


def test_a_fall_can_make_the_character_dying(seat):
    seat.fall(feet=20, faces=(6, 6))
    assert {"dying", "prone"} <= seat.conditions


def test_a_fall_rolls_at_most_twenty_dice(seat):
    assert len(seat.fall(feet=900, faces=(1,) * 20).rolls.get().faces) == 20


def test_a_fall_of_less_than_10_ft_is_refused():
    with pytest.raises(Refused, match="less than 10 ft"):
        seated().fall(feet=9)
