"""The open streams of this process, all in the event loop. None of them takes a thread or a database connection.

After a change, the database is asked once for all watchers: for the number of the thing, who may know it, and whether
the sessions and screens behind the streams are still valid. So nobody is told anything after losing the right to know
it.
"""

import asyncio
import contextlib
import logging
import random
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import Error, close_old_connections, connection

from characters.change import announcements
from polyhedral_site.asgi_shapes import Receive, RequestScope, Send

from .news import Reader, Watcher, all_of, news_of, still_valid
from .stream_view import lines

BEAT = 15  # seconds of silence before a sign of life is sent
ASKED_AGAIN = 10  # seconds between checks that the sessions are still valid
AT_ONCE = 25  # streams to write to before waiting pages get a turn
LONGEST = 600, 900  # seconds that a stream lasts, at random between these; its page then opens another
SOON = 500  # milliseconds until the page does so

LOG = logging.getLogger(__name__)


class Stream:
    """One open stream: its reader, and the newest number of each thing that is still to be sent."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.waiting: dict[str, str] = {}
        self.ended = False
        self.woken = asyncio.Event()
        self.until = asyncio.get_running_loop().time() + random.uniform(*LONGEST)  # noqa: S311 (so they do not all end at once)

    def tell(self, thing: str, number: str) -> None:
        self.waiting[thing] = number
        self.woken.set()

    def end(self, *_: object) -> None:
        self.ended = True
        self.woken.set()

    async def next(self) -> bytes:
        """The bytes to send next; empty at the end."""
        try:
            async with asyncio.timeout(BEAT):
                await self.woken.wait()
        except TimeoutError:
            return b"" if asyncio.get_running_loop().time() > self.until else b":\n\n"
        self.woken.clear()
        told, self.waiting = self.waiting, {}
        return b"" if self.ended else lines(told).encode()


class Hub:
    def __init__(self) -> None:
        self.streams: dict[Watcher, set[Stream]] = defaultdict(set)
        self.announced: set[str] = set()
        self.heard = 0
        self.woken = asyncio.Event()
        self.teller = ThreadPoolExecutor(1, "teller")
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        working = [self.tell(), self.ask_again()]
        if connection.vendor == "postgresql":
            from .listener import listen  # not loaded for SQLite

            working.append(listen(self.hear, self.end_all))
        else:
            announcements.LISTENERS.append(self.hear_from_thread)
        self.tasks = [self.loop.create_task(one) for one in working]

    def end(self) -> None:
        if self.hear_from_thread in announcements.LISTENERS:
            announcements.LISTENERS.remove(self.hear_from_thread)
        for task in self.tasks:
            task.cancel()
        self.end_all()
        self.teller.shutdown(wait=False)

    def enter(self, reader: Reader) -> Stream:
        stream = Stream(reader)
        for name in reader.names:
            self.streams[name].add(stream)
        return stream

    def leave(self, stream: Stream) -> None:
        for name in stream.reader.names:
            self.streams[name].discard(stream)
            if not self.streams[name]:
                del self.streams[name]

    async def serve(self, scope: RequestScope, reader: Reader, heard: int, receive: Receive, send: Send) -> None:
        """Keep a stream open. heard: the count of announcements when the stream's first numbers were read. If it has
        gone up, the stream may have missed something, and is told everything."""
        stream = scope["stream"] = self.enter(reader)
        gone = self.loop.create_task(gone_from(receive))
        gone.add_done_callback(stream.end)
        try:
            await send({"type": "http.response.body", "body": f"retry: {SOON}\n\n".encode(), "more_body": True})
            if self.heard != heard:
                await self.catch_up(stream)
            while content := await stream.next():
                await send({"type": "http.response.body", "body": content, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            self.leave(stream)

    def all(self) -> set[Stream]:
        return {stream for some in self.streams.values() for stream in some}

    def end_all(self) -> None:
        """End all streams because something may have been missed. Each page connects again and compares numbers."""
        for stream in self.all():
            stream.end()

    def hear_from_thread(self, thing: str) -> None:
        self.loop.call_soon_threadsafe(self.hear, thing)

    def hear(self, thing: str) -> None:
        self.heard += 1
        self.announced.add(thing)
        self.woken.set()

    async def tell(self) -> None:
        """Pass on the news of everything announced, forever. Things announced meanwhile are in the next round."""
        while True:
            await self.woken.wait()
            self.woken.clear()
            things, self.announced = self.announced, set()
            try:
                await self.pass_on(things)
            except Error as error:
                LOG.warning("Open pages could not be told of a change: %s", type(error).__name__)
                self.end_all()

    async def pass_on(self, things: set[str]) -> None:
        if not self.streams:
            return
        news = await self.ask(news_of, things)
        told = [(one, {stream for name in one.watchers for stream in self.streams.get(name, ())}) for one in news]
        await self.end_strangers({stream for _, streams in told for stream in streams})
        for one, streams in told:
            for count, stream in enumerate(streams, 1):
                stream.tell(one.thing, one.number)
                if count % AT_ONCE == 0:
                    await asyncio.sleep(0)

    async def ask_again(self) -> None:
        """Every few seconds, end the streams of people who have signed out and of screens that have ended."""
        while True:
            await asyncio.sleep(ASKED_AGAIN)
            with contextlib.suppress(Error):  # while the database is away, nothing is told either
                await self.end_strangers(self.all())

    async def end_strangers(self, streams: set[Stream]) -> None:
        valid = await self.ask(still_valid, [stream.reader for stream in streams]) if streams else set()
        for stream in streams:
            if stream.reader not in valid:
                stream.end()

    async def catch_up(self, stream: Stream) -> None:
        """Tell this stream the numbers of everything."""
        numbers = await self.ask(all_of, stream.reader)
        await self.end_strangers({stream})
        for thing, number in numbers.items():
            stream.tell(thing, number)

    async def ask[*About, Answer](self, question: Callable[[*About], Answer], *about: *About) -> Answer:
        """Ask in the one thread that has a connection to the database."""
        return await self.loop.run_in_executor(self.teller, answered, question, *about)


async def gone_from(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def answered[*About, Answer](question: Callable[[*About], Answer], *about: *About) -> Answer:
    try:
        return question(*about)
    finally:
        close_old_connections()
