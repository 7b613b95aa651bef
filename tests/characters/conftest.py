from copy import deepcopy

import pytest

from rules.models import Source
from rules.packs.load import load_rules
from tests.support.guild import write_guild


@pytest.fixture
def core(db):
    """The source of the core rules."""
    return Source.objects.select_related("ruleset").get(slug="polyhedral-core")


@pytest.fixture
def character(begun):
    return deepcopy(begun)


@pytest.fixture(scope="module")
def guild_loaded(shared, tmp_path_factory):
    shared(lambda: load_rules(write_guild(tmp_path_factory.mktemp("guild"))))


@pytest.fixture
def guild(guild_loaded, db):
    """A layer of second jobs and of talents that ask for something first."""
    return Source.objects.get(slug="guild")
