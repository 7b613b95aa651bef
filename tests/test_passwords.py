"""The rules for a password, and the words when it breaks one: the sentences are the site's own."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.test import Client
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
def test_a_weak_password_is_refused_by_its_field(client, django_user_model, password, sentence):
    answer = sign_up(client, password)
    assert sentence in answer.context["form"].errors["password1"]
    assert not django_user_model.objects.filter(username="mira.stormhand").exists()


@pytest.mark.django_db
def test_a_good_password_makes_the_account(client, django_user_model):
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


TAKEN = {"username": "Ana", "email": "mira@ferry.example", "password1": "nine ferries at dusk"}
REFUSED = {
    ("username", ""): "Fill this in.",
    ("username", "m"): "That is too short: at least 2 characters.",
    ("username", "m" * 151): "That is too long: at most 150 characters.",
    ("username", "Mira <b>"): "Use only letters, digits and . - _ + @, and no spaces.",
    ("username", "bo@example.com"): "Other people see this name, so it cannot be an email address.",
    ("username", "ana"): "This name is taken. Choose another one.",
    ("email", "mira"): "Type an email address, such as ana@example.org.",
}


@pytest.mark.django_db
@pytest.mark.parametrize(("field", "typed"), REFUSED)
def test_a_wrong_username_or_email_is_refused_in_the_words_of_the_site(client, django_user_model, field, typed):
    django_user_model.objects.create_user("ana", "ana@example.com", "a long password")
    answer = client.post(reverse("account_signup"), {**TAKEN, "username": "mira", field: typed})
    assert answer.context["form"].errors[field] == [REFUSED[field, typed]]
    assert re.search(rf'<input[^>]* id="id_{field}"[^>]*>', answer.content.decode())[0].count("autofocus") == 1


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["account_signup", "account_email", "account_reset_password"])
@pytest.mark.parametrize("length", [255, 321, 5000])
def test_an_address_longer_than_its_column_is_refused_by_its_field(client, django_user_model, page, length):
    ana = django_user_model.objects.create_user("ana", "ana@example.com", "quiet reeds at dusk")
    if page == "account_email":
        client.post(reverse("account_login"), {"login": "ana", "password": "quiet reeds at dusk"})
    sent = {"username": "mira", "password1": "quiet reeds at dusk", "action_add": ""}
    answer = client.post(reverse(page), {**sent, "email": f"{'@example.com':a>{length}}"})
    assert answer.context["form"].errors["email"] == ["That is too long: at most 254 characters."]
    assert django_user_model.objects.get() == ana
    assert not EmailAddress.objects.filter(email__startswith="aaa").exists()


PASSWORD = "nine ferries at dusk"
SPELLINGS = {"ｘ２ａｎｎ": "x2ann", "rene\u0301e": "renée", "ﬁnn": "finn"}


def signs_in(login):
    """The name of the account that this login and the password open; "" for none."""
    client = Client()
    client.post(reverse("account_login"), {"login": login, "password": PASSWORD})
    return get_user(client).get_username()


@pytest.mark.django_db
@pytest.mark.parametrize(("typed", "stored"), SPELLINGS.items())
def test_two_spellings_of_a_username_are_one_account(client, django_user_model, typed, stored):
    form = {"username": typed, "email": "mira@ferry.example", "password1": PASSWORD}
    client.post(reverse("account_signup"), form)
    assert django_user_model.objects.get().username == stored
    again = Client().post(reverse("account_signup"), {**form, "username": stored, "email": "bo@ferry.example"})
    assert again.context["form"].errors["username"] == ["This name is taken. Choose another one."]
    assert (signs_in(typed), signs_in(stored)) == (stored, stored)


@pytest.mark.django_db
@pytest.mark.parametrize(("typed", "stored"), SPELLINGS.items())
def test_an_account_from_before_one_spelling_was_stored_signs_in(django_user_model, typed, stored):
    django_user_model(username=typed, password=make_password(PASSWORD)).save()
    assert signs_in(typed) == typed
    django_user_model.objects.create_user(stored, password=PASSWORD)
    assert (signs_in(typed), signs_in(stored)) == (typed, stored)


@pytest.mark.django_db
def test_an_address_in_another_spelling_signs_in(django_user_model):
    """A domain may have letters of its own."""
    django_user_model.objects.create_user("mira", "mira@ﬁnn.example", PASSWORD)
    assert signs_in("mira@ﬁnn.example") == "mira"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["ﷺ" * 9, "ﷺ" * 150, "mira＠ferry。example", "mira¨"])
def test_a_username_is_checked_in_the_spelling_that_is_stored(client, django_user_model, name):
    form = {"username": name, "email": "mira@ferry.example", "password1": PASSWORD}
    assert len(client.post(reverse("account_signup"), form).context["form"].errors["username"]) == 1
    assert not django_user_model.objects.exists()


@pytest.mark.django_db
def test_a_name_that_is_an_address_still_signs_in_and_the_operator_may_give_one(django_user_model):
    call_command("createsuperuser", interactive=False, username="mira@ferry.example", email="mira@post.example")
    mira = django_user_model.objects.get()
    mira.set_password(PASSWORD)
    mira.save(update_fields=["password"])
    assert (signs_in("mira@ferry.example"), signs_in("mira@post.example")) == (mira.username, mira.username)


@pytest.mark.django_db
def test_a_wrong_password_focuses_the_error_and_a_right_one_leads_to_the_characters(client, django_user_model):
    django_user_model.objects.create_user("ana", "ana@example.com", "a long password")
    tried = {"login": "ana", "password": "a short password"}
    page = client.post(reverse("account_login"), tried).content.decode()
    assert '<div class="error-summary" role="alert" tabindex="-1" autofocus>' in page
    answer = client.post(reverse("account_login"), {**tried, "password": "a long password"})
    assert answer.url == reverse("characters:list")


@pytest.mark.django_db
def test_the_link_to_sign_in_leads_back_to_its_page(client):
    assert 'href="/accounts/login/?next=/rules/%3Fq%3Dsword"' in client.get("/rules/?q=sword").content.decode()
    assert 'href="/accounts/login/"' in client.get("/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:alert(1)"]
)
@pytest.mark.parametrize("hosts", [["testserver"], ["*"]])
def test_signing_in_up_and_out_leads_to_no_other_site(client, django_user_model, settings, elsewhere, hosts):
    settings.ALLOWED_HOSTS = hosts
    django_user_model.objects.create_user("ana", "ana@example.com", "a long password")
    forms = {
        "account_login": {"login": "ana", "password": "a long password"},
        "account_logout": {},
        "account_signup": {**TAKEN, "username": "mira", "email": "mira@example.com"},
    }
    for name, fields in forms.items():
        answer = client.post(reverse(name), {**fields, "next": elsewhere})
        assert answer.url in ("/", reverse("characters:list")), name


def test_the_admin_changes_passwords_on_the_page_of_the_account(client, admin_user):
    """Only that page limits wrong passwords and sends a mail."""
    client.force_login(admin_user)
    for method in (client.get, client.post):
        answer = method("/admin/password_change/")
        assert (answer.status_code, answer.url) == (302, "/accounts/password/change/")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["m" * 255, "m" * 60_000, "ﷺ" * 20_000])
def test_a_name_longer_than_any_account_has_is_refused_by_its_field(client, name):
    answer = client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert answer.context["form"].errors["login"] == ["That is too long: at most 254 characters."]
