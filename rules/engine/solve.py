"""Solves every statistic, depth first, from the rows of the active elements, with a step for each row.

The order of operations is fixed: the chosen input or the best base, then adds, multiplies, limits and `set` (the lowest
counts), then the statistic's own minimum and maximum. The order of rows cannot change the result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from .active_effects import ActiveEffect, ActiveEffects
from .build import Decision
from .content import Amount, Choice, Effect, Ref, Stat
from .facts import Gathered, Node, number
from .phrases import NOT_ADDED, factor_of, signed, sum_of
from .phrases import number as written
from .requirements import NOWHERE, RowContext, applies
from .sheet import Step, Value, make

NO_ROWS: dict[str, list[ActiveEffect]] = {}
# These aspects add or take a fixed amount, whatever their row says.
MOVES = {"advantage": 1, "disadvantage": -1, "fails": 0, "succeeds": 0}
# The part of a roll that each aspect changes.
PARTS = {
    "advantage": "dice",
    "disadvantage": "dice",
    "dice": "dice",
    "fails": "dice",
    "succeeds": "dice",
    "bonus": "modifier",
    "training": "modifier",
    "criticals_on": "critical",
    "criticals_from_pool": "critical",
}
# No statistic may be farther from 0, since rows that multiply could make numbers too large to show.
FURTHEST = 1_000_000


class Solver:
    """Solves a statistic when `value(key)` asks for it. `given`: numbers that come from the game (level, ranks in
    jobs)."""

    def __init__(self, found: Gathered, rows: ActiveEffects, given: dict[str, Value]):
        self.found = found
        self.rows = rows
        self.given = given
        self.values: dict[str, Value] = dict(given)
        found.solved.update({key: value.value for key, value in given.items()})
        self.why_nots: dict[tuple[str, RowContext], str] = {}
        self.judged: dict[object, Step] = {}
        # Caches for the game's rolls, most of which read the same rows.
        self.sorted: dict[tuple[str, ...], tuple[list[ActiveEffect], dict[Ref, list[ActiveEffect]]]] = {}
        self.summaries: dict[object, Any] = {}
        self.trained: dict[object, tuple[Step, ...]] = {}
        self.alike: dict[object, Any] = {}
        self.solving: list[str] = []
        self.rings: list[tuple[str, ...]] = []

    def leave(self, left: dict[str, int]) -> None:
        """Set what is left of each resource. Until then, none counts as used up."""
        self.found.left.update(left)
        asking = self.found.bundle.asks_empty
        self.why_nots = {key: why for key, why in self.why_nots.items() if key[0] not in asking}

    def solve_all(self) -> None:
        for key in self.found.bundle.stats:
            if key not in self.values:
                self.value(key)

    def value(self, key: str) -> int:
        """The value of one statistic. One that depends on itself counts as 0, and the ring is added to `rings`."""
        known = self.values.get(key)
        if known is not None:
            return known.value
        if key in self.solving:
            self.rings.append((*self.solving[self.solving.index(key) :], key))
            return 0
        stat = self.found.bundle.stats.get(key)
        if stat is None:
            return 0
        self.solving.append(key)
        self.values[key] = value = self.solve(stat)
        self.solving.pop()
        self.found.solved[key] = value.value
        return value.value

    def solve(self, stat: Stat) -> Value:
        """The statistic with its rows, in the order of the module docstring."""
        key = stat.key
        rows = self.rows.modify.get(key, NO_ROWS)
        spread = self.found.spread.get(key)
        if stat.bare and not rows and not spread:
            return make(Value, (key, 0, ()))
        if stat.created_of:
            young = self.at_creation
            young.value(stat.created_of)
            return young.values[stat.created_of]._replace(key=stat.key)
        steps: list[Step] = []
        total = self.start(stat, rows.get("base", ()), steps)
        if spread:
            total += self.spread(spread, steps)
        if "add" in rows:
            total = self.add(rows["add"], steps, total)
        if len(rows) > ("base" in rows) + ("add" in rows):
            total = self.change(rows, steps, total)
        least = -FURTHEST if stat.minimum is None else stat.minimum
        most = FURTHEST if stat.maximum is None else stat.maximum
        if total < least:
            steps.append(Step(stat.name, f"never less than {least:,}", least - total, op="minimum"))
            total = least
        if total > most:
            steps.append(Step(stat.name, f"never more than {most:,}", most - total, op="maximum"))
            total = most
        return make(Value, (key, total, tuple(steps)))

    @cached_property
    def at_creation(self) -> "Solver":
        """A solver for the same character before any level raised a statistic (ruling 39)."""
        spread = {key: [pair for pair in pairs if pair[0].level == 1] for key, pairs in self.found.spread.items()}
        return Solver(replace(self.found, spread=spread, solved=dict(self.found.solved)), self.rows, self.given)

    def start(self, stat: Stat, bases: Sequence[ActiveEffect], steps: list[Step]) -> int:
        """The number to start from: the house rule, the counter, the chosen input, or the best base."""
        found = self.found
        if stat.switch:
            value = number(found.switch(stat.switch))
            steps.append(Step("House rules", found.bundle.switches[stat.switch].name, value, op="base"))
            return value
        if stat.spent_of:
            value = found.build.spent.get(stat.spent_of, 0)
            if value:
                steps.append(Step(found.bundle.resources[stat.spent_of].name, "spent", value, op="base"))
            return value
        chosen = found.build.inputs.get(stat.key) if stat.is_input else None
        if chosen is not None:
            steps.append(Step("Chosen", found.bundle.game.creation.CHOSEN, chosen, op="base"))
        if not bases:
            return chosen or 0
        if len(bases) == 1 and chosen is None:  # most statistics: nothing to choose from
            amount, why = self.weigh(bases[0])
            steps.append(self.step(bases[0], amount, why))
            return 0 if why else amount
        weighed = [(row, *self.weigh(row)) for row in bases]
        if chosen is not None:
            steps += [
                self.step(row, amount, why or "the number you chose counts instead") for row, amount, why in weighed
            ]
            return chosen
        applying = [(amount, row.effect.owner, row) for row, amount, why in weighed if not why]
        best = max(applying, key=lambda one: one[:2], default=None)
        for row, amount, why in weighed:
            if best is not None and row is best[2]:
                steps.insert(0, self.step(row, amount))
            else:
                better = f"a better base applies: {best[2].node.element.name}" if best else ""
                steps.append(self.step(row, amount, why or better))
        return best[0] if best else 0

    def spread(self, spread: Sequence[tuple[Decision, Choice]], steps: list[Step]) -> int:
        """The points that choices put on the statistic."""
        total, name = 0, self.found.bundle.game.levels.NAME
        for decision, choice in spread:
            where = "at creation" if decision.level == 1 else f"at {name} {decision.level}"
            steps.append(make(Step, (choice.prompt, where, decision.points, True, "", "", "add", (), choice.owner)))
            total += decision.points
        return total

    def add(self, rows: Sequence[ActiveEffect], steps: list[Step], total: int) -> int:
        """The total after all rows that add."""
        if len(rows) == 1:
            amount, why = self.weigh(rows[0])
            steps.append(self.step(rows[0], amount, why))
            return total if why else total + amount
        weighed = [(row, *self.weigh(row)) for row in rows]
        for row, amount, why in weighed:
            why = why or self.outdone(row, amount, weighed)
            steps.append(self.step(row, amount, why))
            total += 0 if why else amount
        return total

    def outdone(self, row: ActiveEffect, amount: int, weighed: list[tuple[ActiveEffect, int, str]]) -> str:
        """The reason, if another row of the stack group counts instead; "" if this one counts. In each group, only the
        best bonus and the worst penalty count."""
        group = row.effect.stack_group
        if not group:
            return ""
        rivals = [
            (abs(other), rival.effect.owner, rival)
            for rival, other, why in weighed
            if rival.effect.stack_group == group and not why and (other < 0) == (amount < 0)
        ]
        winner = max(rivals, key=lambda rival: rival[:2], default=None)
        if winner is None or winner[2] is row:
            return ""
        return outdone_by(self.step(winner[2], winner[0]), row.node.element.name)

    def change(self, rows: Mapping[str, list[ActiveEffect]], steps: list[Step], total: int) -> int:
        """The total after multiplies, limits and sets, in that order."""
        for op in ("multiply", "at_least", "at_most"):
            for row in rows.get(op, ()):
                amount, why = self.weigh(row)
                new = self.changed(op, row.effect.amount, amount, total)
                if not why and new == total and op != "multiply":
                    why = "it makes no difference"
                steps.append(self.step(row, new - total if not why else amount, why))
                total = total if why else new
        sets = [(row, *self.weigh(row)) for row in rows.get("set", ())]
        applying = [(amount, row.effect.owner, row) for row, amount, why in sets if not why]
        lowest = min(applying, key=lambda one: one[:2], default=None)
        for row, amount, why in sets:
            if lowest is not None and row is lowest[2]:
                steps.append(self.step(row, amount - total))
                total = amount
            else:
                same = lowest is not None and amount == lowest[0]
                steps.append(self.step(row, amount, why or ("it is set already" if same else "a lower number is set")))
        return total

    def changed(self, op: str, amount: Amount, value: int, total: int) -> int:
        """The total after one row that multiplies, limits or sets. A product is rounded down unless the amount says
        up."""
        if op == "multiply":
            top, by = total * value, amount.divided_by if amount.plain else 1  # any other amount is divided already
            return max(-FURTHEST, min(FURTHEST, -(-top // by) if amount.round_up else top // by))
        return max(total, value) if op == "at_least" else min(total, value)

    def weigh(self, row: ActiveEffect, context: RowContext = NOWHERE, numbers: tuple[int, ...] = ()) -> tuple[int, str]:
        """The amount of a row, and the reason if it does not count."""
        effect, node = row.effect, row.node
        amount = self.amount(effect.amount, node, numbers)
        if effect.from_rank and effect.from_rank > (rank := node.rank(self.found.level)):
            bundle = self.found.bundle
            of = f"{bundle.elements[node.job].name.lower()} rank" if node.job else bundle.game.levels.NAME
            return amount, f"only from {of} {effect.from_rank}; it is {rank}"
        if not effect.when:
            return amount, ""
        return amount, self.why_not(effect.when, node, context)

    def why_not(self, slug: str, node: Node, context: RowContext) -> str:
        """The reason why a circumstance does not hold in this context; "" if it holds. Cached, because many rows share
        a circumstance."""
        asks = self.found.bundle.asks_of_context[slug]
        if "first_job" in asks and context.first_job is None:
            context = context._replace(first_job=self.found.context(node).first_job)
        key = (slug, context if asks else NOWHERE)
        known = self.why_nots.get(key)
        if known is None:
            circumstance = self.found.bundle.circumstances[slug]
            for test in circumstance.tests:
                if test.stat:
                    self.value(test.stat)
            known = self.why_nots[key] = applies(circumstance, self.found, context)[1]
        return known

    def judge(self, row: ActiveEffect, context: RowContext, numbers: tuple[int, ...] = ()) -> Step:
        """`weigh` for a row of a roll, as its step. Cached, because most rows count the same in every roll."""
        effect = row.effect
        key: object = row
        if effect.when and (asks := self.found.bundle.asks_of_context[effect.when]):
            named = "named" in asks and context.named
            key = (key, "trained" in asks and context.trained, "grip" in asks and context.grip, named)
        known = self.judged.get(key)
        if known is None:
            amount, why = self.weigh(row, context, numbers)
            aspect = effect.aspect
            known = self.judged[key] = self.step(row, MOVES.get(aspect, amount), why, PARTS.get(aspect, ""))
        return known

    def amount(self, amount: Amount, node: Node, numbers: tuple[int, ...] = ()) -> int:
        """The typed amount for an element at its rank. `numbers` are those printed for the item's property."""
        if amount.plain:
            return amount.flat
        total = self.unlimited(amount)
        if amount.at_least is not None and total < amount.at_least:
            total = amount.at_least
        if amount.at_most is not None and total > amount.at_most:
            total = amount.at_most
        match amount.per:
            case "rank":
                return total * node.rank(self.found.level)
            case "level":
                return total * self.found.level
            case "stack":
                return total * node.stacks
            case "property_a":
                return total * (numbers[0] if numbers else 1)
            case _:
                return total

    def unlimited(self, amount: Amount) -> int:
        """The typed amount, counted once, before its limits."""
        if not amount.of_stat:
            return amount.flat
        top = amount.times * self.value(amount.of_stat)
        return amount.flat + (-(-top // amount.divided_by) if amount.round_up else top // amount.divided_by)

    def limit_met(self, amount: Amount) -> str:
        """The limit that lowers or raises the amount, in words; "" if none does."""
        if amount.at_least is not None and self.unlimited(amount) < amount.at_least:
            return f", at least {written(amount.at_least)}"
        if amount.at_most is not None and self.unlimited(amount) > amount.at_most:
            return f", at most {written(amount.at_most)}"
        return ""

    def step(self, row: ActiveEffect, amount: int, why: str = "", part: str = "") -> Step:
        effect, node = row.effect, row.node
        text = effect.text or (self.plain_words(effect) if effect.amount.plain else self.words(effect, node))
        op = effect.op or effect.aspect
        return make(Step, (node.element.name, text, amount, not why, why, part, op, node.path, effect.owner))

    def words(self, effect: Effect, node: Node) -> str:
        """The source of the amount in a few words: "level 7", "at each of 3 ranks"."""
        amount, bundle = effect.amount, self.found.bundle
        parts = []
        if amount.of_stat:
            stat = bundle.stats[amount.of_stat]
            term = f"{stat.name[0].lower()}{stat.name[1:]} {written(self.value(stat.key))}"
            if stat.switch and self.found.switch(stat.switch) != bundle.switches[stat.switch].default:
                term += " (house rule)"
            now = sum_of(amount, term) if amount.flat else term
            now += self.limit_met(amount)
            if amount.per == "once" and not effect.when:
                return now
            parts.append(now)
        match amount.per:
            case "rank":
                parts.append(_each(node.rank(self.found.level), "rank" if node.job else bundle.game.levels.NAME))
            case "level":
                parts.append(_each(self.found.level, bundle.game.levels.NAME))
            case "stack" if node.stacks > 1:
                parts.append(f"{node.stacks} times")
            case "stack":
                parts.append(self.plainly(effect) if effect.op == "base" else "once")
        if effect.when:
            parts.append(bundle.circumstances[effect.when].name)
        return ", ".join(parts) or self.plainly(effect)

    def plain_words(self, effect: Effect) -> str:
        """The words for a plain amount: its circumstance or, without one, the amount; both for a limit or a factor.
        They are the same for every character."""
        when = self.found.bundle.circumstances[effect.when].name if effect.when else ""
        if when and effect.op in NOT_ADDED:
            return f"{self.plainly(effect)}, {when}"
        return when or self.plainly(effect)

    def plainly(self, effect: Effect) -> str:
        if effect.aspect:
            return effect.aspect.replace("_", " ")
        number = effect.amount.flat
        match effect.op:
            case "base":
                return f"starts at {written(number)}"
            case "add":
                return signed(number)
            case "multiply":
                return factor_of(effect.amount)
            case op:
                return f"{NOT_ADDED[op]} {written(number)}"


def _each(many: int, of: str) -> str:
    return f"at 1 {of}" if many == 1 else f"at each of {many} {of}s"


def outdone_by(counting: Step, source: str) -> str:
    """The reason why a row of this source does not count beside another of its stack group, which is named by its own
    words if it has the same source."""
    return f"does not add to {counting.text if counting.source == source else counting.source}"
