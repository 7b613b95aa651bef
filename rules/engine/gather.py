"""Gathers the elements that a character has, with rank and path, and the decisions that count.

This runs before any number is solved. Grants may test only level, rank, starting job, house rules or having something,
never negated. So following grants can only add elements, and the result is the same in any order.
"""

from collections.abc import Iterable, Iterator

from .answers import Answers
from .build import HANDS, Build, Decision, Item
from .bundle import Bundle
from .content import Choice, Effect, Element, Ref
from .doubles import duplicates
from .facts import Gathered, Granted, Node
from .sheet import ChoiceLine, make

# Kinds of element whose award also makes the character proficient in the thing, or know it.
TAUGHT = {"skill": "skilled", "knowledge": "skilled", "tool": "skilled", "language": "knows"}
# When an element is reached again sooner (at a lower level or by a shorter path) or with more ranks, all its grants are
# followed again. If many elements grant each other in several ways, each can double that work. Past this limit, the
# first way found is kept.
MOST_AGAIN = 1_000
TOO_MANY_WAYS = "The same things are granted in more ways than can be compared."


def gather(bundle: Bundle, build: Build, level: int) -> Gathered:
    """Activate everything that the character has at `level`."""
    found = Gathered(bundle, build, level, {**bundle.defaults, **build.switches})
    found.worn, found.held, found.carried = items_of(bundle, build)
    Walk(found).run()
    return found


def items_of(
    bundle: Bundle, build: Build
) -> tuple[tuple[Element, ...], tuple[tuple[Element, str], ...], tuple[Element, ...]]:
    """Worn items; items in hand, with the hand; and gear and tools, which help wherever they are carried. A thrown item
    keeps its hand as its place, but does not count as held."""
    worn: list[Element] = []
    held: list[tuple[Element, str]] = []
    carried: list[Element] = []
    for item in build.items:
        element = bundle.elements.get(item.ref)
        if element is None:
            continue
        if element.kind in ("gear", "tool"):
            carried.append(element)
        elif item.state == "worn":
            worn.append(element)
        elif item.state in HANDS and not thrown(bundle, item):
            held.append((element, item.state))
    return tuple(worn), tuple(held), tuple(carried)


def thrown(bundle: Bundle, item: Item) -> bool:
    """True if every piece of an item has been shot or thrown. An empty weapon, to be reloaded, is not gone."""
    return item.used >= item.quantity and not bundle.game.play.reloads(bundle.elements.get(item.ref))


def at_the_table(found: Gathered) -> list[tuple[Ref, int]]:
    """The elements that are active without a decision (items worn or carried, conditions), with their stacks."""
    build = found.build
    pieces: dict[Ref, int] = {}
    for item in build.items:
        pieces[item.ref] = pieces.get(item.ref, 0) + item.quantity
    items = [(ref, pieces[ref]) for ref in sorted({item.ref for item in (*found.worn, *found.carried)})]
    held = sorted((held.ref, held.stacks) for held in build.conditions)
    counted = [
        (ref, min(stacks, condition.max_stacks))
        for ref, condition in found.bundle.tracked.items()
        if (stacks := build.spent.get(condition.resource, 0))
    ]
    return [*items, *held, *counted]


class Walk:
    """The work list that fills one `Gathered`."""

    def __init__(self, found: Gathered):
        self.found = found
        self.bundle = found.bundle
        self.answers = Answers(found)
        self.waiting: list[tuple[Node, Effect]] = []
        self.asking: list[tuple[Node, Choice]] = []
        self.job_ranks: dict[Ref, list[Decision]] = {}  # job -> the answers that gave it ranks
        self.again = 0  # number of times that an element was followed again

    def run(self) -> None:
        found = self.found
        for ref in self.bundle.always:
            self.activate(ref, (), 1, None)
        self.start_jobs()
        for award in sorted(found.build.awards, key=lambda a: (a.ref, a.write_in)):
            path = (award.reason or "the storyteller",)
            jobs = self.bundle.owning_jobs.get(award.ref, ())
            for job in jobs:  # something that belongs to a job counts that job's ranks (section 8.4, ruling 30)
                node = found.nodes.get(job)
                self.activate(award.ref, path, 1, node.ranks if node else (), job=job)
            if not jobs:
                self.activate(award.ref, path, 1, None)
            word = TAUGHT.get(award.kind)
            if word and (award.write_in or award.ref in self.bundle.elements):
                self.give(Granted(word, award.ref, path, text=award.write_in))
        for ref, stacks in at_the_table(found):
            self.activate(ref, (), 1, None, stacks=stacks)
        while self.retry():
            pass
        self.leftovers()

    def start_jobs(self) -> None:
        """Activate the jobs. Called once all ranks are counted, so that their grants see the final rank."""
        ranks = {ref: sorted(answer.level for answer in answers) for ref, answers in self.job_ranks.items() if answers}
        jobs = sorted(ranks.items(), key=lambda pair: (pair[1][0], pair[0]))
        if jobs and not self.found.starting_job:
            self.found.starting_job = jobs[0][0]
        for ref, levels in jobs:
            self.activate(ref, (), levels[0], tuple(levels), job=ref)

    def activate(
        self,
        ref: Ref,
        path: tuple[str, ...],
        level: int,
        ranks: tuple[int, ...] | None,
        *,
        job: Ref = "",
        stacks: int = 1,
    ) -> None:
        element = self.bundle.elements.get(ref)
        if element is None:
            return
        node = self.found.nodes.get(ref)
        if node is None:
            node = self.found.nodes[ref] = Node(element, path, level, ranks, job, stacks)
        else:
            node.stacks = max(node.stacks, stacks)
            more_ranks = node.ranks is not None and len(ranks or ()) > len(node.ranks)
            # Of equally long paths, the first by name counts, so the order of rows changes nothing.
            sooner = (level, len(path), path) < (node.level, len(node.path), node.path)
            if not (more_ranks or sooner) or self.too_many_ways():
                return
            if more_ranks:
                node.ranks, node.job = ranks, job
            if sooner:
                node.level, node.path = level, path
            self.forget(node)
        rank = node.rank(self.found.level)
        for effect in self.bundle.grants.get(ref, ()):
            if effect.from_rank <= rank and not self.grant(node, effect):
                self.waiting.append((node, effect))
        self.ask(node)

    def too_many_ways(self) -> bool:
        """Count one more element that is followed again. True past the limit, which is reported as one problem."""
        self.again += 1
        if self.again == MOST_AGAIN + 1:
            self.found.problems.append((None, "", TOO_MANY_WAYS))
        return self.again > MOST_AGAIN

    def forget(self, node: Node) -> None:
        """Drop the grants and answers of a node that was reached sooner or with more ranks, to follow them again."""
        found, keys = self.found, {choice.key for choice in node.element.choices}
        self.waiting = [pair for pair in self.waiting if pair[0] is not node]
        self.asking = [pair for pair in self.asking if pair[0] is not node]
        found.granted = [granted for granted in found.granted if granted.giver != node.element.ref]
        found.counted = [row for row in found.counted if row[0].choice not in keys]
        found.spread = {
            stat: [pair for pair in pairs if pair[0].choice not in keys] for stat, pairs in found.spread.items()
        }
        found.lines = {key: line for key, line in found.lines.items() if key[0] not in keys}
        found.problems = [row for row in found.problems if row[1] not in keys]
        self.job_ranks = {
            job: [answer for answer in answers if answer.choice not in keys] for job, answers in self.job_ranks.items()
        }

    def grant(self, node: Node, effect: Effect) -> bool:
        """Follow one grant. False if its circumstance does not hold, or not yet."""
        if effect.when and not self.found.holds(effect.when, node):
            return False
        path = (*node.path, node.element.name)
        if effect.grant_as == "gain":
            self.activate(effect.element, path, node.level_of(effect.from_rank), node.ranks, job=node.job)
        elif effect.grant_as == "rank":
            self.activate(effect.element, path, node.level, (node.level,) * effect.quantity, job=effect.element)
        else:
            self.give(Granted(effect.grant_as, effect.element, path, effect.quantity, giver=node.element.ref))
        return True

    def give(self, granted: Granted) -> None:
        self.found.granted.append(granted)
        self.found.by_word.setdefault((granted.word, granted.ref or granted.text), granted)

    def retry(self) -> bool:
        """Retry the grants and choices whose circumstance did not hold before. True if one does now."""
        waiting, self.waiting = self.waiting, []
        moved = False
        for node, effect in waiting:
            if self.grant(node, effect):
                moved = True
            else:
                self.waiting.append((node, effect))
        asking, self.asking = self.asking, []
        for node, choice in asking:
            if self.found.holds(choice.when, node):
                self.count_answers(node, choice)
                moved = True
            else:
                self.asking.append((node, choice))
        return moved

    # choices

    def ask(self, node: Node) -> None:
        budgets: dict[str, list[Choice]] = {}
        for choice in node.element.choices:
            if choice.budget:
                budgets.setdefault(choice.budget, []).append(choice)
            elif choice.when and not self.found.holds(choice.when, node):
                self.asking.append((node, choice))
            else:
                self.count_answers(node, choice)
        for choices in budgets.values():
            self.settle_budget(node, choices)

    def count_answers(self, node: Node, choice: Choice) -> None:
        """Find the answers to this choice that count now, and how much of it is open.

        A choice that is asked again at later ranks is a separate question at each of those levels. An answer belongs to
        the latest question, up to its own level, that has room. If none has, it is one too many.
        """
        asked = self.answers.asked(node, choice)
        answers = self.answers.to(choice)
        if not asked:
            if answers and not choice.for_duplicates:
                self.answers.not_asked(node, choice, answers)
            return
        opened = min(asked)
        valid = [d for d in answers if self.answers.acceptable(choice, d, opened)]
        if choice.replaceable and valid:
            valid = self.answers.latest(node, choice, valid)
        room = dict(asked)
        answers_to: dict[int, list[Decision]] = {level: [] for level in asked}
        for decision in valid:
            points = decision.points if choice.mode == "spread" else 1
            due = [level for level in asked if level <= decision.level]
            level = next((level for level in reversed(due) if room[level] >= points), due[-1])
            room[level] -= points
            answers_to[level].append(decision)
        for level, needs in asked.items():
            self.count(node, choice, answers_to[level], needs, level)

    def count(self, node: Node, choice: Choice, answers: Iterable[Decision], needs: int, level: int) -> None:
        """Take as many of these answers as the choice needs, and record how much of it is answered at this level."""
        made, chosen = 0, []
        for decision in answers:
            points = decision.points if choice.mode == "spread" else 1
            if made + points > needs:
                self.answers.problem(decision, self.answers.too_many(choice, needs))
                continue
            made += points
            chosen.append(decision.ref or decision.stat or decision.write_in)
            self.take(node, choice, decision)
        path = (*node.path, node.element.name)
        line = make(ChoiceLine, (choice, path, needs, made, level, tuple(chosen), ()))
        self.found.lines[choice.key, level] = line

    def settle_budget(self, node: Node, choices: list[Choice]) -> None:
        """Settle the choices that share one pick at each level: the things that a level can buy (section 4)."""
        first, name = choices[0], self.bundle.game.levels.NAME.capitalize()
        last = node.rank(self.found.level)
        by_level: dict[int, list[tuple[Choice, Decision]]] = {}
        for choice in choices:
            for decision in self.answers.to(choice):
                by_level.setdefault(decision.level, []).append((choice, decision))
        for level in sorted(by_level):
            answers = by_level[level]
            if level < first.from_rank or (level - first.from_rank) % (first.every or 1):
                for _, decision in answers:
                    self.answers.problem(decision, f"{name} {level} has nothing to choose.")
                continue
            self.found.taken.add(level)
            if level > last:
                for _, decision in answers:
                    self.answers.problem(decision, f"{name} {level} is not earned yet.")
                continue
            self.settle_pick(node, level, answers)

    def settle_pick(self, node: Node, level: int, answers: list[tuple[Choice, Decision]]) -> None:
        choice = answers[0][0]

        def valid() -> Iterator[Decision]:
            """Checks each answer only once those before it are taken, since together they may reach the ceiling."""
            for other, decision in answers:
                if other is not choice:
                    name = self.bundle.game.levels.NAME.capitalize()
                    self.answers.problem(decision, f"{name} {level} gives you one thing: choose only one.")
                elif self.answers.acceptable(choice, decision, level) and self.answers.under_ceiling(choice, decision):
                    yield decision

        self.count(node, choice, valid(), choice.count, level)

    def take(self, node: Node, choice: Choice, decision: Decision) -> None:
        """Count one answer: activate the element it names, or record the proficiency or points it gives."""
        self.found.counted.append((decision, choice, node))
        if decision.stat:
            self.found.spread.setdefault(decision.stat, []).append((decision, choice))
            return
        if choice.grant_as == "rank":
            self.rank_up(choice, decision)
            return
        path = (*node.path, node.element.name)
        if choice.grant_as == "gain" and decision.ref:
            base = path if node.element.kind != "rules" else ()
            self.activate(decision.ref, base, decision.level, node.ranks, job=node.job)
        else:
            word = choice.grant_as if choice.grant_as != "gain" else "own-word"
            self.give(Granted(word, decision.ref, path, 1, decision, decision.write_in, giver=node.element.ref))

    def rank_up(self, choice: Choice, decision: Decision) -> None:
        job = self.bundle.elements[decision.ref].job
        counted = self.job_ranks.setdefault(decision.ref, [])
        if job and not job.limit_break and len(counted) >= job.max_rank:
            self.answers.problem(decision, f"{self.answers.name(decision)} ends at rank {job.max_rank}.")
            return
        counted.append(decision)
        if not self.found.starting_job and not choice.budget:
            self.found.starting_job = decision.ref

    # at the end

    def leftovers(self) -> None:
        duplicates(self)
        nodes, known = self.found.nodes, self.found.by_word
        for place, line in self.found.lines.items():
            choice = line.choice
            if choice.options and not (choice.distinct == "free" or choice.write_in or choice.budget) and line.open:
                had = nodes if choice.grant_as == "gain" else [ref for word, ref in known if word == choice.grant_as]
                left = [ref for ref in choice.options if ref not in had]
                # Ask for no more than is left to gain: things that the character has cannot be chosen (ruling 22).
                self.found.lines[place] = line._replace(needs=min(line.needs, line.made + len(left)))
        self.answers.prerequisites()
        for node, choice in self.asking:
            answers = self.answers.to(choice)
            if answers:
                self.answers.not_asked(node, choice, answers)
        asked = {choice.key for node in self.found.nodes.values() for choice in node.element.choices}
        for key, answers in self.answers.by_choice.items():
            if key not in asked:
                for decision in answers:
                    self.answers.problem(decision, "Nothing on this character asks for this choice.")
