"""Each value that the page of house rules offers changes something that a person can see: a number, an option, a
sentence or a field. The tests derive, roll or draw with each value; no two values of a rule may look the same."""

from dataclasses import replace
from itertools import combinations

import pytest

from characters.change.refusals import Refused
from rules.compile import bundle_for
from rules.engine import Build, Decision, derive, options_for
from rules.games.polyhedral import creation, encounter_rules, level, rolling, steps, wealth
from rules.games.polyhedral.distances import on_the_map, paces
from rules.games.polyhedral.play import ability_checks, arms, damage
from rules.games.polyhedral.play.dying import death_save_ready
from rules.games.polyhedral.play.pool import RollOptions
from rules.games.polyhedral.play_view import PlayView
from rules.models import Switch
from rules.packs.load import load_rules
from tests.characters.play.table import Fixed, seated
from tests.support.characters import owned_by
from tests.support.guild import write_guild
from tests.support.heroes import hero, item, pool

pytestmark = [pytest.mark.django_db, pytest.mark.full]
LISTS = {"languages": "Common, Ferry cant", "customProperties": "Heavy"}


@pytest.fixture(scope="module")
def rules(shared, tmp_path_factory):
    """The core rules with a second job."""

    def make():
        load_rules(write_guild(tmp_path_factory.mktemp("guild")))
        return bundle_for("polyhedral", {"guild"})

    return shared(make)


def played(rules, **who):
    build = hero(**who)
    return rules, build, derive(rules, build)


def sentence(event):
    """The sentence of the event, or of its refusal."""
    try:
        return event().sentence
    except Refused as no:
        return no.sentence


def value(key, **who):
    return lambda rules, switches: played(rules, switches=switches, **who)[2].value(key)


def options(choice, at=1, **who):
    """The options of a choice, with their room and why one cannot be taken."""

    def seen(rules, switches):
        bundle, build, sheet = played(rules, switches=switches, **who)
        return [(one.name, one.room, one.why_not) for one in options_for(bundle, build, sheet, choice, at)]

    return seen


def said(event, **state):
    """The history's sentence for an event at the table."""

    def seen(rules, switches):
        seat = seated(level=6, ranks={"vitality": 14, "spirit": 16}, switches=switches, state=state)
        return sentence(lambda: event(seat))

    return seen


def tied(rules, switches):
    """At equal initiative, as two booleans: a quick character goes before a creature, and before a quicker player."""
    mine = encounter_rules.tie(*played(rules, switches=switches, agility=14))
    quicker = encounter_rules.tie(*played(rules, agility=18))
    return mine > encounter_rules.AVERAGE, mine > quicker


def culture(rules, switches):
    build = Build(switches=switches)
    note = steps.reminder(rules, build, rules.choices["core-rules.culture"])
    return note, options("core-rules.culture", lineage="elf")(rules, switches)


def languages(rules, switches):
    return steps.reminder(rules, Build(switches=switches), rules.choices["human-culture.language"])


def job_skills(rules, switches):
    _, _, sheet = played(rules, switches=switches)
    return [line.needs for line in sheet.choices if line.choice.key == "core-rules.job-skills"]


def second_job(rules, switches):
    build = hero(level=2, rank=1, switches=switches)
    build = replace(build, decisions=(*build.decisions, Decision("core-rules.level-job", 2, ref="job:scout")))
    sheet = derive(rules, build)
    learned = [row.name for rows in sheet.proficiencies.values() for row in rows]
    return learned, [line.choice.prompt for line in sheet.choices]


def spirit_risen(rules, switches):
    build = hero(level=2, rank=1, spirit=14, switches=switches)
    raised = Decision("core-rules.level-abilities", 2, stat="rank.spirit", points=2)
    return derive(rules, replace(build, decisions=(*build.decisions, raised))).resources["resolve"].max


def dying(rules, switches):
    build = hero(rank=1, switches=switches, conditions=["dying"])
    return replace(build, spent={"health": derive(rules, build).resources["health"].max})


def death_save(rules, switches):
    build = dying(rules, switches)
    return death_save_ready(rules, build, derive(rules, build), RollOptions()).chance


def stabilize(rules, switches):
    build = dying(rules, switches)
    return PlayView(rules, build, derive(rules, build)).down.stabilize


def check(rules, switches):
    bundle, build, sheet = played(rules, switches=switches)
    return ability_checks.check_ready(bundle, build, sheet.rolls["check.mind"], RollOptions(target=40)).chance


def attack(rules, switches):
    who = {"level": 3, "path": "champion", "items": ["longsword@main"]}
    bundle, build, sheet = played(rules, switches=switches, **who)
    return arms.attack_ready(
        bundle, build, arms.attack_of(sheet, "longsword", "one-hand"), RollOptions(target=40)
    ).chance


def critical_damage(rules, switches):
    bundle, build, sheet = played(rules, switches=switches, items=["longsword@main"])
    made = damage.damage_ready(
        bundle, build, arms.attack_of(sheet, "longsword", "one-hand"), RollOptions(critical=True)
    )
    return made.dice, made.least, made.most


def two_turns(seat):
    seat.extra_turn()
    return seat.extra_turn()


def shots(weapon, grip):
    def seen(rules, switches):
        build = hero(items=[f"{weapon}@two-hands"], switches=switches)
        build = replace(build, items=(replace(build.items[0], key="1"), item("dagger@carried")))
        sheet = derive(rules, build)
        return arms.shots_left(rules, build, arms.attack_of(sheet, weapon, grip))

    return seen


def bow(rules, switches):
    return [one.damage for one in played(rules, switches=switches, items=["longbow@two-hands"])[2].attacks]


def dearest(rules, switches):
    bundle, build, sheet = played(rules, switches=switches, background="ambassador")
    best = wealth.lifestyle(sheet.value("resources.rank"))
    thing = next(one for one in wealth.for_sale(bundle) if one.cost_class == best)
    offer = wealth.offer(bundle, build, sheet, thing, 2)
    return offer.allowed, offer.sentence


def spell_attack(rules, switches):
    ranks = {"strength": 8, "agility": 12, "vitality": 14, "mind": 16, "spirit": 18, "presence": 20}
    return pool(played(rules, switches=switches, **ranks)[2].rolls["spell-attack"])


def on_a_grid(rules, switches):
    return on_the_map(*played(rules, switches={"battleMap": "grid", **switches}))


def travel(rules, switches):
    return paces(*played(rules, switches=switches, lineage="human", conditions=["slowed"]))


def started(rules, switches):
    return level.level_of(rules, level.at_start(rules, Build(switches=switches)))


def method(rules, switches):
    """The methods that a character may use, and the way its table rolls."""
    build = Build(switches=switches)
    return creation.methods_allowed(rules, build), rolling.at_table(rules, build)


THROWN = tuple((1, 2, 3, 4) for _ in range(7))
SEEN = {
    "startingLevel": started,
    "advancement": lambda rules, switches: derive(rules, Build(milestone=5, switches=switches)).level,
    "xpPerLevel": lambda rules, switches: derive(rules, Build(xp=6000, switches=switches)).level,
    "abilityMethod": method,
    "pointBuyBudget": lambda rules, switches: creation.budget(rules, Build(switches=switches)),
    "pointBuyMax": lambda rules, switches: creation.highest(rules, Build(switches=switches)),
    "allowReroll": lambda rules, switches: rolling.refused(rules, Build(dice=THROWN, switches=switches)),
    "abilityCap": options("core-rules.level-abilities", 2, level=2, rank=1, strength=20),
    "mixedCultures": culture,
    "customBackgrounds": options("core-rules.background"),
    "languages": languages,
    "jobSkillPicks": job_skills,
    "multipleJobs": options("core-rules.level-job", 2, level=2, rank=1),
    "laterJobProficiencies": second_job,
    "fighterProgression": value("attacks", level=9),
    "healthPer": value("health.max", level=9, rank=5, vitality=14),
    "staminaDice": value("stamina.max", level=9, rank=5),
    "woundThresholdMultiplier": value("wound-threshold", vitality=14),
    "woundsHealOnLongRest": said(lambda seat: seat.long_rest(), wounds=3),
    "firearmWounds": said(lambda seat: seat.take_damage(amount=1, firearm=True)),
    "deathSaveDifficulty": death_save,
    "stabilizeDifficulty": stabilize,
    "massiveDamage": said(lambda seat: seat.take_damage(amount=300)),
    "criticalChecks": check,
    "criticalDamage": critical_damage,
    "criticalAutoHit": attack,
    "fumbles": said(lambda seat: seat.roll(roll="check.mind", chance=Fixed(1, 1, 4))),
    "resolveSpirit": spirit_risen,
    "resolveCriticals": said(lambda seat: seat.turn_aside()),
    "extraTurnsPerRound": said(two_turns),
    "playerCompels": said(lambda seat: seat.compel(words="Proud", accept=True, by_player=True), resolve=1),
    "unarmoredBase": value("defense"),
    "shieldBonus": value("defense", items=["shield@worn"]),
    "weaponErrata": bow,
    "customProperties": shots("pistol-revolver", "one-hand"),
    "trackAmmunition": shots("short-bow", "one-hand"),
    "purchaseLimit": dearest,
    "spellAbility": spell_attack,
    "initiativeTies": tied,
    "battleMap": lambda rules, switches: on_the_map(*played(rules, switches=switches)),
    "gridDiagonals": on_a_grid,
    "scaleTravelBySpeed": travel,
}
# The part of a sheet's page that a rule draws.
DRAWN = {"relationships": 'id="add-relationship"', "magic": "Add a spell"}


def offered():
    unread = {"key__in": level.UNREAD}
    return {one.key: one for one in Switch.objects.exclude(**unread)}


def values_of(switch):
    """The values that the page offers; for a number, the default and the next, or all if there are few."""
    if switch.type == "list":
        return [switch.default, LISTS[switch.key]]
    words = list(switch.allowed)
    if switch.type != "number":
        return words
    if not switch.default.isdigit():
        return [*words, "0", "1"]
    least, most = switch.minimum, switch.maximum
    if most is not None and most - least < 5:
        return [str(number) for number in range(least, most + 1)]
    now = int(switch.default)
    return [*words, switch.default, str(now + 1)]


def test_every_house_rule_that_is_offered_is_tested_here():
    assert {*SEEN, *DRAWN} == {*offered()}


@pytest.mark.parametrize("key", sorted(SEEN))
def test_no_two_values_look_the_same(rules, key):
    switch = offered()[key]
    values = values_of(switch)
    assert len(values) > 1
    seen = {one: SEEN[key](rules, {key: one} if one != switch.default else {}) for one in values}
    for one, other in combinations(values, 2):
        assert seen[one] != seen[other], f"{key}: {one} and {other} look the same"


@pytest.mark.parametrize("key", sorted(DRAWN))
def test_a_house_rule_draws_its_part_of_the_sheet(client, django_user_model, key):
    ana = django_user_model.objects.create_user("ana")
    client.force_login(ana)
    drawn = set()
    for one in values_of(offered()[key]):
        page = client.get(owned_by(ana, house_rules={"switches": {key: one}}).get_absolute_url())
        drawn.add(DRAWN[key] in page.content.decode())
    assert drawn == {True, False}


def test_values_that_only_tables_use_are_not_offered_unless_they_are_in_force(client, django_user_model):
    ana = django_user_model.objects.create_user("ana")
    client.force_login(ana)
    for key, shared in level.OF_TABLES:
        for switches, there in (({}, False), ({key: shared}, True)):
            base = owned_by(ana, house_rules={"switches": switches}).get_absolute_url()
            fields = client.get(f"{base}house-rules/").context["form"].fields
            assert (shared in dict(fields[key].choices)) is there


def test_the_reminder_of_a_choice_is_drawn(client, django_user_model):
    ana = django_user_model.objects.create_user("ana")
    client.force_login(ana)
    for switches, there in (({}, False), ({"mixedCultures": "ask"}, True)):
        base = owned_by(ana, house_rules={"switches": switches}).get_absolute_url()
        assert ("Talk to your storyteller before" in client.get(f"{base}build/origin/").content.decode()) is there
