"""Migrations of campaigns that move what is stored: forwards, and back. On SQLite and on a PostgreSQL of their own."""

import json

import pytest

from tests.support.place import Place

pytestmark = pytest.mark.slow

NOW = "2026-11-28 12:00:00+00:00"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def old(request, tmp_path_factory):
    """An empty place as of the oldest migration below: to come so far takes longer than what each test tries."""
    url = request.getfixturevalue("postgres")[0] if request.param == "postgresql" else ""
    folder = tmp_path_factory.mktemp("places")
    made = Place(folder, url).empty(folder / "old")
    to(made, "0013")
    yield made
    made.remove()


@pytest.fixture
def place(old, tmp_path):
    made = old.copied(tmp_path / "place")
    yield made
    made.remove()


def to(place, migration):
    status, said = place.manage("migrate", "campaigns", migration, "--verbosity", "0")
    assert status == 0, said


def add(place, table, **values):
    """Store a row; returns its id."""
    columns, texts = ", ".join(values), ", ".join(f"'{one}'" for one in values.values())
    place.ask(f"INSERT INTO {table} ({columns}) VALUES ({texts})")
    return place.ask(f"SELECT max(id) FROM {table}")[0][0]


def campaign(place, name):
    columns = {"name": name, "description": "", "key": f"key of {name}", "made_at": NOW, "face": ""}
    return add(place, "campaigns_campaign", **columns, accounts_only="0", version="0")


def ruleset(place, slug):
    """A ruleset whose rules are loaded."""
    made = add(place, "rules_ruleset", slug=slug, name=slug, version_label="", game="polyhedral")
    texts = dict.fromkeys(("version", "authors", "license", "license_url", "attribution", "url", "pack_digest"), "")
    add(place, "rules_source", slug="core", title="Core", is_core="1", ruleset_id=made, revision=0, **texts)
    return made


def stored(place, columns, table):
    return sorted(place.ask(f"SELECT {columns} FROM campaigns_{table}"))


def test_each_table_gets_the_ruleset_it_has_played_by(place):
    to(place, "0021")
    first, other = ruleset(place, "first"), ruleset(place, "other")
    by_rules, by_terms, by_seat, empty = (campaign(place, name) for name in ("rules", "terms", "seat", "empty"))
    add(place, "campaigns_campaignrules", campaign_id=by_rules, ruleset_id=other, switches="{}")
    for table, one in ((by_rules, first), (by_terms, other)):
        terms = {"campaign_id": table, "ruleset_id": one, "switches": "{}", "more_xp": 5}
        add(place, "campaigns_campaignterms", **terms)
    someone = add(
        place,
        "characters_character",
        **dict.fromkeys(("name", "face", "method", "rest", "sample"), ""),
        guest="g",
        dice="[]",
        ruleset_id=other,
        created_at=NOW,
        changed_at=NOW,
        **dict.fromkeys(("xp", "rest_dice", "version"), 0),
    )
    add(place, "campaigns_seat", campaign_id=by_seat, character_id=someone, made_at=NOW)
    for one in (first, other):
        dice = {"campaign_id": by_rules, "ruleset_id": one, "dice": f"[[{one}]]", "made_at": NOW}
        add(place, "campaigns_rolledset", **dice)

    to(place, "0024")
    chosen = dict(stored(place, "id, ruleset_id", "campaign"))
    assert chosen == {by_rules: other, by_terms: other, by_seat: other, empty: first}
    assert stored(place, "campaign_id, more_xp", "campaignterms") == [(by_terms, 5)]
    ((dice,),) = stored(place, "dice", "rolledset")
    assert dice in (f"[[{other}]]", [[other]])

    to(place, "0021")
    assert stored(place, "campaign_id, ruleset_id", "campaignrules") == [(by_rules, other)]
    assert stored(place, "campaign_id, ruleset_id", "campaignterms") == [(by_terms, other)]
    assert stored(place, "campaign_id, ruleset_id", "rolledset") == [(by_rules, other)]


def test_terms_move_out_of_the_house_rules_and_back(place):
    before = {"startingLevel": "5", "abilityMethod": "array", "trackAmmunition": "off"}
    polyhedral = add(place, "rules_ruleset", slug="polyhedral", name="", version_label="", game="polyhedral")
    columns = {"name": "rules", "description": "", "key": "key of rules", "made_at": NOW}
    table = add(place, "campaigns_campaign", **columns, accounts_only="0", version="0")
    add(place, "campaigns_campaignrules", campaign_id=table, ruleset_id=polyhedral, switches=json.dumps(before))

    def switches(of):
        ((found,),) = stored(place, "switches", of)
        return json.loads(found) if isinstance(found, str) else found

    to(place, "0014")
    assert switches("campaignrules") == {"trackAmmunition": "off"}
    assert switches("campaignterms") == {"startingLevel": "5", "abilityMethod": "array"}
    to(place, "0013")
    assert switches("campaignrules") == before


def two_seats(place):
    """The members `a` and `b` at a table, each with a seat of a character that `a` owns: the ids of both members."""
    rules = add(place, "rules_ruleset", slug="polyhedral", name="", version_label="", game="polyhedral")
    columns = {"name": "seats", "description": "", "key": "key of seats", "made_at": NOW, "face": ""}
    table = add(place, "campaigns_campaign", **columns, accounts_only="0", version="0", ruleset_id=rules)
    texts = dict.fromkeys(("face", "method", "rest", "sample"), "")
    numbers = dict.fromkeys(("xp", "rest_dice", "version", "rules_seen"), "0")
    mira = {**texts, **numbers, "name": "Mira", "guest": "a", "dice": "[]", "created_at": NOW, "changed_at": NOW}
    one = {"campaign_id": table, "role": "player", "joined_at": NOW, "reveals_seen": "0"}
    owner, other = (add(place, "campaigns_member", **one, name=guest, guest=guest) for guest in "ab")
    for member in (owner, other):
        character = add(place, "characters_character", **mira, ruleset_id=rules)
        add(place, "campaigns_seat", campaign_id=table, character_id=character, member_id=member, made_at=NOW)
    return owner, other


def test_only_a_seat_of_its_owner_was_surely_taken_when_it_was_made(place):
    to(place, "0029")
    owner, other = two_seats(place)
    to(place, "0030")
    found = dict(place.ask("SELECT member_id, taken_at FROM campaigns_seat"))
    assert (bool(found[owner]), found[other]) == (True, None)
    to(place, "0029")


def test_what_a_seat_said_of_its_times_is_said_by_sittings(place):
    """One seat was taken after it was made, one nobody knows when, and one waits for a player again."""
    to(place, "0029")
    owner, other = two_seats(place)
    to(place, "0030")
    made, taken = "2020-01-01", "2020-02-02"
    place.ask(f"UPDATE campaigns_seat SET made_at = '{made} 12:00:00+00:00', taken_at = NULL")
    place.ask(f"UPDATE campaigns_seat SET taken_at = '{taken} 12:00:00+00:00' WHERE member_id = {owner}")

    def days(columns, table):
        return sorted(
            tuple(str(one)[:10] for one in row) for row in place.ask(f"SELECT {columns} FROM campaigns_{table}")
        )

    to(place, "0031")
    began = dict(days("member_id, began_at", "seat"))
    assert began[str(owner)] == taken
    unknown = began[str(other)]  # the day of the migration
    assert unknown > taken
    assert days("began_at, ended_at", "sitting") == [(made, taken), (made, unknown)]
    assert place.ask("SELECT count(*) FROM campaigns_sitting WHERE member_id IS NOT NULL") == [(0,)]

    place.ask(f"UPDATE campaigns_seat SET member_id = NULL WHERE member_id = {other}")
    to(place, "0030")
    assert days("made_at", "seat") == [(made,), (made,)]
    assert days("member_id, taken_at", "seat") == [(str(owner), taken), ("None", "None")]
    to(place, "0031")
    assert days("began_at", "seat") == [(made,), (taken,)]
    assert days("began_at, ended_at", "sitting") == [(made, taken)]
