"""The first sheet after a start, of a character with a long history, compared with the second."""

from characters.models import Change, Character
from tests.characters.cast import new_key

from .figures import judged, told
from .players import character, device
from .server_load import started_apart, timed

CHANGES, MOST = 20_000, 0.1


@told(f"the first sheet after a start, at {CHANGES:,} changes")
def first_sheet(host):
    played = character(1, 700)
    with_history(played)
    with started_apart() as site:
        headers = device(700)
        site.ask("GET", "/health/")  # from here on it takes visitors

        def open_sheet():
            status, _, _ = site.ask("GET", played.get_absolute_url(), headers=headers)
            assert status == 200, status

        first, second = timed(open_sheet), timed(open_sheet)
    line = f"{first * 1000:.0f} ms, the second {second * 1000:.1f} ms, at most {MOST * 1000:.0f} ms"
    return judged(line, first > MOST)


def with_history(played):
    begun = Character.objects.get(pk=played.pk).version + 1
    Change.objects.bulk_create(
        Change(character=played, sequence=begun + one, verb="heal", sentence="Heals.", key=new_key())
        for one in range(CHANGES)
    )
    Character.objects.filter(pk=played.pk).update(version=begun + CHANGES - 1)
