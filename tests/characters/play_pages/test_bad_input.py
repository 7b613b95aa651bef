"""Bad bodies for every action: never a 5xx, never a change that was not asked for. SOAK=1 tries 5,000 of them."""

import os
import random
from urllib.parse import urlencode

from characters import rows
from characters.play.actions import ACTIONS

from .actions import CASES

HOW_MANY = 5_000 if os.environ.get("SOAK") else 400
BAD = (
    "", " ", "\x00", "a\x00b", "\udc80", "\u202e", "NaN", "inf", "-0", "1e9", str(2**70), str(-(2**70)), "٣", "½",
    "0x10", "1.5", "+", "-", "−", "+-1", "x" * 30_000, "../../etc/passwd", "<script>", "'; drop table", "{}", "[]",
    "condition:", ":", "attack..", "attack.x.y.z", "damage.", "note:", "note:-1", "note:x", "aspect:" + "9" * 60,
    "skill.",
    "on", "true", "None", "null", "-1", "999999999999",
)  # fmt: skip


def test_no_bad_input_breaks_anything(player, caplog):
    caplog.set_level("ERROR")
    chance = random.Random(4)
    slugs = sorted(ACTIONS)
    for number in range(HOW_MANY):
        slug = slugs[number % len(slugs)]
        names = list(ACTIONS[slug].form.base_fields)
        body = {"key": f"a key for number {number}", **CASES[slug].fields}
        for name in chance.sample(names, chance.randint(1, min(4, len(names)))):
            if chance.random() < 0.15:
                body.pop(name, None)
            else:
                body[name] = [chance.choice(BAD)] * chance.choice((1, 1, 1, 2))
        if chance.random() < 0.3:
            body["page"] = chance.choice(("rest", "history", "glance", "rolls", "nowhere", "\x00"))
        before, version = rows.stored(player.character), player.character.version
        response = post(player, slug, body, htmx=chance.random() < 0.7, version=chance.choice(("", "x", "1.1")))
        assert response.status_code in (200, 303, 409, 422), (slug, body, response.status_code)
        if response.status_code in (409, 422):
            assert rows.stored(player.character) == before, (slug, body)
            assert player.character.version == version


def post(player, slug, body, *, htmx, version):
    """Send a body as a hostile program would: also what no browser can encode."""
    raw = urlencode(body, doseq=True, errors="surrogatepass")
    headers = {"HX-Request": "true", "X-Version": version} if htmx else {}
    kind = "application/x-www-form-urlencoded"
    return player.client.post(f"{player.base}play/{slug}/", raw, content_type=kind, headers=headers)
