"""The forms of one drawing: where they go, what all of them send, and the refusal of one of them beside its field."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters.read.page_cache import Own

SENTENCE = '<p class="field-error" role="alert" id="{}-refused">{}</p>'
SENT_BY_ALL = ("csrfmiddlewaretoken", "key", "page", "tray")
WRONG = ' aria-describedby="{}" aria-invalid="true"'


@dataclass
class Refusal:
    """What was refused: at which form, in which field, in what words, and what had been typed.

    `said` is noted while the page is drawn: whether the sentence stands on it yet.
    """

    where: str
    sentence: str
    field: str = ""
    typed: dict | None = None
    theirs: str | None = None  # the text that stands, where two were written at once
    said: bool = False


class Forms:
    """`place` is the page that they stand on; forms that are `plain` leave htmx alone; `asked` is what is filled in.

    Nearly every drawing refuses nothing, and then what is asked of a form is answered at once.
    """

    def __init__(self, own: Own, base: str, *, place="", plain=False, refusal=None, asked=None):
        self.own, self.base, self.place, self.plain, self.refusal = own, base, place, plain, refusal
        self.asked = asked or {}

    def act(self, slug, presses="drop"):
        """The attributes of a form that asks for an action, with and without script.

        `presses` says what becomes of one that comes before the last one is answered: `drop`, or `queue all`.
        """
        url = f"{self.base}play/{slug}/"
        script = "" if self.plain else f' hx-post="{url}" hx-sync="this:{presses}"'
        return ours(f'method="post" action="{url}"{script}')

    def to(self, slug):
        """The attribute of a button that asks for another action than its form."""
        return ours(f'formaction="{self.base}play/{slug}/"')

    def hidden(self):
        """The fields of every form: the CSRF token, a key of its own, and the page that it stands on."""
        return ours(f'{self._same}<input type="hidden" name="key" value="{self.own.keys}">')

    @cached_property
    def _same(self):
        page = f'<input type="hidden" name="page" value="{self.place}">' if self.place else ""
        return f'<input type="hidden" name="csrfmiddlewaretoken" value="{self.own.token()}">{page}'

    def refused(self, where, field=None):
        """The sentence that refused this form, if it was this one; with a `field` only if it is about that."""
        refusal = self._refusal_of(where)
        if refusal is None or not refusal.sentence or field not in (None, refusal.field):
            return ""
        refusal.said = True
        return format_html(SENTENCE, where, refusal.sentence)

    def refused_elsewhere(self):
        """A refusal that no form of the page has said. Stands after them all."""
        return self.refused(self.refusal.where) if self.refusal and not self.refusal.said else ""

    def wrong(self, where, field, help=""):
        """Marks the field that a refusal is about, and names what describes a field: `help` and the sentence."""
        refusal = self._refusal_of(where)
        if refusal is None or refusal.field != field:
            return ours(f' aria-describedby="{help}"') if help else ""
        return format_html(WRONG, f"{where}-refused {help}".strip())

    def theirs(self, where):
        """The refusal of this form, where two people have written at once."""
        refusal = self._refusal_of(where)
        if refusal is None or not refusal.theirs:
            return None
        refusal.said = True
        return refusal

    def typed(self, where, field, otherwise=""):
        """What had been typed into a field of the form that was refused, or what the page was asked for with."""
        refusal = self._refusal_of(where)
        typed = refusal.typed if refusal and refusal.typed else self.asked
        return typed.get(field, otherwise)

    def picked(self, where, field, value, otherwise=""):
        """Marks the option that had been picked in the form that was refused, and else the option `otherwise`."""
        return " selected" if self.typed(where, field, str(otherwise)) == str(value) else ""

    def ticked(self, where, field, value="on", otherwise=False):
        """The same for a tick, or one of several; `otherwise` where nothing was refused."""
        before = self.typed(where, field, None)
        return " checked" if (otherwise if before is None else before == value) else ""

    def opened_by(self, *forms, beside=()):
        """Opens what is folded away where one of its forms was refused. Where fields of that stand `beside` it, only
        for another one, or where another holds something.
        """
        refusal = self.refusal
        if refusal is None or refusal.where not in forms:
            return ""
        if beside and refusal.field in ("", *beside):
            outside = {*SENT_BY_ALL, *beside}
            if not any(value for name, value in (refusal.typed or {}).items() if name not in outside):
                return ""
        return " open"

    def _refusal_of(self, where):
        return self.refusal if self.refusal and self.refusal.where == where else None


def ours(html: str) -> SafeString:
    """HTML in which there is no word of anybody else."""
    return SafeString(html)
