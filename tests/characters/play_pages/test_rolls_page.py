"""The log of rolls comes in pages, newest first, with and without script."""

import re

from characters.pages.sheet.history_page import A_PAGE


def rolled(player, many):
    for _ in range(many):
        player.send("roll", roll="skill.athletics", faces="2 4")
    return [roll.pk for roll in player.character.rolls.filter(follows=None).order_by("-pk")]


def shown(page):
    return [int(pk) for pk in re.findall(r'class="rolls-row" id="roll-(\d+)"', page.content.decode())]


def test_a_page_has_the_newest_and_leads_to_earlier_ones(player):
    rolls = rolled(player, A_PAGE + 3)
    first = player.get("rolls/")
    (link,) = re.findall(r'href="\?before=(\d+)"', first.content.decode())
    second = player.get(f"rolls/?before={link}")
    assert (shown(first), shown(second)) == (rolls[:A_PAGE], rolls[A_PAGE:])
    assert "Earlier rolls" not in second.content.decode()
    assert 'href="?">Newest rolls' in second.content.decode()


def test_a_single_page_has_no_pagination(player):
    rolled(player, A_PAGE)
    assert "pagination" not in player.get("rolls/").content.decode()


def test_a_nudge_on_an_earlier_page_leads_back_to_it(player):
    rolls = rolled(player, A_PAGE + 1)
    before = rolls[A_PAGE - 1]
    assert f'name="before" value="{before}"' in player.get(f"rolls/?before={before}").content.decode()
    answer = player.send("nudge", htmx=False, page="rolls", roll=rolls[-1], up="yes", before=before)
    assert answer.url == f"{player.base}rolls/?before={before}#rolls"


def test_a_page_of_a_nonsense_number_is_the_first(player):
    rolls = rolled(player, 2)
    for before in ("x", "-1", "", "9" * 30, "²"):
        assert shown(player.client.get(f"{player.base}rolls/", {"before": before})) == rolls


def test_a_long_log_takes_at_most_ten_queries(player, django_assert_max_num_queries):
    rolled(player, A_PAGE + 3)
    with django_assert_max_num_queries(10):
        player.get("rolls/")
