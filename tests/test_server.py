"""The server between the socket and Django."""

import asyncio
import gc
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.urls import reverse

from polyhedral_site import __main__ as serve
from polyhedral_site.asgi import ClearedRequest, ThreadedDjango, environ, freeze_gc
from polyhedral_site.body_limits import LARGEST_PICTURE, limit_of
from polyhedral_site.connections import room
from polyhedral_site.signed_in import SessionStore
from tests.support.site import serving

pytestmark = [pytest.mark.each_database, pytest.mark.full]  # the threads depend on the database


def scope(**changes):
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/health/",
        "raw_path": b"/health/",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "server": ("127.0.0.1", 8000),
        "client": ("192.0.2.1", 1234),
        **changes,
    }


def read(chunks, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE):
    """The body that the application reads from these chunks, and the number of chunks that it leaves unread."""
    messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages[-1]["more_body"] = False

    async def receive():
        return messages.pop(0)

    return asyncio.run(ThreadedDjango().read(receive, limit)), len(messages)


def test_a_body_arrives_whole():
    assert read([b"ab", b"", b"cd"]) == (b"abcd", 0)


def test_a_body_without_end_is_cut_off_after_the_limit():
    piece = b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2)
    body, unread = read([piece] * 100)
    assert len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert unread > 90


def test_a_picture_may_be_larger_than_any_other_form():
    for path in (b"/characters/12/face/", b"/campaigns/3/face/"):
        assert limit_of(path) == LARGEST_PICTURE
    others = b"/characters/12/face", b"/characters/12/face/x/", b"/characters/12/play/hit/", b"/x/characters/12/face/"
    for other in (*others, b"/\xff", b"/"):
        assert limit_of(other) == settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_the_content_length_is_that_of_the_body_whatever_the_header_says():
    assert environ(scope(headers=[(b"content-length", b"1")]), b"abc")["CONTENT_LENGTH"] == "3"


def test_repeated_headers_are_joined():
    found = environ(scope(headers=[(b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"x-a", b"1"), (b"x-a", b"2")]), b"")
    assert (found["HTTP_COOKIE"], found["HTTP_X_A"]) == ("a=1;b=2", "1,2")


def test_a_header_with_an_underscore_does_not_replace_the_proxys_header():
    found = environ(scope(headers=[(b"x-forwarded-for", b"203.0.113.7"), (b"x_forwarded_for", b"6.6.6.6")]), b"")
    assert found["HTTP_X_FORWARDED_FOR"] == "203.0.113.7"
    assert "HTTP_X_FORWARDED_PROTO" not in environ(scope(headers=[(b"x_forwarded_proto", b"https")]), b"")


def test_a_path_that_is_not_utf_8_reaches_django_as_it_came():
    assert environ(scope(raw_path=b"/%ff/%C3%A9/"), b"")["PATH_INFO"] == "/\xff/\xc3\xa9/"


def test_an_unreadable_content_type_is_a_bad_request(tmp_path):
    with serving(tmp_path) as site:
        for kind in ("text/plain; charset*=no-such''%ff", "x" * 20_000):
            status, _, words = site.ask("POST", "/accounts/login/", b"x", {"Content-Type": kind})
            assert (status, words) == (400, "The site could not read that. Nothing was changed.")
        assert "Traceback" not in site.stop_and_read_log()


def test_on_sqlite_one_thread_writes():
    application = ThreadedDjango()
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        assert application.writers._max_workers == 1
    else:
        assert application.writers is application.readers


def thread_of(path, method="POST"):
    application = ThreadedDjango()
    application.call = lambda asked, body: threading.current_thread().name
    return asyncio.run(application.run(scope(method=method, raw_path=path), b"")).partition("_")[0]


def test_a_request_that_the_end_of_the_server_breaks_off_is_told_to_come_back():
    """Such as a form that waits for a locked database for longer than the server waits: uvicorn would answer 500."""
    application, began, ends, sent = ThreadedDjango(), asyncio.Event(), threading.Event(), []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    async def broken_off():
        loop = asyncio.get_running_loop()

        def call(asked, body):
            loop.call_soon_threadsafe(began.set)
            ends.wait(20)

        application.call = call
        request = asyncio.create_task(application(scope(method="POST"), receive, send))
        await began.wait()
        request.cancel()
        await request
        ends.set()

    asyncio.run(broken_off())
    assert sent[0]["status"] == 503
    assert (b"retry-after", b"5") in sent[0]["headers"]
    assert sent[1]["body"] == b"The site is being restarted. Try again in a moment."


CHANGES = "writer" if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") else "worker"


@pytest.mark.parametrize(
    "path",
    [
        b"/accounts/login/",
        b"/%61ccounts/login/",
        b"/accounts/password/reset/key/1-set-password/",
        b"/admin/login/",
        b"/admin/password_change/",
        b"/admin/auth/user/7/password/",
    ],
)
def test_passwords_are_checked_on_threads_of_their_own(path):
    assert thread_of(path) == "signer"


# Every address with a form for files.
FILES = {
    "characters:face": {"pk": 7},
    "campaigns:face": {"campaign": 7},
    "characters:upload": {},
    "campaigns:files": {"campaign": 7},
    "characters:homebrew-take": {"ruleset": "polyhedral"},
    "campaigns:homebrew-take": {"campaign": 7},
    "admin:rules_source_upload": {},
    "admin:rules_source_store": {},
}


@pytest.mark.parametrize("name", FILES)
def test_files_are_read_on_the_same_threads_so_that_nobody_plays_after_them(name):
    assert thread_of(reverse(name, kwargs=FILES[name]).encode()) == "signer"


def test_all_characters_are_written_there_too():
    assert thread_of(reverse("characters:download-all").encode(), "GET") == "signer"
    assert thread_of(reverse("characters:download", args=[7]).encode(), "GET") != "signer"


def test_one_visitor_sends_few_files_at_once():
    """Each waits in memory for its turn, and sign-ins wait for it."""
    most = room().each // 25

    async def statuses(*addresses, method="POST"):
        application, told, ready = ThreadedDjango(), [], asyncio.Event()

        async def receive():
            await ready.wait()
            return {"type": "http.request", "body": b""}

        async def send(message):
            told.append(message.get("status"))

        async def run(*asked):
            return 200, [], b"", None

        application.run = run
        asked = [scope(method=method, raw_path=b"/characters/7/face/", client=(one, 1)) for one in addresses]
        answers = [asyncio.create_task(application.http(one, receive, send)) for one in asked]
        await asyncio.sleep(0)
        ready.set()
        await asyncio.gather(*answers)
        assert not application.uploaders.all
        return sorted(filter(None, told))

    assert 1 < most < 20
    assert asyncio.run(statuses(*["192.0.2.1"] * most, "192.0.2.2")) == [200] * (most + 1)
    assert asyncio.run(statuses(*["192.0.2.1"] * (most + 1), "192.0.2.2")) == [200] * (most + 1) + [503]
    assert asyncio.run(statuses(*["192.0.2.1"] * (most + 1), method="GET")) == [200] * (most + 1)


@pytest.mark.parametrize(
    "path", [b"/characters/7/play/heal/", b"/admin/rules/element/7/change/", b"/x/accounts/login/"]
)
def test_other_changes_run_on_the_writing_threads(path):
    assert thread_of(path) == CHANGES


def test_opening_the_sign_in_page_does_not_use_the_threads_for_passwords():
    assert thread_of(b"/accounts/login/", "GET") != "signer"


def most_at_once(*paths, another=False):
    """The most of these posts that ran at once on four threads. Each waits for another to join it: 20 seconds if
    `another` should come, else a moment."""
    application, inside, most, came = ThreadedDjango(), [], [], threading.Condition()
    application.writers = ThreadPoolExecutor(4)

    def call(asked, body):
        with came:
            inside.append(asked)
            most.append(len(inside))
            came.notify_all()
            came.wait_for(lambda: max(most) > 1, 20 if another else 0.2)
            inside.remove(asked)

    async def all_of_them():
        await asyncio.gather(*(application.run(scope(method="POST", raw_path=path), b"") for path in paths))

    application.call = call
    asyncio.run(all_of_them())
    return max(most)


def test_changes_of_one_character_take_one_thread():
    assert most_at_once(b"/characters/7/play/heal/", b"/characters/7/rename/", b"/characters/7/play/heal/") == 1
    assert most_at_once(b"/characters/7/play/heal/", b"/characters/8/play/heal/", another=True) == 2
    assert most_at_once(b"/characters/7/play/heal/", b"/%63haracters/7/play/heal/") == 1
    assert most_at_once(b"/characters/new/", b"/characters/new/", another=True) == 2


def test_an_answer_in_two_parts_is_sent_without_waiting_for_an_acknowledgement():
    async def accepted():
        options = asyncio.get_running_loop().create_future()

        class Told(asyncio.Protocol):
            def connection_made(self, transport):
                connection = transport.get_extra_info("socket")
                options.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

        with serve.listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
            await asyncio.get_running_loop().create_server(Told, sock=listener)
            return await options

    assert asyncio.run(accepted())


def test_a_taken_port_is_reported_in_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=f"Cannot listen on 127.0.0.1:{port}.*choose another"):
            serve.listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "127.0.0.1"), ("::1", "[::1]"), ("pi", "pi")],
)
def test_the_printed_address_can_be_opened(host, shown):
    assert serve.address(host, 8000) == f"http://{shown}:8000/"


def test_the_server_prints_its_address_answers_and_ends_on_ctrl_c(tmp_path):
    with serving(tmp_path) as site:
        status, _, told = site.ask("GET", "/health/")
        assert (status, '"lacks tables: run manage.py prepare"' in told) == (503, True)
        assert "Traceback" not in site.stop_and_read_log()
        assert site.process.returncode == 0


def test_a_site_that_nobody_has_prepared_says_so_on_every_page_and_in_its_log(tmp_path):
    with serving(tmp_path) as site:
        for path in ("/", "/rules/", "/accounts/login/", "/characters/1/", "/nowhere/"):
            status, headers, page = site.ask("GET", path)
            assert (status, headers["Retry-After"]) == (503, "60"), path
            assert "The site is not ready yet. Try again in a few minutes." in page
        assert (
            "ERROR polyhedral_site.errors [-] The site lacks tables: run manage.py prepare" in site.stop_and_read_log()
        )


def test_sqlite_is_served_by_one_process(tmp_path):
    with (
        pytest.raises(AssertionError, match="SQLite works with one process"),
        serving(tmp_path, WEB_PROCESSES="2"),
    ):
        pass


def test_a_second_server_on_sqlite_is_refused_while_the_first_one_runs(tmp_path):
    with serving(tmp_path) as first:
        with pytest.raises(AssertionError, match=f"The site in {tmp_path} is running already.*Stop that one first"):
            second_answers(tmp_path)
        assert first.ask("GET", "/health/")[0] == 503, "the first one still answers"
    second_answers(tmp_path)  # the first one was killed


def second_answers(folder):
    with serving(folder) as site:
        return site.ask("GET", "/health/")


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "left"), [(ClearedRequest, 0), (WSGIRequest, 1)])
def test_the_parts_of_an_answered_request_do_not_wait_for_garbage_collection(kind, left):
    """Those of Django's own request, the control, do."""
    application = ThreadedDjango()
    assert application.wsgi.request_class is ClearedRequest
    application.wsgi.request_class = kind
    gc.disable()
    try:
        before = sessions_in_memory()
        status, *_ = application.call(scope(raw_path=b"/no-such-page/"), b"")
        after = sessions_in_memory()
    finally:
        gc.enable()
    assert status == 404
    assert after - before == left


def sessions_in_memory():
    return sum(type(one) is SessionStore for one in gc.get_objects())


def test_garbage_collections_stay_short():
    """A collection holds up every thread: with 50,000 objects a hit waited 400 ms."""
    before = gc.get_threshold()
    gc.disable()
    try:
        freeze_gc()
        assert gc.isenabled(), "a start leaves it off"
        assert gc.get_threshold()[0] <= 5_000
    finally:
        gc.set_threshold(*before)
