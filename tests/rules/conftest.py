import pytest

from rules.compile import bundle_for
from rules.models import Source, Talent
from rules.packs.load import load_rules

from .admin_form import Game
from .small_pack import write_pack


@pytest.fixture
def core(db):
    """The Polyhedral core as the engine reads it."""
    return bundle_for("polyhedral")


@pytest.fixture(scope="module")
def small_pack(shared, tmp_path_factory):
    """The small pack, beside the core rules, for the tests of a module."""
    shared(lambda: load_rules(write_pack(tmp_path_factory.mktemp("small"))))


@pytest.fixture
def small(small_pack, db):
    """The source of the small pack."""
    return Source.objects.get(slug="small-core")


@pytest.fixture
def game(no_rules):
    """The only game there is, to be edited."""
    return Game("game")


@pytest.fixture
def talent(db):
    """A talent of the core rules, without rows."""
    source = Source.objects.get(is_core=True)
    return Talent.objects.create(ruleset=source.ruleset, source=source, slug="wary", name="Wary")
