"""Dice on the server and by hand: the pool, the chance before, criticals, the log (sections 2, 24 and 27)."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from characters.change import roll_log
from characters.change.refusals import Refused
from characters.models import Change, RollRecord
from characters.people import Person
from rules.games.outcome import Rolled
from rules.games.polyhedral.play import how_far, is_tie, might_become, pool
from rules.games.polyhedral.play.ability_checks import check_ready, roll_of
from rules.games.polyhedral.play.arms import attack_of
from rules.games.polyhedral.play.damage import damage_ready
from rules.games.polyhedral.play.dying import death_save_ready
from rules.games.polyhedral.play.pool import RollOptions
from tests.characters.cast import guest, mira, person, refuses
from tests.characters.play.table import Fixed, Seat, newest, seated
from tests.support.characters import sheet_of

pytestmark = pytest.mark.django_db
TRAINED = {"human-culture.skills": ["athletics", "awareness"], "fighter.fighting-style": ["defense"]}


def ready(seat, key="skill.athletics", **how):
    bundle, build, sheet = sheet_of(seat.fresh)
    return check_ready(bundle, build, roll_of(bundle, sheet, key), RollOptions(**how))


@pytest.mark.parametrize(
    ("key", "how", "dice"),
    [
        ("skill.athletics", {}, 3),
        ("skill.athletics", {"advantage": True}, 4),
        ("skill.athletics", {"disadvantage": True}, 2),
        ("skill.athletics", {"advantage": True, "disadvantage": True}, 3),
        ("skill.stealth", {}, 2),
        ("skill.stealth", {"advantage": True}, 3),
        ("skill.stealth", {"disadvantage": True}, 1),
        ("skill.stealth", {"advantage": True, "disadvantage": True}, 2),
        ("skill.stealth", {"disadvantage": True, "dice": -1}, 1),
        ("skill.stealth", {"disadvantage": True, "dice": -2, "resolve": 1}, 2),
        ("skill.athletics", {"advantage": True, "dice": 1, "resolve": 1}, 6),
    ],
    ids=["DC-01", "DC-02", "DC-04", "DC-05", "DC-06", "DC-07", "DC-08", "DC-09", "DC-10", "DC-11", "DC-12"],
)
def test_advantage_disadvantage_and_bought_dice_change_the_pool(key, how, dice):
    made = ready(seated(), key, **how)
    assert made.dice == dice
    assert sum(number for _, number in made.dice_because) == dice


def test_dc_03_advantage_on_the_sheet_and_at_the_table_counts_once(seat):
    seat.toggle(switch="+helped")
    assert ready(seat, advantage=True).dice == 4
    assert ready(seat, disadvantage=True).dice == 3


def test_a_roll_made_unskilled_has_two_dice_and_no_bonus(seat):
    made = ready(seat, unskilled=True)
    assert (made.dice, made.modifier) == (2, 0)


@pytest.mark.parametrize(
    ("key", "faces", "target", "total", "success"),
    [
        ("skill.athletics", (4, 5, 2), 15, 15, True),
        ("check.strength", (4, 5, 2), 15, 14, False),
    ],
    ids=["DC-13", "DC-14"],
)
def test_the_total_decides_whether_a_check_succeeds(key, faces, target, total, success):
    seat = seated(ranks={"strength": 16})
    seat.roll(roll=key, target=target, chance=Fixed(*faces))
    assert (newest().total, newest().success) == (total, success)


def test_dc_15_an_unskilled_check_has_two_dice():
    seat = seated(ranks={"agility": 12})
    change = seat.roll(roll="skill.stealth", target=12, chance=Fixed(6, 5))
    assert (newest().total, newest().success) == (12, True)
    assert change.sentence == "Mira rolls Stealth: 12, a success."


@pytest.mark.parametrize(
    ("key", "faces", "critical"),
    [("skill.athletics", (6, 6, 1), True), ("skill.stealth", (6, 6), False)],
    ids=["DC-16", "DC-17"],
)
def test_a_critical_needs_two_sixes_in_a_pool_of_three(seat, key, faces, critical):
    seat.roll(roll=key, target=27, faces=faces)
    assert newest().critical == critical
    assert newest().success == critical  # ruling 3: a critical check succeeds whatever the difficulty
    assert newest().by_hand


def test_criticals_may_be_only_flavor_by_house_rule():
    seat = seated(switches={"criticalChecks": "flavour"})
    seat.roll(roll="skill.athletics", target=27, faces=(6, 6, 1))
    assert (newest().critical, newest().success) == (True, False)


def test_dc_18_a_resolve_die_counts_for_criticals():
    seat = seated(ranks={"spirit": 14})
    seat.roll(roll="skill.stealth", target=18, faces=(6, 2))
    seat.extra_die(roll=newest().pk, chance=Fixed(6))
    assert (newest().faces, newest().critical, newest().success) == ([6, 2, 6], True, True)


@pytest.mark.parametrize(("rank", "critical"), [(2, False), (3, True)])
def test_dc_19_a_champion_makes_criticals_with_fives(rank, critical):
    seat = seated(level=rank, items=[("longsword", "main")])
    seat.roll(roll="attack.longsword.one-hand", target=30, faces=(6, 5, 5))
    assert (newest().critical, newest().success) == (critical, critical)


@pytest.mark.parametrize(
    ("word", "faces", "hit"),
    [("sixesOnly", (6, 5, 5), False), ("sixesOnly", (6, 6, 1), True), ("none", (6, 6, 1), False)],
)
def test_whether_criticals_hit_is_a_house_rule(word, faces, hit):
    seat = seated(level=3, items=[("longsword", "main")], switches={"criticalAutoHit": word})
    seat.roll(roll="attack.longsword.one-hand", target=30, faces=faces)
    assert newest().success == hit


def test_cb_03_a_critical_hits_below_defense():
    seat = seated(ranks={"strength": 12}, items=[("longsword", "main")])
    change = seat.roll(roll="attack.longsword.one-hand", target=16, faces=(6, 6, 1))
    assert (newest().total, newest().success, newest().critical) == (15, True, True)
    assert change.sentence == "Mira attacks with Longsword: rolls 15, a critical, a hit."


@pytest.mark.parametrize(
    ("opponent", "their_critical", "faces", "success"),
    [(14, False, (6, 5, 2), False), (19, False, (6, 6, 1), True), (12, True, (6, 5, 4), False)],
    ids=["DC-32", "DC-33", "criticals-win"],
)
def test_totals_and_criticals_decide_an_opposed_check(seat, opponent, their_critical, faces, success):
    seat.roll(roll="skill.athletics", opponent=opponent, opponent_critical=their_critical, faces=faces)
    assert newest().success == success


@pytest.mark.parametrize(
    ("key", "ranks", "target", "by_total"),
    [
        ("skill.athletics", {"strength": 14}, 15, Fraction(3, 8)),
        ("skill.stealth", {"agility": 16}, 12, Fraction(10, 36)),
    ],
    ids=["DC-34", "DC-35"],
)
def test_the_chance_before_a_roll_is_exact(key, ranks, target, by_total):
    made = ready(seated(ranks=ranks, switches={"criticalChecks": "flavour"}), key, target=target)
    assert made.chance == by_total


def test_he_11_the_chance_of_a_death_save_is_exact(seat):
    seat.adjust(resource="health", amount="0")
    bundle, build, sheet = sheet_of(seat.fresh)
    made = death_save_ready(bundle, build, sheet, RollOptions())
    assert made.chance == Fraction(5, 8)


def test_the_chance_of_a_death_save_counts_every_roll_that_would_pass(seat):
    """Homebrew may make saves critical with lower dice."""
    seat.adjust(resource="health", amount="0")
    bundle, build, sheet = sheet_of(seat.fresh)
    roll = death_save_ready(bundle, build, sheet, RollOptions()).roll._replace(criticals_on=4)
    made = pool.ready(bundle, build, roll, RollOptions(), "death")
    passed = [
        pool.fell(replace(made, asked=RollOptions(faces=faces)), None).success
        for faces in product(range(1, 7), repeat=3)
    ]
    assert made.chance == Fraction(sum(passed), 6**3)


def test_a_failed_roll_says_what_one_resolve_would_change(seat):
    seat.roll(roll="skill.athletics", target=15, faces=(4, 5, 3))
    bundle, build, _ = sheet_of(seat.fresh)
    rolled = roll_log.rolled_of(newest())
    might = bundle.game.play.might_become(bundle, build, rolled)
    assert rolled.total == 13
    assert (might.die, might.nudge) == (Fraction(5, 6), True)
    seat.roll(roll="skill.athletics", target=9, faces=(4, 5, 3))
    assert bundle.game.play.might_become(bundle, build, roll_log.rolled_of(newest())) is None


def test_cn_16_a_save_that_fails_without_a_roll_has_no_dice(seat):
    seat.add_condition(condition="condition:stunned")
    change = seat.roll(roll="save.strength", target=6)
    assert (newest().faces, newest().success) == ([], False)
    assert change.sentence == "Mira rolls Strength save: fails without a roll."
    with pytest.raises(Refused, match="another die"):
        seat.extra_die(roll=newest().pk)


def test_every_modifier_is_named():
    seat = seated(ranks={"strength": 16}, state={"wounds": 2})
    seat.roll(roll="skill.athletics", bonus=2, faces=(1, 2, 3))
    assert dict(newest().modifiers) == {"Strength": 3, "Skill bonus": 1, "Wounded": -2, "At the table": 2}
    assert newest().total == 10


def test_a_check_may_use_another_ability():
    seat = seated(ranks={"vitality": 18})
    seat.roll(roll="skill.athletics", ability="vitality", faces=(1, 1, 1))
    assert newest().total == 3 + 4 + 1


@pytest.mark.parametrize("faces", [(1, 2), (1, 2, 7), (1, 2, 0), (1, 2, "3"), (True, 2, 3), (1,) * 90])
def test_faces_by_hand_are_checked(seat, faces):
    with refuses("faces"):
        seat.roll(roll="skill.athletics", faces=faces)
    assert not RollRecord.objects.exists()


@pytest.mark.parametrize(
    ("how", "field"),
    [
        ({"roll": "skill.juggling"}, "roll"),
        ({"roll": "against"}, "roll"),
        ({"ability": "luck"}, "ability"),
        ({"target": 3, "opponent": 3}, "opponent"),
        ({"dice": 41}, "dice"),
        ({"target": 10**9}, "target"),
        ({"resolve": 5}, ""),
    ],
)
def test_a_roll_with_an_impossible_field_is_refused(how, field):
    with refuses(field):
        seated().roll(**{"roll": "skill.athletics", **how})


def test_only_the_roller_sees_a_secret_roll_in_the_log(seat):
    change = seat.roll(roll="skill.athletics", secret=True, faces=(1, 2, 3))
    seat.roll(roll="skill.athletics", faces=(4, 4, 4))
    assert change.sentence == "Mira rolls Athletics: in secret."
    assert len(roll_log.log_of(seat.fresh, seat.who, most=9)) == 2
    assert roll_log.chain_of_change(change.pk, seat.who)
    for actor in (seat.who.user, None):  # None: the account was deleted
        Change.objects.filter(pk=change.pk).update(actor=actor)
        for other in (person("bo"), Person()):
            assert [chain[0].total for chain in roll_log.log_of(seat.fresh, other, most=9)] == [13]
            assert roll_log.chain_of_change(change.pk, other) == []


def test_a_guests_secret_roll_is_seen_by_the_guest(seat):
    by_guest = Seat(mira(guest()), guest())
    made = {one: one.roll(roll="skill.athletics", secret=True) for one in (seat, by_guest)}
    assert [RollRecord.objects.get(change=change).by_guest for change in made.values()] == [False, True]
    assert roll_log.chain_of_change(made[by_guest].pk, by_guest.who)


@pytest.mark.parametrize(
    ("word", "faces", "total"),
    [("doubleDice", (3, 8), 14), ("maxDice", (3,), 11), ("doubleTotal", (3,), 12)],
)
def test_a_house_rule_decides_the_damage_of_a_critical(word, faces, total):
    seat = seated(ranks={"strength": 16}, items=[("longsword", "main")], switches={"criticalDamage": word})
    seat.roll(roll="damage.longsword.one-hand", critical=True, faces=faces)
    assert newest().total == total
    assert sum(number for _, number in newest().modifiers) + sum(newest().faces) == total


def test_damage_adds_strength_and_a_bare_fist_rolls_no_dice():
    seat = seated(ranks={"strength": 16}, items=[("longsword", "main")])
    change = seat.roll(roll="damage.longsword.one-hand", chance=Fixed(5))
    assert change.sentence == "Mira rolls damage with Longsword: 8 slashing."
    seat.roll(roll="damage.unarmed-strike.unarmed")
    assert newest().total == 4


def test_server_dice_show_faces_from_1_to_6(seat):
    for _ in range(5):
        seat.roll(roll="skill.athletics")
    assert all(1 <= face <= 6 for record in RollRecord.objects.all() for face in record.faces)
    assert not any(record.by_hand for record in RollRecord.objects.all())


def test_the_same_form_rolls_once(seat):
    first = seat.roll(key="the-same-form", roll="skill.athletics")
    again = seat.roll(key="the-same-form", roll="skill.athletics")
    assert first == again
    assert RollRecord.objects.count() == 1


def test_undoing_a_roll_removes_it_from_the_log(seat):
    change = seat.roll(roll="skill.athletics", faces=(1, 2, 3))
    undone = seat.undo(change)
    assert roll_log.log_of(seat.fresh, seat.who, most=9) == []
    seat.undo(undone)
    assert len(roll_log.log_of(seat.fresh, seat.who, most=9)) == 1


def test_the_newest_roll_is_found_behind_undone_rolls(seat):
    stands = seat.roll(roll="skill.athletics", faces=(1, 2, 3))
    for _ in range(3):
        seat.undo(seat.roll(roll="skill.athletics", faces=(4, 4, 4)))
    assert [row.change for row in roll_log.newest_of_kind(seat.fresh, "check")] == [stands]
    seat.undo(stands)
    assert roll_log.newest_of_kind(seat.fresh, "check") == []


def test_a_roll_of_another_character_cannot_be_changed():
    mine, theirs = seated(), seated()
    theirs.roll(roll="skill.athletics", target=15, faces=(1, 2, 3))
    with pytest.raises(Refused, match="no such roll"):
        Seat(mine.character).extra_die(roll=newest().pk)


def test_dice_bought_before_the_roll_cost_resolve():
    seat = seated(ranks={"spirit": 14})
    seat.roll(roll="skill.athletics", resolve=2, faces=(1, 2, 3, 4, 5))
    assert seat.left("resolve") == 0


def test_additions_to_a_secret_roll_are_secret_too():
    seat = seated(ranks={"spirit": 20}, items=[("longsword", "main")])
    seat.roll(roll="skill.athletics", target=15, secret=True, faces=(4, 3, 2))
    roll = newest().pk
    assert seat.extra_die(roll=roll, faces=(6,)).sentence == "Mira adds a die to Athletics: in secret."
    assert seat.nudge(roll=roll).sentence == "Mira nudges Athletics, in secret."
    seat.roll(roll="attack.longsword.one-hand", target=5, secret=True, faces=(4, 3, 2))
    assert seat.turn_critical(roll=newest().pk).sentence == "Mira spends 2 Resolve on Longsword, in secret."
    chains = roll_log.log_of(seat.fresh, seat.who, most=9)
    assert [[row.secret for row in chain] for chain in chains] == [[True] * 2, [True] * 3]
    assert roll_log.log_of(seat.fresh, person("bo"), most=9) == []


def test_a_hit_may_be_critical_whatever_the_dice_show():
    """Section 30: a hit on the paralyzed or unconscious from close by is critical."""
    seat = seated(items=[("longsword", "main")])
    for target, critical in ((8, True), (18, False)):
        seat.roll(roll="attack.longsword.one-hand", target=target, critical=True, faces=(4, 4, 3))
        assert (newest().critical, newest().success) == (critical, critical)
    with pytest.raises(Refused, match="Only attacks and damage"):
        seat.roll(roll="skill.athletics", critical=True)


def test_a_roll_marked_critical_is_critical_only_while_it_hits():
    seat = seated(ranks={"spirit": 18}, items=[("longsword", "main")])
    seat.roll(roll="attack.longsword.one-hand", target=12, critical=True, faces=(4, 3, 3))
    roll, came_to = newest().pk, newest().total
    assert (came_to, newest().success, newest().critical) == (11, False, False)
    seat.nudge(roll=roll)
    assert (newest().success, newest().critical) == (True, True)
    seat.nudge(roll=roll, up=False)
    assert (newest().success, newest().critical) == (False, False)
    seat.extra_die(roll=roll, faces=(1,))
    assert (newest().success, newest().critical) == (True, True)


def test_every_die_of_damage_is_named():
    seat = seated(items=[("longsword", "main")])
    seat.roll(roll="damage.longsword.one-hand", critical=True, dice=1, faces=(3, 8, 1))
    assert newest().dice_because == [["Longsword", 1], ["Critical", 1], ["Other dice", 1]]
    thrower = seated(items=[("dagger", "main")], choices=TRAINED | {"fighter.fighting-style": ["thrown-weapons"]})
    attack = next(a for a in thrower.sheet.attacks if a.grip == "thrown")
    thrower.roll(roll="damage.dagger.thrown", critical=True)
    because = newest().dice_because
    assert sum(number for _, number in because) == len(newest().faces) == 2 * attack.damage_dice


@pytest.mark.parametrize(
    "how",
    [{"advantage": True}, {"disadvantage": True}, {"unskilled": True}, {"resolve": 1}, {"target": 0}, {"opponent": 3}],
)
def test_a_damage_roll_refuses_fields_that_it_does_not_use(how):
    with pytest.raises(Refused, match="A damage roll uses no"):
        seated(items=[("longsword", "main")]).roll(roll="damage.longsword.one-hand", **how)


@pytest.mark.parametrize(
    ("word", "numbers"),
    [("doubleDice", (5, 19, 12)), ("maxDice", (11, 11, 11)), ("doubleTotal", (8, 22, 15))],
)
def test_a_damage_roll_shows_least_most_and_average_before_it_is_made(word, numbers):
    seat = seated(ranks={"strength": 16}, items=[("longsword", "main")], switches={"criticalDamage": word})
    bundle, build, sheet = sheet_of(seat.fresh)
    attack = attack_of(sheet, "longsword", "one-hand")
    plain = damage_ready(bundle, build, attack, RollOptions())
    assert (plain.least, plain.most, plain.mean) == (4, 11, Fraction(15, 2))
    critical = damage_ready(bundle, build, attack, RollOptions(critical=True))
    assert (critical.least, critical.most, critical.mean) == numbers


def test_the_sentence_of_a_roll_names_a_tie():
    change = seated().roll(roll="skill.athletics", opponent=14, faces=(6, 5, 2))
    assert change.sentence == "Mira rolls Athletics: 14, a tie: nothing changes."
    assert newest().success is False


def test_criticals_that_are_only_flavor_break_no_tie():
    """Rulings 3 and 5: a critical that does not decide a roll does not decide a tie either."""
    asked = {"roll": "skill.athletics", "opponent": 14, "faces": (6, 6, 1)}
    tie = "14, a critical, a tie: nothing changes."
    assert seated(switches={"criticalChecks": "flavour"}).roll(**asked).sentence.endswith(tie)
    assert seated().roll(**asked).sentence.endswith("14, a critical, a success.")


def test_an_aspect_invoked_before_a_roll_cannot_be_used_on_it_again():
    seat = seated(ranks={"spirit": 20})
    (aspect, *_) = (address for address in seat.facts if address.startswith("aspect:"))
    with pytest.raises(Refused, match="only when you spend Resolve"):
        seat.roll(roll="skill.athletics", aspect=aspect)
    seat.roll(roll="skill.athletics", resolve=1, aspect=aspect, target=30)
    for act in (seat.extra_die, seat.nudge):
        with pytest.raises(Refused, match="used that aspect on this roll"):
            act(roll=newest().pk, aspect=aspect)
    seat.nudge(roll=newest().pk)


SIXES_ONLY = {"criticalAutoHit": "sixesOnly"}  # a critical by a Champion's fives does not hit by itself


def test_a_critical_that_does_not_hit_still_misses_after_a_nudge():
    seat = seated(level=3, ranks={"spirit": 20}, switches=SIXES_ONLY, items=[("longsword", "main")])
    attack = next(one for one in seat.sheet.attacks if one.roll.criticals_on == 5)
    seat.roll(roll=f"attack.{attack.item}.{attack.grip}", target=40, chance=Fixed(5, 5, 1))
    roll = RollRecord.objects.latest("pk")
    rules = seat.sheet.solver.found.bundle, seat.sheet.solver.found.build
    assert (roll.critical, roll.success) == (True, False)
    assert might_become(*rules, roll_log.rolled_of(roll)).die == 0
    seat.nudge(roll=roll.pk)
    after = RollRecord.objects.latest("pk")
    assert (after.critical, after.success) == (True, False)


def test_a_critical_that_does_not_hit_breaks_no_tie():
    seat = seated(level=3, switches=SIXES_ONLY, items=[("longsword", "main")])
    attack = next(one for one in seat.sheet.attacks if one.roll.criticals_on == 5)
    total = 11 + attack.roll.modifier
    told = seat.roll(roll=f"attack.{attack.item}.{attack.grip}", opponent=total, chance=Fixed(5, 5, 1)).sentence
    assert told.endswith("a tie: nothing changes.")


def test_a_death_save_is_never_a_tie():
    seat = seated(level=3)
    seat.adjust(resource="health", amount="0")
    seat.death_save(opponent=6, chance=Fixed(2, 2, 2))
    rules = seat.sheet.solver.found.bundle, seat.sheet.solver.found.build
    assert not is_tie(*rules, roll_log.rolled_of(RollRecord.objects.get()))


def test_an_attack_ends_the_hidden_condition():
    seat = seated(inventory=[{"item": "longsword", "state": "main"}])
    seat.add_condition(condition="condition:hidden", source="the dark")
    change = seat.roll(roll="attack.longsword.one-hand", target=30, faces=(1, 2, 3, 1))
    assert change.sentence.endswith("a miss. No longer hidden.")
    assert "hidden" not in seat.conditions
    seat.undo(change)
    assert "hidden" in seat.conditions


@pytest.mark.parametrize(("house", "badly"), [("on", True), ("off", False)])
def test_r6_fumbles_are_a_house_rule(house, badly):
    seat = seated(switches={"fumbles": house})
    said = seat.roll(roll="skill.athletics", target=10, faces=(1, 1, 2)).sentence
    assert said.endswith("a failure, with two ones: something goes badly wrong.") is badly
    assert not seat.roll(roll="skill.athletics", target=10, faces=(1, 3, 2)).sentence.endswith("wrong.")


def test_cn_16_a_nudge_does_not_help_what_fails_without_a_roll():
    seat = seated(ranks={"strength": 18})
    seat.add_condition(condition="condition:paralyzed")
    seat.roll(roll="save.strength", target=5)
    with pytest.raises(Refused, match="does not help"):
        seat.nudge(roll=newest().pk)
    assert newest().success is False


def test_advantage_and_disadvantage_that_cancel_are_both_named(seat):
    seat.add_condition(condition="condition:poisoned")
    seat.roll(roll="skill.athletics", advantage=True)
    assert newest().dice_because[1:] == [["Advantage (at the table) against Poisoned", 0]]


def test_a_disadvantage_from_a_property_names_the_thing_that_has_it():
    seat = seated(inventory=[{"item": "chain-mail", "state": "worn"}])
    seat.roll(roll="skill.stealth")
    assert ["Disadvantage (Chain mail)", -1] in newest().dice_because


@pytest.mark.parametrize(
    ("kind", "total", "target", "words"),
    [
        ("check", 18, None, "Hard reached; Very hard missed by 3"),
        ("save", 15, None, "Moderate reached; Hard missed by 3"),
        ("check", 0, None, "Very easy missed by 6"),
        ("check", 99, None, "Nearly impossible reached"),
        ("check", 18, 15, ""),
        ("attack", 18, None, "Hits Defense 18 or less"),
        ("attack", 18, 15, ""),
        ("damage", 18, None, ""),
    ],
)
def test_a_roll_without_a_target_says_which_difficulty_it_reached(kind, total, target, words):
    bundle, build, _ = sheet_of(seated().fresh)
    rolled = Rolled(kind, "skill.athletics", "Athletics", (6, 6, 6), total, target=target)
    assert how_far(bundle, build, rolled) == words


def test_a_critical_hit_without_a_target_names_no_defense():
    bundle, build, _ = sheet_of(seated().fresh)
    rolled = Rolled("attack", "attack.longsword", "Longsword", (6, 6, 1), 16, critical=True)
    assert how_far(bundle, build, rolled) == ""
