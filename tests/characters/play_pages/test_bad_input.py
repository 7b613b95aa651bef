"""Bad bodies for every action: never a 5xx, never a change that was not asked for. SOAK=1 has 5,000 refused."""

import os
import random
from collections import Counter
from urllib.parse import urlencode

import pytest
from django.db import connection

from characters.change import fact_store
from characters.pages.sheet.live_pages import PAGES

from .actions import ACTIONS, BAD, ready

pytestmark = pytest.mark.slow

HOW_MANY = 5_000 if os.environ.get("SOAK") else 400
FOR_EACH = -(-HOW_MANY // len(ACTIONS))
REFUSED = (404, 409, 422)


@pytest.fixture(scope="module")
def counts(request):
    counts = Counter()
    yield counts
    if counts and os.environ.get("SOAK"):
        print(
            f"\n{connection.vendor}: {counts['refused']:,} bad inputs to {len(ACTIONS)} actions refused with nothing "
            f"changed, {request.session.testsfailed} failures; beside them {counts['again']:,} with the key of an "
            f"earlier one answered again, {counts['done']:,} that could be read done as one change each"
        )


@pytest.mark.parametrize("slug", sorted(ACTIONS))
def test_no_bad_input_breaks_anything(player, caplog, counts, slug):
    caplog.set_level("ERROR", "django.request")
    chance = random.Random(slug)
    good, keys = ready(player, slug), set()
    seen = Counter()
    while seen["refused"] < FOR_EACH:
        assert seen.total() < 10 * FOR_EACH, "hardly anything is refused"
        body = spoilt(chance, slug, {"key": f"a key for number {seen.total()}", **good})
        before, version = fact_store.stored(player.character), player.character.version
        response = post(player, slug, body, htmx=chance.random() < 0.7, version=chance.choice(("", "x", "1.1")))
        if response.status_code in REFUSED:
            assert fact_store.stored(player.character) == before, body
            assert player.character.version == version, body
            seen["refused"] += 1
            continue
        assert response.status_code in (200, 303), (body, response.status_code)
        key = body["key"] if isinstance(body["key"], str) else body["key"][-1]
        again = key in keys
        assert player.character.version == version + (not again), body
        if not again:
            keys.add(key)
            player.send("undo", change=version + 1)  # so that the next body meets the same facts
        seen["again" if again else "done"] += 1
    counts.update(seen)


def spoilt(chance, slug, body):
    """The body with some of its fields missing or nonsense."""
    names = ["key", *ACTIONS[slug].fields]
    for name in chance.sample(names, chance.randint(1, min(4, len(names)))):
        if chance.random() < 0.15:
            body.pop(name, None)
        else:
            body[name] = [chance.choice(BAD)] * chance.choice((1, 1, 1, 2))
    if chance.random() < 0.3:
        body["page"] = chance.choice((*PAGES, "nowhere", "\x00"))
    return body


def post(player, slug, body, *, htmx, version):
    """Send a body as a hostile program would, even one that no browser can encode."""
    raw = urlencode(body, doseq=True, errors="surrogatepass")
    headers = {"HX-Request": "true", "X-Version": version} if htmx else {}
    kind = "application/x-www-form-urlencoded"
    return player.client.post(f"{player.base}play/{slug}/", raw, content_type=kind, headers=headers)
