"""The sheet as at a level: the ordinary sheet, read-only, with links to the levels beside it."""

import re

import pytest

from characters.models import Change

from .conftest import allow, plan


def test_the_page_is_the_sheet_of_that_level(read):
    text = read("at/3/")
    assert "As at level 3" in text
    assert "Improved Critical" in text
    assert "talent/medic" in read("at/5/")
    assert "talent/medic" not in text
    assert re.search(r"Level 3\b", text)


def test_the_title_tells_the_level_apart_from_the_sheet_of_today(read, character):
    assert re.search(rf"<title>{character}\s+at level 3 ·", read("at/3/"))
    assert f"<title>{character} ·" in read("")


def test_the_page_links_to_the_levels_beside_it_and_to_the_current_sheet(read, character):
    text = read("at/3/")
    for url in (f"/characters/{character.pk}/at/2/", f"/characters/{character.pk}/at/4/", character.get_absolute_url()):
        assert f'href="{url}"' in text
    assert 'rel="prev"' not in read("at/1/")
    assert 'rel="next"' not in read("at/7/")


def test_the_sheet_as_at_a_level_is_rested_and_read_only(read):
    text = read("at/7/")
    assert "unhurt" in text
    assert "Poisoned" not in text
    assert "/build/" not in text
    assert "Copy this character" not in text


def test_numbers_are_explained_as_at_that_level(read):
    text = read("at/2/")
    assert "/at/2/explain/health.max/" in text
    assert "24" in read("at/2/explain/health.max/")
    assert "36" in read("at/3/explain/health.max/")
    assert "3D" in read("at/2/odds/save.strength/")
    read("at/2/explain/no-such-number/", status=404)
    read("at/2/odds/health.max/", status=404)


@pytest.mark.parametrize("level", ["0", "8", "40", "10001", "9" * 30, "-1", "two", "1.5", "%00"])
@pytest.mark.parametrize("below", ["", "explain/defense/", "odds/initiative/"])
def test_a_level_that_does_not_exist_is_not_found(read, level, below):
    read(f"at/{level}/{below}", status=404)


def test_a_planned_level_says_that_it_is_planned(read, character):
    plan(character, level=9)
    text = read("at/9/")
    assert "As planned for level 9" in text
    assert "Level 8, planned" in read("at/7/")
    assert "planned</span>" in read("timeline/")


@pytest.mark.parametrize("below", ["at/3/", "at/3/explain/defense/", "at/3/odds/initiative/"])
def test_the_page_takes_at_most_twelve_queries_and_writes_nothing(read, below, django_assert_max_num_queries):
    read(below)
    before = Change.objects.count()
    with django_assert_max_num_queries(12):
        read(below)
    assert Change.objects.count() == before


def test_an_exception_is_on_the_sheet_with_its_reason(read, character):
    allow(character)
    assert "Saved the duke" in read("")
    assert "Saved the duke" in read("at/7/")
    assert "Saved the duke" not in read("at/5/")
