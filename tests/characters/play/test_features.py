"""Features that change a roll, or last until they end, by their rows (sections 8.3, 22, rulings 5 and 33)."""

import re
from fractions import Fraction

import pytest

from characters.access import OWNER
from characters.change.refusals import MovedOn, Refused
from characters.pages.sheet.live import LiveCharacter
from characters.read.explanations import action_key
from rules import models
from tests.characters.cast import refuses
from tests.characters.play.table import Fixed, newest, seated
from tests.support.edits import with_action
from tests.support.html import html_of

pytestmark = pytest.mark.django_db

STYLES = {"human-culture.skills": ["athletics", "awareness"]}
SWORD = [("longsword", "main")]


def duelist(items=SWORD, **more):
    return seated(items=items, choices={**STYLES, "fighter.fighting-style": ["dueling"]}, **more)


def offers(seat):
    """The offers beside the newest roll: each action with the chance that the roll succeeds after it."""
    return {offer.action: offer.chance for offer in LiveCharacter.of(seat.fresh, seat.who, OWNER).last_roll.offers}


def missed(seat, item="longsword", grip="one-hand", faces=(1, 2, 3), target=15, **how):
    seat.roll(roll=f"attack.{item}.{grip}", faces=faces, target=target, **how)
    return newest().follows_id or newest().pk


# Dueling rolls a missed attack again


def test_a_missed_attack_is_rolled_again_and_the_new_roll_stands():
    seat = duelist()
    roll = missed(seat)
    change = seat.change_roll(roll=roll, action="dueling", chance=Fixed(6, 5, 4))
    again = newest()
    assert (again.follows_id, again.faces, again.total, again.success) == (roll, [6, 5, 4], 16, True)
    assert change.sentence == "Mira rolls Longsword again with Dueling: 16, a hit."
    assert seat.left("dueling") == 0
    with pytest.raises(Refused, match="That roll has not failed"):
        seat.change_roll(roll=roll, action="dueling")
    seat.undo(change)
    assert (seat.left("dueling"), offers(seat)) == (1, {"dueling": Fraction(38, 216)})


def test_dueling_rerolls_once_a_turn_and_keeps_even_a_worse_roll():
    seat = duelist()
    roll = missed(seat)
    seat.change_roll(roll=roll, action="dueling", faces=(1, 1, 1))
    assert (newest().total, newest().success, newest().by_hand) == (4, False, True)
    assert offers(seat) == {}
    seat.adjust(resource="dueling", amount="1")
    with pytest.raises(Refused, match="The new roll stands"):
        seat.change_roll(roll=roll, action="dueling")
    seat.adjust(resource="dueling", amount="0")
    another = missed(seat)
    with pytest.raises(Refused, match="Dueling is spent"):
        seat.change_roll(roll=another, action="dueling")
    seat.next_round()
    with pytest.raises(Refused, match="A turn has begun since that roll"):
        seat.change_roll(roll=another, action="dueling")
    assert offers(seat) == {}
    missed(seat)
    assert offers(seat) == {"dueling": Fraction(38, 216)}


def test_bought_dice_and_nudges_carry_over_to_the_new_roll():
    seat = duelist(ranks={"spirit": 18})
    roll = missed(seat)
    seat.extra_die(roll=roll, chance=Fixed(1))
    seat.nudge(roll=roll)
    seat.change_roll(roll=roll, action="dueling", chance=Fixed(1, 1, 2, 3))
    assert (newest().faces, newest().total) == ([1, 1, 2, 3], 7 + 1 + 2)


@pytest.mark.parametrize(
    ("items", "item", "grip"),
    [
        ([("short-bow", "main"), ("arrows", "carried")], "short-bow", "one-hand"),
        ([("greatsword", "two-hands")], "greatsword", "two-hands"),
        ([("longsword", "main")], "longsword", "two-hands"),
        ([("shortsword", "main"), ("dagger", "off")], "shortsword", "one-hand"),
        ([("dagger", "main")], "dagger", "thrown"),
        ([], "unarmed-strike", "unarmed"),
    ],
    ids=["a bow", "both hands", "both hands on a versatile one", "a second weapon", "thrown", "the fist"],
)
def test_dueling_needs_a_one_handed_melee_weapon_and_no_second_weapon(items, item, grip):
    seat = duelist(items)
    roll = missed(seat, item, grip)
    assert offers(seat) == {}
    with pytest.raises(Refused, match="counts only with a one-handed melee weapon and no second one"):
        seat.change_roll(roll=roll, action="dueling")
    assert seat.left("dueling") == 1


def test_dueling_works_with_a_shield():
    seat = duelist([("longsword", "main"), ("shield", "worn")])
    missed(seat)
    assert "dueling" in offers(seat)


def test_dueling_does_not_work_on_a_hit_a_check_or_damage():
    seat = duelist()
    for act in (
        lambda: seat.roll(roll="attack.longsword.one-hand", faces=(6, 5, 5), target=5),
        lambda: seat.roll(roll="skill.athletics", faces=(1, 1, 1), target=30),
        lambda: seat.roll(roll="damage.longsword.one-hand"),
    ):
        act()
        assert offers(seat) == {}
        with pytest.raises(Refused, match=r"has not failed|does not work on this kind"):
            seat.change_roll(roll=newest().pk, action="dueling")


def test_dueling_is_offered_without_a_chance_for_an_attack_without_a_target():
    seat = duelist()
    missed(seat, target=None)
    assert offers(seat) == {"dueling": None}
    seat.roll(roll="attack.longsword.one-hand", faces=(6, 6, 1))  # critical, so it hits
    assert offers(seat) == {}


def test_the_chance_of_dueling_counts_every_roll_of_the_pool():
    """Of 216 rolls of three dice, those that reach the target or are critical."""
    seat = duelist(ranks={"strength": 14})
    missed(seat, target=15)
    rolls = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
    modifier = newest().total - 6
    good = sum(sum(faces) + modifier >= 15 or faces.count(6) >= 2 for faces in rolls)
    assert offers(seat) == {"dueling": Fraction(good, 216)}


def test_undoing_the_first_roll_does_not_give_dueling_back():
    seat = duelist()
    attack = seat.roll(roll="attack.longsword.one-hand", faces=(1, 2, 3), target=15)
    again = seat.change_roll(roll=newest().pk, action="dueling", faces=(4, 4, 4))
    seat.undo(attack)  # the roll leaves the log together with the one that replaced it
    assert seat.left("dueling") == 0
    seat.undo(again)
    assert seat.left("dueling") == 1


# Indomitable turns a failed save


def indomitable(**more):
    return seated(level=7, **more)


def test_indomitable_turns_a_failed_save_into_a_success():
    seat = indomitable()
    seat.roll(roll="save.mind", faces=(1, 2), target=15)
    assert offers(seat) == {"indomitable": 1}
    change = seat.change_roll(roll=newest().pk, action="indomitable")
    assert (newest().success, newest().turned_by, newest().faces) == (True, "Indomitable", [1, 2])
    assert change.sentence == "Mira turns Mind save into a success with Indomitable."
    assert (seat.left("indomitable"), offers(seat)) == (0, {})
    seat.extra_die(roll=newest().follows_id, chance=Fixed(1))
    assert newest().success  # it stays a success whatever is added
    with pytest.raises(MovedOn):
        seat.undo(change)


def test_indomitable_turns_a_save_that_fails_without_a_roll_and_takes_no_dice():
    seat = indomitable()
    seat.add_condition(condition="condition:stunned")
    seat.roll(roll="save.strength")
    roll = newest().pk
    with refuses("faces"):
        seat.change_roll(roll=roll, action="indomitable", faces=(6,))
    seat.change_roll(roll=roll, action="indomitable")
    assert newest().success


def test_indomitable_does_not_work_on_a_failed_check():
    seat = indomitable()
    seat.roll(roll="skill.athletics", faces=(1, 1, 1), target=30)
    assert offers(seat) == {}
    with pytest.raises(Refused, match="Indomitable does not work on this kind of roll"):
        seat.change_roll(roll=newest().pk, action="indomitable")
    assert seat.left("indomitable") == 1


def test_indomitable_works_on_a_death_save():
    seat = indomitable()
    seat.adjust(resource="health", amount="0")
    for _ in range(2):
        seat.death_save(faces=(1, 1, 2))
    assert "dead" in seat.conditions
    seat.change_roll(roll=newest().pk, action="indomitable")
    assert "dying" in seat.conditions
    assert (seat.spent("death-successes"), seat.spent("death-failures")) == (1, 2)
    for more in (lambda: seat.extra_die(roll=newest().follows_id), seat.cheat_death):
        with pytest.raises(Refused, match=r"needs no more help|no failed death saving throw"):
            more()


def test_the_dead_change_no_roll_other_than_a_death_save():
    seat = indomitable()
    seat.roll(roll="save.mind", faces=(1, 2), target=15)
    seat.add_condition(condition="condition:dead")
    assert offers(seat) == {}
    with pytest.raises(Refused, match="The dead cannot change rolls"):
        seat.change_roll(roll=newest().pk, action="indomitable")


@pytest.mark.parametrize("slug", ["dueling", "indomitable"])
def test_using_a_feature_that_changes_rolls_without_a_roll_is_refused(slug):
    seat = duelist(level=7)
    with pytest.raises(Refused, match="is used on a roll that it can change"):
        seat.use(action=slug)
    assert seat.left(slug) == 1


def test_an_action_that_changes_no_rolls_is_refused_on_a_roll():
    seat = seated(level=2)
    missed(seat, "unarmed-strike", "unarmed")
    for action, why in (
        ("action-surge", "not change rolls"),
        ("dueling", "cannot do that"),
        ("", "cannot do that"),
    ):
        with pytest.raises(Refused, match=why):
            seat.change_roll(roll=newest().pk, action=action)
    with pytest.raises(Refused, match="no such roll"):
        seat.change_roll(roll=999_999, action="dueling")


# Strike True makes the next attack hit


def striking(**more):
    seat = seated(level=14, items=SWORD, **more)
    change = seat.use(action="strike-true")
    assert change.sentence == "Mira uses Strike True."
    return seat


def test_strike_true_makes_the_next_attack_hit_without_a_roll_or_a_critical():
    seat = striking()
    assert seat.sheet.attacks[0].roll.certain == "succeeds"
    change = seat.roll(roll="attack.longsword.one-hand", target=40)
    assert (newest().faces, newest().success, newest().critical, newest().total) == ([], True, False, 40)
    assert newest().dice_because == [["Striking true", 0]]
    assert change.sentence == "Mira attacks with Longsword: a hit without a roll. No longer striking true."
    seat.roll(roll="attack.longsword.one-hand", target=40, faces=(1, 1, 1))
    assert newest().success is False
    seat.undo(change)
    assert "striking-true" in seat.conditions


def test_r5_a_hit_by_strike_true_is_critical_if_every_hit_is():
    seat = striking()
    seat.roll(roll="attack.longsword.one-hand", critical=True)
    assert (newest().success, newest().critical) == (True, True)


@pytest.mark.parametrize("turn", ["next_round", "extra_turn"])
def test_strike_true_ends_when_the_next_turn_starts(turn):
    seat = striking()
    seat.roll(roll="skill.athletics")
    assert "striking-true" in seat.conditions
    getattr(seat, turn)()
    assert "striking-true" not in seat.conditions


def test_a_hit_by_strike_true_takes_no_extra_die_and_no_nudge():
    seat = striking()
    seat.roll(roll="attack.longsword.one-hand")
    for act in (seat.extra_die, seat.nudge):
        with pytest.raises(Refused, match="No dice were rolled"):
            act(roll=newest().pk)


def test_a_spell_attack_ends_strike_true():
    seat = striking()
    change = seat.roll(roll="spell-attack")
    assert change.sentence == "Mira rolls Spell attack: a hit without a roll. No longer striking true."
    assert "striking-true" not in seat.conditions


# Provoke, Protection and Defend last until they end


def held(seat):
    """The conditions in force, each with its source: the rounds that are left."""
    found = {}
    for address, value in seat.facts.items():
        if address.startswith("condition:") and value:
            ref, _, source = address.removeprefix("condition:condition:").partition("|")
            found[ref, source] = value["rounds"]
    return found


def test_provoke_lasts_to_the_end_of_the_next_turn():
    seat = seated(level=4)
    change = seat.use(action="provoke", whom="the ogre")
    assert change.sentence == "Mira uses Provoke on the ogre."
    assert held(seat) == {("provoking", "the ogre"): 2}
    seat.next_round()
    seat.use(action="provoke", whom="the bandit")
    assert held(seat) == {("provoking", "the ogre"): 1, ("provoking", "the bandit"): 2}
    seat.next_round()
    assert held(seat) == {("provoking", "the bandit"): 1}
    seat.next_round()
    assert held(seat) == {}


def test_an_extra_turn_counts_down_provoke_and_not_the_rounds_of_a_condition():
    seat = seated(level=4, ranks={"spirit": 16})
    seat.add_condition(condition="condition:poisoned", rounds=3)
    seat.use(action="provoke", whom="the ogre")
    change = seat.extra_turn()
    assert held(seat) == {("poisoned", ""): 3, ("provoking", "the ogre"): 1}
    assert change.sentence == "Mira takes an extra turn. Provoking for 1 more round."
    seat.undo(change)
    assert held(seat) == {("poisoned", ""): 3, ("provoking", "the ogre"): 2}


def test_protection_lasts_until_the_next_turn_starts():
    seat = seated(choices={**STYLES, "fighter.fighting-style": ["protection"]})
    seat.use(action="protection", whom="Bo")
    assert held(seat) == {("shielding", "Bo"): 1}
    with pytest.raises(Refused, match="Shielding: that is so already"):
        seat.use(action="protection", whom="Bo")
    note = [step.text for step in seat.sheet.notes[""] if step.ref == "condition:shielding"]
    assert note == ["Attacks against the one you shield have disadvantage."]
    seat.next_round()
    assert held(seat) == {}


def test_a_feature_is_refused_while_its_part_of_the_turn_is_forbidden():
    seat = seated(level=4, choices={**STYLES, "fighter.fighting-style": ["protection"]})
    seat.add_condition(condition="condition:slowed")
    with pytest.raises(Refused, match="No reactions while slowed"):
        seat.use(action="protection")
    seat.add_condition(condition="condition:stunned")
    with pytest.raises(Refused, match="No bonus actions while incapacitated"):
        seat.use(action="provoke")
    with refuses("whom"):
        seat.use(action="provoke", whom="x" * 121)


def test_defend_lasts_until_the_next_turn_starts(seat):
    seat.use(action="defend")
    assert held(seat) == {("defending", ""): 1}
    assert "defending" in seat.conditions
    assert seat.sheet.rolls["against"].dice == 2
    seat.next_round()
    assert held(seat) == {}
    assert "defending" not in seat.conditions
    assert seat.sheet.rolls["against"].dice == 3


# An admin's own feature does the same by its rows


def test_an_admins_feature_may_roll_a_failed_check_again(seat):
    with_action("second-wind", changes="reroll", of_roll="check")
    seat.roll(roll="skill.athletics", faces=(1, 1, 1), target=12)
    assert set(offers(seat)) == {"own"}
    change = seat.change_roll(roll=newest().pk, action="own", faces=(6, 5, 4))
    assert change.sentence == "Mira rolls Athletics again with Own: 16, a success."


def test_an_admins_feature_may_begin_a_condition_that_makes_the_next_save_succeed(seat):
    condition = models.Condition.objects.get(slug="defending")
    models.Condition.objects.filter(pk=condition.pk).update(turns=3, ends_with="save")
    models.RollModifier.objects.create(owner=condition, roll="save", aspect="succeeds")
    with_action("second-wind", begins=condition)
    seat.use(action="own")
    assert held(seat) == {("defending", ""): 3}
    change = seat.roll(roll="save.mind", target=30)
    assert newest().success
    assert change.sentence == "Mira rolls Mind save: succeeds without a roll. No longer defending."


def test_an_admins_feature_may_need_a_circumstance_that_is_switched_on(seat):
    when = models.Circumstance.objects.get(slug="squeezing")
    with_action("second-wind", changes="succeed", of_roll="check", when=when)
    seat.roll(roll="skill.athletics", faces=(1, 1, 1), target=30)
    assert offers(seat) == {}
    with pytest.raises(Refused, match="Own counts only squeezed into a tight space"):
        seat.change_roll(roll=newest().pk, action="own")
    seat.toggle(switch="+squeezing")
    seat.change_roll(roll=newest().pk, action="own")
    assert newest().success


@pytest.mark.parametrize(
    ("key", "ability", "counts"),
    [("skill.stealth", "", True), ("tool.smiths-tools", "strength", True), ("check.strength", "", False)],
)
def test_an_admins_feature_may_ask_what_the_roll_is_of(key, ability, counts):
    """A roll with tools is not on the sheet by itself."""
    with_action("second-wind", changes="succeed", of_roll="check", when=models.Circumstance.objects.get(slug="helped"))
    seat = seated(state={"toggles": ["helped"]})
    seat.roll(roll=key, ability=ability, faces=(1, 1, 1), target=30)
    assert ("own" in offers(seat)) == counts


@pytest.mark.parametrize(
    ("columns", "text"),
    [({"dice": 2, "die": 6}, "2D+3"), ({"dice": 2, "die": 8}, "2d8+3"), ({"dice": 0}, "3")],
)
def test_an_action_is_written_with_the_dice_that_it_rolls(seat, client, columns, text):
    with_action("second-wind", roll="heal", amount=3, **columns)
    line = next(one for one in seat.sheet.actions if one.action.slug == "own")
    client.force_login(seat.who.user)
    page = html_of(client.get(f"/characters/{seat.character.pk}/"))
    assert re.findall(r"Own </span> <span class=\"number\">([^<]*)<", page) == [text]
    explained = html_of(client.get(f"/characters/{seat.character.pk}/explain/{action_key(line)}/"))
    assert f">{text}<" in explained
    seat.take_damage(amount=5)
    faces = tuple(range(1, 1 + line.dice))
    change = seat.use(action="own", faces=faces)
    assert change.sentence.startswith(f"Mira uses Own: {sum(faces) + 3}, and regains")
