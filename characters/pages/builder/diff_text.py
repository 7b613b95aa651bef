"""The changes that an answer would bring, in the player's words: the engine's difference, named and sorted."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from characters.read.explanations import with_grip
from characters.read.number_format import of_stat
from rules.engine import DiffLine
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.engine.difference import features
from rules.engine.phrases import MINUS, first_up, name_of
from rules.engine.sheet import Sheet
from rules.games.contract import Steps

ORDER = (
    "condition", "feature", "value", "resource", "recovery", "action", "attack", "roll", "proficiency", "language",
    "defense", "choice",
)  # fmt: skip
LOST = {"resist": "resistance to", "immune": "immunity to", "vulnerable": "vulnerability to"}
LATER = 99  # the place of a move that `told_first` does not list
DEFENSES = {"resist": "resists", "immune": "immune to", "vulnerable": "vulnerable to"}


@dataclass(frozen=True, slots=True)
class DiffText:
    """One change. `before` is "" for something new, `after` is "" for something lost; both are "" for a plain gain.

    worse: True for a number or a roll that falls.
    """

    kind: str
    name: str
    before: str = ""
    after: str = ""
    gone: bool = False
    worse: bool = False


def diff_texts(
    bundle: Bundle, steps: Steps, moves: Iterable[DiffLine], asked: str = "", option: str = ""
) -> tuple[DiffText, ...]:
    """The moves worth showing, the most important first.

    `asked`, the choice that is being answered, is left out, and so is the gain of `option`, the answer itself.
    """
    said = (move for move in moves if move.key not in steps.UNSAID and not (asked and move.key.startswith(f"{asked}@")))
    shown = [
        (move, words) for move in uses_once(bundle, said) if (words := diff_text(bundle, move)) and words.kind in ORDER
    ]
    first = told_first(bundle)
    kinds = {(words.kind, words.name) for _, words in shown}
    shown = [
        (move, words) for move, words in shown if not _told_by(words) & kinds and (words.name != option or words.before)
    ]
    shown.sort(key=lambda pair: (first.get(pair[0].key, LATER), ORDER.index(pair[1].kind)))
    return tuple(dict.fromkeys(words for _, words in shown))


def action_texts(before: Sheet, after: Sheet, answer: Collection[Ref] = ()) -> tuple[DiffText, ...]:
    """The actions that only `after` has, each after its timing. A new feature tells its own, but `answer`, the refs of
    the answer itself, is not told."""
    known = {(line.action.owner, line.action.slug) for line in before.actions}
    told = features(after).keys() - features(before).keys() - {*answer}
    return tuple(
        DiffText("action", first_up(f"{line.action.timing.replace('-', ' ')}: {line.action.name}"))
        for line in after.actions
        if (line.action.owner, line.action.slug) not in known and line.action.owner not in told
    )


def uses_once(bundle: Bundle, moves: Iterable[DiffLine]) -> list[DiffLine]:
    """The moves without those of a statistic that only counts the uses of something that moves, too."""
    moves = list(moves)
    moved = {move.key for move in moves if move.kind == "resource"}
    uses = {one.max_stat for slug, one in bundle.resources.items() if slug in moved and one.style == "uses"}
    return [move for move in moves if move.key not in uses]


def told_first(bundle: Bundle) -> dict[str, int]:
    """The place of each statistic that is shown before the others: those that the game shows at a glance, then
    abilities."""
    return {key: number for number, key in enumerate((*bundle.game.steps.GLANCE, *ability_stats(bundle)))}


def ability_stats(bundle: Bundle) -> list[str]:
    """The rank and the modifier of each ability, in order."""
    return [key for _, one in bundle.abilities for key in (one.rank_stat, one.modifier_stat)]


def _told_by(words: DiffText) -> set[tuple[str, str]]:
    """Kind and name of the moves that make this one redundant: a roll for a proficiency, a feature for its uses."""
    told_by = {"proficiency": ("roll",), "value": ("resource",), "resource": ("feature",)}
    return {(kind, words.name) for kind in told_by.get(words.kind, ())}


def diff_text(bundle: Bundle, move: DiffLine) -> DiffText | None:
    """One move by the names that players know; None for what the game does not show."""
    match move.kind:
        case "value":
            stat = bundle.stats.get(move.key)
            if stat is None or not stat.visible:
                return None
            if stat.format == "flag":
                return DiffText("feature", stat.name, gone=not int(move.after))
            was, now = (of_stat(stat, int(number), bundle) for number in (move.before, move.after))
            return DiffText("value", stat.name, was, now, worse=move.worse)
        case "feature":
            return DiffText("feature", name_of(bundle.elements, move.key), gone=not move.after)
        case "proficiency":
            kind = "language" if move.key.startswith(("language:", "languages:")) else "proficiency"
            return DiffText(kind, move.after or move.before, gone=not move.after)
        case "condition" if move.before and move.after:  # its stacks
            return DiffText("condition", move.name, move.before, move.after)
        case "condition":
            return DiffText("condition", move.name, gone=not move.after)
        case "choice":
            choice = bundle.choices.get(move.key.partition("@")[0])
            return DiffText("choice", choice.prompt) if choice and move.after and not move.before else None
        case "resource":
            return DiffText(
                "resource", name_of(bundle.resources, move.key), move.before, move.after, gone=not move.after
            )
        case "recovery":
            was, now = _events(bundle, move.before), _events(bundle, move.after)
            return DiffText("recovery", f"Recovery of {name_of(bundle.resources, move.key)}", was, now)
        case "roll" | "attack" if not move.after:  # a lost weapon is named once, not for each way to hold it
            return DiffText(move.kind, move.name, gone=True)
        case "roll" | "attack":
            return DiffText(
                move.kind, _roll_name(bundle, move), _pool(move.before), _pool(move.after), worse=move.worse
            )
        case "action":
            return DiffText("action", move.name, move.before, move.after, worse=move.worse)
        case "defense":
            how = (DEFENSES if move.after else LOST)[move.key.partition(".")[0]]
            return DiffText("defense", f"{how} {move.after or move.before}", gone=not move.after)
        case "spell":
            return DiffText("spell", move.name, gone=not move.after)
        case "problem":
            return DiffText("problem", move.after or move.before, gone=not move.after)
    return None


def _events(bundle: Bundle, slugs: str) -> str:
    """The events of a recovery by their names, such as “short rest, long rest”; “none” if there are none."""
    return ", ".join(name_of(bundle.events, slug).lower() for slug in slugs.split()) or "none"


def _roll_name(bundle: Bundle, move: DiffLine) -> str:
    """The name of a roll or an attack, told apart from others: an ability, its rank and its check may be named alike,
    and so are the ways to hold a weapon."""
    if move.kind == "attack":
        return with_grip(move.name, move.key.rpartition(".")[2])
    alike = any(move.name == element.name for element, _ in bundle.abilities)
    return f"{move.name} check" if alike else move.name


def _pool(text: str) -> str:
    """A roll in the engine's words, with a real minus sign."""
    return text.replace("D-", f"D{MINUS}")
