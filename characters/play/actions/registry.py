"""What an action is, and the list of them all."""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms

from characters.journal import Refused
from characters.play.fields import key


@dataclass(frozen=True)
class Action:
    """`region` is where its form stands; `by` names the fields that tell several such forms of a page apart.

    No `forms.Form`: that copies its fields for every request, and the page's own templates draw these forms.
    """

    slug: str
    fields: dict[str, forms.Field]
    do: Callable
    region: str
    by: tuple[str, ...]

    def read(self, posted) -> dict:
        """What was asked for by the name of the field. Raises Refused at the first that cannot be read."""
        asked = {}
        for name, field in self.fields.items():
            try:
                asked[name] = field.clean(field.widget.value_from_datadict(posted, {}, name))
            except forms.ValidationError as error:
                raise Refused(error.messages[0], name) from error
        return asked

    def place(self, posted) -> str:
        """The name of the form on its page."""
        return "-".join([self.slug, *(posted.get(field, "")[:80].replace(":", "-") for field in self.by)])


ACTIONS: dict[str, Action] = {}


def action(region: str, *by: str, **fields: forms.Field):
    """Register a function `(pk, person, key, **fields)` as the action of its name."""

    def register(do):
        slug = do.__name__.replace("_", "-")
        ACTIONS[slug] = Action(slug, {"key": key(), **fields}, do, region, by)
        return do

    return register
