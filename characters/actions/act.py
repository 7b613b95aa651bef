"""One action, run: its form read, the character locked, the procedure asked, the outcome written and journaled."""

from django.http import Http404

from characters.journal import perform
from characters.models import Change
from characters.people import Person

from .answers import answers_of
from .registry import action_of, actions_of
from .table import CHANCE, Table, allowed, written


def act(pk: int, person: Person, key: str, name: str, sent, *, chance=CHANCE) -> Change:
    """Do the action of this name with what its form has sent. Raises Refused and Http404 as `journal.perform` does."""
    action = action_of(pk, name)
    answers = answers_of(action, sent)

    def happen(draft) -> str:
        table = Table(draft, person, chance)
        if actions_of(table.bundle.game.name).get(name) is not action:
            raise Http404("No such action.")
        return written(table, allowed(action.do, table, **answers))

    return perform(pk, person, name, key, answers, happen, may=action.may)
