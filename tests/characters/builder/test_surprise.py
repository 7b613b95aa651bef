"""A random character is one that you would play; another can take its place."""

import uuid
from random import Random

import pytest
from django.urls import reverse

from characters.models import Character
from characters.verbs.begin import random_build
from rules.compile import bundle_for
from rules.engine import Build, Decision, derive
from rules.games.polyhedral import chance

pytestmark = pytest.mark.django_db
MANY = 200


THROWERS = {"feature:marksmanship", "feature:thrown-weapons"}


@pytest.mark.slow
def test_each_of_two_hundred_random_characters_is_playable():
    bundle, wrong, shielded = bundle_for("polyhedral"), [], 0
    dispositions = {element.ref: element.name for element in bundle.of_kind("disposition")}
    tags = {row.text: row.tag for row in bundle.suggestions}
    for seed in range(MANY):
        build = random_build(bundle, Random(seed))
        sheet = derive(bundle, build)
        main = chance.needs(bundle, build)[0]
        in_hand = [item for item in build.items if item.state in ("main", "two-hands", "off")]
        arms = [item for item in in_hand if item.ref.startswith("weapon:")]
        weapons = {item.ref for item in arms}
        shields = [item for item in build.items if "shield" in item.ref]
        shielded += bool(shields)
        worn = [item for item in build.items if item.state == "worn"]
        faults = {
            "problems": bool(sheet.problems),
            "main ability": sheet.value(main) < 14,
            "weapon": (not weapons and "feature:unarmed-fighting" not in sheet.active)
            or (weapons == {"weapon:dart"} and not sheet.active.keys() & THROWERS)
            or weapons == {"weapon:boomerang"},
            "a shield and two hands": bool(shields) and not all(item.state == "main" for item in arms),
            "armor": not worn or sheet.value("defense") < 12,
            "aspects": len({kind for kind, _ in build.aspects}) < 4,
        }
        (disposition,) = (dispositions[d.ref] for d in build.decisions if d.ref in dispositions)
        ideal = dict(build.aspects)["ideal"]
        faults["ideal"] = tags[ideal] not in {disposition, *chance.FOR_ANYBODY}
        wrong += [f"{seed}: {fault}" for fault, found in faults.items() if found]
    assert wrong == []
    assert shielded


def test_the_abilities_that_a_job_needs_come_from_its_content():
    bundle = bundle_for("polyhedral")
    fighter = Build(decisions=(Decision("core-rules.job", ref="job:fighter"),))
    assert chance.needs(bundle, fighter) == ["rank.strength", "rank.vitality"]
    assert chance.needs(bundle, Build()) == []


def surprise(client, **fields):
    response = client.post(reverse("characters:surprise"), {"key": uuid.uuid4().hex, **fields})
    return response, Character.objects.filter(sample="").latest("pk")


def test_a_surprise_opens_its_sheet_with_an_offer_to_keep_it_or_see_another(client):
    response, character = surprise(client)
    assert response.headers["Location"] == f"{character.get_absolute_url()}?surprise"
    text = client.get(response.headers["Location"]).content.decode()
    assert f'name="instead" value="{character.pk}"' in text
    assert f'<a class="button" href="{character.get_absolute_url()}">Keep<' in text
    assert 'name="instead"' not in client.get(character.get_absolute_url()).content.decode()


def test_another_surprise_puts_the_first_into_the_bin(client):
    _, first = surprise(client)
    _, second = surprise(client, instead=first.pk)
    first.refresh_from_db()
    assert (first.binned_at is None, second.binned_at) == (False, None)


@pytest.mark.parametrize("instead", ["", "x", "0", str(2**63), "999999"])
def test_another_surprise_in_place_of_no_character_is_one_more(client, instead):
    _, first = surprise(client)
    response, _ = surprise(client, instead=instead)
    first.refresh_from_db()
    assert (response.status_code, first.binned_at) == (303, None)


def test_a_surprise_that_has_been_changed_since_is_kept(client):
    _, first = surprise(client)
    client.post(reverse("characters:rename", args=[first.pk]), {"key": uuid.uuid4().hex, "name": "Nell"})
    surprise(client, instead=first.pk)
    first.refresh_from_db()
    assert first.binned_at is None


def test_somebody_elses_surprise_is_left_alone(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ana"))
    _, theirs = surprise(client)
    client.logout()
    response, mine = surprise(client, instead=theirs.pk)
    assert response.headers["Location"] == f"{mine.get_absolute_url()}?surprise"
    theirs.refresh_from_db()
    assert theirs.binned_at is None
