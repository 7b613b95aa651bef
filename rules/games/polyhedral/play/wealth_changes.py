"""Buying together, and lasting changes of Resources (sections 17 and 26, rulings 67 and 91)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.engine.build import Award, Build
from rules.engine.bundle import Bundle
from rules.engine.content import Element, Ref
from rules.engine.phrases import not_offered
from rules.engine.sheet import Sheet
from rules.games.house_rules import setting
from rules.games.outcome import NotAllowed, Outcome, counted, listed, name_of
from rules.games.rows import Pool, Reach
from rules.games.table_action import RESTS, THINGS, At, Number, Numbers, TableAction, Text, Tick, Word

from ..file_names import FileNames
from ..wealth import CLASSES, in_words, lifestyle, loss, pooled
from .body import RESOLVE
from .rests import brought_back, news_of

TEACHABLE = ("knowledge", "language", "skill", "tool")
OTHERS = "Write one number for each of the others, such as 3 4."
# The actions of this module, which have their own pages.
BUY_TOGETHER, DOWNTIME = "purchase_together", "spend_downtime"
GAINED, LOST, LOWERED = "resources-gained", "resources-lost", "resources-lowered"


def pool_of(sheet: Sheet, ranks: Sequence[int]) -> Pool:
    """This character's Resources pooled with others of these `ranks`. Buying with the pool costs nobody a rank (ruling
    67). Raises NotAllowed if they cannot be pooled."""
    own = means_of(sheet)
    if not lifestyle(own):
        raise NotAllowed("With Resources 0 you have nothing to put in.", "ranks")
    if not ranks:
        raise NotAllowed("Enter the Resources rank of each of the others.", "ranks")
    if not all(0 <= rank <= 10 for rank in ranks):
        raise NotAllowed("Resources go from 0 to 10.", "ranks")
    together = pooled([own, *ranks])
    if together is None:
        raise NotAllowed(
            "Only characters of the same lifestyle can pool their Resources. "
            f"This character has Resources {in_words(own)}.",
            "ranks",
        )
    reach = lifestyle(together)
    classes = (Reach(at, name, at <= reach, _alone(own, at)) for at, name in enumerate(CLASSES) if at)
    return Pool(in_words(together), tuple(classes))


def means_of(sheet: Sheet) -> int:
    return sheet.value("resources.rank")


def _alone(rank: int, wanted: int) -> str:
    cost = loss(rank, wanted)
    if cost is None:
        return "no"
    return f"Resources fall to {in_words(rank - cost)}" if cost else "yes"


def purchase_together(at: At, *, ref: Ref, ranks: tuple[int, ...], quantity: int) -> Outcome:
    """Buy together with others of the same lifestyle, whose Resources ranks are typed in. It costs nobody a rank
    (ruling 67)."""
    element = at.bundle.elements.get(ref)
    if element is None or not element.cost_class:
        raise NotAllowed("That is not for sale.", "ref")
    pool = pool_of(at.sheet, ranks)
    if not pool.classes[element.cost_class - 1].together:
        raise NotAllowed(f"{element.name} is {CLASSES[element.cost_class]}; together they are {pool.words}.", "ref")
    thing = element.name if quantity == 1 else f"{quantity:,} × {element.name}"
    together = f"Together: Resources {pool.words}."
    return Outcome(f"{name_of(at.build)} buys {thing} together with others. {together}", gains={ref: quantity})


def spend_downtime(
    at: At,
    *,
    days: int,
    activity: str,
    notes: str,
    outcome: str,
    restore: bool,
    ranks: int,
    points: int,
    learn: Ref,
    language: str,
) -> Outcome:
    """Spend days between adventures on an activity, with its results (section 26).

    The rules give no results, so the storyteller's are entered (ruling 91): `restore` Resources, change them for good
    by `ranks`, regain `points` of Resolve, `learn` a language or a proficiency, or a `language` in own words.
    """
    came = after_downtime(at.bundle, at.build, at.sheet, restore=restore, ranks=ranks, points=points)
    given = ([taught(at, learn)] if learn else []) + ([in_own_words(at, language)] if language else [])
    awards = tuple(dict.fromkeys(given))
    names = listed(one.write_in or at.bundle.called(one.ref) for one in awards)
    also = f" Learned: {names}." if awards else ""
    quoted = f" “{outcome}”" if outcome else ""
    sentence = f"{name_of(at.build)}: {counted(days, 'day')} of {activity.lower()}.{came.sentence}{also}{quoted}"
    entry: Mapping[str, str | int] = {"days": days, "activity": activity, "notes": notes, "outcome": outcome}
    return replace(came, sentence=sentence, learned=awards, downtime=entry)


def taught(at: At, ref: Ref, field: str = "learn") -> Award:
    """The award of something that downtime teaches. Raises NotAllowed for something it does not teach, or that is known
    already."""
    element = at.bundle.elements.get(ref)
    if element is None or element.kind not in TEACHABLE:
        raise NotAllowed("You cannot learn that in downtime.", field)
    if gone := not_offered(element):
        raise NotAllowed(gone, field)
    if ref in known_to(at.sheet) or any(award.ref == ref for award in at.build.awards):
        raise NotAllowed(f"{element.name} is known already.", field)
    return Award(ref, "downtime")


def in_own_words(at: At, words: str) -> Award:
    """The award of a language in own words, or of the listed one that they name (ruling 48). Raises NotAllowed for one
    that is known already."""
    if ref := FileNames(at.bundle).language(words):
        return taught(at, ref, "language")
    if words.casefold() in (one.name.casefold() for one in at.sheet.proficiencies["languages"]):
        raise NotAllowed(f"{words} is known already.", "language")
    return Award("", "downtime", words)


def known_to(sheet: Sheet) -> set[Ref]:
    """A character's proficiencies and languages."""
    return {one.ref for known in sheet.proficiencies.values() for one in known}


def teachable(bundle: Bundle, sheet: Sheet) -> list[Element]:
    """Proficiencies that the character lacks and downtime may teach."""
    known = known_to(sheet)
    return [one for kind in TEACHABLE for one in bundle.offered(kind) if one.ref not in known]


def spoken_here(bundle: Bundle, build: Build, sheet: Sheet) -> list[str]:
    """Languages of the setting that the rules do not list and the character does not know (ruling 48)."""
    names, known = FileNames(bundle), {one.name.casefold() for one in sheet.proficiencies["languages"]}
    words = (word.strip() for word in setting(bundle, build, "languages").split(","))
    return [word for word in words if word and word.casefold() not in known and not names.language(word)]


def after_downtime(bundle: Bundle, build: Build, sheet: Sheet, *, restore: bool, ranks: int, points: int) -> Outcome:
    """The outcome of days of downtime (ruling 91): Resources restored, Resources changed for good by `ranks`, and
    `points` of Resolve regained. Its sentence is to be appended to another one; "" if nothing changes."""
    outcome = brought_back(bundle, build, sheet, "downtime") if restore else Outcome()
    spends = dict(outcome.spends)
    words = ["Resources restored."] if spends.get(LOWERED) else []
    others = {slug: amount for slug, amount in spends.items() if slug != LOWERED}
    words += filter(None, [news_of(bundle, build, sheet, others, outcome.ends)])
    if ranks:
        rank = for_good(build, sheet)
        if not 0 <= rank + ranks <= 10:
            raise NotAllowed("Resources go from 0 to 10.", "ranks")
        spends |= moved_for_good(build, ranks)
        words.append(f"Resources {'+' if ranks > 0 else '−'}{abs(ranks)} for good.")
    line = sheet.resources.get(RESOLVE)
    if points and line is not None:
        spends[RESOLVE] = -min(points, line.spent)
        words += [f"Resolve +{-spends[RESOLVE]}."] if spends[RESOLVE] else []
    sentence = "".join(f" {word}" for word in words)
    return replace(outcome, sentence=sentence, spends={slug: amount for slug, amount in spends.items() if amount})


def for_good(build: Build, sheet: Sheet) -> int:
    """The Resources rank without temporary losses. Unlike on the sheet, it may be below 0."""
    because = sheet.values["resources.rank"].because
    return sum(step.amount for step in because if step.applied and step.op != "minimum") + build.spent.get(LOWERED, 0)


def moved_for_good(build: Build, ranks: int) -> dict[str, int]:
    """The amounts to spend for a lasting change: a gain first makes up for earlier losses, and a loss for earlier
    gains."""
    up, down = (GAINED, LOST) if ranks > 0 else (LOST, GAINED)
    undone = min(abs(ranks), build.spent.get(down, 0))
    return {up: abs(ranks) - undone, down: -undone}


ACTIONS = (
    TableAction(
        BUY_TOGETHER,
        purchase_together,
        THINGS,
        "equipment",
        {"ref": Word(), "ranks": Numbers(OTHERS, 0, 10), "quantity": Number(1, 1_000, otherwise=1)},
        form="buy-together",
    ),
    TableAction(
        DOWNTIME,
        spend_downtime,
        RESTS,
        "rest",
        {
            "days": Number(1, 36_500, empty="Enter a whole number."),
            "activity": Text(80, empty="Say how you spend the days."),
            "notes": Text(1_000),
            "outcome": Text(300),
            "restore": Tick(),
            "ranks": Number(-10, 10, otherwise=0),
            "points": Number(0, 1_000, otherwise=0),
            "learn": Word(),
            "language": Text(120),
        },
        form="downtime",
        ahead=True,
    ),
)
