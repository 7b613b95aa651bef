"""The rules for a password, and the words when it breaks one: the sentences are the site's own."""

import re

import pytest
from django.urls import reverse

SAID = {
    "short": "That password is too short: use at least 10 characters.",
    "mira-stormhand": "That password is too close to your username.",
    "mira@ferry.example": "That password is too close to your email address.",
    "1234567890": "That password is one of the first that a stranger would try.",
}


def sign_up(client, password):
    form = {"username": "mira.stormhand", "email": "mira@ferry.example", "password1": password}
    return client.post(reverse("account_signup"), form)


@pytest.mark.django_db
@pytest.mark.parametrize(("password", "sentence"), SAID.items())
def test_a_password_that_will_not_do_is_refused_by_its_field(client, django_user_model, password, sentence):
    answer = sign_up(client, password)
    assert sentence in answer.context["form"].errors["password1"]
    assert not django_user_model.objects.filter(username="mira.stormhand").exists()


@pytest.mark.django_db
def test_one_that_will_do_makes_the_account(client, django_user_model):
    sign_up(client, "nine ferries at dusk")
    assert django_user_model.objects.filter(username="mira.stormhand").exists()


@pytest.mark.django_db
def test_the_rules_stand_by_the_field_before_anything_is_typed(client):
    page = client.get(reverse("account_signup")).content.decode()
    said = re.findall(r"<li>([^<]+)</li>", page[page.index('id="id_password1_helptext"') :])
    assert said[:3] == [
        "At least 10 characters.",
        "Nothing like your username or your email address.",
        "Not one that many people use.",
    ]
