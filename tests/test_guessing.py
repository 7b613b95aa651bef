"""Wrong passwords: guessing is limited, and the owner still gets in."""

import pytest
from allauth.account import app_settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from polyhedral_site import devices

pytestmark = [pytest.mark.django_db, pytest.mark.full]

PASSWORD, WRONG, OTHER = "a long enough password", "another long password", "a new long password"
HOME, ELSEWHERE = "192.0.2.7", "198.51.100.9"
SIGNED_IN, REFUSED = 302, 200


@pytest.fixture
def ana():
    return User.objects.create_user("ana", "ana@example.com", PASSWORD)


@pytest.fixture
def few_by_name(settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_failed_name": "7/60m/key"}


def signs_in(client, password=PASSWORD, address=HOME, name="ana", **headers):
    return client.post("/accounts/login/", {"login": name, "password": password}, REMOTE_ADDR=address, headers=headers)


def guess(times, address=ELSEWHERE, name="ana"):
    """The answer to the last try. Each try comes from a new browser."""
    for _ in range(times):
        answer = signs_in(Client(), WRONG, address, name)
    return answer.content.decode()


def guess_from_everywhere(times, name="ana"):
    for number in range(times):
        last = guess(1, f"203.0.113.{number}", name)
    return last


def known_device(name="ana"):
    client = Client()
    assert signs_in(client, name=name).status_code == SIGNED_IN
    client.post("/accounts/logout/")
    return client


def test_the_owner_gets_in_from_elsewhere_while_somebody_guesses(ana):
    assert "Wait 5 minutes" in guess(6)
    assert signs_in(Client(), address=ELSEWHERE).status_code == REFUSED
    assert signs_in(Client()).status_code == SIGNED_IN


def test_guesses_at_one_name_in_many_spellings_are_counted_together(ana):
    spellings = ["ana", "ａna", "aｎa", "anａ", "ａｎa", "ａｎａ"]
    for name in spellings:
        last = guess(1, name=name)
    assert "Too many wrong passwords" in last


def test_guesses_at_one_name_from_many_addresses_are_limited(ana, few_by_name):
    assert "Too many" not in guess_from_everywhere(7)
    assert "Wait 60 minutes" in guess_from_everywhere(1)
    assert signs_in(Client()).status_code == REFUSED


def test_the_longest_wait_is_told(ana, few_by_name):
    guess(5)
    guess_from_everywhere(2)
    assert "Wait 60 minutes" in guess(1)  # by address and name it would be five


def test_the_limit_by_name_alone_allows_far_more_tries():
    limits = app_settings.RATE_LIMITS
    assert limits["login_failed_name"] == "100/60m/key"
    assert "5/5m/key" in limits["login_failed"]


def test_a_known_device_gets_in_while_others_guess_from_everywhere(ana, few_by_name):
    device = known_device()
    for name in ("ana", "ana@example.com"):
        guess_from_everywhere(8, name)
        assert signs_in(Client(), name=name).status_code == REFUSED
        assert signs_in(device, name=name.upper()).status_code == SIGNED_IN
        device.post("/accounts/logout/")


def test_a_known_device_has_ten_more_tries_than_a_stranger(ana):
    device = known_device()
    answers = [signs_in(device, WRONG).content.decode() for _ in range(16)]
    assert "Too many" not in answers[14]  # ten as a known device, five as a stranger
    assert "Wait 5 minutes" in answers[15]


def test_a_known_device_keeps_its_token_so_its_tries_stay_counted(ana):
    device = known_device()
    before = device.cookies[f"device-{ana.pk}"].value
    assert signs_in(device).status_code == SIGNED_IN
    device.get("/accounts/email/")
    assert device.cookies[f"device-{ana.pk}"].value == before


def test_the_cookie_is_signed_for_one_account_and_one_password(ana, few_by_name):
    User.objects.create_user("bo", "bo@example.com", PASSWORD)
    bo = known_device("bo")
    guess_from_everywhere(8)
    stolen = bo.cookies[f"device-{User.objects.get(username='bo').pk}"].value
    for value in (stolen, "made-up:1abc:signature", ""):
        bo.cookies[f"device-{ana.pk}"] = value
        assert signs_in(bo).status_code == REFUSED


def test_a_changed_password_ends_the_cookie_of_other_devices(ana, few_by_name):
    device = known_device()
    ana.set_password(OTHER)
    ana.save()
    assert signs_in(known := Client(), OTHER).status_code == SIGNED_IN
    known.post("/accounts/logout/")
    guess_from_everywhere(8, "ANA")
    assert signs_in(known, OTHER).status_code == SIGNED_IN
    assert signs_in(device, OTHER).status_code == REFUSED


def test_a_device_that_changes_the_password_stays_known(ana, rf):
    device = Client()
    signs_in(device)
    device.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": WRONG, "password2": WRONG})
    ana.refresh_from_db()
    request = rf.get("/")
    request.COOKIES = {name: morsel.value for name, morsel in device.cookies.items()}
    assert devices.token(request, ana)


def test_scripts_cannot_read_the_cookie_and_only_account_pages_get_it(ana):
    cookie = known_device().cookies[f"device-{ana.pk}"]
    assert (cookie["httponly"], cookie["path"], cookie["samesite"]) == (True, "/accounts/", "Lax")
    assert cookie["max-age"] == 60 * 60 * 24 * 365


def test_in_production_the_cookie_goes_over_https_only(ana, settings):
    settings.SESSION_COOKIE_SECURE = True
    assert known_device().cookies[f"device-{ana.pk}"]["secure"]


def test_a_cookie_older_than_a_year_is_no_known_device(ana, few_by_name, monkeypatch):
    device = known_device()
    monkeypatch.setattr(devices, "YEAR", -1)
    guess_from_everywhere(8)
    assert signs_in(device).status_code == REFUSED


def test_a_password_chosen_by_mail_signs_in_at_once(ana, few_by_name, client, mailoutbox):
    guess_from_everywhere(8)
    client.post("/accounts/password/reset/", {"email": ana.email})
    link = next(word for word in mailoutbox[-1].body.split() if "/reset/key/" in word)
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": WRONG, "password2": WRONG})
    assert client.session["_auth_user_id"] == str(ana.pk)
    assert f"device-{ana.pk}" in client.cookies


def test_an_ipv6_network_counts_as_one_address(ana):
    for number in range(5):
        guess(1, f"2001:db8:1:2::{number}")
    assert "Wait 5 minutes" in guess(1, "2001:db8:1:2:ffff::1")
    assert "Too many" not in guess(1, "2001:db8:1:3::1")


def test_behind_a_proxy_the_forwarded_address_is_counted(ana, settings):
    settings.TRUSTED_PROXY_COUNT = 1
    tries = [
        signs_in(Client(), WRONG, "10.0.0.1", **{"x-forwarded-for": f"{made_up}, {ELSEWHERE}"}).content.decode()
        for made_up in map("192.0.2.{}".format, range(6))
    ]
    assert "Too many" not in tries[4]
    assert "Wait 5 minutes" in tries[5]
    assert signs_in(Client(), PASSWORD, "10.0.0.1", **{"x-forwarded-for": HOME}).status_code == SIGNED_IN
    assert signs_in(Client(), PASSWORD, "10.0.0.1").status_code == SIGNED_IN  # a proxy that names no address


def test_without_a_trusted_proxy_a_forwarded_address_is_ignored(ana):
    for number in range(5):
        signs_in(Client(), WRONG, ELSEWHERE, **{"x-forwarded-for": f"192.0.2.{number}"})
    assert "Wait 5 minutes" in guess(1)


def test_unknown_names_are_limited_like_known_ones(ana):
    for name in ("nobody", "ana"):
        assert "Too many" not in guess(5, name=name)
        assert "Wait 5 minutes" in guess(1, name=name)


@pytest.fixture
def one_address():
    """Three accounts that have signed up with one address, and have not confirmed it."""
    return [User.objects.create_user(name, "ana@example.com", name + PASSWORD) for name in ("ana", "bo", "cy")]


@pytest.mark.parametrize("name", ["ana", "nobody", "ana@example.com", "nobody@example.com"])
def test_a_wrong_password_takes_the_time_of_one_whether_or_not_there_is_an_account(one_address, name, monkeypatch):
    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *what: hashed.append(what) or encode(*what))
    guess(1, name=name)
    assert len(hashed) == 1


def test_of_several_accounts_with_an_address_the_oldest_signs_in_by_it_until_one_has_confirmed_it(one_address):
    def who_can():
        tries = [signs_in(Client(), name + PASSWORD, name="ana@example.com") for name in ("ana", "bo", "cy")]
        return [answer.status_code == SIGNED_IN for answer in tries]

    assert who_can() == [True, False, False]
    one_address[1].emailaddress_set.create(email="ana@example.com", verified=True, primary=True)
    assert who_can() == [False, True, False]
    assert signs_in(Client(), "cy" + PASSWORD, name="cy").status_code == SIGNED_IN


def test_an_account_named_like_the_address_of_another_signs_in_by_its_name(one_address):
    """Sign-up refuses such a name, but an older account may have one."""
    User.objects.create_user("ana@example.com", "old@example.com", "old" + PASSWORD)
    assert signs_in(Client(), "old" + PASSWORD, name="ana@example.com").status_code == SIGNED_IN


def test_the_admin_has_no_sign_in_of_its_own(client, admin_user):
    fields = {"username": "ana", "password": WRONG}
    answer = client.post("/admin/login/", fields)
    assert (answer.status_code, answer.url.partition("?")[0]) == (302, "/accounts/login/")
    client.force_login(admin_user)
    assert client.post("/admin/login/", fields).status_code == 405


@pytest.mark.django_db(transaction=True)
def test_a_sign_in_takes_five_commits(ana):
    """Three for the counter of tries and its lock, one for the user, one for the session. Others wait for each."""
    client = Client()
    with CaptureQueriesContext(connection) as queries:
        assert signs_in(client).status_code == SIGNED_IN
    assert writes(queries) == 5


@pytest.mark.django_db(transaction=True)
def test_a_wrong_password_takes_twelve_commits(ana):
    with CaptureQueriesContext(connection) as queries:
        assert signs_in(Client(), WRONG).status_code == REFUSED
    assert writes(queries) == 12  # each count has the library's lock around it


def writes(queries):
    """The number of commits: transactions, and writing statements outside of one."""
    many, inside = 0, False
    for sql in (query["sql"] for query in queries):
        many += sql == "COMMIT" or (not inside and sql.startswith(("INSERT", "UPDATE", "DELETE")))
        inside = sql.startswith("BEGIN") or (inside and sql != "COMMIT")
    return many
