"""A form of the builder that was refused, as the parts of its step draw it."""

from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True)
class StepRefusal:
    """Drawn again at its `anchor`, with the sentence and the values. Empty if nothing was refused."""

    anchor: str = ""
    sentence: str = ""
    posted: dict[str, Any] = field(default_factory=dict)
    field: str = ""  # the input at fault, where the form has several

    def at(self, anchor: str) -> Self:
        """This refusal, if it belongs to this anchor; else an empty one."""
        return self if self.anchor == anchor else type(self)()


NOT_REFUSED = StepRefusal()
