"""Numbers are sent one by one: what stands on a page after an answer is what a page asked for anew shows."""

import random
import re

import pytest

from rules.compile import bundle_for

pytestmark = pytest.mark.django_db(transaction=True)

NUMBER = re.compile(r'<b class="number" id="([^"]+)">([^<]*)</b>')
VITAL = re.compile(r'<li class="vital"(?: id="(\w+)")?>.*?<span class="vital-value">(.*?)</span>', re.DOTALL)
VERSION = re.compile(r'data-version="([^"]+)"')


def numbers(html: str) -> dict[str, str]:
    return dict(NUMBER.findall(html)) | {name: text for name, text in VITAL.findall(html) if name}


def by_chance(chance):
    """What moves numbers: an action and what it asks for."""
    bundle = bundle_for("polyhedral")
    switches = [one.slug for one in bundle.circumstances.values() if one.detection != "auto"]
    condition = chance.choice(bundle.of_kind("condition")).ref
    return chance.choice(
        [
            ("toggle", {"switch": f"+{chance.choice(switches)}"}),
            ("toggle", {"switch": f"-{chance.choice(switches)}"}),
            ("add-condition", {"condition": condition}),
            ("remove-condition", {"condition": condition}),
            ("adjust", {"resource": "wounds", "by": chance.choice(["+1", "-1"])}),
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_page_after_an_answer_is_the_page_asked_for_anew(player, seed):
    chance, moved = random.Random(seed), 0
    page = player.get().content.decode()
    shown, version = numbers(page), VERSION.search(page)[1]
    player.send("toggle", switch="+needs-sight")  # so that checks fail where a condition blinds
    for _ in range(60):
        action, fields = by_chance(chance)
        answer = player.send(action, version=version, **fields)
        assert answer.status_code in (200, 422), (action, fields)
        sent = numbers(answer.content.decode()) if answer.status_code == 200 else {}
        moved += len(sent)
        page = player.get().content.decode()
        anew, version = numbers(page), VERSION.search(page)[1]
        shown = {name: text for name, text in (shown | sent).items() if name in anew}
        assert shown == anew, (action, fields)
    assert moved > 100
