"""Permissions for a character. One table says what each role may do: see, play, answer, own.

The lookup is the permission: a character that it does not find is a 404. Every request begins with a lookup, so its SQL
is built only once per process.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from rules.fast_sql import PLACEHOLDERS, Prepared, PreparedObjects

from .grants import Holder
from .models import Character, Grant
from .models.character import UNNAMED
from .people import Person

GUEST = "the hash of a guest"
NO_GUEST = "-"  # in place of the hash, for a person who is not a guest
MOST_COMPANIONS = 200


# The words for what a role may do; a verb or an action needs one of them.
SEE = "see"  # reads the sheet and its explanations
PLAY = "play"  # changes it, and reads its history and its rolls
ANSWER = "answer"  # says yes or no to what is proposed to the character
OWN = "own"  # deletes, restores and shares it


@dataclass(frozen=True)
class Role:
    name: str
    words: tuple[str, ...] = (SEE,)

    def may(self, word: str) -> bool:
        return word in self.words

    @property
    def plays(self) -> bool:
        return PLAY in self.words

    @property
    def owns(self) -> bool:
        return OWN in self.words


# Most powers first: of several roles with one character, the first counts.
ROLES = (
    Role("owner", (SEE, PLAY, ANSWER, OWN)),
    Role("storyteller", (SEE, PLAY)),
    Role("player", (SEE, PLAY, ANSWER)),  # of a character that someone else keeps
    Role("party"),
    Role("spectator"),
    Role("reader"),
)
OWNER, READER = ROLES[0], ROLES[-1]
PARTY = ("storyteller", "player", "party")


def that_may(word: str) -> list[str]:
    return [role.name for role in ROLES if role.may(word)]


def owned_by(person: Person) -> Q:
    """Characters that are this person's own, the bin included."""
    return is_person(person, "owner")


def followed_by(person: Person) -> Q:
    """Characters whose changes this person is told about: those that they may read, the bin included. A page that still
    shows a character from the bin then asks for it, and finds that it is gone."""
    return owned_by(person) | _granted(person, that_may(SEE))


def visible_to(person: Person) -> Q:
    """Characters this person may read, the bin left out."""
    return followed_by(person) & Q(binned_at=None)


def playable_by(person: Person) -> Q:
    """Characters this person may change, the bin left out."""
    return lockable_by(person) & Q(binned_at=None)


def lockable_by(person: Person) -> Q:
    """Characters that this person's verbs may lock: the bin included, since one verb restores from it."""
    return owned_by(person) | _granted(person, that_may(PLAY))


def answered_by(person: Person) -> Q:
    """Characters whose proposals this person answers: those that they were given to play, and their own unless someone
    else was given them to play. The bin is left out."""
    given = Grant.objects.filter(character=OuterRef("pk"), role="player")
    return ((owned_by(person) & ~Exists(given)) | _granted(person, ["player"])) & Q(binned_at=None)


def _granted(person: Person, roles: list[str]) -> Q:
    return Q(pk__in=_grants(person).filter(role__in=roles).values("character"))


def _grants(person: Person) -> QuerySet:
    return Grant.objects.filter(is_person(person))


def is_person(person: Person, account: str = "user") -> Q:
    """A filter for this person's rows, in a table with a column for an `account` and one for a `guest`. While a guest
    is signing in, both kinds match."""
    theirs = Q(pk__in=[])
    if person.user is not None:
        theirs |= Q(**{account: person.user})
    if person.guest:
        theirs |= Q(guest=person.guest)
    return theirs


def role_of(character: Character, person: Person) -> Role | None:
    """The role of this person with this character; None for a stranger."""
    mine = person.user is not None and character.owner_id == person.user.pk
    if mine or (person.guest and character.guest == person.guest):
        return OWNER
    names = set(_grants(person).filter(character=character).values_list("role", flat=True))
    return next((role for role in ROLES if role.name in names), None)


def role_found(character: Character, person: Person) -> Role:
    """The person's role with a character that a lookup has just found; Http404 if they have lost it in the meantime."""
    role = role_of(character, person)
    if role is None:
        raise Http404("No such character.")
    return role


def holders_of(pks: Collection[int], word: str = SEE) -> list[tuple[Character, set[Holder]]]:
    """These characters, the bin included, each with everyone whose role allows `word` now. A page that still shows one
    from the bin then asks for it, and finds that it is gone.

    People are read after the characters, so that nobody is told of a change made after they lost their role.
    """
    found = Character.objects.filter(pk__in=pks).only("version", "changed_at", "owner", "guest")
    readers: dict[int, set[Holder]] = {one.pk: {(one.owner_id, one.guest)} for one in found}
    grants = Grant.objects.filter(character__in=readers, role__in=that_may(word))
    for character, user, guest in grants.values_list("character", "user", "guest"):
        readers[character].add((user, guest))
    return [(one, readers[one.pk]) for one in found]


def is_seated(character: Character) -> bool:
    """True if a seat at a table gives someone a role with this character."""
    return Grant.objects.filter(character=character, role__in=PARTY).exists()


def placeholder_person(owner: int, guest: str) -> Person:
    """A stand-in person whose ids are the placeholders of a prepared query."""
    return Person(get_user_model()(pk=owner), guest)


def ids_of(person: Person) -> tuple[int | None, str]:
    """This person's values for the placeholders of `placeholder_person`."""
    return person.user.pk if person.user else None, person.guest or NO_GUEST


class CharacterLookup(PreparedObjects):
    """Finds a character by its id, with its ruleset, among those that `filter_for(person)` lets through; Http404
    otherwise."""

    def __init__(self, filter_for: Callable[[Person], Q], lock: bool = False) -> None:
        def build(pk: int, owner: int, guest: str) -> QuerySet:
            found = Character.objects.filter(filter_for(placeholder_person(owner, guest)), pk=pk)
            found = found.select_related("ruleset")
            return found.select_for_update(of=("self",)) if lock else found

        super().__init__(build, *PLACEHOLDERS, GUEST)

    def __call__(self, pk: int, person: Person) -> Character:
        found = self.first(pk, *ids_of(person))
        if found is None:
            raise Http404("No such character.")
        return found


visible = CharacterLookup(visible_to)
playable = CharacterLookup(playable_by)
# Locked until the transaction ends.
locked = CharacterLookup(lockable_by, lock=True)


def locked_for(pk: int, person: Person, word: str, *, binned: bool = False) -> Character:
    """The character, locked until the transaction ends. Raises Http404 if this person's role does not allow `word`, or
    if the character is in the bin (with `binned`: if it is not)."""
    character = locked(pk, person)
    role = role_of(character, person)
    if role is None or not role.may(word) or (character.binned_at is not None) != binned:
        raise Http404("No such character.")
    return character


COMPANIONS = Prepared(
    lambda pk, owner, guest: (
        Character.objects.filter(visible_to(placeholder_person(owner, guest)))
        .exclude(pk=pk)
        .order_by("name", "pk")
        .values_list("pk", "name")[:MOST_COMPANIONS]
    ),
    *PLACEHOLDERS,
    GUEST,
)


def companions(character: Character, person: Person, linked: list[int]) -> dict[int, str]:
    """Names of other characters that this person may see, by id: the first MOST_COMPANIONS, and all the `linked`
    ones."""
    found: dict[int, str] = dict(COMPANIONS.rows(character.pk, *ids_of(person)))
    if more := [pk for pk in linked if pk not in found and len(found) == MOST_COMPANIONS]:
        found |= dict(Character.objects.filter(visible_to(person), pk__in=more).values_list("pk", "name"))
    return {pk: name or UNNAMED for pk, name in found.items()}
