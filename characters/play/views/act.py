"""Every action at the table has an address of its own, and one view behind it."""

from django.views.decorators.http import require_POST

from characters.play.actions import Action
from characters.play.answer import act


def view_of(action: Action):
    @require_POST
    def view(request, pk):
        return act(request, pk, action)

    return view
