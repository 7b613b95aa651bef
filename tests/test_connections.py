"""A client that sends slowly or opens many connections does not hold up others: the real server and real sockets."""

import contextlib
import http.client
import logging
import resource
import socket
import threading
import time

import pytest
import uvicorn

from polyhedral_site import __main__ as serve
from polyhedral_site import asgi, connections
from polyhedral_site.connections import Crowd, Room, forwarded, household
from polyhedral_site.logs import OnceAMinute
from polyhedral_site.streams import listener
from tests.support.site import copied, serving

pytestmark = [
    pytest.mark.each_database,
    pytest.mark.slow,
]  # the server's threads depend on it

HEAD = b"POST /favicon.ico HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
PAGE = b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: loc"


@contextlib.contextmanager
def server():
    """The server in this process, so that tests can make its limits small."""
    config = uvicorn.Config(asgi.ThreadedDjango(), http=connections.Connections, lifespan="off", log_config=None)
    running = uvicorn.Server(config)
    with serve.listen("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            running.should_exit = running.force_exit = True
            thread.join(20)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1)
    monkeypatch.setattr(asgi, "BODY_SECONDS", 1)


def opened(port, source="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0))


def answer(client):
    """All bytes until the other side closes."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(65536):
            parts.append(part)
    return b"".join(parts)


def status(client):
    """The status of one answer, read to its end even if it comes in pieces."""
    with http.client.HTTPResponse(client) as response:
        response.begin()
        response.read()
        return response.status


def drip(client, data):
    """Send a byte at a time until the other side stops listening; returns True if all was taken."""
    for byte in data:
        try:
            client.send(bytes([byte]))
        except OSError:
            return False
        time.sleep(0.1)
    return True


@pytest.mark.parametrize("begun", [b"", HALF_HEAD, HEAD, HEAD + b"key="])
def test_a_request_that_stops_halfway_is_ended_with_408(quick, begun):
    with server() as port, opened(port) as client:
        client.sendall(begun)
        said = answer(client)
    assert b" 408 " in said
    assert b"nothing was changed" in said


@pytest.mark.parametrize("begun", [b"GET /?", HEAD.replace(b"10", b"1000")])
def test_dripping_bytes_does_not_lengthen_the_time_limit(quick, begun):
    with server() as port, opened(port) as client:
        client.sendall(begun)
        assert not drip(client, b"x" * 200)


def test_without_the_time_limit_a_half_sent_request_stays_open(monkeypatch):
    """The control."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 600)
    with server() as port, opened(port) as client:
        client.sendall(HALF_HEAD)
        client.settimeout(2)
        with pytest.raises(TimeoutError):
            client.recv(1)


def test_a_slow_phone_is_answered():
    with server() as port, opened(port) as client:
        assert drip(client, HEAD[:8])
        client.sendall(HEAD[8:])
        assert drip(client, b"12345")
        client.sendall(b"67890")
        assert status(client) == 403  # the body arrived whole, but has no token


def test_a_connection_may_be_idle_between_requests(monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 3)  # long enough for a busy machine
    monkeypatch.setattr(asgi, "BODY_SECONDS", 3)
    with server() as port, opened(port) as client:
        for rest in (3.5, 0):  # the second request on the same connection has its own time
            client.sendall(HEAD + b"1234567890")
            assert status(client) == 403
            time.sleep(rest)


def test_an_answer_that_the_client_does_not_read_is_cut_off(quick, monkeypatch):
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 1)

    async def long_answer(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"connection", b"close")]})
        await send({"type": "http.response.body", "body": bytes(50_000_000)})

    monkeypatch.setattr(asgi.ThreadedDjango, "__call__", lambda self, *asked: long_answer(*asked))
    with server() as port, opened(port, "127.0.0.9") as client:
        client.sendall(PAGE)
        assert client.recv(1)
        wait_until(lambda: "127.0.0.9" not in connections.Connections.crowd.by_address)
        assert len(answer(client)) < 50_000_000 - 1


def test_eleven_hundred_half_sent_posts_hold_up_nobody_else(tmp_path):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if 0 < hard < 4096 else 4096, hard))
    with serving(copied(tmp_path)) as site, contextlib.ExitStack() as all_of_them:
        held = []
        for _ in range(1100):
            client = all_of_them.enter_context(opened(site.port))
            with contextlib.suppress(OSError):  # turned away already
                client.sendall(HEAD + b"key=")
            held.append(client)
        for other in ("127.0.0.2", "127.0.0.3"):
            assert site.ask("GET", "/accounts/", source=other)[0] != 503
        turned_away = sum(b" 503 " in answer_so_far(client) for client in held)
        assert turned_away == 1100 - connections.EACH
        for client in held:
            client.close()
        wait_until(lambda: site.ask("GET", "/accounts/")[0] != 503)
        lines = site.stop_and_read_log().splitlines()
    assert sum("Turned away" in line for line in lines) == 1
    assert "Traceback" not in "".join(lines)


def answer_so_far(client):
    client.settimeout(0.01)
    try:
        return client.recv(1000)
    except (TimeoutError, ConnectionResetError):
        return b""
    finally:
        client.settimeout(20)


def wait_until(true):
    for _ in range(100):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("It did not come to pass in ten seconds.")


def test_the_server_survives_600_connections_with_256_files(tmp_path):
    """The whole process may open 256 files."""
    with serving(copied(tmp_path), files=256) as site, contextlib.ExitStack() as all_of_them:
        for number in range(600):
            client = all_of_them.enter_context(opened(site.port, f"127.0.0.{2 + number % 200}"))
            with contextlib.suppress(OSError):
                client.sendall(HEAD)
        all_of_them.close()
        wait_until(lambda: site.ask("GET", "/accounts/")[0] != 503)
        lines = site.stop_and_read_log().splitlines()
    assert len(lines) < 20
    assert not any("out of system resource" in line for line in lines)


def through_a_proxy(request, address):
    return request.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 6.6.6.6, " + address + b"\r\n\r\n")


def test_behind_a_proxy_each_forwarded_address_is_counted_and_not_the_proxy(monkeypatch, settings):
    settings.TRUSTED_PROXY_COUNT = 1
    monkeypatch.setattr(connections, "room", lambda: Room(100, 2, 100))
    with server() as port, contextlib.ExitStack() as all_of_them:
        first, second, third, other = [all_of_them.enter_context(opened(port)) for _ in range(4)]
        for client in (first, second):
            client.sendall(through_a_proxy(HEAD, b"192.0.2.1"))
            assert answer_so_far(client) == b""
        third.sendall(through_a_proxy(HEAD, b"192.0.2.1"))
        assert third.recv(100).startswith(b"HTTP/1.1 503")
        other.sendall(through_a_proxy(PAGE, b"192.0.2.9"))
        assert other.recv(100).startswith(b"HTTP/1.1 302")


def test_the_address_comes_from_as_many_proxies_as_are_trusted(settings):
    scope = {"headers": [(b"x-forwarded-for", b"6.6.6.6, 192.0.2.1"), (b"x-forwarded-for", b"198.51.100.7")]}
    for count, address in enumerate(["", "198.51.100.7", "192.0.2.1", "6.6.6.6", ""]):
        settings.TRUSTED_PROXY_COUNT = count
        assert forwarded(scope) == address


def test_a_network_of_version_6_is_one_household():
    assert household("2001:db8::1") == household("2001:db8::ffff:1") != household("2001:db8:0:1::1")
    assert household("::ffff:192.0.2.1") == "192.0.2.1"
    assert household("") == ""


def test_a_closed_connection_makes_room_for_another(monkeypatch):
    monkeypatch.setattr(connections, "room", lambda: Room(3, 2, 100))
    crowd = Crowd()
    assert [crowd.enter("ana"), crowd.enter("ana"), crowd.enter("ana")] == [True, True, False]
    assert [crowd.enter("bo"), crowd.enter("bo")] == [True, False]  # three in all
    crowd.leave("ana")
    assert crowd.enter("bo")
    crowd.leave("bo")
    crowd.leave("bo")
    crowd.leave("ana")
    assert (crowd.all, dict(crowd.by_address)) == (0, {})


def test_connections_without_an_address_count_only_in_all(monkeypatch):
    """Behind a proxy, all visitors together would be one household."""
    monkeypatch.setattr(connections, "room", lambda: Room(3, 2, 100))
    crowd = Crowd()
    assert [crowd.enter("") for _ in range(4)] == [True, True, True, False]


def test_a_repeated_message_is_logged_once_a_minute():
    once = OnceAMinute()
    lines = []
    for second in range(0, 150, 10):
        record = logging.LogRecord("x", logging.WARNING, "", 0, "Turned away %s", (str(second),), None)
        record.created = 1000 + second
        if once.filter(record):
            lines.append(record.getMessage())
    assert lines == ["Turned away 0", "Turned away 60 (and 5 more like it)", "Turned away 120 (and 5 more like it)"]
    record.created = 10  # the clock was fast and has been put back
    assert once.filter(record)


def test_a_lost_listening_connection_is_logged_once_a_minute(caplog):
    """It is opened again every second, all night if the database is away for so long."""
    for one in listener.LOG.filters:
        one.said.clear()
    for _ in range(3):
        listener.LOG.warning("Changes made by other processes are not heard: %s", "OperationalError")
    assert len(caplog.records) == 1


def test_the_log_forgets_messages_before_they_fill_the_memory():
    once = OnceAMinute()
    for number in range(2_100):
        assert once.filter(logging.makeLogRecord({"msg": f"Turned away number {number}", "created": 1000.0}))
    assert len(once.said) <= 1_001


def test_wrong_hosts_are_logged_once_a_minute_whatever_their_names(client, caplog):
    """Strangers choose them, and each came with a traceback of forty lines."""
    logger = logging.getLogger("django.security.DisallowedHost")
    for one in logger.filters:
        one.said.clear()
    for name in ("one.example", "two.example", "three.example"):
        assert client.get("/", headers={"host": name}).status_code == 400
    told = [
        (record.exc_info, "one.example" in record.getMessage())
        for record in caplog.records
        if record.name == logger.name
    ]
    assert told == [(None, True)]
