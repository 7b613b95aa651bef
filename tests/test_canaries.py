"""Secrets are planted, and every role opens every URL of the matrix: no role finds a secret that it may not read.

Every id of another table is tried, too, in every parameter that takes an id.
"""

import contextlib
import re
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.urls import reverse

from campaigns.models import (
    Campaign,
    CampaignNote,
    Combatant,
    Condition,
    Creature,
    CreatureRoll,
    DeviceLink,
    Encounter,
    Hit,
    Invite,
    Member,
    Pairing,
    PartyAct,
    Purchase,
    RolledSet,
    Screen,
    Seat,
    SessionDate,
    SessionMark,
)
from campaigns.verbs import campaigns, creature_actions, creatures
from campaigns.verbs.campaign_notes import write
from campaigns.verbs.session_marks import set_mark
from characters.models import Change, Character, InventoryItem, Link, Proposal, Relationship, RollRecord, Spell
from characters.people import Person
from characters.read.version_cache import VERSIONS
from characters.samples import add_samples
from characters.sharing import make_link
from rules.models import Element, Source
from rules.publications import publish
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.support.characters import owned_by
from tests.support.homebrew import homebrew, spell, talent
from tests.support.matrix import KEY, MATRIX, NONE, ROLES
from tests.support.visitors import Visitor, arguments_of, fought, invited, prepared, url_of

pytestmark = pytest.mark.slow

RUNNERS = {"owner", "storyteller"}
TOO_LARGE = 10**30  # for a column


@dataclass(frozen=True)
class Canary:
    """A text, and the roles that may read it."""

    text: str
    seen_by: set[str]

    def sings(self, page: str) -> bool:
        """True if the page has the text by itself, and not as a part of a random key."""
        return self.text in page and re.search(rf"(?<![\w/+=-]){re.escape(self.text)}(?![\w/+=])", page) is not None


@pytest.fixture(scope="module")
def canaries(shared, visitors, arguments):
    """Secrets on the character of most pages, on the storyteller's, on a seated one, and at the table."""
    return shared(lambda: planted(visitors, arguments))


def planted(visitors, arguments):
    lead, helps = Person(visitors["owner"]), Person(visitors["storyteller"])
    campaign = Campaign.objects.get(pk=arguments["campaign"])
    seated = Seat.objects.get(pk=arguments["seat"]).character
    for pk in (arguments["pk"], arguments["of_storyteller"]["pk"], seated.pk):
        play.add_note(pk, lead, new_key(), text="Canary-note")
        play.add_relationship(pk, lead, new_key(), other="Bo", based_on="bond", text="Canary-bond")
        for who, secret, total, words in (  # totals that are the id of no row
            (lead, True, 92903, ""),
            (helps, True, 94909, ""),
            (lead, False, 96907, "Canary-sentence"),
        ):
            change = play.roll(pk, who, new_key(), roll="initiative", secret=secret)
            RollRecord.objects.filter(change=change).update(total=total)
            if words:
                Change.objects.filter(pk=change.pk).update(sentence=words, reason="Canary-reason")
    witch = {"name": "Canary-witch", "vital": 9, "notes": "Canary-lore", "rolls": "Canary-curse 3D"}
    hidden = creatures.create(campaign.pk, lead, new_key(), many=1, hidden=True, **witch).combatants.get()
    creature_actions.roll(campaign.pk, lead, new_key(), hidden.pk, which=0, secret=False)
    bear = arguments["combatant"]
    for secret, total in ((True, 98923), (False, 99511)):
        rolled = creature_actions.roll(campaign.pk, lead, new_key(), bear, which=0, secret=secret)
        CreatureRoll.objects.filter(pk=rolled.pk).update(total=total)
    write(campaign.pk, lead, new_key(), text="Canary-ebb", reader="storytellers")
    write(campaign.pk, lead, new_key(), text="Canary-tide", reader="everyone")
    for role, text in (("party", "Canary-whisper"), ("removed", "Canary-farewell")):
        place = Seat.objects.create(
            campaign=campaign,
            character=owned_by(visitors["owner"]),
            member=campaign.members.get(user=visitors[role]),
        )
        write(campaign.pk, lead, new_key(), text=text, reader=f"character:{place.character_id}")
    ours = Source.objects.get(homebrew__table__campaign=campaign)
    talent(ours, "canary-pupa", "Canary-pupa")
    spell(ours, "canary-glow", "Canary-glow")
    publish(ours)
    talent(ours, "canary-egg", "Canary-egg")  # a draft of the table
    elsewhere = Campaign.objects.create(ruleset=campaign.ruleset, name="Far", key=new_key())
    far = homebrew("Canary-far-book", campaign=elsewhere, far="Canary-mite")
    spell(far, "canary-dim", "Canary-dim")
    publish(far)
    homebrew("Canary-own-book", owner=visitors["owner"], own="Canary-nit")
    tokens = [
        token for model in (Link, Invite, DeviceLink, Screen) for token in model.objects.values_list("token", flat=True)
    ]
    return [
        Canary("Canary-note", RUNNERS),
        Canary("Canary-bond", RUNNERS),
        Canary("Canary-sentence", RUNNERS),
        Canary("Canary-reason", RUNNERS),
        Canary("Canary-witch", RUNNERS),
        Canary("Canary-lore", RUNNERS),
        Canary("Canary-curse", RUNNERS),
        Canary("Canary-ebb", RUNNERS),
        Canary("Canary-tide", {*RUNNERS, "party", "spectator"}),
        Canary("Canary-whisper", {*RUNNERS, "party"}),
        Canary("Canary-farewell", RUNNERS),
        Canary("Canary-pupa", {*RUNNERS, "party", "spectator"}),
        Canary("Canary-glow", {*RUNNERS, "party", "spectator"}),
        Canary("Canary-egg", RUNNERS),
        Canary("Canary-mite", set()),
        Canary("Canary-dim", set()),
        Canary("Canary-far-book", set()),
        Canary("Canary-nit", {"owner"}),
        Canary("Canary-own-book", {"owner"}),
        Canary("92903", {"owner"}),
        Canary("94909", {"storyteller"}),
        Canary("96907", {*RUNNERS, "party", "spectator"}),
        Canary("98923", RUNNERS),
        Canary("99511", {*RUNNERS, "party", "spectator"}),
        Canary("ana@example.com", {"owner"}),
        *(Canary(token, set()) for token in (*tokens, "d" * 64)),
    ]


@contextlib.contextmanager
def taken_back():
    """A transaction that is rolled back; verbs may begin their own outermost transaction there."""
    around = transaction.atomic()
    around._from_testcase = True
    with around:
        yield
        if not connection.needs_rollback:
            transaction.set_rollback(True)


def visit(cookies, role, url, line, headers=None, **data):
    """The status and the whole answer, that of a stream included."""
    with taken_back():
        client = Visitor(cookies, headers=headers)
        if line.method == "post":
            found = client.post(url, {"key": f"{KEY}-{role}", **line.data, **data})
        else:
            found = client.generic(line.method.upper(), url)
        return found.status_code, b"".join(found).decode(errors="replace") + str(found.headers)


def test_no_role_finds_a_secret_anywhere(db, sessions, arguments, canaries):
    add_samples()
    leaks, found = [], {canary.text: set() for canary in canaries}
    for name, line in sorted(MATRIX.items()):
        VERSIONS.values.clear()
        for role in ROLES:
            url = url_of(name, {**arguments, **line.where}, role)
            url += "?q=Canar" if name == "rules:search" else ""
            for headers in ({}, {"HX-Request": "true"}):
                _, page = visit(sessions.get(role, {}), role, url, line, headers)
                for canary in canaries:
                    if canary.sings(page):
                        found[canary.text].add(role)
                        if role not in canary.seen_by:
                            leaks.append(f"{canary.text} to {role} at {name}")
    assert not leaks, "\n".join(dict.fromkeys(leaks))
    # The control: each role that may read a secret finds it somewhere.
    for canary in canaries:
        assert found[canary.text] == canary.seen_by, canary.text


MODELS = {
    "pk": Character,
    "character": Character,
    "campaign": Campaign,
    "seat": Seat,
    "member": Member,
    "invite": Invite,
    "mark": SessionMark,
    "note": CampaignNote,
    "creature": Creature,
    "combatant": Combatant,
    "hit": Hit,
    "condition": Condition,
    "encounter": Encounter,
    "screen": Screen,
    "pairing": Pairing,
    "link": Link,
    "dice": RolledSet,
    "purchase": Purchase,
    "date": SessionDate,
    "number": PartyAct,
    "proposal": Proposal,
    "entry": Element,
}
NO_IDS = {"level", "sequence", "key", "slug", "kind", "ruleset", "digest", "uidb36", "token", "form", "app_label"}
NO_IDS |= {"invitation", "handing", "screening", "deed", "step", "signed"}
SENT = {  # ids in forms
    "roll": RollRecord,
    "item": InventoryItem,
    "spell": Spell,
    "relationship": Relationship,
    "character": Character,
    "combatant": Combatant,
}


@pytest.fixture(scope="module")
def elsewhere(shared, visitors, arguments):
    """The ids of this table, by parameter, and all ids of a table that somebody else leads."""
    return shared(lambda: ids(visitors))


def ids(visitors):
    mine = {name: set(model.objects.values_list("pk", flat=True)) for name, model in (MODELS | SENT).items()}
    lead = User.objects.create_user("elsewhere", "elsewhere@example.com", "a long password")
    table = campaigns.create(Person(lead), new_key(), name="Elsewhere")
    theirs, other = {**visitors, "owner": lead}, [owned_by(lead) for _ in range(2)]
    make_link(other[0].pk, Person(lead), new_key())
    change = play.roll(other[0].pk, Person(lead), new_key(), roll="initiative")
    written = [
        table.pk,
        prepared(theirs, table),
        set_mark(table.pk, Person(lead), new_key(), name="Reef").pk,
        write(table.pk, Person(lead), new_key(), text="Ebb", reader="everyone").pk,
        table.pairings.create(first=other[0], second=other[1], key=new_key()).pk,
        other[0].links.get().pk,
        homebrew("Reef book", campaign=table, reef="Reef").elements.get().pk,
        change.pk,
        change.rolls.get().pk,
        *(one.pk for one in other),
        *(value for value in {**invited(theirs, table), **fought(theirs, table)}.values() if isinstance(value, int)),
    ]
    return mine, sorted(set(written))


def test_every_parameter_of_a_url_is_listed_as_an_id_or_as_none():
    urls = arguments_of()
    used = {argument for name in MATRIX for argument in urls[name]}
    assert used <= {*MODELS, *NO_IDS}, "Say in MODELS which rows a new parameter is the id of, or that it is none."


def test_no_id_of_another_table_opens_anything(db, sessions, arguments, elsewhere):
    """The answer is the same as for an id that does not exist."""
    mine, foreign = elsewhere
    urls, opened, tried = arguments_of(), [], 0

    def status(name, line, **more):
        values = {**arguments, **line.where, **more}
        url = reverse(name, kwargs={one: values[one] for one in urls[name]})
        return visit(sessions["owner"], "owner", url, line)[0]

    for name, line in sorted(MATRIX.items()):
        for argument in MODELS.keys() & set(urls[name]):
            missing = status(name, line, **{argument: NONE})
            for pk in (one for one in (*foreign, TOO_LARGE) if one not in mine[argument]):
                tried += 1
                if (found := status(name, line, **{argument: pk})) != missing:
                    opened.append(f"{name} answers {found} to {argument}={pk} and {missing} to one that is not")
    assert tried > 500
    assert not opened, "\n".join(opened)


def test_no_id_of_another_table_in_a_form_does_anything(db, sessions, arguments, elsewhere):
    mine, foreign = elsewhere
    done, tried = [], 0
    for name, line in sorted(MATRIX.items()):
        for field in [one for one in SENT if line.data.get(one) == NONE]:
            url = url_of(name, {**arguments, **line.where}, "owner")
            for pk in (one for one in foreign if one not in mine[field]):
                tried += 1
                status, _ = visit(sessions["owner"], "owner", url, line, **{field: pk})
                if status != line.statuses[ROLES.index("owner")]:
                    done.append(f"{name} answers {status} to {field}={pk}")
    assert tried > 20
    assert not done, "\n".join(done)
