import pytest
from django.contrib.auth.models import User


@pytest.fixture
def editor(client, db):
    """Ada, who may edit all content, at the admin."""
    client.force_login(User.objects.create_superuser("ada", "ada@example.com", "a long password"))
    return client
