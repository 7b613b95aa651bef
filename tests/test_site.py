"""Policies, caching, limits and error pages of every answer."""

import io
import logging

import brotli
import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from polyhedral_site import errors
from polyhedral_site.logs import ErrorIdFilter
from polyhedral_site.middleware import compress, keep_private
from tests.support.visitors import named_urls

LOGIN = "/accounts/login/"


def test_pages_allow_nothing_but_their_own_origin(client, db):
    policy = client.get(LOGIN).headers["Content-Security-Policy"]
    allowed = dict(directive.split(" ", 1) for directive in policy.split("; "))
    assert set(allowed.values()) == {"'none'", "'self'"}
    for nothing in ("default-src", "base-uri", "frame-ancestors"):
        assert allowed[nothing] == "'none'"


def test_pages_are_framed_nowhere_and_told_to_nobody(client, db):
    headers = client.get(LOGIN).headers
    assert "form-action 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_length_of_a_compressed_page_is_hidden(client, db):
    """So that a stranger who can make a visitor load pages cannot learn the page's secrets from its length."""
    ask = {"accept-encoding": "br"}
    assert len({len(client.get(LOGIN, headers=ask).headers["X-Padding"]) for _ in range(8)}) > 1


def test_a_picture_is_sent_as_it_is_kept():
    kept = HttpResponse(bytes(1000), content_type="image/webp")
    sent = compress(lambda request: kept)(RequestFactory().get("/", headers={"accept-encoding": "br"}))
    assert not sent.has_header("Content-Encoding")
    assert sent.content == bytes(1000)


def test_signed_in_pages_stay_out_of_caches(client, admin_user):
    client.force_login(admin_user)
    cached = client.get(reverse("account_logout")).headers["Cache-Control"]
    assert "private" in cached
    assert "no-store" in cached


def test_a_page_for_everybody_says_nothing_about_caches():
    response = keep_private(lambda request: HttpResponse())(RequestFactory().get("/"))
    assert not response.has_header("Cache-Control")


@pytest.mark.parametrize(("said", "kept"), [("", "private, no-store"), ("public, max-age=60", "public, max-age=60")])
def test_an_answer_that_begins_a_session_stays_out_of_caches_unless_it_says_otherwise(settings, said, kept):
    answer = HttpResponse(headers={"Cache-Control": said} if said else {})
    answer.set_cookie(settings.SESSION_COOKIE_NAME, "a new session")
    response = keep_private(lambda request: answer)(RequestFactory().get("/"))
    assert response.headers["Cache-Control"] == kept


def test_pages_are_compressed_for_browsers_that_accept_it(client, db):
    plain = client.get(LOGIN)
    packed = client.get(LOGIN, headers={"accept-encoding": "gzip, deflate, br, zstd"})
    assert not plain.has_header("Content-Encoding")
    assert packed.headers["Content-Encoding"] == "br"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert brotli.decompress(packed.content).startswith(b"<!doctype html>")
    assert len(packed.content) == int(packed.headers["Content-Length"]) < len(plain.content) / 2


def test_a_body_over_the_limit_gets_a_sentence(client, db):
    response = client.post(LOGIN, b"x" * 1_000_001, content_type="application/json")
    assert response.status_code == 413
    page = response.content.decode()
    assert page.count("<h1>") == 1
    assert "<title>That is too large · Polyhedral</title>" in page
    assert "the limit is 1 MB" in page
    assert 'href="/"' in page


def test_a_body_just_under_the_limit_is_read(client, db):
    assert client.post(LOGIN, b"x" * 999_999, content_type="text/plain").status_code == 200


@pytest.mark.parametrize("more", [1, 3_000])
def test_too_many_fields_are_refused(client, db, more):
    fields = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + more
    body = "&".join(f"a{number}=1" for number in range(fields))
    response = client.post(LOGIN, body, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400


@pytest.mark.parametrize("path", ["/nowhere/", "/%00/", "/%ff%fe/", "/rules/%ED%A0%80/", "/" + "a" * 5000])
def test_unknown_pages_are_404(client, db, path):
    assert client.get(path).status_code == 404


def test_a_form_without_its_token_is_403(db):
    response = Client(enforce_csrf_checks=True).post(LOGIN, {"login": "ana"})
    assert response.status_code == 403
    assert b"reload the page and send it again" in response.content


def test_an_unknown_host_is_400(client, db):
    assert client.get("/rules/", headers={"host": "elsewhere.example"}).status_code == 400


def test_the_error_page_and_the_log_carry_the_same_id(db):
    request = RequestFactory().get("/")
    page = errors.server_error(request)
    record = logging.LogRecord("django.request", logging.ERROR, "", 0, "failed", None, None)
    record.request = request
    ErrorIdFilter().filter(record)
    assert page.status_code == 500
    assert record.error_id in page.content.decode()


@pytest.mark.parametrize("path", ["/admin/rules/element/add/", "/admin/autocomplete/"])
def test_a_page_of_the_admin_that_is_refused_is_one_line_of_the_log(editor, caplog, path):
    assert editor.get(path).status_code == 403
    told = [(record.getMessage(), record.exc_info) for record in caplog.records if record.name == "django.request"]
    assert told == [(f"Forbidden (Permission denied): {path}", None)]


TOKENS = {"token", "invitation", "handing", "screening", "signed"}
BY_MAIL = {"account_confirm_email", "account_reset_password_from_key"}
OPEN = [(name, given) for name, given in named_urls() if TOKENS.intersection(given or ()) or name in BY_MAIL]


@pytest.mark.parametrize(("name", "given"), OPEN, ids=[name for name, _ in OPEN])
def test_the_log_has_no_token_of_a_link(client, db, monkeypatch, name, given):
    secret = "t0ken-" * 8
    values = {"key": secret if name in BY_MAIL else "defense", "uidb36": "1", "digest": "0" * 64}
    console = logging.getHandlerByName("console")
    monkeypatch.setattr(console, "stream", written := io.StringIO())
    address = reverse(name, kwargs={one: values.get(one, secret) for one in given})
    Client(enforce_csrf_checks=True).post(address)
    assert "/…" in written.getvalue()
    assert "t0ken" not in written.getvalue()


def test_a_server_error_keeps_its_traceback():
    record = logging.makeLogRecord({"levelno": logging.ERROR, "status_code": 500, "exc_info": (None, None, None)})
    ErrorIdFilter().filter(record)
    assert record.exc_info


def test_the_error_page_survives_its_own_failure(db, monkeypatch):
    def fail(*arguments):
        raise RuntimeError

    monkeypatch.setattr(errors, "render_to_string", fail)
    page = errors.server_error(RequestFactory().get("/"))
    assert page.status_code == 500
    assert b"Something went wrong here. Error " in page.content
