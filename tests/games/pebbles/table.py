"""The two actions at the table: a throw, which costs a pebble, and dusk, which brings all pebbles back."""

from collections.abc import Sequence

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Element
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, counted, name_of
from rules.games.table_action import DICE, RESTS, At, Numbers, TableAction, Together

from .sheet import ON


def throw(at: At, *, faces: tuple[int, ...]) -> Outcome:
    """Throw as many pebbles as luck; each that shows five or six counts."""
    if not at.sheet.resources["pebbles"].left:
        raise NotAllowed("Your hand is empty. Wait for dusk.")
    roll = at.sheet.rolls["throw"]
    if faces and len(faces) != roll.dice:
        raise NotAllowed(f"You throw {roll.dice}.", "faces")
    fell = faces or tuple(at.chance.randint(1, 6) for _ in range(roll.dice))
    landed = sum(face >= ON for face in fell)
    rolled = Rolled("throw", "throw", roll.name, fell, landed, by_hand=bool(faces), success=bool(landed))
    return Outcome(f"{name_of(at.build)} throws: {counted(landed, 'pebble')} landed.", {"pebbles": 1}, rolls=(rolled,))


def dusk(at: At) -> Outcome:
    """Every pebble comes back."""
    spent = at.sheet.resources["pebbles"].spent
    if not spent:
        raise NotAllowed("Your hand is full already.")
    return Outcome(f"{name_of(at.build)} gathers {counted(spent, 'pebble')} at dusk.", {"pebbles": -spent})


FACES = Numbers("Write the faces as numbers, such as 5 2.", 1, 6)
ACTIONS: Sequence[TableAction] = (
    TableAction(
        "throw",
        throw,
        DICE,
        "hand",
        {"faces": FACES},
        form="roll",  # as the tray of another game is called
        key=("t", "throw the pebbles"),
    ),
    TableAction("dusk", dusk, RESTS, "hand"),
)
TOGETHER: Sequence[Together] = (Together("dusk", "Dusk"),)


def region_of(key: str) -> str:
    return "hand"


def reloads(element: Element | None) -> bool:
    return False


def might_become(bundle: Bundle, build: Build, rolled: Rolled) -> None:
    return None


def offers(bundle: Bundle, build: Build, sheet: Sheet, rolled: Rolled) -> tuple[object, ...]:
    return ()


def is_tie(bundle: Bundle, build: Build, rolled: Rolled) -> bool:
    return False


def is_fumble(bundle: Bundle, build: Build, rolled: Rolled) -> bool:
    return False


def how_far(bundle: Bundle, build: Build, rolled: Rolled) -> str:
    return ""
