"""Spending and regaining Resolve at the table (section 23, rulings 40 to 42, 103 and 104)."""

from dataclasses import replace

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.house_rules import setting, switched_on
from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of
from rules.games.table_action import At, Number, Since, TableAction, Text, Tick

from ..resolve import compel as compelled
from .body import RESOLVE, RESOLVES, living, needs_turn
from .ends import of_own_turns, ticked
from .how import ASPECT
from .pool import is_fumble, is_tie
from .rests import TURN, brought_back, news_of, sentences

# Actions that begin a round: a turn, an initiative roll, and those that take far longer.
A_ROUND = Since(("next_round", "finish_rest", "long_rest", "end_adventure", "spend_downtime"), roll="initiative")


def paid(sheet: Sheet, points: int = 1) -> dict[str, int]:
    """The price in Resolve, as an amount to spend; empty for 0 points. Raises NotAllowed if less is left."""
    line = sheet.resources.get(RESOLVE)
    has = line.left if line else 0
    if has < points:
        raise NotAllowed(f"That takes {points} Resolve; you have {has}." if has else "There is no Resolve left.")
    return {RESOLVE: points} if points else {}


def nudge_elsewhere(at: At, *, up: bool, whose: str) -> Outcome:
    """Nudge someone else's roll, which is not in this log: 2 up or down for one point."""
    living(at.build)
    word = "up" if up else "down"
    return Outcome(f"{name_of(at.build)} nudges {whose or 'another roll'} {word} by 2.", paid(at.sheet))


def turn_aside(at: At) -> Outcome:
    """Turn an enemy's critical into a plain hit for two points, if the table plays by that rule (section 23.2)."""
    return Outcome(f"{name_of(at.build)} turns an enemy’s critical into a plain hit.", two_points(at))


def two_points(at: At) -> dict[str, int]:
    if not switched_on(at.bundle, at.build, "resolveCriticals"):
        raise NotAllowed("The house rules do not allow this.")
    living(at.build)
    return paid(at.sheet, 2)


def extra_turn(at: At) -> Outcome:
    """Take a whole extra turn at once, with everything that comes back at its start (ruling 40)."""
    bundle, build, sheet = at.bundle, at.build, at.sheet
    needs_turn(sheet, "action")
    limit = most_extra_turns(bundle, build)
    if limit is not None and len(at.log.asked("extra_turn", A_ROUND)) >= limit:
        raise NotAllowed(f"The house rules allow {limit} in a round.")
    begun = brought_back(bundle, build, sheet, TURN, brief=True)
    back = {slug: n for slug, n in begun.spends.items() if n}
    # Rounds stay as they are, but this turn counts for conditions that count the character's own turns: defending ends
    # (section 22).
    over, lasting = ticked(of_own_turns(bundle, build))
    ends = (*begun.ends, *over)
    came = news_of(bundle, build, sheet, back, ends, lasting) if back or ends or lasting else ""
    spends = {**begun.spends, **paid(sheet)}
    return replace(
        begun,
        sentence=sentences(f"{name_of(build)} takes an extra turn.", came),
        spends=spends,
        begins=(*begun.begins, *lasting),
        ends=ends,
    )


def most_extra_turns(bundle: Bundle, build: Build) -> int | None:
    word = setting(bundle, build, "extraTurnsPerRound")
    return int(word) if word.isdigit() else None


def declare(at: At, *, aspect: str, detail: str) -> Outcome:
    """Declare a detail of the story by an aspect or relationship. The point is paid because the storyteller accepted
    the detail."""
    return declared(at, at.words_of(aspect), detail)


def declared(at: At, words: str, detail: str) -> Outcome:
    living(at.build)
    after_colon = f": {detail}" if detail else ""
    return Outcome(f"{name_of(at.build)} declares a detail by “{words}”{after_colon}.", paid(at.sheet))


def compel(at: At, *, aspect: str, words: str, accept: bool, by_player: bool) -> Outcome:
    """Turn an aspect against its owner, by the table of section 23.4. words: a disposition or an aspect that is not on
    the sheet, in place of the one picked from it."""
    if not words and not aspect:
        raise NotAllowed("Say which aspect it is.", "aspect")
    described = words or at.words_of(aspect)
    if by_player and not switched_on(at.bundle, at.build, "playerCompels"):
        raise NotAllowed("The house rules leave compels to the storyteller.")
    living(at.build)
    line = at.sheet.resources.get(RESOLVE)
    if line is None:
        raise NotAllowed("There is no Resolve yet: finish the character first.")
    try:
        after = compelled(line.left, line.max, accept=accept)
    except ValueError as none_left:
        raise NotAllowed(str(none_left), "accept") from none_left
    moved = line.left - after
    word = "accepts" if accept else "refuses"
    nothing = f" {'and gains nothing' if accept else 'for free'} (Resolve is full)"
    price = f" and gains {-moved} Resolve" if moved < 0 else f" for {moved} Resolve" if moved else nothing
    return Outcome(f"{name_of(at.build)} {word} a compel by “{described}”{price}.", {RESOLVE: moved} if moved else {})


def came_to(bundle: Bundle, build: Build, rolled: Rolled) -> str:
    """The result of a roll in words: its total and success, or that it needed no dice."""
    if rolled.faces or rolled.success is None:
        return f"{rolled.total}{verdict(bundle, build, rolled)}"
    if rolled.kind == "attack" and rolled.success:
        return f"a {'critical ' * rolled.critical}hit without a roll"
    return f"{'succeeds' if rolled.success else 'fails'} without a roll"


def verdict(bundle: Bundle, build: Build, rolled: Rolled) -> str:
    """Success, failure or critical, to end a sentence with."""
    critical = ", a critical" if rolled.critical else ""
    fumble = ", with two ones: something goes badly wrong" if is_fumble(bundle, build, rolled) else ""
    if rolled.success is None:
        return f"{critical}{fumble}"
    if is_tie(bundle, build, rolled):
        return f"{critical}, a tie: nothing changes{fumble}"
    words = ("a hit", "a miss") if rolled.kind == "attack" else ("a success", "a failure")
    return f"{critical}, {words[0] if rolled.success else words[1]}{fumble}"


def regain(at: At, *, points: int, reason: str) -> Outcome:
    """Regain points that the storyteller gives back, no more than are spent (section 23.3, ruling 41)."""
    line = at.sheet.resources.get(RESOLVE)
    if line is None or not line.spent:
        raise NotAllowed("Resolve is full already.", "points")
    back = min(points, line.spent)
    why = f": {reason}" if reason else ""
    return Outcome(f"{name_of(at.build)} regains {back} Resolve{why}.", {RESOLVE: -back})


WORDS = Text(160)
ACTIONS = (
    TableAction(
        "nudge_elsewhere",
        nudge_elsewhere,
        RESOLVES,
        "times",
        {"up": Tick(otherwise=True), "whose": Text(120)},
        form="nudge",
    ),
    TableAction("turn_aside", turn_aside, RESOLVES, "times"),
    TableAction("extra_turn", extra_turn, RESOLVES, "times"),
    TableAction("declare", declare, RESOLVES, "times", {"aspect": ASPECT, "detail": WORDS}),
    TableAction(
        "compel",
        compel,
        RESOLVES,
        "times",
        {"aspect": ASPECT, "words": Text(300), "accept": Tick(), "by_player": Tick()},
    ),
    TableAction("regain", regain, RESOLVES, "times", {"points": Number(1, 1_000, otherwise=1), "reason": WORDS}),
)
