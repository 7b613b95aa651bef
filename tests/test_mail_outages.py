"""The real site with a mail server that is down, hangs, or is back: nobody waits and no mail is lost.

On SQLite, and on a PostgreSQL of their own, whatever the suite runs on.
"""

import sqlite3
import time

import psycopg
import pytest

from tests.support.guest import Guest
from tests.support.mail_server import mail_server
from tests.support.site import copied, kept_port, serving

pytestmark = pytest.mark.slow

MAKE_DUE = "UPDATE polyhedral_site_queuedmail SET due = '2020-01-01 00:00:00'"
COUNT = "SELECT count(*), coalesce(sum(tries), 0) FROM polyhedral_site_queuedmail"


class Place:
    """A prepared site, and its database through a connection of the test."""

    def __init__(self, folder, url=""):
        self.folder, self.url = folder, url
        self.variables = {"DATABASE_URL": url, "EMAIL_TLS": "0", "EMAIL_HOST": "127.0.0.1"}

    def serving(self, port, **variables):
        return serving(self.folder, EMAIL_PORT=str(port), **self.variables, **variables)

    def ask(self, sql):
        connection = psycopg.connect(self.url) if self.url else sqlite3.connect(self.folder / "polyhedral.sqlite3")
        try:
            cursor = connection.execute(sql)
            connection.commit()
            return cursor.fetchone() if cursor.description else None
        finally:
            connection.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    if request.param == "sqlite":
        yield Place(copied(tmp_path))
    else:
        url, folder = request.getfixturevalue("postgres")
        place = Place(folder, url)
        yield place
        for table in ("polyhedral_site_queuedmail", "cache"):
            place.ask(f"TRUNCATE {table}")
        # Renamed and not deleted, because rows with an author, such as the rules, would go with the accounts.
        place.ask("UPDATE auth_user SET username = username || id, email = id || email")
        place.ask("UPDATE account_emailaddress SET email = id || email")


def until(happens):
    for _ in range(600):
        if happens():
            return
        time.sleep(0.05)
    raise AssertionError("It did not happen.")


def test_with_the_mail_server_down_people_sign_up_and_a_restart_loses_no_mail(place):
    with kept_port() as port, place.serving(port) as site:
        assert [Guest(site).sign_up(name) for name in ("ana", "bo")] == [302, 302]
        until(lambda: place.ask(COUNT) == (2, 2))
    place.ask(MAKE_DUE)
    with mail_server() as server, place.serving(server.port) as site:
        until(lambda: place.ask(COUNT) == (0, 0))
        assert "Traceback" not in site.stop_and_read_log()
    assert sorted(mail["To"] for mail in server.mails) == ["ana@example.com", "bo@example.com"]


def test_a_mail_server_that_hangs_holds_up_nobody(place):
    with mail_server(silent=True) as server, place.serving(server.port) as site:
        bo = Guest(site)
        assert Guest(site).sign_up("ana") == 302
        until(lambda: server.calls)
        assert Guest(site).sign_up("cara") == 302
        assert bo.rename("Mira")[0] == 303
        assert place.ask(COUNT) == (2, 1)
        assert "Traceback" not in site.stop_and_read_log()  # and the server ends without waiting


def test_two_processes_send_each_mail_once(postgres):
    url, folder = postgres
    place = Place(folder, url)
    with kept_port() as port, place.serving(port) as site:
        Guest(site).sign_up("ana")
    same = "sender, subject, body, headers, attachments, tries, due"
    copy = f"INSERT INTO polyhedral_site_queuedmail (recipient, {same}) SELECT n || '@example.com', {same} "
    place.ask(f"{copy} FROM polyhedral_site_queuedmail, generate_series(1, 30) n")
    place.ask(MAKE_DUE)
    with mail_server() as server, place.serving(server.port, WEB_PROCESSES="2"):
        until(lambda: place.ask(COUNT) == (0, 0))
    assert len(server.mails) == len({mail["To"] for mail in server.mails}) == 31
