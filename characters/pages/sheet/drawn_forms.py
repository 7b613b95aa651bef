"""The forms of one drawing: their addresses, the fields that all of them send, and a refusal beside its field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters.actions.registry import action_slugs
from characters.read.page_cache import FormTokens

NO_ACTION = "A form asks for the action “{}”, which no game has. Its name is the last part of an address: take-damage."
SENTENCE = '<p class="field-error" role="alert" id="{}-refused">{}</p>'
SENT_BY_ALL = ("csrfmiddlewaretoken", "key", "page", "tray")
WRONG = ' aria-describedby="{}" aria-invalid="true"'


@dataclass
class Refusal:
    """A form that was refused: its id, the sentence, the field at fault, and all that was posted.

    `rendered` is set while the page is drawn, once the sentence is on it.
    """

    form_id: str
    sentence: str
    field: str = ""
    posted: dict[str, Any] | None = None
    theirs: str | None = None  # the text that is stored, if someone else wrote at the same time
    rendered: bool = False


@dataclass
class Forms:
    """`page` is the name of the page that the forms are on; `plain` forms are sent without htmx; `asked` has values to
    fill in.

    Nearly every drawing has no refusal, and then the methods about refusals return at once.
    """

    tokens: FormTokens
    base: str
    page: str = ""
    plain: bool = False
    refusal: Refusal | None = None
    asked: Mapping[str, str] = field(default_factory=dict)

    def act(self, slug: str, presses: str = "drop") -> SafeString:
        """The attributes of a form that asks for an action, with and without script.

        `presses` says how htmx treats a press made before the last one was answered: `drop`, or `queue all`. Raises
        LookupError for an action that no game has, whose form would be answered with a 404.
        """
        if slug not in action_slugs():
            raise LookupError(NO_ACTION.format(slug))
        url = f"{self.base}play/{slug}/"
        script = "" if self.plain else f' hx-post="{url}" hx-sync="this:{presses}"'
        return ours(f'method="post" action="{url}"{script}')

    def to(self, slug: str) -> SafeString:
        """The attribute of a button that sends the form to another action."""
        if slug not in action_slugs():
            raise LookupError(NO_ACTION.format(slug))
        return ours(f'formaction="{self.base}play/{slug}/"')

    def hidden(self) -> SafeString:
        """The fields of every form: the CSRF token, a key of its own, and the page that it is on."""
        return ours(f'{self._same}<input type="hidden" name="key" value="{self.tokens.keys}">')

    @cached_property
    def _same(self) -> str:
        page = f'<input type="hidden" name="page" value="{self.page}">' if self.page else ""
        return f'<input type="hidden" name="csrfmiddlewaretoken" value="{self.tokens.csrf()}">{page}'

    def refused(self, form_id: str, field: str | None = None) -> str:
        """The sentence that refused this form, "" if it was not refused; with a `field` only a sentence about that."""
        refusal = self._refusal_of(form_id)
        if refusal is None or not refusal.sentence or field not in (None, refusal.field):
            return ""
        refusal.rendered = True
        return format_html(SENTENCE, form_id, refusal.sentence)

    def refused_elsewhere(self) -> str:
        """The refusal, if no form of the page has shown it. Call this after all forms are drawn."""
        return self.refused(self.refusal.form_id) if self.refusal and not self.refusal.rendered else ""

    def wrong(self, form_id: str, field: str, help: str = "") -> str:
        """Attributes that mark the field at fault and name the texts that describe it: `help` and the sentence."""
        refusal = self._refusal_of(form_id)
        if refusal is None or refusal.field != field:
            return ours(f' aria-describedby="{help}"') if help else ""
        return format_html(WRONG, f"{form_id}-refused {help}".strip())

    def theirs(self, form_id: str) -> Refusal | None:
        """The refusal of this form, if someone else wrote at the same time."""
        refusal = self._refusal_of(form_id)
        if refusal is None or not refusal.theirs:
            return None
        refusal.rendered = True
        return refusal

    def posted(self, form_id: str, field: str, otherwise: Any = "") -> Any:
        """The value to fill into a field: as posted to the refused form, or as the page's address has it."""
        refusal = self._refusal_of(form_id)
        posted = refusal.posted if refusal and refusal.posted else self.asked
        return posted.get(field, otherwise)

    def picked(self, form_id: str, field: str, value: object, otherwise: object = "") -> str:
        """Marks the option that was picked in the refused form; in any other form, the option `otherwise`."""
        return " selected" if self.posted(form_id, field, str(otherwise)) == str(value) else ""

    def ticked(self, form_id: str, field: str, value: str = "on", otherwise: bool = False) -> str:
        """The same for a checkbox, or one of several; `otherwise` if nothing was refused."""
        before = self.posted(form_id, field, None)
        return " checked" if (otherwise if before is None else before == value) else ""

    def opened_by(self, *forms: str, beside: Sequence[str] = ()) -> str:
        """Opens a folded part if one of its forms was refused. It stays closed if the fault is in a field `beside` the
        fold and none of the others was filled in."""
        refusal = self.refusal
        if refusal is None or refusal.form_id not in forms:
            return ""
        if beside and refusal.field in ("", *beside):
            outside = {*SENT_BY_ALL, *beside}
            if not any(value for name, value in (refusal.posted or {}).items() if name not in outside):
                return ""
        return " open"

    def _refusal_of(self, form_id: str) -> Refusal | None:
        return self.refusal if self.refusal and self.refusal.form_id == form_id else None


def ours(html: str) -> SafeString:
    """Marks HTML as safe that is made here, without any text from outside."""
    return SafeString(html)
