"""The refusals of a verb, each with a sentence for the person who asked. A refused verb stores nothing."""

from typing import Any


class Refused(Exception):
    """A change that the rules or the character's state do not allow.

    `field` names the form field at fault, `form` another form of the page beside which the sentence belongs. `status`
    is that of the answer.
    """

    status = 422

    def __init__(self, sentence: str, field: str = "", form: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field
        self.form = form


class TooMany(Refused):
    """More characters than one person, or one household, may make."""

    status = 429


SAVED_MEANWHILE = (
    "Someone else has changed this in the meantime. Compare what is saved now with yours, then save what you want."
)


class StalePage(Refused):
    """Something has changed since the page that sent the form was drawn. `stored` is what is stored now, if the answer
    shows it beside what was sent."""

    status = 409

    def __init__(self, sentence: str = SAVED_MEANWHILE, field: str = "", *, stored: Any = None) -> None:
        super().__init__(sentence, field)
        self.stored = stored


class KeyReused(Refused):
    """One form key came with two different contents."""

    def __init__(self) -> None:
        super().__init__("This form was sent before with something else in it. Reload the page and try again.")


class MovedOn(Refused):
    """The character or the rules have changed since, so the change or its undo no longer fits."""


class RefusedForSome(Refused):
    """A change of several characters that some of them do not allow: each refusal by the character's id."""

    def __init__(self, refusals: dict[int, Refused]) -> None:
        super().__init__(" ".join(refused.sentence for refused in refusals.values()))
        self.refusals = refusals
