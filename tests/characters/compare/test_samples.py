"""A sample with several levels, open to everyone: its timeline, its sheet as at a level, its comparison."""

import re

import pytest

from characters.verbs import import_file
from tests.characters.cast import document, guest, new_key, person


@pytest.fixture
def page(client, db):
    """Fetch a page of the sample Mira as a visitor without an account."""
    import json

    import_file(guest(), new_key(), text=json.dumps(document()), sample="mira")

    def fetch(below, status=200, **query):
        response = client.get(f"/samples/mira/{below}", query)
        assert response.status_code == status
        return response.content.decode()

    return fetch


def test_a_samples_sheet_links_to_its_timeline_and_comparison(page):
    text = page("")
    assert 'href="/samples/mira/timeline/"' in text
    assert 'href="/samples/mira/compare/"' in text
    assert "/house-rules/" not in text


def test_a_samples_sheet_is_shown_as_at_a_level(page):
    text = page("at/3/")
    assert "As at level 3" in text
    for link in (
        "/samples/mira/at/2/",
        "/samples/mira/at/4/",
        "/samples/mira/",
        "/samples/mira/at/3/explain/health.max/",
    ):
        assert f'href="{link}"' in text
    assert "36" in page("at/3/explain/health.max/")
    assert "3D" in page("at/2/odds/save.strength/")
    page("at/40/", status=404)
    page("at/40/explain/defense/", status=404)


def test_a_samples_timeline_links_to_its_levels(page):
    text = page("timeline/")
    assert "Champion" in text
    assert 'href="/samples/mira/at/3/"' in text
    assert 'href="/samples/mira/compare/?first=2&amp;second=3"' in text
    assert "My characters" not in text


def test_two_levels_of_a_sample_are_compared(page):
    text = page("compare/", first=2, second=3)
    assert "Champion" in text
    assert 'href="/samples/mira/at/2/"' in text
    assert "no level 40" in page("compare/", status=422, first=40)


def test_a_samples_pages_have_no_links_that_only_its_owner_may_follow(page):
    for below in ("", "at/3/", "timeline/", "compare/"):
        text = page(below)
        assert 'href="/samples/mira/' in text
        assert re.findall(r"/characters/\d+/", text) == []


def test_a_samples_comparison_does_not_offer_private_characters(page, client):
    from tests.characters.cast import mira

    theirs = mira(person("bo"))
    assert f'value="{theirs.pk}"' not in page("compare/")
    page("compare/", status=422, other=theirs.pk)
