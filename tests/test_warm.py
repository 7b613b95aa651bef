"""The first visitor after a start finds the rules compiled, the regions of a sheet loaded and its queries prepared."""

import pytest
from django.db import DatabaseError
from django.template import engines

from characters.pages import drawing
from polyhedral_site.warm import warm
from rules import compile as compiling
from rules.fast_sql.prepared import Prepared
from rules.lru import LRU
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def cold(monkeypatch):
    """As right after a start: nothing is compiled yet."""
    regions = engines["regions"].env
    monkeypatch.setattr(regions, "cache", type(regions.cache)(regions.cache.capacity))
    drawing._known.cache_clear()
    monkeypatch.setattr(compiling, "_merged", LRU(9))
    for query in Prepared.known:
        vars(query).pop("compiled", None)


def test_after_warming_up_the_first_sheet_compiles_no_rules_regions_or_queries(
    cold, client, django_user_model, monkeypatch
):
    ana = django_user_model.objects.create_user("ana")
    character = owned_by(ana)
    warm()
    monkeypatch.setattr(type(engines["regions"].env), "compile", None)
    monkeypatch.setattr(compiling, "merge", None)
    monkeypatch.setattr(Prepared, "placed", None)
    client.force_login(ana)
    assert client.get(character.get_absolute_url()).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_warming_up_prepares_every_query_also_those_that_lock(cold, caplog):
    """On PostgreSQL, Django makes these only inside a transaction."""
    warm()
    assert "will wait a little longer" not in caplog.text
    assert all("compiled" in vars(query) for query in Prepared.known)


def test_warming_up_survives_a_database_that_is_away(monkeypatch, caplog):
    def away(*args, **kwargs):
        raise DatabaseError

    monkeypatch.setattr("characters.models.Character.objects.exclude", away)
    warm()
    assert "will wait a little longer" in caplog.text


def test_without_warming_up_the_first_sheet_compiles_all_three(cold, client, django_user_model, monkeypatch):
    """The control."""
    ana = django_user_model.objects.create_user("ana")
    character = owned_by(ana)
    costly = ((type(engines["regions"].env), "compile"), (compiling, "merge"), (Prepared, "placed"))
    for where, name in costly:
        with monkeypatch.context() as one:
            one.setattr(where, name, None)
            one.setattr(compiling, "_merged", LRU(9))
            client.force_login(ana)
            with pytest.raises(TypeError, match="NoneType"):
                client.get(character.get_absolute_url())
