"""Players and their characters: a sample at level 1, or grown to a level with every choice answered.

The grown one carries every tenth thing there is. Everyone has their own characters.
"""

import random
from dataclasses import replace
from functools import cache

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from characters.change.begin_character import begin
from characters.models import Character
from characters.people import Person
from characters.read.character_file import facts_of
from characters.read.versions import read
from characters.verbs.begin import fill
from rules.engine import Decision, Item
from rules.engine.random_answers import answer_all
from tests.characters.cast import new_key

from .server_load import TOKEN

# The sample's Strength and Spirit swapped, so that every use of resolve can be paid for.
SPIRITED = {"rank.spirit": 15, "rank.strength": 13}


@cache
def build_at(level: int):
    """(bundle, build) of the first sample; above level 1, with job ranks up to the last, then ability increases."""
    character = Character.objects.exclude(sample="").select_related("ruleset").earliest("pk")
    stored = read(character)
    bundle, build = stored.bundle, stored.build
    if level == 1:
        return bundle, replace(build, inputs={**build.inputs, **SPIRITED})
    things = [ref for ref, element in bundle.elements.items() if element.kind in {"weapon", "armor", "gear"}]
    items = (*build.items, *(Item(ref=ref, key=f"heavy-{number}") for number, ref in enumerate(things[::10])))
    stats = list(bundle.game.creation.rank_stats(bundle))
    job = next(decision.ref for decision in build.decisions if decision.choice == "core-rules.job")
    picks = [Decision("core-rules.level-job", at, ref=job) for at in range(2, min(level, 15) + 1)]
    picks += [Decision("core-rules.level-abilities", at, stat=stats[at % 6], points=2) for at in range(16, level + 1)]
    switches = {**build.switches, "abilityCap": "none"}
    decisions = (*build.decisions, *picks)
    grown = replace(build, xp=(level - 1) * 1000, items=items, decisions=decisions, switches=switches)
    return bundle, answer_all(bundle, grown, random.Random(1), bundle.game.chance.OWN_WORDS)


@cache
def person(number: int) -> Person:
    return Person(User.objects.create(username=f"bench-{number}"))


@cache
def character(level: int, number: int = 0) -> Character:
    """The character that this person plays at this level, as rows."""

    def act(draft):
        fill(draft, facts_of(*build_at(level)))
        return "Ready for the bench."

    game = Character.objects.exclude(sample="").select_related("ruleset").earliest("pk").ruleset
    return begin(person(number), "bench", new_key(), {}, act, ruleset=game).character


def device(number: int = 0) -> dict:
    """The headers of a browser that this person has just signed in with."""
    client = Client()
    client.force_login(person(number).user)
    return {"Cookie": f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"}


def device_with_form(number: int = 0) -> dict:
    """The headers of that browser after a page with a form has given it a token."""
    return {"Cookie": f"{device(number)['Cookie']}; csrftoken={TOKEN}"}
