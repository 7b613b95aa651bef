"""Duplicates (ruling 22): a skill, knowledge, tool or language gained from two places asks for a replacement."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from .build import Build, Decision
from .bundle import Bundle
from .content import Choice, Ref
from .sheet import ChoiceLine

if TYPE_CHECKING:
    from .gather import Walk

PROFICIENCY_KINDS = ("skill", "knowledge", "tool", "language")


def duplicates(walk: Walk) -> None:
    """Ask for a replacement for every fixed grant that the character has twice, and reopen choices whose answer the
    character also gets elsewhere."""
    fixed: dict[Ref, list[tuple[str, ...]]] = {}  # the path of each grant
    for granted in walk.found.granted:
        if granted.decision is None and granted.ref.split(":")[0] in PROFICIENCY_KINDS:
            fixed.setdefault(granted.ref, []).append(granted.path)
    ask_replacements(walk, {ref: len(paths) for ref, paths in fixed.items()})
    # The element or level that gave each thing first; awards come before all picks.
    once = {
        (award.ref or f"{award.kind}:{award.write_in.casefold()}", ""): award.reason or "the storyteller"
        for award in walk.found.build.awards
    }
    rows = [
        (decision, choice)
        for decision, choice, _ in walk.found.counted
        if choice.mode != "spread" and choice.distinct != "free" and choice.grant_as != "rank"
    ]
    for decision, choice in sorted(rows, key=lambda row: (row[0].level, row[0].choice, row[0].position)):
        # The same own word is another thing in a choice of another kind. Capitals make no difference.
        target = decision.ref or (decision.write_in and f"{choice.filter_kind}:{decision.write_in.casefold()}")
        scope = choice.key if choice.distinct == "in_choice" else ""
        if not target:
            continue
        if paths := fixed.get(decision.ref):
            reopen(walk, decision, choice, min(paths, key=lambda path: (len(path), path))[-1])
        elif (target, scope) in once:
            reopen(walk, decision, choice, once[target, scope])
        else:
            at, owner = f"{walk.bundle.game.levels.NAME} {decision.level}", walk.bundle.elements[choice.owner]
            asked = f"“{choice.prompt}”" if owner.kind == "rules" else owner.name  # the core rules ask many things
            once[target, scope] = at if decision.level > 1 else asked


def ask_replacements(walk: Walk, fixed: dict[Ref, int]) -> None:
    """Make the choices for duplicates ask for one answer per surplus grant. fixed: the number of grants of each
    thing."""
    for owner in sorted(walk.bundle.replacing & walk.found.nodes.keys()):
        node = walk.found.nodes[owner]
        for choice in node.element.choices:
            if not choice.for_duplicates:
                continue
            needs = sum(n - 1 for ref, n in fixed.items() if n > 1 and ref.split(":")[0] == choice.filter_kind)
            answers = [d for d in walk.answers.to(choice) if walk.answers.acceptable(choice, d, 1)]
            for extra in answers[needs:]:
                walk.answers.problem(
                    extra, walk.answers.too_many(choice, needs) if needs else "You have nothing twice."
                )
            for decision in answers[:needs]:
                walk.take(node, choice, decision)
            if needs:
                chosen = tuple(d.ref or d.write_in for d in answers[:needs])
                line = ChoiceLine(choice, (node.element.name,), needs, len(chosen), 1, chosen)
                walk.found.lines[choice.key, 1] = line


def counting(bundle: Bundle, build: Build, line: ChoiceLine) -> list[Decision]:
    """The answers to a question that count: none for things that the character has from elsewhere, or from sources that
    are not in play."""
    made = []
    for decision in build.decisions:
        if (decision.choice, decision.level) == (line.choice.key, line.level):
            element = bundle.elements.get(decision.ref)
            name = element.name if element else decision.write_in or decision.stat
            if name and name not in line.notes:
                made.append(decision)
    return made


def reopen(walk: Walk, decision: Decision, choice: Choice, source: str) -> None:
    """Stop counting an answer because the character has the thing from `source` already. It becomes a problem."""
    lines, target = walk.found.lines, decision.ref or decision.write_in
    # A choice that is asked again at later levels has a line for each; an answer belongs to the latest one up to its
    # level.
    own = [key for key, line in lines.items() if key[0] == choice.key and target in line.chosen]
    key = max((key for key in own if key[1] <= decision.level), key=itemgetter(1))
    line, name = lines[key], walk.answers.name(decision)
    walk.answers.problem(decision, f"{name} comes from {source} already; choose another.")
    lines[key] = line._replace(made=line.made - 1, notes=(*line.notes, name))
