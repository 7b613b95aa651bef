"""Sessions by chance: whatever is done in whatever order, the numbers hold, undo restores, and the journal replays."""

import os

import pytest
from django.http import Http404
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from characters import history, verbs, versions
from characters.journal import Refused
from characters.models import RollRecord
from rules.systems.pool_d6.health import DEADLY_WOUNDS
from tests.characters.cast import new_key
from tests.characters.play.table import seated

SOAK = bool(os.environ.get("SOAK"))
RUNS, STEPS = (500, 50) if SOAK else (5, 25)
SMALL = st.integers(0, 12)
CONDITIONS = (
    "poisoned",
    "prone",
    "exhausted",
    "slowed",
    "stunned",
    "petrified",
    "dying",
    "stable",
    "dead",
    "unconscious",
)
TYPES = ("", "fire", "poison", "slashing")
COUNTERS = ("health", "wounds", "stamina", "resolve", "second-wind", "action-surge", "resources-lowered", "rally")
CIRCUMSTANCES = ("half-cover", "dim-light", "attacker-within-5", "squeezing")
tally = {"runs": 0, "changes": 0, "refused": 0, "undone": 0}


def present(facts):
    return {address: value for address, value in facts.items() if value not in (None, [], 0, "")}


def of(fact, slug):
    return isinstance(fact, dict) and fact.get("ref", "").partition(":")[2] == slug


class Evening(RuleBasedStateMachine):
    """One character's evening at the table."""

    @initialize(level=st.integers(1, 6), vitality=st.integers(6, 18), spirit=st.integers(8, 18))
    def sit_down(self, level, vitality, spirit):
        tally["runs"] += 1
        self.seat = seated(
            level=level,
            ranks={"vitality": vitality, "spirit": spirit},
            inventory=[
                {"item": "longbow", "state": "main"},
                {"item": "arrows", "quantity": 6},
                {"item": "dagger", "quantity": 2},
                {"item": "healing-kit"},
            ],
        )
        self.start = present(self.seat.facts)
        self.replayed = dict(self.start)

    def do(self, act):
        """Try something: a refusal must leave everything as it was, a change must be what the journal says."""
        before = self.seat.facts
        try:
            change = act()
        except (Refused, Http404):
            tally["refused"] += 1
            assert self.seat.facts == before
            return None
        tally["changes"] += 1
        self.replayed = present(self.replayed | change.after)
        self.show(change)
        return change

    def show(self, change):
        """What the page of the change shows, made from what was shown before it, is what is worked out from nothing."""
        shown, stored = change.draft.version, versions.read(self.seat.fresh)
        assert present(shown.facts) == present(stored.facts)
        assert shown.build == stored.build
        assert shown.sheet == stored.sheet
        assert shown.page == stored.page
        assert shown.table == stored.table
        versions.keep(change.character, shown)

    @rule(amount=st.integers(0, 60), kind=st.sampled_from(TYPES), flags=st.tuples(*[st.booleans()] * 3))
    def is_hit(self, amount, kind, flags):
        how = dict(zip(("firearm", "critical", "near"), flags, strict=True))
        self.do(lambda: self.seat.take_damage(amounts=[(amount, kind), (amount // 3, "")], **how))

    @rule(amount=st.integers(1, 30))
    def is_healed(self, amount):
        self.do(lambda: self.seat.heal(amount=amount))

    @rule(slug=st.sampled_from(COUNTERS), sign=st.sampled_from(("+", "-", "")), number=SMALL)
    def types_a_number(self, slug, sign, number):
        self.do(lambda: self.seat.adjust(resource=slug, amount=f"{sign}{number}"))

    @rule(slug=st.sampled_from(CONDITIONS), rounds=st.integers(0, 3), source=st.sampled_from(("", "a curse")))
    def begins(self, slug, rounds, source):
        what = {"rounds": rounds, "source": source}
        self.do(lambda: self.seat.add_condition(condition=f"condition:{slug}", **what))

    @rule(slug=st.sampled_from(CONDITIONS))
    def ends(self, slug):
        self.do(lambda: self.seat.remove_condition(condition=f"condition:{slug}"))

    @rule(slug=st.sampled_from(CIRCUMSTANCES), on=st.booleans())
    def switches(self, slug, on):
        self.do(lambda: self.seat.toggle(circumstance=slug, on=on))

    @rule(
        verb=st.sampled_from(
            ["next_round", "begin_rest", "spend_rest_die", "treat_wounds", "finish_rest", "long_rest", "end_adventure"]
            + ["death_save", "cheat_death", "stabilize", "extra_turn", "regain", "gather_ammunition", "turn_critical"]
        )
    )
    def time_passes(self, verb):
        self.do(getattr(self.seat, verb))

    @rule(action=st.sampled_from(("rally", "second-wind", "action-surge", "stabilize-with-a-healing-kit")))
    def uses(self, action):
        self.do(lambda: self.seat.use(action=action))

    @rule(difficulty=st.integers(3, 24), resolve=st.integers(0, 1), advantage=st.booleans())
    def rolls(self, difficulty, resolve, advantage):
        what = {"target": difficulty, "resolve": resolve, "advantage": advantage}
        self.do(lambda: self.seat.roll(roll="skill.athletics", **what))

    @rule(weapon=st.sampled_from((("longbow", "one-hand"), ("dagger", "thrown"), ("dagger", "one-hand"))))
    def attacks(self, weapon):
        self.do(lambda: self.seat.roll_attack(item=weapon[0], grip=weapon[1], target=12))

    @rule(back=SMALL, die=st.booleans())
    def helps_a_roll(self, back, die):
        roots = list(RollRecord.objects.filter(character=self.seat.character, follows=None)[: back + 1])
        if roots:
            verb = self.seat.extra_die if die else self.seat.nudge
            self.do(lambda: verb(roll=roots[-1].pk))

    @rule(search=st.booleans())
    def leaves_the_field(self, search):
        self.do(lambda: self.seat.gather_ammunition(search=search))

    @rule(slug=st.sampled_from(("arrows", "dagger", "longbow")))
    def gives_up(self, slug):
        items = [address for address, one in self.seat.facts.items() if of(one, slug)]
        if items:
            item = items[0].partition(":")[2]
            self.do(lambda: verbs.remove_item(self.seat.character.pk, self.seat.who, new_key(), item=item))

    @rule(text=st.text("abc \n", max_size=20))
    def writes(self, text):
        self.do(lambda: self.seat.add_note(text=text))

    @rule(accept=st.booleans())
    def is_compelled(self, accept):
        self.do(lambda: self.seat.compel(aspect="Late", accept=accept))

    @rule(ranks=st.integers(-2, 2), restore=st.booleans())
    def spends_downtime(self, ranks, restore):
        self.do(lambda: self.seat.spend_downtime(days=3, activity="Training", ranks=ranks, restore=restore, points=1))

    @rule(number=st.integers(0, 9))
    def builds_on(self, number):
        self.do(lambda: verbs.rename(self.seat.character.pk, self.seat.who, new_key(), name=f"Mira {number}"))

    @rule(back=st.integers(0, 20))
    def takes_back_any(self, back):
        """Any earlier change, as far as what it touched still allows."""
        number = self.seat.fresh.version - back
        if number > 1:
            change = self.seat.fresh.changes.get(sequence=number)
            tally["undone"] += self.do(lambda: self.seat.undo(change)) is not None

    @rule(amount=st.integers(1, 40))
    def takes_back_the_last(self, amount):
        """What was just done, undone, is as if it had not been; and undone again, as if it had."""
        before = present(self.seat.facts)
        change = self.do(lambda: self.seat.take_damage(amounts=[(amount, "")]))
        if change:
            after = present(self.seat.facts)
            undone = self.do(lambda: self.seat.undo(change))
            assert undone is not None
            assert present(self.seat.facts) == before
            assert self.do(lambda: self.seat.undo(undone)) is not None
            assert present(self.seat.facts) == after
            tally["undone"] += 2

    @invariant()
    def the_numbers_hold(self):
        if not hasattr(self, "seat"):
            return
        sheet, facts = self.seat.sheet, self.seat.facts
        for line in sheet.resources.values():
            assert line.left >= 0
            assert 0 <= line.spent <= max(line.max, 10)
        held = {address for address in facts if address.startswith("condition:")}
        dead = any(address.startswith("condition:condition:dead|") for address in held)
        if facts.get("spent:wounds", 0) >= DEADLY_WOUNDS:
            assert dead
        stable = any(address.startswith("condition:condition:stable|") for address in held)
        dying = any(address.startswith("condition:condition:dying|") for address in held)
        assert dying == (sheet.resources["health"].left == 0 and not stable and not dead)
        rest_dice = facts["field:rest_dice"]
        assert rest_dice >= 0
        for address, used in facts.items():
            if address.startswith("used:"):
                assert 0 < used <= facts[f"item:{address.partition(':')[2]}"]["quantity"]

    @invariant()
    def the_journal_replays(self):
        if hasattr(self, "seat"):
            assert present(self.seat.facts) == self.replayed

    def teardown(self):
        if not hasattr(self, "seat"):
            return
        character = self.seat.fresh
        replayed = {}
        for change in character.changes.order_by("sequence"):
            replayed |= change.after
        assert present(replayed) == present(self.seat.facts)
        assert present(history.facts_at(character, 1)) == self.start


@pytest.mark.django_db
def test_evenings_by_chance():
    run_state_machine_as_test(
        Evening,
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize=not SOAK,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
    print(", ".join(f"{number:,} {word}" for word, number in tally.items()))
    assert tally["changes"] > RUNS
