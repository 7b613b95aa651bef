"""Spending and regaining Resolve at the table (section 23, rulings 40 to 42, 103 and 104)."""

from dataclasses import replace
from random import Random

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, name_of

from ..dice import FACES
from ..level import setting
from ..resolve import compel, nudged
from .body import RESOLVE, living, needs_turn, switched_on
from .ends import of_own_turns, ticked
from .pool import again, is_fumble, is_tie, judged, thrown
from .rests import TURN, brought_back, sentences, told

OWN_ROLLS = ("check", "save", "attack", "death")


def left(sheet: Sheet) -> int:
    return sheet.resources[RESOLVE].left if RESOLVE in sheet.resources else 0


def paid(sheet: Sheet, points: int = 1) -> dict[str, int]:
    """The price, as an amount to move; refused when there is less."""
    if left(sheet) < points:
        has = left(sheet)
        raise NotAllowed(f"That takes {points} Resolve; {has} left." if has else "There is no Resolve left.")
    return {RESOLVE: points}


def with_die(
    bundle: Bundle, build: Build, sheet: Sheet, rolled: Rolled, chance: Random, faces: tuple[int, ...] = ()
) -> Outcome:
    """One more die on one's own roll, also after it fell; it counts for criticals (section 23.2, ruling 10)."""
    check_kind(build, rolled)
    spends = paid(sheet)
    check_dice(rolled)
    (face,) = thrown(chance, 1, FACES, faces)
    made = again(bundle, build, rolled)
    because = (*rolled.dice_because, ("Resolve", 1))
    after = judged(made, replace(rolled, faces=(*rolled.faces, face), dice_because=because))
    after = replace(after, by_hand=rolled.by_hand or bool(faces))
    words = "in secret" if rolled.secret else f"{face}, {after.total} in all{verdict(bundle, build, after)}"
    sentence = f"{name_of(build)} adds a die to {rolled.name}: {words}."
    return Outcome(sentence, spends, rolls=(after,))


def with_nudge(bundle: Bundle, build: Build, sheet: Sheet, rolled: Rolled, *, up: bool) -> Outcome:
    """A total moved by 2; it never makes or unmakes a critical (ruling 104)."""
    check_kind(build, rolled)
    spends = paid(sheet)
    check_dice(rolled)
    step = nudged(0, 1 if up else -1)
    made = again(bundle, build, rolled)
    after = judged(made, replace(rolled, modifiers=(*rolled.modifiers, ("Nudge", step))))
    words = ", in secret" if rolled.secret else f" to {after.total}{verdict(bundle, build, after)}"
    sentence = f"{name_of(build)} nudges {rolled.name}{words}."
    return Outcome(sentence, spends, rolls=(after,))


def nudge_elsewhere(build: Build, sheet: Sheet, whose: str, *, up: bool) -> Outcome:
    """The same on somebody else's roll, which is not in this log."""
    living(build)
    word = "up" if up else "down"
    return Outcome(f"{name_of(build)} nudges {whose or 'another roll'} {word} by 2.", paid(sheet))


def turned_critical(bundle: Bundle, build: Build, sheet: Sheet, rolled: Rolled | None) -> Outcome:
    """Two points make a hit critical, or an enemy's critical a plain hit, if the table plays by it (section 23.2)."""
    if not switched_on(bundle, build, "resolveCriticals"):
        raise NotAllowed("The house rules do not allow this.")
    living(build)
    spends = paid(sheet, 2)
    if rolled is None:
        return Outcome(f"{name_of(build)} turns an enemy’s critical into a plain hit.", spends)
    if rolled.kind != "attack" or rolled.success is False:
        raise NotAllowed("Only a hit can become critical.")
    if rolled.critical:
        raise NotAllowed("It is critical already.")
    after = replace(rolled, critical=True)
    words = "spends 2 Resolve on {}, in secret" if rolled.secret else "turns {} into a critical hit"
    return Outcome(f"{name_of(build)} {words.format(rolled.name)}.", spends, rolls=(after,))


def extra_turn(bundle: Bundle, build: Build, sheet: Sheet, taken: int) -> Outcome:
    """A whole turn at once, with what comes back at its start (ruling 40).

    taken: extra turns bought since the last round began.
    """
    needs_turn(sheet, "action")
    limit = most_extra_turns(bundle, build)
    if limit is not None and taken >= limit:
        raise NotAllowed(f"The house rules allow {limit} in a round.")
    begun = brought_back(bundle, build, sheet, TURN)
    back = {slug: n for slug, n in begun.spends.items() if n}
    # Rounds go on as they were, but what counts one's own turns counts this one: a guard comes down (section 22).
    over, lasting = ticked(of_own_turns(bundle, build))
    ends = (*begun.ends, *over)
    came = told(bundle, sheet, back, ends, lasting) if back or ends or lasting else ""
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


def declared(build: Build, sheet: Sheet, aspect: str, detail: str) -> Outcome:
    """A detail of the story by an aspect or relationship; paid because the storyteller accepted it."""
    living(build)
    words = f": {detail}" if detail else ""
    return Outcome(f"{name_of(build)} declares a detail by “{aspect}”{words}.", paid(sheet))


def compelled(bundle: Bundle, build: Build, sheet: Sheet, aspect: str, *, accept: bool, by_player: bool) -> Outcome:
    """An aspect turned against its owner, by the table of section 23.4."""
    if by_player and not switched_on(bundle, build, "playerCompels"):
        raise NotAllowed("The house rules leave compels to the storyteller.")
    living(build)
    line = sheet.resources.get(RESOLVE)
    if line is None:
        raise NotAllowed("There is no Resolve yet: finish the character first.")
    try:
        after = compel(line.left, line.max, accept=accept)
    except ValueError as none_left:
        raise NotAllowed(str(none_left), "accept") from none_left
    moved = line.left - after
    word = "accepts" if accept else "refuses"
    price = f" and gains {-moved} Resolve" if moved < 0 else f" for {moved} Resolve" if moved else ""
    return Outcome(f"{name_of(build)} {word} a compel by “{aspect}”{price}.", {RESOLVE: moved} if moved else {})


def check_kind(build: Build, rolled: Rolled) -> None:
    if rolled.kind != "death":  # the roll that killed may still be turned
        living(build)
    if rolled.kind not in OWN_ROLLS:
        raise NotAllowed("Resolve changes checks, attacks and saving throws, not damage or healing.")


def check_dice(rolled: Rolled) -> None:
    if not rolled.faces:
        raise NotAllowed("No dice were rolled: another die or a nudge does not help.")


def came_to(bundle: Bundle, build: Build, rolled: Rolled) -> str:
    """What a roll of one's own came to: its total and how it ended, or that it needed no dice."""
    if rolled.faces or rolled.success is None:
        return f"{rolled.total}{verdict(bundle, build, rolled)}"
    if rolled.kind == "attack" and rolled.success:
        return f"a {'critical ' * rolled.critical}hit without a roll"
    return f"{'succeeds' if rolled.success else 'fails'} without a roll"


def verdict(bundle: Bundle, build: Build, rolled: Rolled) -> str:
    """How a roll ended, as the end of a sentence."""
    critical = ", a critical" if rolled.critical else ""
    fumble = ", with two ones: something goes badly wrong" if is_fumble(bundle, build, rolled) else ""
    if rolled.success is None:
        return f"{critical}{fumble}"
    if is_tie(bundle, build, rolled):
        return f"{critical}, a tie: nothing changes{fumble}"
    words = ("a hit", "a miss") if rolled.kind == "attack" else ("a success", "a failure")
    return f"{critical}, {words[0] if rolled.success else words[1]}{fumble}"


def regained(build: Build, sheet: Sheet, points: int, reason: str = "") -> Outcome:
    """Points that the storyteller gives back, no more than are spent (section 23.3, ruling 41)."""
    line = sheet.resources.get(RESOLVE)
    if line is None or not line.spent:
        raise NotAllowed("Resolve is full already.", "points")
    back = min(points, line.spent)
    why = f": {reason}" if reason else ""
    return Outcome(f"{name_of(build)} regains {back} Resolve{why}.", {RESOLVE: -back})
