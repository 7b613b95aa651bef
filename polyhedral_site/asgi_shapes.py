"""The types of a request that the server passes on, and of the answer that it takes (ASGI)."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NotRequired

from asgiref.typing import HTTPScope, LifespanScope, WebSocketScope

if TYPE_CHECKING:
    from .streams.hub import Stream

type Receive = Callable[[], Awaitable[Mapping[str, Any]]]
type Send = Callable[[Mapping[str, Any]], Awaitable[None]]
type Headers = list[tuple[bytes, bytes]]


class RequestScope(HTTPScope):
    """A request. The hub adds the stream that answers it."""

    stream: NotRequired["Stream"]


type Scope = RequestScope | WebSocketScope | LifespanScope
