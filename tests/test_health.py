from django.db import OperationalError, connection
from django.urls import reverse


def test_it_says_that_the_database_answers(client, db):
    response = client.get(reverse("health"))
    assert response.status_code == 200
    assert response.json() == {"database": "answers"}


def test_it_says_when_the_database_does_not(client, db, monkeypatch):
    def fail():
        raise OperationalError("no such server")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", fail)
        response = client.get(reverse("health"))
    assert response.status_code == 503
    assert response.json() == {"database": "does not answer"}
