"""Limits on each visitor's time and open connections, so that nobody can block the others.

They are far above the needs of a slow phone (docs/decisions/021-connections.md). `asgi.py` limits the time for a body.
"""

import asyncio
import ipaddress
import logging
import resource
from collections import Counter
from functools import cache
from typing import NamedTuple

from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

from .asgi_shapes import RequestScope

HEAD_SECONDS = 20
BODY_SECONDS = 60
ANSWER_SECONDS = 120  # seconds to read an answer
MOST, EACH = 4_000, 200
FILES = 16_384  # open files that we ask the system for
STREAM = b"/stream/"  # how addresses of streams begin, which stay open

LOG = logging.getLogger(__name__)


class Room(NamedTuple):
    most: int
    each: int
    backlog: int


@cache
def room() -> Room:
    """The number of connections that this process takes. It leaves files for the database and for connections to turn
    away."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    else:
        files = soft
    most = min(MOST, files // 2)
    # asyncio accepts as many as the backlog at a time, several times before the first can be turned away.
    return Room(most, min(EACH, most // 4), max(8, min(2048, files // 10)))


class Crowd:
    """Open connections, counted in all and by address. At most one `part`-th of the room is used, both in all and for
    each address. Connections without an address only count in all."""

    def __init__(self, part: int = 1) -> None:
        self.part = part
        self.all = 0
        self.by_address: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        most, each = room().most // self.part, room().each // self.part
        if self.all >= most or (address and self.by_address[address] >= each):
            # The log writes this once a minute at most (polyhedral_site/logs.py).
            LOG.warning("Turned away %s: it has %d open, all have %d", address, self.by_address[address], self.all)
            return False
        self.all += 1
        self.by_address[address] += 1
        return True

    def leave(self, address: str) -> None:
        self.all -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]


def household(address: str) -> str:
    """The address; for IPv6 its network, since a visitor with one address in it has them all."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def told_by_proxies(forwarded_for: str) -> str:
    """The address that trusted proxies name as a request's origin; "" if no proxy is trusted or no address is named."""
    told = forwarded_for.split(",")
    if not 0 < settings.TRUSTED_PROXY_COUNT <= len(told):
        return ""
    return household(told[-settings.TRUSTED_PROXY_COUNT].strip())


def forwarded(scope: RequestScope) -> str:
    told = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return told_by_proxies(told.decode("latin-1"))


def sentence(status: str, words: str) -> bytes:
    """A complete response, which also closes the connection."""
    body = words.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Retry-After: 5\r\nConnection: close\r\n\r\n".encode() + body


TOO_MANY = "Too many connections are open from your network. Close some, or try again in a moment."
TOO_SLOW = "That took too long to arrive, and nothing was changed. Try again with a better connection."


class Connections(H11Protocol):
    """Uvicorn's connection, with limits on time and on the number of connections.

    Behind a proxy, all connections come from one address, so only the total counts here. `asgi.py` counts by forwarded
    address.
    """

    crowd = Crowd()  # of this process

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.head: asyncio.TimerHandle | None = None
        self.answer: asyncio.TimerHandle | None = None
        self.address = "" if settings.TRUSTED_PROXY_COUNT else household((self.client or ("",))[0])
        self.counted = self.crowd.enter(self.address)
        if self.counted:
            self.watch()
        else:
            self.end(sentence("503 Service Unavailable", TOO_MANY))

    def connection_lost(self, exc: Exception | None) -> None:
        if self.counted:
            self.crowd.leave(self.address)
        for timer in (self.head, self.answer):
            if timer:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.watch()

    def watch(self) -> None:
        """Limit the time for the head: from the first byte of a request or, on a new connection, from its start."""
        if self.cycle and not self.cycle.response_complete:
            if self.head:
                self.head.cancel()
            self.head = None
        elif not self.head:
            self.head = self.loop.call_later(HEAD_SECONDS, self.end, sentence("408 Request Timeout", TOO_SLOW))

    def end(self, words: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(words)
            self.transport.close()
        self.loop.call_later(1, self.transport.abort)  # even if the answer was not read

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self.give_up_later()

    def shutdown(self) -> None:
        """The server ends. A stream would last for minutes, so it is ended. Its page then connects to the next
        server."""
        super().shutdown()
        if self.scope and "stream" in self.scope:  # put there by the hub
            self.scope["stream"].end()  # type: ignore[typeddict-item]

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.give_up_later()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.answer and not self.transport.is_closing():
            self.answer.cancel()
            self.answer = None

    def give_up_later(self) -> None:
        if not self.answer:
            self.answer = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)
