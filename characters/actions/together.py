"""Actions for several characters at once: those that each game lists, and those of every game."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from characters.change.journal import Part
from characters.change.text_input import in_digits
from characters.people import Person
from characters.read.versions import Version
from rules.games import GAMES
from rules.games.table_action import Number, TableAction, Together, Word

from .act import act_of
from .carrying import with_quantity
from .form_values import MINUS, answers_of, digits
from .registry import all_actions_of


@dataclass(frozen=True, slots=True)
class Deed:
    """An action for several characters of one game, and how it is offered."""

    together: Together
    action: TableAction

    def part(self, pk: int, sent: Mapping[str, Any], person: Person) -> Part:
        """One character's part in it. Refused if the form sent something that cannot be read."""
        answers = answers_of(self.action.fields, sent)
        return Part(pk, answers, act_of(self.action, answers, person))

    def words(self, sent: Mapping[str, Any], version: Version) -> str:
        """The deed in a few words: `Damage 7`, `Condition Prone`, `Item 2 × Torch`."""
        said = next((field for field in self.together.says if sent.get(field)), "")
        value, field = str(sent.get(said, "")), self.action.fields.get(said)
        # The number in an older proposal may be out of bounds by now.
        if isinstance(field, Number) and (number := digits(value.strip().translate(MINUS))):
            value = in_digits(number)
        elif isinstance(field, Word):  # something that the rules know, or knew
            # The key of a roll, `skill.stealth`, is the ref of its skill with a dot.
            roll = version.sheet.rolls.get(value)
            value = roll.name if roll else version.bundle.called(value.replace(".", ":"))
        if many := digits(str(sent.get(self.together.many, "")).strip()):
            value = with_quantity(value, many)
        return " ".join(filter(None, (self.together.line or self.together.word, value)))


def shared(game: str) -> tuple[Together, ...]:
    """Those of every game, in this game's words."""
    return (
        Together("add_condition", "Condition", says=("condition",), often=True),
        Together("remove_condition", "End a condition", says=("condition",)),
        Together("add_item", "Item", says=("ref", "custom"), many="quantity", often=True),
        Together("add_xp", GAMES[game].levels.POINTS, says=("amount",), split="amount", often=True),
        Together("mark", "Mark", says=("name",)),
    )


@cache
def deeds_of(game: str) -> dict[str, Deed]:
    """The deeds of a game, by the name of their action, in the order in which they are offered."""
    actions = all_actions_of(game)
    listed = (*GAMES[game].play.TOGETHER, *shared(game))
    return {one.action: Deed(one, actions[one.action]) for one in listed if one.action in actions}
