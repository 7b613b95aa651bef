"""PostgreSQL is down, silent or holds a row's lock: visitors soon get an answer, and nobody else waits with them.

These start a PostgreSQL of their own, whatever the suite runs on.
"""

import contextlib
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from tests.support.guest import Guest
from tests.support.site import serving

pytestmark = pytest.mark.slow


class Relay:
    """Stands between the site and PostgreSQL, and can be told to refuse or to say nothing."""

    def __init__(self, url):
        folder = parse_qs(urlsplit(url).query)["host"][0]
        self.there = f"{folder}/.s.PGSQL.5432"
        self.url = url.partition("?")[0].replace("@/", "@127.0.0.1:{port}/")
        self.silent, self.open = False, []
        self.listen(0)

    def listen(self, port):
        self.door = socket.create_server(("127.0.0.1", port))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.accept, args=[self.door], daemon=True).start()

    def accept(self, door):
        with contextlib.suppress(OSError):
            while True:
                here, _ = door.accept()
                self.open.append(here)
                if not self.silent:
                    there = socket.socket(socket.AF_UNIX)
                    there.connect(self.there)
                    self.open.append(there)
                    for pair in ((here, there), (there, here)):
                        threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    @staticmethod
    def pass_on(one, other):
        with contextlib.suppress(OSError):
            while part := one.recv(65536):
                other.sendall(part)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)

    def end(self):
        for one in (self.door, *self.open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self.open.clear()

    @contextlib.contextmanager
    def away(self, silent):
        self.end()
        self.silent = silent
        if silent:
            self.listen(self.port)
        yield
        if silent:
            self.end()
        self.silent = False
        self.listen(self.port)


@pytest.mark.parametrize("silent", [False, True], ids=["refused", "silent"])
def test_a_database_that_is_away_is_reported_and_found_again(postgres, silent):
    url, folder = postgres
    relay = Relay(url)
    with serving(folder, DATABASE_URL=relay.url.format(port=relay.port)) as site:
        ana = Guest(site)
        with relay.away(silent):
            for _ in range(2):
                status, headers, html = ana.rename("Mira")
                assert (status, headers["Retry-After"]) == (503, "5")
                assert 'value="Mira"' in html
            status, _, told = site.ask("GET", "/health/")
            assert (status, told) == (503, '{"database": "does not answer", "backup": "none yet"}')
        statuses = [ana.rename("Mira")[0] for _ in range(8)]  # each thread may have one dead connection
        assert statuses[-1] == 303
        assert set(statuses) <= {503, 303}
        assert "Traceback" not in site.stop_and_read_log()
    relay.end()


def test_a_locked_row_does_not_hold_up_strangers(postgres):
    url, folder = postgres
    with serving(folder, DATABASE_URL=url) as site, psycopg.connect(url) as holder, ThreadPoolExecutor(5) as pool:
        ana, bo = Guest(site), Guest(site)
        row = int(ana.character.split("/")[2])
        holder.execute("SELECT 1 FROM characters_character WHERE id = %s FOR UPDATE", [row])
        waiting = [pool.submit(ana.rename, "Mira", number) for number in range(5)]
        for number in range(3):
            assert bo.rename(f"Bo {number}", number)[0] == 303
            assert bo.ask("GET", ana.character)[0] == 404
            assert bo.ask("GET", bo.character)[0] in {200, 302}
        assert not waiting[-1].done()
        answers = [one.result() for one in waiting]
        assert {status for status, _, _ in answers} == {503}
        assert all('value="Mira"' in html for _, _, html in answers)
        holder.rollback()
        assert ana.rename("Mira")[0] == 303
        assert "Traceback" not in site.stop_and_read_log()


def test_a_column_that_changes_its_type_while_the_site_runs_stops_it_for_one_answer(postgres):
    """PostgreSQL has planned the statements of these connections, and refuses them from then on."""
    url, folder = postgres
    with serving(folder, DATABASE_URL=url) as site, psycopg.connect(url, autocommit=True) as upgrade:
        ana = Guest(site)
        assert {ana.ask("GET", ana.character)[0] for _ in range(40)} == {200}
        upgrade.execute("ALTER TABLE django_session ALTER session_data TYPE varchar")
        try:
            status, headers, html = ana.rename("Mira")
            assert (status, headers["Retry-After"]) == (503, "1")
            assert 'value="Mira"' in html
            assert "has just been brought up to date" in html
            assert ana.rename("Mira")[0] == 303
            assert {ana.ask("GET", ana.character)[0] for _ in range(20)} == {200}
            assert "Traceback" not in site.stop_and_read_log()
        finally:
            upgrade.execute("ALTER TABLE django_session ALTER session_data TYPE text")
