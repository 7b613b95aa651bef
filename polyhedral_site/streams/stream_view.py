"""The start of a stream, from Django: everything that the visitor may watch, each with its current number."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from campaigns.screen_access import by_screen
from characters.people import visitor_of

from .news import Reader, ScreenReader, all_of, reader_of

AGAIN = 5_000  # milliseconds until a page asks again, if the server does not keep the response open


@require_safe
def stream(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Our own server keeps this response open and adds changes (`hub.py`). Under any other server it ends here, and the
    page asks again. 401 for a visitor without an account or a guest's session."""
    person = visitor_of(request)
    # Read before the numbers, so that a sign-out in between is noticed.
    reader = person.identified and reader_of(person, request.session.session_key)
    if not reader:
        return HttpResponse(status=401)
    return kept_open(reader)


@require_safe
def screen_stream(request: HttpRequest, screening: str) -> StreamingHttpResponse:
    """The same for anyone with the link of a screen, with what that screen shows. 404 once the screen has ended."""
    return kept_open(ScreenReader(by_screen(screening).pk))


def kept_open(reader: Reader) -> StreamingHttpResponse:
    response = StreamingHttpResponse([f"retry: {AGAIN}\n", lines(all_of(reader))], content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-store, no-transform"
    response.headers["X-Accel-Buffering"] = "no"  # proxies must not buffer it
    response.reader = reader
    return response


def lines(numbers: dict[str, str]) -> str:
    """One event: a line for each thing, with its number."""
    return "".join([f"data: {thing} {number}\n" for thing, number in numbers.items()]) + "\n"
