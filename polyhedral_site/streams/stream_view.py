"""The stream as Django answers it: what the visitor may watch, and the number that each has now."""

from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from campaigns.screen_access import by_screen
from characters.people import visitor_of

from .news import Reader, ScreenReader, all_of, reader_of

AGAIN = 5_000  # milliseconds until a page asks again, where no server keeps the answer open


@require_safe
def stream(request):
    """The server keeps this answer open and adds what moves (`hub.py`). Under any other server it ends here, and the
    page asks again. 401 for who is nobody here.
    """
    person = visitor_of(request)
    # Before the numbers are read: who signs out meanwhile is found to have done so.
    reader = person.identified and reader_of(person, request.session.session_key)
    if not reader:
        return HttpResponse(status=401)
    return kept_open(reader)


@require_safe
def screen_stream(request, screening):
    """The same for whoever has the link of a screen, of what that screen shows. 404 from when it has ended."""
    return kept_open(ScreenReader(by_screen(screening).pk))


def kept_open(reader: Reader | ScreenReader) -> StreamingHttpResponse:
    response = StreamingHttpResponse([f"retry: {AGAIN}\n", lines(all_of(reader))], content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-store, no-transform"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy passes on what comes, as it comes
    response.reader = reader
    return response


def lines(numbers: dict[str, str]) -> str:
    """One event: each thing with its number on a line."""
    return "".join([f"data: {thing} {number}\n" for thing, number in numbers.items()]) + "\n"
