"""Runs one action: reads its form, locks the character, asks the procedure, writes and journals the outcome."""

from collections.abc import Mapping
from random import Random
from typing import Any

from django.http import Http404

from characters.change import fact_address
from characters.change.arguments import fingerprint_of
from characters.change.draft import Draft
from characters.change.journal import Act, perform
from characters.change.refusals import MovedOn, Refused
from characters.models import Change
from characters.people import Person
from rules.compile import NoSuchSource
from rules.games.table_action import TableAction

from .action_context import CHANCE, ActionContext, apply
from .form_values import answers_of
from .registry import action_of, all_actions_of


def run(pk: int, person: Person, key: str, name: str, sent: Mapping[str, Any], *, chance: Random = CHANCE) -> Change:
    """Do the action of this name with the fields that its form has sent.

    Raises Refused and Http404 as `journal.perform` does; MovedOn if it would restore something of a source that is
    gone.
    """
    action = action_of(pk, name)
    answers = answers_of(action.fields, sent)
    if action.ahead and sent.get("shown") and sent["shown"] != fingerprint_of(**answers):
        raise Refused("You have changed the form since you looked. See what it changes first.")
    try:
        return perform(pk, person, name, key, answers, act_of(action, answers, person, chance), may=action.may)
    except NoSuchSource as gone:
        raise MovedOn("You cannot do that: it needs a source of rules that is gone.") from gone


def act_of(action: TableAction, answers: Mapping[str, Any], person: Person, chance: Random = CHANCE) -> Act:
    """The act for `journal.perform` that does this action with these answers. It raises Http404 if the character's game
    does not have the action."""

    def happen(draft: Draft) -> str:
        context = ActionContext(draft, person, chance)
        if all_actions_of(context.bundle.game.name).get(action.name) is not action:
            raise Http404("No such action.")
        sentence = apply(context, action.do, **answers)
        if not draft.touched.isdisjoint(fact_address.ROWS):  # other facts cannot grow large enough to fill a file
            draft.check_room()
        return sentence

    return happen
