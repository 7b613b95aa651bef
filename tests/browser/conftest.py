import pytest
from django.contrib.auth.models import User

from tests.support.characters import kept_by


@pytest.fixture
def ana(transactional_db):
    return User.objects.create_user("ana", "ana@example.com", "a long password")


@pytest.fixture
def base(ana):
    """The address of a sample that is Ana's."""
    return kept_by(ana).get_absolute_url()
