"""Two processes on PostgreSQL: a change in one reaches the streams of the other, also after an interruption."""

import contextlib

import psycopg
import pytest

from tests.support.guest import Guest
from tests.support.postgres import restart
from tests.support.site import serving
from tests.support.streaming import Watching, until

pytestmark = pytest.mark.slow
CONNECTIONS = "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN moved' AND datname = current_database()"


@pytest.fixture
def two(postgres):
    url, folder = postgres
    with serving(folder, DATABASE_URL=url) as first, serving(folder, DATABASE_URL=url) as second:
        until(lambda: len(listening(url)) == 2)
        yield first, second


def listening(url):
    with psycopg.connect(url) as connection:
        return [pid for (pid,) in connection.execute(CONNECTIONS)]


def watching(site, guest):
    return Watching(site.port, cookie="; ".join(f"{name}={value}" for name, value in guest.cookies.items()))


def back(site, guest, number):
    """A stream that begins with this change, opened again and again as a page does."""
    found = []

    def there():
        with contextlib.suppress(OSError):
            found.append(watching(site, guest))
            if any(one.startswith(f"{number}.") for one in found[-1].first.values()):
                return True
            found.pop().close()
        return False

    until(there, 40)
    return found[-1]


def test_a_change_in_one_process_reaches_a_stream_of_the_other(two):
    first, second = two
    guest = Guest(first)
    streams = [watching(site, guest) for site in two]
    assert guest.rename("Mira")[0] == 303
    assert all(one.hears_of_change(2) for one in streams)
    guest.site = second
    assert guest.rename("Nell", 1)[0] == 303
    assert all(one.hears_of_change(3) for one in streams)
    for one in streams:
        one.close()


def test_each_process_has_one_listening_connection(two, postgres):
    guest = Guest(two[0])
    streams = [watching(two[0], guest) for _ in range(20)]
    assert len(listening(postgres[0])) == 2
    with psycopg.connect(postgres[0]) as connection:
        (held,) = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        ).fetchone()
    assert held < 20  # a stream holds no connection
    for one in streams:
        one.close()


def test_a_listener_that_is_cut_off_comes_back_and_its_pages_miss_nothing(two, postgres):
    first, second = two
    guest = Guest(first)
    stream = watching(second, guest)
    with psycopg.connect(postgres[0], autocommit=True) as connection:
        for (pid,) in connection.execute(CONNECTIONS).fetchall():
            connection.execute("SELECT pg_terminate_backend(%s)", [pid])
    assert guest.rename("Mira")[0] == 303  # perhaps while nobody listens
    assert stream.ended.wait(20)
    again = back(second, guest, 2)
    until(lambda: len(listening(postgres[0])) == 2)
    assert guest.rename("Nell", 1)[0] == 303
    assert again.hears_of_change(3)
    again.close()


def test_after_a_restart_of_postgresql_streams_come_back_with_what_they_missed(two, postgres):
    first, second = two
    guest = Guest(first)
    stream = watching(second, guest)
    restart(postgres[0])
    until(lambda: guest.rename("Mira")[0] == 303, 40)
    assert stream.ended.wait(20)
    again = back(second, guest, 2)
    until(lambda: len(listening(postgres[0])) == 2)
    until(lambda: guest.rename("Nell", 1)[0] == 303)
    assert again.hears_of_change(3)
    again.close()


def test_the_pages_of_a_killed_process_find_another(postgres, two):
    url, folder = postgres
    first, second = two
    guest = Guest(first)
    stream = watching(second, guest)
    second.process.kill()
    assert stream.ended.wait(20)
    assert guest.rename("Mira")[0] == 303
    until(lambda: len(listening(url)) == 1)
    with serving(folder, DATABASE_URL=url) as third:
        until(lambda: len(listening(url)) == 2)  # a process that begins to listen ends its streams, as pages expect
        again = back(third, guest, 2)
        assert guest.rename("Nell", 1)[0] == 303
        assert again.hears_of_change(3)
        again.close()
