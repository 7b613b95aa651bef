from django.urls import reverse


def test_it_says_that_the_database_answers(client, db):
    response = client.get(reverse("health"))
    assert response.status_code == 200
    assert response.json() == {"database": "answers"}
