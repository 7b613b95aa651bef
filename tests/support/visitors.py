"""The users who visit the addresses of the matrix, and the rows whose ids the addresses contain."""

from functools import cache

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.client import ClientHandler
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from campaigns.verbs import campaigns, combatant_conditions, creature_actions, creatures, encounters
from campaigns.verbs.campaign_notes import write
from campaigns.verbs.membership import make_invite
from campaigns.verbs.other_device import make_device_link
from campaigns.verbs.screens import make_screen
from campaigns.verbs.seats import bring
from campaigns.verbs.session_marks import set_mark
from characters import verbs
from characters.models import Grant
from characters.people import Person
from characters.sharing import make_link
from characters.verbs.leveling import seen
from rules.compile import bundle_for
from tests.support.characters import owned_by
from tests.support.homebrew import homebrew, in_play
from tests.support.matrix import GRANTED, KEY, MATRIX, NONE


def named_urls(patterns=None, prefix="", above=()):
    """Every named URL of the site as (name with namespaces, names of its arguments)."""
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        arguments = (*above, *(tuple(entry.pattern.regex.groupindex) or tuple(entry.pattern.converters)))
        if not isinstance(entry, URLPattern):
            namespace = f"{prefix}{entry.namespace}:" if entry.namespace else prefix
            yield from named_urls(entry.url_patterns, namespace, arguments)
        elif entry.name:
            yield f"{prefix}{entry.name}", arguments
        else:
            yield f"{prefix}{entry.pattern}", None


def pages_of(character, **visited):
    """The address of every page on which the owner sees this character."""
    arguments = dict(named_urls())
    usual = {"level": 1, "step": "origin", "sequence": 1, "key": "initiative"}
    for name, line in MATRIX.items():
        if "pk" in (arguments[name] or ()) and line.method == "get" and line.statuses[1] == 200:
            values = {"pk": character.pk, **usual, **line.where, **visited}
            yield reverse(name, kwargs={argument: values[argument] for argument in arguments[name]})
    for step in ("aspects", "abilities", "job", "equipment", "review"):
        yield reverse("characters:build", args=[character.pk, step])


@pytest.fixture(scope="module")
def visitors(shared):
    """The user of each role; None for the anonymous one."""
    return shared(users)


def users():
    def make(name, **rights):
        return User.objects.create_user(name, f"{name}@example.com", "a long password", **rights)

    return {
        "anonymous": None,
        "owner": make("ana"),
        "stranger": make("bo"),
        "staff": make("sam", is_staff=True),
        "admin": make("ada", is_staff=True, is_superuser=True),
        **{role: make(role) for role in (*GRANTED, "removed")},
    }


@pytest.fixture(scope="module")
def sessions(shared, visitors):
    """The cookie of each role that has signed in."""

    def signed_in(user):
        client = Client()
        client.force_login(user)
        return client.cookies

    return shared(lambda: {role: signed_in(user) for role, user in visitors.items() if user})


@pytest.fixture(scope="module")
def arguments(shared, visitors):
    """The value for each argument of a URL. The storyteller visits a character that the owner has not played."""
    return shared(lambda: rows_of(visitors))


def rows_of(visitors):
    named = {"uidb36": "1", "key": "no-such-key", "ruleset": "polyhedral", "kind": "skill", "slug": "athletics"}
    named["signed"] = "1:not-by-us"
    owners, played = (owned_by(visitors["owner"], xp=1000) for _ in range(2))
    for character in (owners, played):
        a_level_and_back(character, Person(visitors["owner"]))
        for role in GRANTED:
            Grant.objects.create(character=character, user=visitors[role], role=role)
        Grant.objects.create(character=character, user=visitors["removed"], role="storyteller").delete()
    campaign = table_of(visitors)
    moths = homebrew("Moths", campaign=campaign, moth="Mothwing")
    in_play(moths, owners, played)
    token = make_link(owners.pk, Person(visitors["owner"]), KEY)
    return {
        **named,
        "pk": owners.pk,
        "of_storyteller": {"pk": played.pk, "seat": prepared(visitors, campaign)},
        "token": token,
        "entry": moths.elements.get().pk,
        "link": owners.links.get().pk,
        "campaign": campaign.pk,
        **invited(visitors, campaign),
        **fought(visitors, campaign),
        "seat": prepared(visitors, campaign),
        "mark": set_mark(campaign.pk, Person(visitors["owner"]), KEY, name="Reef").pk,
        "character": owners.pk,
        "date": NONE,
        "pairing": campaign.pairings.create(first=owners, second=played, key=KEY).pk,
        "purchase": wanted(campaign, owners, played),
        "note": write(campaign.pk, Person(visitors["owner"]), KEY, text="Ebb", reader="storytellers").pk,
    }


def wanted(campaign, buyer, other):
    """A shared purchase that nobody has agreed to."""
    made = campaign.purchases.create(buyer=buyer, ref="gear:torch", quantity=1, key=KEY)
    for one in (buyer, other):
        made.shares.create(character=one)
    return made.pk


def a_level_and_back(character, person):
    """Take a level and undo it; returns the sequence of the change that took it."""
    character.refresh_from_db()
    saw = seen(bundle_for(character.ruleset), character.version)
    pick = {"take": "core-rules.level-talent", "targets": ["talent:medic"]}
    taken = verbs.level_up(character.pk, person, f"{KEY}-up", level=2, saw=saw, **pick)
    verbs.take_back_level(character.pk, person, f"{KEY}-back", level=2)
    return taken.sequence


def prepared(visitors, campaign):
    """A seat for a player to take."""
    return bring(campaign.pk, Person(visitors["owner"]), owned_by(visitors["owner"]).pk).pk


def invited(visitors, campaign):
    invitation = make_invite(campaign.pk, Person(visitors["owner"]), KEY, role="player", most=9, days=1)
    guest = campaign.members.create(guest="d" * 64, name="Nell", role="player")
    handing = make_device_link(campaign.pk, Person(visitors["owner"]), guest.pk, KEY)
    return {"invitation": invitation, "invite": campaign.invites.get().pk, "member": guest.pk, "handing": handing}


def fought(visitors, campaign):
    """The ids of an encounter with a creature that was hit and has a condition, and of a screen that shows it."""
    lead = Person(visitors["owner"])
    encounter = encounters.begin(campaign.pk, lead, KEY)
    columns = {"name": "Bear", "vital": 30, "rolls": "Claw 3D"}
    creature = creatures.create(campaign.pk, lead, KEY, many=1, hidden=False, **columns)
    bear = creature.combatants.get()
    creature_actions.hit(campaign.pk, lead, KEY, bear.pk, amount=1, heal=False)
    combatant_conditions.add(campaign.pk, lead, KEY, bear.pk, name="Asleep", rounds=1, whose=None, at_end=False)
    screening = make_screen(campaign.pk, lead, KEY, vitals="bars")
    return {
        "encounter": encounter.pk,
        "creature": creature.pk,
        "combatant": bear.pk,
        "hit": bear.hits.get().pk,
        "condition": bear.conditions.get().pk,
        "screening": screening,
        "screen": campaign.screens.get().pk,
    }


def table_of(visitors):
    """A campaign that the owner leads. The storyteller of the character helps them; the reader is at no table."""
    campaign = campaigns.create(Person(visitors["owner"]), KEY, name="Saltmarsh")
    roles = {"party": "player", "spectator": "spectator", "storyteller": "co-storyteller", "removed": "co-storyteller"}
    for name, role in roles.items():
        gone = timezone.now() if name == "removed" else None
        campaign.members.create(user=visitors[name], name=name, role=role, gone_at=gone)
    return campaign


class Visitor(Client):
    """A browser with these cookies. All share one handler, because its middleware takes time to load."""

    ANSWERS = ClientHandler(enforce_csrf_checks=False)

    def __init__(self, cookies, **more):
        super().__init__(**more)
        self.handler = self.ANSWERS
        self.cookies.update(cookies)


def visit(cookies, role, url, line):
    client = Visitor(cookies)
    if line.method != "post":
        return client.generic(line.method.upper(), url)
    return client.post(url, {"key": f"{KEY}-{role}", **line.data})


@cache
def arguments_of():
    """The names of the arguments of every URL, by its name."""
    return dict(named_urls())


def url_of(name, values, role):
    values = {**values, **values["of_storyteller"]} if role == "storyteller" else values
    return reverse(name, kwargs={argument: values[argument] for argument in arguments_of()[name]})
