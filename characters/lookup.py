"""One character of a person. The lookup is the permission; every request begins with one, so its SQL is made once."""

from django.contrib.auth import get_user_model
from django.http import Http404

from rules.prepared import MARKS, PreparedObjects

from .models import Character
from .people import Person

GUEST = "the hash of a guest"
NOBODY = "-"
MOST = 2**63 - 1


class Lookup(PreparedObjects):
    """By id and person, from a question of `CharacterQuerySet`; the ruleset comes along. Http404 when there is none."""

    def __init__(self, question):
        def build(pk, owner, guest):
            marked = Person(get_user_model()(pk=owner), guest)
            return question(Character.objects.all(), marked).select_related("ruleset").filter(pk=pk)

        super().__init__(build, *MARKS, GUEST)

    def __call__(self, pk: int, person: Person) -> Character:
        owner = person.user.pk if person.user else None
        found = self.first(pk, owner, person.guest or NOBODY) if pk <= MOST else None
        if found is None:
            raise Http404("No such character.")
        return found


visible = Lookup(lambda all, person: all.visible_to(person))
playable = Lookup(lambda all, person: all.playable_by(person))
# Locked until the transaction ends, the bin included.
locked = Lookup(lambda all, person: all.kept_by(person).select_for_update(of=("self",)))
