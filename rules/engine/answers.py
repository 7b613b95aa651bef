"""Decides which answers to choices count, and why the rest do not. Activates nothing."""

from functools import cached_property
from operator import attrgetter

from .build import Decision
from .content import Choice, Element, Ref
from .facts import UNLIMITED, Gathered, Node, number
from .phrases import not_offered
from .requirements import RowContext, in_words, unmet

IN_ORDER = attrgetter("level", "position", "ref", "stat", "write_in")


class Answers:
    """The character's decisions, checked against what is gathered so far. Those that do not fit become problems."""

    def __init__(self, found: Gathered):
        self.found = found
        self.bundle = found.bundle
        self.constants: dict[str, int] = {}
        self.raised: dict[tuple[str, int, str], Decision] = {}
        self.swapped: dict[tuple[Ref, int], str] = {}  # (job, level) -> the choice swapped there

    @cached_property
    def by_choice(self) -> dict[str, list[Decision]]:
        """The decisions in order, by the key of their choice."""
        answers: dict[str, list[Decision]] = {}
        for decision in sorted(self.found.build.decisions, key=IN_ORDER):
            answers.setdefault(decision.choice, []).append(decision)
        return answers

    def to(self, choice: Choice) -> list[Decision]:
        return self.by_choice.get(choice.key, [])

    def asked(self, node: Node, choice: Choice) -> dict[int, int]:
        """Level -> the number of answers or points that the choice asks for at that level, given its owner's present
        rank. Empty before the choice opens, and for a choice for duplicates."""
        rank = node.rank(self.found.level)
        if rank < choice.from_rank or choice.for_duplicates:  # for duplicates, `ask_replacements` counts the answers
            return {}
        count = choice.count + (self.constant(choice.count_of) if choice.count_of else 0)
        if not count:
            return {}
        if not choice.every:
            return {node.level_of(choice.from_rank): count}
        asked: dict[int, int] = {}
        for at in range(choice.from_rank, rank + 1, choice.every):
            level = node.level_of(at)
            asked[level] = asked.get(level, 0) + count
        return asked

    def constant(self, key: str) -> int:
        """The value of a statistic that is a house rule; 0 for any other, because none is solved yet."""
        known = self.constants.get(key)
        if known is None:
            stat = self.bundle.stats.get(key)
            known = number(self.found.switch(stat.switch)) if stat and stat.switch else 0
            self.constants[key] = known
        return known

    def acceptable(self, choice: Choice, decision: Decision, opened: int) -> bool:
        """True if the choice, open from level `opened` on, accepts this answer. Otherwise reports a problem."""
        name = self.bundle.game.levels.NAME
        if decision.level < opened:
            self.problem(decision, f"{choice.prompt}: this opens at {name} {opened}.")
        elif decision.level > self.found.level:
            self.problem(decision, f"{name.capitalize()} {decision.level} is not earned yet.")
        elif decision.write_in:
            if choice.write_in:
                return True
            self.problem(decision, f"{choice.prompt}: choose one of the options.")
        elif not self.offered(choice, decision):
            self.problem(decision, f"{self.name(decision)} is not an option here.")
        elif choice.mode == "spread" and decision.points > choice.per_option_max:
            self.problem(
                decision, f"At most +{choice.per_option_max} on one: {self.name(decision)} has +{decision.points}."
            )
        elif choice.mode == "spread" and self.twice(choice, decision):
            self.problem(decision, f"{self.name(decision)} is raised twice; raise different ones.")
        else:
            return True
        return False

    def offered(self, choice: Choice, decision: Decision) -> bool:
        """True if it is an option, or was one before it was retired."""
        if decision.stat:
            return decision.stat in choice.stats
        return decision.ref in choice.options or decision.ref in choice.retired

    def twice(self, choice: Choice, decision: Decision) -> bool:
        """True if an earlier answer at the same level raises the same statistic. Otherwise remembers this answer."""
        return self.raised.setdefault((choice.key, decision.level, decision.stat), decision) is not decision

    def latest(self, node: Node, choice: Choice, valid: list[Decision]) -> list[Decision]:
        """The newest answers to a choice whose answers may be swapped. A swap at a level that does not allow one is a
        problem.

        A new rank of a job allows one swap among all that the job has given (section 8.3).
        """
        kept: list[Decision] = []
        for level in sorted({d.level for d in valid}):
            at_level = [d for d in valid if d.level == level]
            if not kept or [d.ref for d in at_level] == [d.ref for d in kept]:  # the same answers again are no swap
                kept = at_level
            elif level not in (node.ranks or ()):
                for decision in at_level:
                    self.problem(decision, f"{choice.prompt}: a swap comes only with a new rank.")
            elif self.swapped.setdefault((node.job, level), choice.key) != choice.key:
                for decision in at_level:
                    self.problem(decision, f"{choice.prompt}: each new rank lets you swap one only.")
            else:
                kept = at_level
        return kept

    def not_asked(self, node: Node, choice: Choice, answers: list[Decision]) -> None:
        """Report answers to a choice that has not opened, or that house rules or something else close."""
        owner = self.bundle.elements[node.job].name if node.job in self.bundle.elements else ""
        early = node.rank(self.found.level) < choice.from_rank
        why = f"this needs {f'{owner} rank {choice.from_rank}'.strip()}" if early else "nothing asks for this now"
        for decision in answers:
            self.problem(decision, f"{choice.prompt}: {why}.")

    def too_many(self, choice: Choice, needs: int) -> str:
        things = "points" if choice.mode == "spread" else "choice" if needs == 1 else "choices"
        return f"{choice.prompt}: only {needs} {things}."

    def under_ceiling(self, choice: Choice, decision: Decision) -> bool:
        """True if the points keep the statistic at or below the choice's ceiling. Otherwise reports a problem."""
        if not choice.ceiling or not decision.stat:
            return True
        ceiling = self.constant(choice.ceiling)
        if ceiling == UNLIMITED:
            return True
        start = self.found.build.inputs.get(decision.stat, 0)
        total = start + sum(d.points for d, _ in self.found.spread.get(decision.stat, ())) + decision.points
        if total > ceiling:
            self.problem(decision, f"{self.name(decision)} would pass {ceiling}.")
            return False
        return True

    def prerequisites(self) -> None:
        lacking: dict[Ref, list[str]] = {}
        for decision, _choice, _node in self.found.counted:
            element = self.bundle.elements.get(decision.ref)
            if element is None or decision.override or not (element.prerequisites or element.status == "retired"):
                continue
            if element.ref not in lacking:
                lacking[element.ref] = self.lacking(element)
                if element.status == "retired":  # once, not at each rank of a job
                    self.problem(decision, f"{not_offered(element)} You keep it until you choose another.")
            for sentence in lacking[element.ref]:
                self.problem(decision, sentence)

    def lacking(self, element: Element) -> list[str]:
        """A sentence for each unmet prerequisite. Those about numbers are left to the audit, because no number is
        solved yet."""
        context = RowContext(first_job=element.ref == self.found.starting_job)
        groups = unmet(element.prerequisites, self.found, context) if element.prerequisites else ()
        asked = [group for group in groups if not any(test.stat for test in group)]
        return [f"{element.name} needs {in_words(group, self.bundle)}." for group in asked]

    def name(self, decision: Decision) -> str:
        if decision.ref:  # only the slug is known if its source is not in play
            return self.bundle.called(decision.ref)
        if decision.stat in self.bundle.stats:
            return self.bundle.stats[decision.stat].name
        return decision.write_in or decision.stat

    def problem(self, decision: Decision, sentence: str) -> None:
        self.found.problems.append((decision, decision.choice, sentence))
