import pytest

from rules.compile import bundle_for


@pytest.fixture
def core(db):
    """The Polyhedral core as the engine reads it."""
    return bundle_for("polyhedral")
