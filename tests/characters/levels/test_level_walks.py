"""Levels are taken, changed, taken back, planned, undone and lost in any order; nothing breaks or is silently
dropped."""

import os
import random

import pytest
from django.http import Http404
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from characters import verbs
from characters.change.begin_character import begin
from characters.change.refusals import Refused
from characters.read.character_file import facts_of, write_file
from characters.verbs.begin import default_ruleset, fill
from characters.verbs.leveling import seen
from rules.engine.levels import next_level, planned_levels, taken
from tests.characters.cast import facts, new_key, person
from tests.characters.levels.walks import earned, random_answers, random_pick, random_start
from tests.characters.play.table import play
from tests.support.characters import fresh, sheet_of

pytestmark = pytest.mark.slow

SOAK = bool(os.environ.get("SOAK"))
EXAMPLES, STEPS = (50, 30) if SOAK else (4, 12)
SEEDS = st.integers(0, 2**32)


class Levels(RuleBasedStateMachine):
    @initialize(seed=SEEDS)
    def start(self, seed):
        chance = random.Random(seed)
        ruleset = default_ruleset()
        from rules.compile import bundle_for

        build = random_start(bundle_for(ruleset), chance)

        def act(draft):
            fill(draft, facts_of(bundle_for(ruleset), build))
            return "A walker."

        self.pk = begin(person(), "walk", new_key(), {}, act, ruleset=ruleset).character.pk
        self.fresh = True

    def state(self):
        return sheet_of(self.character)

    @property
    def character(self):
        return fresh(self.pk)

    def do(self, verb, **what):
        return verb(self.pk, person(), new_key(), **what)

    def spent(self, level, seed, verb, build):
        """Spend `level` on a random pick with this verb; `build` decides what is offered."""
        bundle, chance = self.state()[0], random.Random(seed)
        take, targets = random_pick(bundle, build, level, chance)
        answers = random_answers(bundle, build, take, targets, level, chance)
        what = {"level": level, "take": take, "targets": list(targets), "answers": answers}
        before = facts(self.character)
        try:
            self.do(verb, saw=seen(bundle, self.character.version), **what)
        except Refused:
            assert facts(self.character) == before

    @rule(amount=st.integers(-3000, 5000))
    def experience(self, amount):
        decided = {k: v for k, v in facts(self.character).items() if k.startswith(("choice:", "plan:"))}
        try:
            self.do(verbs.add_xp, amount=amount)
        except Refused:
            pass
        assert {k: v for k, v in facts(self.character).items() if k.startswith(("choice:", "plan:"))} == decided

    @rule(seed=SEEDS)
    def up(self, seed):
        bundle, build, sheet = self.state()
        level, file = next_level(bundle, build), write_file(self.character)
        version = self.character.version
        self.spent(level, seed, verbs.level_up, earned(bundle, build, max(level, sheet.level)))
        if self.character.version > version:
            assert level <= sheet.level
            if (
                not any(d.level == level for d in build.decisions)
                and max(taken(bundle, self.state()[1].decisions)) == level
            ):
                change = self.do(verbs.take_back_level, level=level)
                assert write_file(self.character) == file
                self.do(play.undo, change=change.sequence)

    @rule(seed=SEEDS)
    def change(self, seed):
        bundle, build, _ = self.state()
        spent = list(taken(bundle, build.decisions))
        if spent:
            level = random.Random(seed).choice(spent)
            others = {k: v for k, v in facts(self.character).items() if k.startswith("choice:core-rules.level")}
            from rules.engine.levels import without_pick

            self.spent(level, seed, verbs.change_level, without_pick(bundle, build, level))
            kept = {k: v for k, v in facts(self.character).items() if k.startswith("choice:core-rules.level")}
            assert {k: v for k, v in others.items() if not k.endswith(f"@{level}")} == {
                k: v for k, v in kept.items() if not k.endswith(f"@{level}")
            }

    @rule(seed=SEEDS)
    def plan(self, seed):
        bundle, build, sheet = self.state()
        level = next_level(bundle, build)
        while level in planned_levels(bundle, build):
            level += 1
        self.spent(level, seed, verbs.plan_level, earned(bundle, build, max(level, sheet.level)))
        assert self.state()[2] == sheet

    @rule()
    def take_planned(self):
        bundle, build, _ = self.state()
        before = facts(self.character)
        try:
            self.do(verbs.take_planned, level=next_level(bundle, build), saw=seen(bundle, self.character.version))
        except Refused:
            assert facts(self.character) == before

    @rule()
    def back(self):
        bundle, build, _ = self.state()
        last = max(taken(bundle, build.decisions), default=0)
        if last:
            self.do(verbs.take_back_level, level=last)
            assert not [d for d in self.state()[1].decisions if d.level == last]

    @rule(seed=SEEDS)
    def undo(self, seed):
        version = self.character.version
        try:
            self.do(play.undo, change=random.Random(seed).randint(2, max(2, version)))
        except (Refused, Http404):
            assert self.character.version == version

    @invariant()
    @precondition(lambda self: hasattr(self, "pk"))
    def the_file_reads_back_the_same(self):
        bundle, build, sheet = self.state()
        file = bundle.game.file
        document = file.write(build, sheet, bundle)
        read, problems = file.read(document, bundle)
        assert not problems
        assert file.write(read, sheet, bundle) == document


@pytest.mark.django_db(transaction=True)
def test_steps_in_any_order_keep_the_character_valid():
    run_state_machine_as_test(
        Levels,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
