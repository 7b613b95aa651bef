"""The cached version of a character belongs to the same moment as its cached rules."""

import pytest

from characters import verbs
from characters.access import OWNER
from characters.change import fact_store
from characters.pages.sheet.live import LiveCharacter
from characters.read import page_cache, version_cache, versions
from rules.engine import derive
from rules.models import Element, Source
from rules.publications import publish
from tests.characters.cast import item_of, mira, new_key, person
from tests.support.characters import fresh
from tests.support.derived import sheets_made

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_kept():
    version_cache.VERSIONS.values.clear()


def begin():
    return fresh(mira().pk)


@pytest.fixture
def dagger(character):
    return f"item:{item_of(character, 'dagger')}"


@pytest.fixture
def edited_between(dagger, monkeypatch):
    """The dagger gets another slug after a character's rows are read, before the rules are read."""
    stored, readings = fact_store.stored, []

    def late(character):
        facts = stored(character)
        if not readings:
            Element.objects.filter(kind="weapon", slug="dagger").update(slug="dirk")
            publish(Source.objects.get(is_core=True))
        readings.append(facts)
        return facts

    monkeypatch.setattr(fact_store, "stored", late)
    return readings


def test_a_character_is_read_again_if_the_rules_are_edited_meanwhile(character, dagger, edited_between):
    """The control: the first reading has the slug that the rules no longer have."""
    version = versions.read(character)
    assert [facts[dagger]["ref"] for facts in edited_between] == ["weapon:dagger", "weapon:dirk"]
    assert version.facts[dagger]["ref"] == "weapon:dirk"
    assert version.facts[dagger]["ref"] in version.bundle.elements


def test_the_rows_are_read_once_where_nothing_is_edited(character, monkeypatch):
    stored, readings = fact_store.stored, []
    monkeypatch.setattr(fact_store, "stored", lambda character: readings.append(1) or stored(character))
    versions.read(character)
    assert len(readings) == 1


@pytest.mark.fast
def test_a_change_during_a_read_is_not_cached_under_the_earlier_version_number(character):
    """The number was read before the change, the facts after it."""
    verbs.rename(character.pk, person(), new_key(), name="Somebody else")
    version_cache.VERSIONS.values.clear()
    live = LiveCharacter.of(character, person(), OWNER)
    assert live.version_number == versions.version_number(fresh(character.pk))
    assert live.version.facts["field:name"] == "Somebody else"
    assert version_cache.find(character.pk, versions.version_number(character)) is None
    assert version_cache.current(fresh(character.pk)) is live.version


@pytest.mark.fast
@pytest.mark.parametrize("page", ["build/job/", "level-up/"])
def test_the_effects_of_options_are_derived_once_for_a_version(character, client, monkeypatch, page):
    derived = sheets_made(monkeypatch)
    client.force_login(character.owner)

    def looked():
        derived.clear()
        answer = client.get(f"/characters/{character.pk}/{page}")
        assert answer.status_code == 200
        return answer.context["sections" if "build" in page else "columns"], len(derived)

    first, needed = looked()
    assert needed
    assert looked() == (first, 0)
    verbs.rename(character.pk, person("ana"), new_key(), name="Mara")
    assert looked() == (first, needed)
    publish(Source.objects.get(is_core=True))
    assert looked()[1] == needed


@pytest.mark.fast
def test_a_sheet_that_is_kept_drawn_is_not_derived_again(character, client, monkeypatch):
    """As at a level it is no version of the character's own: only its drawn regions are kept."""
    client.force_login(character.owner)
    first = client.get(f"/characters/{character.pk}/at/1/")
    derived = []
    monkeypatch.setattr(versions, "derive", lambda *asked: derived.append(asked) or derive(*asked))
    again = client.get(f"/characters/{character.pk}/at/1/")
    assert 'id="vitals"' in again.text
    assert (first.status_code, again.status_code, len(derived)) == (200, 200, 0)
    page_cache.PARTS.clear()
    client.get(f"/characters/{character.pk}/at/1/")
    assert len(derived) == 1
