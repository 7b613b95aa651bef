"""Characters of a person. The lookup is the permission; every request begins with one, so its SQL is made once."""

from django.contrib.auth import get_user_model
from django.http import Http404

from rules.prepared import MARKS, Prepared, PreparedObjects

from .models import Character
from .models.character import UNNAMED
from .people import Person

GUEST = "the hash of a guest"
NOBODY = "-"
MOST = 2**63 - 1
MOST_COMPANIONS = 200


def marked(owner: int, guest: str) -> Person:
    """Somebody whose ids are the marks of a prepared question."""
    return Person(get_user_model()(pk=owner), guest)


def ids_of(person: Person) -> tuple[int | None, str]:
    """What stands in the places of those marks."""
    return person.user.pk if person.user else None, person.guest or NOBODY


class Lookup(PreparedObjects):
    """By id and person, from a question of `CharacterQuerySet`; the ruleset comes along. Http404 when there is none."""

    def __init__(self, question):
        def build(pk, owner, guest):
            return question(Character.objects.all(), marked(owner, guest)).select_related("ruleset").filter(pk=pk)

        super().__init__(build, *MARKS, GUEST)

    def __call__(self, pk: int, person: Person) -> Character:
        found = self.first(pk, *ids_of(person)) if pk <= MOST else None
        if found is None:
            raise Http404("No such character.")
        return found


visible = Lookup(lambda all, person: all.visible_to(person))
playable = Lookup(lambda all, person: all.playable_by(person))
# Locked until the transaction ends, the bin included.
locked = Lookup(lambda all, person: all.kept_by(person).select_for_update(of=("self",)))


COMPANIONS = Prepared(
    lambda pk, owner, guest: (
        Character.objects.visible_to(marked(owner, guest))
        .exclude(pk=pk)
        .order_by("name", "pk")
        .values_list("pk", "name")[:MOST_COMPANIONS]
    ),
    *MARKS,
    GUEST,
)


def companions(character: Character, person: Person, linked: list[int]) -> dict[int, str]:
    """Others that this person may see, names by id; those that are `linked` also where there are very many."""
    found = dict(COMPANIONS.rows(character.pk, *ids_of(person)))
    if more := [pk for pk in linked if pk not in found and len(found) == MOST_COMPANIONS]:
        found |= dict(Character.objects.visible_to(person).filter(pk__in=more).values_list("pk", "name"))
    return {pk: name or UNNAMED for pk, name in found.items()}
