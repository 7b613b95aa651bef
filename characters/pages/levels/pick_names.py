"""Picks and answers by name."""

from collections.abc import Iterable, Sequence

from rules.engine.build import Decision
from rules.engine.bundle import Bundle
from rules.engine.levels import LevelAnswer, decisions_of
from rules.engine.phrases import answer_name
from rules.games.outcome import listed


def in_words(bundle: Bundle, decisions: Iterable[Decision], among: Iterable[Decision] = ()) -> str:
    """`Fighter 6`, `+2 Strength`, `+1 Strength and +1 Mind`; `nothing` for none. Ranks are counted in `among`, all the
    decisions of the character."""
    among = tuple(among)
    return listed(_one(bundle, decision, among) for decision in decisions) or "nothing"


def _one(bundle: Bundle, decision: Decision, among: tuple[Decision, ...]) -> str:
    name, element = answer_name(bundle, decision), bundle.elements.get(decision.ref)
    if element is None or element.job is None or not among:
        return name
    return f"{name} {sum(one.ref == decision.ref and one.level <= decision.level for one in among)}"


def way_in_words(bundle: Bundle, way: Sequence[LevelAnswer]) -> str:
    """`+1 Strength at level 4, then at level 5`: the picks that come first, and the level of the one that is wanted;
    `from level 5` if none comes first."""
    *before, last = way
    name = bundle.game.levels.NAME
    steps = [f"{in_words(bundle, decisions_of(bundle, answer))} at {name} {answer.level}" for answer in before]
    return ", ".join([*steps, f"then at {name} {last.level}" if steps else f"from {name} {last.level}"])
