"""A sheet made from the one before it, after a change at the table, is the one that is derived."""

import gc
import random
import weakref
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from threading import Barrier
from time import sleep

import pytest

from rules.compile import bundle_for
from rules.engine import Build, Decision, counters_after, derive, follow
from rules.engine.build import Award, Held, Item
from rules.engine.chance import answer_all
from rules.engine.content import Amount, Choice, Effect, PropertyUse, Requirement
from rules.engine.reach import standing_apart
from rules.engine.sheet import Dice, Sheet
from rules.games.parts import Parts, Since
from rules.games.polyhedral.rolls import check

pytestmark = pytest.mark.django_db

STATES = ("main", "off", "two-hands", "worn", "carried", "stowed")


def walker(bundle, chance):
    """A legal character by chance at some level, with a few things."""
    game = bundle.game
    build = game.chance.with_ranks(bundle, Build(name="Walker"), chance)
    build = answer_all(bundle, replace(build, xp=1000 * chance.randrange(20)), chance, game.chance.OWN_WORDS)
    things = [ref for ref, one in bundle.elements.items() if one.kind in ("weapon", "armor", "gear", "tool")]
    items = [Item(ref, state=chance.choice(STATES), key=str(at)) for at, ref in enumerate(chance.choices(things, k=6))]
    return replace(build, items=tuple(items))


def spent(bundle, build, chance):
    amounts = {**build.spent, chance.choice(sorted(bundle.resources)): chance.randrange(12)}
    return replace(build, spent={slug: amount for slug, amount in amounts.items() if amount})


def switched(bundle, build, chance):
    return replace(build, toggles=build.toggles ^ {chance.choice(sorted(bundle.circumstances))})


def afflicted(bundle, build, chance):
    if build.conditions and chance.random() < 0.5:
        return replace(build, conditions=build.conditions[1:])
    ref = chance.choice([one.ref for one in bundle.of_kind("condition")])
    held = [one for one in build.conditions if one.ref != ref]
    return replace(build, conditions=(*held, Held(ref, chance.randrange(1, 4), rounds=chance.randrange(3))))


def put_elsewhere(bundle, build, chance):
    if not build.items:
        return build
    at = chance.randrange(len(build.items))
    moved = replace(build.items[at], state=chance.choice(STATES), quantity=chance.randrange(1, 4))
    return replace(build, items=(*build.items[:at], moved, *build.items[at + 1 :]))


def found_or_lost(bundle, build, chance):
    if chance.random() < 0.4:
        return replace(build, items=build.items[1:])
    things = [ref for ref, one in bundle.elements.items() if one.kind in ("weapon", "armor", "gear", "tool")]
    thing = chance.choice([Item(chance.choice(things)), Item(custom="A letter")])
    return replace(build, items=(*build.items, replace(thing, key=f"new-{len(build.items)}")))


def noted(bundle, build, chance):
    return replace(build, notes=("Rain.",), rest="short-rest", rest_dice=1, aspects=(("flaw", "Proud"),))


MOVES = (spent, switched, afflicted, put_elsewhere, found_or_lost, noted)


@pytest.mark.parametrize("looks", [1.0, 0.3])
@pytest.mark.parametrize("seed", range(6))
def test_it_is_what_derive_answers(seed, looks):
    """Whether every sheet is looked at, or few: rolls and parts are made when they are asked for."""
    bundle, chance, made = bundle_for("polyhedral"), random.Random(seed), Counter()
    present, lay = bundle.game.page, bundle.game.table
    for _ in range(5):
        build = walker(bundle, chance)
        sheet = derive(bundle, build)
        page, table = present(bundle, build, sheet), lay(bundle, build, sheet)
        for _ in range(40):
            move = chance.choice(MOVES)
            build = move(bundle, build, chance)
            followed, derived = follow(sheet, build), derive(bundle, build)
            assert counters_after(sheet, build) == (derived.resources, derived.conditions), move.__name__
            if followed is None:  # being petrified brings resistances
                assert "condition:petrified" in {*derived.conditions, *sheet.conditions}
                sheet, page, table = derived, present(bundle, build, derived), lay(bundle, build, derived)
                continue
            since = Since(page.build, sheet, build, followed)
            page, table = page.after(build, followed, since), table.after(build, followed, since)
            if chance.random() >= looks:
                sheet = followed
                continue
            for field in fields(Sheet):
                if field.compare:
                    assert getattr(followed, field.name) == getattr(derived, field.name), (move.__name__, field.name)
            made[move.__name__] += followed.rolls is sheet.rolls
            assert page == present(bundle, build, derived), move.__name__
            assert table == lay(bundle, build, derived), move.__name__
            # What is asked for later is asked of the followed sheet too: any ability with any skill.
            asked = [chance.choice(bundle.of_kind(kind)).ref for kind in ("ability", "skill")]
            assert check(followed.solver, *asked) == check(derived.solver, *asked), move.__name__
            sheet = followed
    assert looks < 1 or all(made[move.__name__] for move in MOVES), made  # or nothing is saved


def grant(owner, element, how="gain", **more):
    return Effect("grant", owner, element=element, grant_as=how, **more)


def unusual():
    """Content that an admin may write and the core does not have: (bundle, build before, build after)."""
    core = bundle_for("polyhedral")
    base, rule = Build(name="Mira", xp=3000), next(one for one in core.of_kind("rules") if one.ref in core.always)
    apart = standing_apart(core)
    conditions = [
        one for one in core.of_kind("condition") if one.ref in apart - core.grants.keys() and not one.condition.resource
    ]
    first, second, other = conditions[:3]
    gear, job, talent = core.of_kind("gear")[0], core.of_kind("job")[0], core.of_kind("talent")[0]
    sword = next(one for one in core.of_kind("weapon") if one.weapon.hands == 1)
    suit = next(one for one in core.of_kind("armor") if one.armor.hands == 0)
    shield = next(one for one in core.of_kind("armor") if one.armor.hands)
    lineage, late, early = core.of_kind("lineage")[0], *reversed(core.of_kind("property")[:2])
    dwarf = replace(base, decisions=(Decision("core-rules.lineage", ref=lineage.ref),))
    by_hand = next(one.slug for one in core.circumstances.values() if one.detection != "auto" and not one.tests)

    def bundle(*changed):
        return core.with_elements([replace(element, **fields) for element, fields in changed])

    def add(element, *effects, **more):
        return element, {"effects": (*element.effects, *effects), **more}

    def slower(owner, by):
        return Effect("modify", owner.ref, stat="speed", op="add", amount=Amount(flat=by))

    save = Effect("roll", rule.ref, roll="save", aspect="bonus", amount=Amount(flat=2), when="no-resolve")
    most = derive(core, base).resources["resolve"].max
    yield "empty", bundle(add(rule, save)), base, replace(base, spent={"resolve": most})
    # Regains health every turn unless poisoned.
    survivor = replace(walker(core, random.Random(1)), awards=(Award("feature:survivor"),))
    yield "recovery", core, survivor, replace(survivor, conditions=(Held("condition:poisoned"),))
    chain = bundle(add(rule, grant(rule.ref, first.ref)), add(first, grant(first.ref, second.ref)))
    yield "implied", chain, base, replace(base, conditions=(Held(other.ref),))
    stat = core.of_kind("ability")[0].ability.rank_stat
    raises = Choice(f"{gear.slug}.raise", gear.ref, "raise", "Raise", mode="spread", stats=(stat,))
    raised = replace(base, decisions=(Decision(raises.key, stat=stat, points=1),))
    yield "spread", bundle((gear, {"choices": (raises,)})), raised, replace(raised, items=(Item(gear.ref, key="1"),))
    ranked = bundle(add(gear, grant(gear.ref, job.ref, "rank")))
    yield "rank", ranked, base, replace(base, items=(Item(gear.ref, key="1"),))
    skilled = bundle(add(gear, grant(gear.ref, core.of_kind("skill")[0].ref, "skilled")))
    yield "skilled", skilled, base, replace(base, items=(Item(gear.ref, key="1"),))
    for word, test, item in (
        ("nothing", "wields", Item(sword.ref, state="main", key="1")),
        ("any", "wears", Item(suit.ref, state="worn", key="1")),
    ):
        asks = bundle((lineage, {"prerequisites": (Requirement(test, word=word),)}))
        yield test, asks, dwarf, replace(dwarf, items=(item,))
    toggled = Choice(f"{rule.slug}.late", rule.ref, "late", "Late", options=(talent.ref,), when=by_hand)
    asking = bundle((rule, {"choices": (*rule.choices, toggled)}))
    yield "choice", asking, base, replace(base, toggles=frozenset({by_hand}))
    worn = bundle(
        (late, {"effects": (slower(late, 5),)}),
        (early, {"effects": (slower(early, -5),)}),
        (other, {"effects": (slower(other, -10),)}),
        (suit, {"properties": (PropertyUse(late.ref),)}),
        (shield, {"properties": (PropertyUse(early.ref),)}),
    )
    armed = replace(base, items=(Item(suit.ref, state="worn", key="1"), Item(shield.ref, state="worn", key="2")))
    yield "order", worn, armed, replace(armed, conditions=(Held(other.ref),))


def test_content_that_the_core_does_not_have_is_followed_or_derived():
    seen = set()
    for name, bundle, was, now in unusual():
        for before, after in ((was, now), (now, was)):
            derived = derive(bundle, after)
            assert derived != derive(bundle, before), name  # or the case says nothing
            followed = follow(derive(bundle, before), after)
            assert followed in (None, derived), name
            assert counters_after(derive(bundle, before), after) == (derived.resources, derived.conditions), name
            seen.add((name, followed is None))
    assert {("empty", False), ("recovery", False), ("implied", False), ("order", False)} < seen


def test_a_second_suit_of_the_same_armor_counts_as_in_derive():
    bundle = bundle_for("polyhedral")
    worn = [one.ref for one in bundle.of_kind("armor") if one.properties]
    assert worn
    for ref in worn:
        was = Build(items=(Item(ref, state="worn", key="1"),))
        build = replace(was, items=(*was.items, Item(ref, state="worn", key="2")))
        assert follow(derive(bundle, was), build) == derive(bundle, build)
        assert follow(derive(bundle, build), was) == derive(bundle, was)


def test_words_leave_every_part_the_very_same():
    bundle, was = bundle_for("polyhedral"), Build(name="Mira")
    before = derive(bundle, was)
    assert before.rolls
    after = follow(before, noted(bundle, was, None))
    parts = [field.name for field in fields(Sheet) if field.compare and field.name != "dice"]
    assert all(getattr(after, part) is getattr(before, part) for part in (*parts, "rolls", "attacks"))


@pytest.mark.parametrize("other", [{"xp": 1000}, {"name": "Mara"}, {"switches": {"abilityCap": "none"}}])
def test_what_does_not_move_at_the_table_is_not_its_business(other):
    was = Build(name="Mira")
    assert follow(derive(bundle_for("polyhedral"), was), replace(was, **other)) is None


def test_a_sheet_does_not_hold_those_before_it():
    """Only, until its rolls are asked for, the one whose rolls they are made of."""
    bundle, build = bundle_for("polyhedral"), Build(name="Mira")
    first = derive(bundle, build)
    second = follow(first, covered := replace(build, toggles=frozenset({"half-cover"})))
    assert not first.dice.asked_for
    assert second.solver.earlier is None
    assert second.rolls["save.agility"].modifier == 2 + first.rolls["save.agility"].modifier
    third = follow(second, replace(covered, conditions=(Held("condition:poisoned"),)))
    assert third.solver.earlier is second
    assert third.rolls["check.mind"].dice == 2
    assert third.solver.earlier is None


def test_rolls_that_cannot_have_moved_are_those_of_the_sheet_before_asked_for_or_not():
    bundle, build = bundle_for("polyhedral"), Build(name="Mira")
    first = derive(bundle, build)
    second = follow(first, replace(build, spent={"health": 1}))
    assert second.dice is first.dice
    assert not first.dice.asked_for


def test_parts_that_one_state_does_not_show_are_kept_for_the_next():
    bundle, build = bundle_for("polyhedral"), Build(name="Mira")
    sheet = derive(bundle, build)
    page = bundle.game.page(bundle, build, sheet)
    shown = page.skills, page.proficiencies
    for move in ({"spent": {"health": 1}}, {"notes": ("Rain.",)}, {"conditions": (Held("condition:poisoned"),)}):
        after = replace(build, **move)
        followed = follow(sheet, after)
        page = page.after(after, followed, Since(build, sheet, after, followed))
        build, sheet = after, followed
    assert page.proficiencies is shown[1]
    assert page.skills != shown[0]


def test_pages_do_not_hold_the_sheets_before_theirs():
    bundle, build = bundle_for("polyhedral"), Build(name="Mira")
    sheet, sheets = derive(bundle, build), []
    page = bundle.game.page(bundle, build, sheet)
    for number in range(12):
        assert page.skills if number % 3 else page.vitals
        after = replace(build, conditions=() if build.conditions else (Held("condition:poisoned"),))
        followed = follow(sheet, after)
        page = page.after(after, followed, Since(build, sheet, after, followed))
        build, sheet = after, followed
        sheets.append(weakref.ref(sheet))
    gc.collect()
    assert sum(one() is not None for one in sheets) <= 3


def test_parts_read_what_there_is():
    """A misspelt name would never move, and its part stand for ever."""
    bundle = bundle_for("polyhedral")
    words = {f"rolls.{key.partition('.')[0]}" for key in derive(bundle, Build()).rolls}
    sheet = {"rolls", "attacks", *words, *(field.name for field in fields(Sheet))}
    for kind in (bundle.game.page, bundle.game.table):
        assert {name for part in kind.made_of.values() for name in part.sheet} <= sheet
        assert {name for part in kind.made_of.values() for name in part.build} <= {one.name for one in fields(Build)}
        assert kind.made_of.keys().isdisjoint(vars(Parts))


def test_rolls_are_put_together_once_whoever_asks():
    bundle, put_together, together = bundle_for("polyhedral"), [], Barrier(6)
    sheet = derive(bundle, Build(name="Mira"))
    made = sheet.dice.made

    def slowly():
        put_together.append(sheet)
        sleep(0.05)
        return made

    def ask():
        together.wait()
        return dice.made

    dice = Dice(slowly)
    with ThreadPoolExecutor(6) as threads:
        answers = [asked.result() for asked in [threads.submit(ask) for _ in range(6)]]
    assert len(put_together) == 1
    assert all(one is made for one in answers)
