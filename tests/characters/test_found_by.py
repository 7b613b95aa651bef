"""The characters that a person may find, by role; the companions of a character; and the people who have a role with
it."""

from copy import deepcopy
from datetime import UTC, datetime

import pytest
from django.http import Http404

from characters import access
from characters.access import ANSWER, OWN, PLAY, SEE
from characters.models import Character, Grant
from characters.people import Person
from tests.characters.cast import guest, mira, person

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    """Characters by name: two of Ana's, one in her bin, a guest's and Bo's; with grants between the three."""
    made = {name: mira(name=name) for name in ("hers", "too", "binned")}
    made["guests"] = mira(guest(), name="guests")
    made["bo's"] = mira(person("bo"), name="bo's")
    Character.objects.filter(pk=made["binned"].pk).update(binned_at=datetime(2026, 1, 1, tzinfo=UTC))
    Grant.objects.create(character=made["bo's"], user=person().user, role="storyteller")
    Grant.objects.create(character=made["bo's"], guest=guest().guest, role="reader")
    Grant.objects.create(character=made["guests"], user=person("bo").user, role="player")
    return made


@pytest.fixture
def cast(begun):
    return deepcopy(begun)


def both():
    """Ana in a browser where she was a guest before."""
    return Person(person().user, guest().guest)


FOUND = {
    "ana": (person, {"hers", "too", "bo's"}, {"hers", "too", "bo's"}, {"hers", "too", "binned"}),
    "guest": (guest, {"guests", "bo's"}, {"guests"}, {"guests"}),
    "both": (both, {"hers", "too", "guests", "bo's"}, {"hers", "too", "guests", "bo's"},
             {"hers", "too", "binned", "guests"}),
    "bo": (lambda: person("bo"), {"guests", "bo's"}, {"guests", "bo's"}, {"bo's"}),
    "cid": (lambda: person("cid"), set(), set(), set()),
    "nobody": (Person, set(), set(), set()),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_each_person_finds_the_characters_that_they_may_see_play_and_own(cast, name):
    who, sees, plays, owns = FOUND[name]

    def names(question):
        return set(Character.objects.filter(question(who())).values_list("name", flat=True))

    assert (names(access.visible_to), names(access.playable_by), names(access.owned_by)) == (sees, plays, owns)
    assert names(access.lockable_by) == plays | owns


@pytest.mark.parametrize("name", FOUND)
def test_companions_are_the_other_visible_characters_by_name(cast, name):
    who, sees, _, _ = FOUND[name]
    found = access.companions(cast["hers"], who(), [])
    assert list(found.items()) == [(cast[one].pk, one) for one in sorted(sees - {"hers"})]


def test_a_companion_without_a_name_is_called_unnamed_character(cast):
    Character.objects.filter(pk=cast["too"].pk).update(name="")
    assert access.companions(cast["hers"], person(), [])[cast["too"].pk] == "Unnamed character"


def test_linked_companions_are_found_beyond_the_limit(cast, monkeypatch, django_assert_num_queries):
    ana, linked = person(), [cast["too"].pk, cast["guests"].pk, cast["bo's"].pk]
    with django_assert_num_queries(1):
        assert len(access.companions(cast["hers"], ana, linked)) == 2
    monkeypatch.setattr(access, "MOST_COMPANIONS", 1)
    monkeypatch.setattr(access.COMPANIONS, "rows", lambda *placeholders: [(cast["bo's"].pk, "bo's")])
    with django_assert_num_queries(1):
        found = access.companions(cast["hers"], ana, linked)
    assert found == {cast["bo's"].pk: "bo's", cast["too"].pk: "too"}, "the guest's is not hers to see"
    with django_assert_num_queries(0):
        assert access.companions(cast["hers"], ana, [cast["bo's"].pk]) == {cast["bo's"].pk: "bo's"}


def test_the_owner_and_the_grants_of_each_character_are_found(cast, django_assert_num_queries):
    ana, bo = person().user.pk, person("bo").user.pk
    names = {one.pk: name for name, one in cast.items()}
    with django_assert_num_queries(2):
        found = access.holders_of(list(names))
        assert all((one.version, one.changed_at, one.owner_id or one.guest) for one, _ in found)
    assert {names[one.pk]: holders for one, holders in found} == {
        "hers": {(ana, "")},
        "too": {(ana, "")},
        "binned": {(ana, "")},
        "guests": {(None, guest().guest), (bo, "")},
        "bo's": {(bo, ""), (ana, ""), (None, guest().guest)},
    }
    playing = {names[one.pk]: holders for one, holders in access.holders_of(list(names), access.PLAY)}
    assert playing["bo's"] == {(bo, ""), (ana, "")}, "its reader only reads"
    ((only, holders),) = access.holders_of([cast["bo's"].pk], PLAY)
    assert (names[only.pk], holders) == ("bo's", {(bo, ""), (ana, "")})


@pytest.mark.parametrize(
    ("word", "roles"),
    [
        (SEE, ["owner", "storyteller", "player", "party", "spectator", "reader"]),
        (PLAY, ["owner", "storyteller", "player"]),
        (ANSWER, ["owner", "player"]),
        (OWN, ["owner"]),
    ],
)
def test_each_permission_names_its_roles(word, roles):
    assert access.that_may(word) == roles
    assert [role.name for role in access.ROLES if role.plays] == access.that_may(PLAY)
    assert [role.name for role in access.ROLES if role.owns] == access.that_may(OWN)


def test_a_person_without_a_role_gets_no_such_character(cast):
    for asked in (
        lambda: access.role_found(cast["hers"], person("cid")),
        lambda: access.visible(cast["hers"].pk, person("cid")),
        lambda: access.playable(cast["bo's"].pk, guest()),
        lambda: access.locked(2**63, person()),
    ):
        with pytest.raises(Http404) as missing:
            asked()
        assert str(missing.value) == "No such character."
    assert access.role_found(cast["binned"], person()).name == "owner"
    assert access.role_found(cast["bo's"], guest()).name == "reader"


def test_a_character_is_found_together_with_its_ruleset_in_one_query(cast, django_assert_num_queries):
    ana = person()
    for lookup in (access.visible, access.playable, access.locked):
        with django_assert_num_queries(1):
            assert lookup(cast["hers"].pk, ana).ruleset.slug == "polyhedral"
