"""The server's entry point: every request goes through Django's WSGI handler in a small pool of threads.

That is 2.4 to 3 times as fast as Django's own ASGI handler, and leaves the event loop free. Few threads are faster than
many. On SQLite, a single thread serves all requests that may write, as a queue, so none polls for the lock. Requests
that may compute for seconds, to check a password or to read or write many files, have separate threads on both
databases. Their few short writes wait for the lock like any others.
"""

import asyncio
import gc
import io
import os
import re
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes
from weakref import WeakValueDictionary
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

from .asgi_shapes import Headers, Receive, RequestScope, Scope, Send
from .body_limits import is_upload, limit_of
from .connections import BODY_SECONDS, STREAM, TOO_MANY, TOO_SLOW, Crowd, forwarded, household

if TYPE_CHECKING:
    from .streams.news import Reader

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "polyhedral_site.settings")

SAFE_METHODS = {"GET", "HEAD", "OPTIONS", "TRACE"}
ODD = "The site could not read that. Nothing was changed."
ENDING = "The site is being restarted. Try again in a moment."
ALL_CHARACTERS = b"/characters/download/"
CHARACTER = re.compile(rb"/characters/\d+/")
PASSWORDS = re.compile(rb"/(accounts|admin/(login|password_change|auth/user))/")

type ServerAnswer = tuple[int, Headers, bytes, Reader | None]  # the last: who reads the stream, if it is one


class ClearedRequest(WSGIRequest):
    """A request that drops its attributes once it is answered.

    Its user, session and messages refer back to it. If it kept them, all would wait for garbage collection, which has
    to walk through every character in memory.
    """

    def close(self) -> None:
        super().close()
        self.__dict__.clear()


class ThreadedDjango:
    def __init__(self) -> None:
        self.wsgi = get_wsgi_application()
        self.wsgi.request_class = ClearedRequest
        self.crowd = Crowd()
        self.watchers = Crowd(part=2)  # so that open streams delay no page
        self.uploaders = Crowd(part=25)  # so that one visitor's uploads neither fill memory nor delay sign-ins for long
        self.turns: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        # Half of the processors; the other half serves the players.
        self.signers = ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 2), "signer")
        if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
            self.readers = ThreadPoolExecutor(2, "reader")
            self.writers = ThreadPoolExecutor(1, "writer")
        else:
            self.readers = self.writers = ThreadPoolExecutor(4, "worker")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.lifespan(receive, send)
        elif scope["type"] == "http":
            await self.http(scope, receive, send)

    async def lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        # Imported here, since both need Django to be set up.
        from .mail import Sender
        from .streams.hub import Hub
        from .warm import warm

        await asyncio.get_running_loop().run_in_executor(self.readers, warm)
        freeze_gc()
        # On a full disk, a module's bytecode could be stored truncated, and no later start could load it.
        sys.dont_write_bytecode = True

        sender, self.hub = Sender(), Hub()
        sender.start()
        self.hub.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.hub.end()
        await asyncio.to_thread(sender.end)
        await send({"type": "lifespan.shutdown.complete"})

    async def http(self, scope: RequestScope, receive: Receive, send: Send) -> None:
        answer = partial(self.answer, scope, receive, send)
        if is_long(scope):
            answer = partial(within, self.uploaders, origin(scope), send, answer)
        try:
            await within(self.crowd, forwarded(scope), send, answer)
        except asyncio.CancelledError:  # the server is ending and waits no longer; it would answer 500
            with suppress(RuntimeError):  # if an answer has begun already
                await say(send, 503, ENDING)

    async def answer(self, scope: RequestScope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await self.read(receive, limit_of(path_of(scope)))
        except TimeoutError:
            await say(send, 408, TOO_SLOW)
            return
        if body is None:
            return
        if path_of(scope).startswith(STREAM):
            await within(self.watchers, origin(scope), send, partial(self.watch, scope, body, receive, send))
            return
        status, headers, content, _ = await self.run(scope, body)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def watch(self, scope: RequestScope, body: bytes, receive: Receive, send: Send) -> None:
        """A stream. Django says who reads it; from then on, it stays open and the hub serves it."""
        heard = self.hub.heard
        status, headers, content, reader = await self.run(scope, body)
        reader = reader if scope["method"] == "GET" else None
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content, "more_body": reader is not None})
        if reader is not None:
            await self.hub.serve(scope, reader, heard, receive, send)

    async def run(self, scope: RequestScope, body: bytes) -> ServerAnswer:
        loop = asyncio.get_running_loop()
        path, safe = path_of(scope), scope["method"] in SAFE_METHODS
        if is_long(scope) or (PASSWORDS.match(path) and not safe):
            return await loop.run_in_executor(self.signers, self.call, scope, body)
        if safe:
            return await loop.run_in_executor(self.readers, self.call, scope, body)
        # Changes of one character queue here, because a thread that waits for a lock on its row can serve nobody else.
        character = CHARACTER.match(path)
        turn = self.turns.setdefault(character[0], asyncio.Lock()) if character else nullcontext()
        async with turn:
            return await loop.run_in_executor(self.writers, self.call, scope, body)

    async def read(self, receive: Receive, limit: int) -> bytes | None:
        """The request's body, cut off soon after the limit; None if the visitor is gone."""
        chunks, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            chunk = message.get("body", b"")
            size += len(chunk)
            chunks.append(chunk)
            if size > limit or not message.get("more_body"):
                return b"".join(chunks)

    def call(self, scope: RequestScope, body: bytes) -> ServerAnswer:
        """Handle one request from start to close in this thread, which keeps its own database connection."""
        started: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
            started[:] = [
                int(status.split(" ", 1)[0]),
                [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            ]

        try:
            response = self.wsgi(environ(scope, body), start_response)
        except (BadRequest, LookupError, ValueError):
            # Django reads the content type before its own handling of bad requests, so a bad content type is answered
            # here.
            return 400, [(b"content-type", b"text/plain; charset=utf-8")], ODD.encode(), None
        try:
            content = b"".join(response)
        finally:
            response.close()
        return *started, content, getattr(response, "reader", None)  # set by streams/stream_view.py


def path_of(scope: RequestScope) -> bytes:
    """The path as Django will read it."""
    return unquote_to_bytes(scope["raw_path"])


def is_long(scope: RequestScope) -> bool:
    """True if the answer may take seconds: an uploaded file is read, or all of someone's characters are downloaded."""
    path = path_of(scope)
    return path == ALL_CHARACTERS or (scope["method"] not in SAFE_METHODS and is_upload(path))


def origin(scope: RequestScope) -> str:
    """The visitor's address, whether or not there is a proxy."""
    return forwarded(scope) or household((scope.get("client") or ("",))[0])


async def within(crowd: Crowd, visitor: str, send: Send, answer: Callable[[], Awaitable[None]]) -> None:
    """Answer if there is room for one more request from this visitor; otherwise say that there is none."""
    if not crowd.enter(visitor):
        await say(send, 503, TOO_MANY)
        return
    try:
        await answer()
    finally:
        crowd.leave(visitor)


async def say(send: Send, status: int, words: str) -> None:
    """Answer with one sentence and close the connection, since the rest of the request is not wanted."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"5"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode()})


def freeze_gc() -> None:
    """Keep everything that the process has loaded out of garbage collection.

    A collection runs after 5,000 new objects, takes about 10 ms and holds up every thread. With 50,000, one hit in a
    hundred waited 140 to 400 ms during 30 sign-ins, which leave much garbage. With Python's default of a few hundred,
    collections run in the middle of requests, over objects that are still in use.
    """
    gc.freeze()
    gc.set_threshold(5_000)
    gc.enable()


def environ(scope: RequestScope, body: bytes) -> WSGIEnvironment:
    """The WSGI environment of an HTTP scope. Its content length is that of the body as read, also for chunked
    bodies."""
    host, port = scope.get("server") or ("localhost", 0)
    result: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        # From the raw bytes, since Django handles paths that are not UTF-8.
        "PATH_INFO": path_of(scope).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, raw in scope["headers"]:
        if b"_" in name:  # `A_B` would be taken for `A-B`, and could forge a proxy's headers
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        if key != "CONTENT_TYPE":
            key = f"HTTP_{key}"
        value = raw.decode("latin-1")
        # A repeated header becomes one list; cookies are separated by semicolons.
        joint = ";" if key == "HTTP_COOKIE" else ","
        result[key] = f"{result[key]}{joint}{value}" if key in result else value
    result["CONTENT_LENGTH"] = str(len(body))
    return result


# Off until `freeze_gc`: everything loaded at the start stays, and collecting would take a seventh of the start.
gc.disable()
application = ThreadedDjango()
