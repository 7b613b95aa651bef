"""Anyone's content may move any statistic by any amount, and every page of the character is still drawn."""

import pytest

from rules.models import Stat
from rules.packs.load import load_rules
from tests.characters.cast import person
from tests.support.characters import owned_by

pytestmark = [pytest.mark.full, pytest.mark.once]

PAGES = ("", "glance/", "rest/", "downtime/", "level-up/", "build/review/")
SOURCE = "{ruleset: {slug: polyhedral}, source: {slug: odd, title: Odd numbers}}"
# Without a limit of statistics these would make numbers of 700 digits, which are too many for a float.
MULTIPLIED = ", ".join(["{{stat: {key}, op: multiply, amount: 32767}}"] * 150)
ROWS = {
    "less": "{{stat: {key}, op: add, amount: -40}}",
    "more": "{{stat: {key}, op: add, amount: 40}}",
    "multiplied": MULTIPLIED,
}


def loaded(folder, row):
    """A thing for each statistic, which moves it; as refs, by the keys of the statistics."""
    keys = sorted(Stat.objects.exclude(key="level").values_list("key", flat=True))
    things = [
        f"- {{slug: thing-{at}, name: Thing {at}, modify: [{row.format(key=key)}]}}" for at, key in enumerate(keys)
    ]
    folder.mkdir()
    (folder / "source.yaml").write_text(SOURCE)
    (folder / "gear.yaml").write_text("\n".join(things))
    load_rules(folder)
    return {key: f"thing-{at}" for at, key in enumerate(keys)}


@pytest.mark.parametrize("row", ROWS.values(), ids=[*ROWS])
def test_every_page_is_drawn_whatever_a_statistic_is(client, db, tmp_path, row):
    things = loaded(tmp_path / "odd", row)
    client.force_login(person().user)
    failed = {}
    for key, slug in things.items():
        carried = [{"item": slug, "quantity": 1, "state": "carried"}]
        base = owned_by(
            person().user, house_rules={"sources": ["polyhedral-core", "odd"]}, inventory=carried
        ).get_absolute_url()
        for page in PAGES:
            try:
                answer = client.get(f"{base}{page}", follow=True)
            except Exception as error:  # collected, so that one run names them all
                failed[key, page] = repr(error)
            else:
                assert answer.status_code == 200, (key, page)
    assert not failed
