"""A sample grown to level 30 with every choice answered, and one of every tenth thing there is to carry."""

import random
from dataclasses import replace

from django.contrib.auth.models import User

from characters.build import bundle_of, load_build
from characters.files import facts_of
from characters.journal import begin, fingerprint_of
from characters.models import Character
from characters.people import Person
from characters.verbs.begin import fill
from rules.engine import Decision, Item
from rules.engine.chance import answer_all
from rules.systems import system_of


def sample():
    """(bundle, build) of the first sample, at level 1."""
    character = Character.objects.exclude(sample="").select_related("ruleset").earliest("pk")
    build = load_build(character)
    return bundle_of(character, build), build


def heavy(level=30):
    """(bundle, build) of that sample at a level: job ranks as far as they go, then ability increases."""
    bundle, build = sample()
    things = [ref for ref, element in bundle.elements.items() if element.kind in {"weapon", "armor", "gear"}]
    items = (*build.items, *(Item(ref=ref, key=f"heavy-{number}") for number, ref in enumerate(things[::10])))
    stats = system_of(bundle.system).steps.rank_stats(bundle)
    job = next(decision.ref for decision in build.decisions if decision.choice == "core-rules.job")
    picks = [Decision("core-rules.level-job", at, ref=job) for at in range(2, min(level, 15) + 1)]
    picks += [Decision("core-rules.level-abilities", at, stat=stats[at % 6], points=2) for at in range(16, level + 1)]
    switches = {**build.switches, "abilityCap": "none"}
    decisions = (*build.decisions, *picks)
    grown = replace(build, xp=(level - 1) * 1000, items=items, decisions=decisions, switches=switches)
    own_words = system_of(bundle.system).chance.OWN_WORDS
    return bundle, answer_all(bundle, grown, random.Random(1), own_words)


def kept_heavy():
    """The heavy character as rows, owned by the user of the bench."""
    user, _ = User.objects.get_or_create(username="bench")
    character = user.characters.first()
    if character:
        return character
    bundle, build = heavy()

    def act(draft):
        fill(draft, facts_of(bundle, build))
        return "The heavy character."

    begin(
        Person(user),
        "bench",
        "bench-" + "0" * 26,
        fingerprint_of(),
        act,
        ruleset=Character.objects.earliest("pk").ruleset,
    )
    return user.characters.get()
