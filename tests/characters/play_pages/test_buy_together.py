"""Buying with others: the page first shows what the pool affords, class by class (RE-01 to RE-07, R67)."""

import pytest


def pool(player, ranks=None):
    return player.get("pool/" if ranks is None else f"pool/?ranks={ranks}")


def reach(response):
    """For each class of goods: whether the pool affords it, and what buying it alone would cost."""
    return {one.name: (one.together, one.alone) for one in response.context["pool"].classes}


def test_the_page_first_asks_for_the_ranks_of_the_others(player):
    response = pool(player)
    assert response.status_code == 200
    assert response.context["pool"] is None
    assert b"Resources 4 (Modest)" in response.content


def test_the_page_shows_what_the_pool_affords_and_what_buying_alone_costs(player):
    response = pool(player, "4")
    assert response.context["pool"].words == "5, Comfortable"
    assert reach(response) == {
        "Common": (True, "yes"),
        "Uncommon": (True, "yes"),
        "Rare": (True, "Resources fall to 3, Modest"),
        "Very Rare": (False, "no"),
        "Legendary": (False, "no"),
    }
    assert [name for name, _ in response.context["shelves"]] == ["Rare", "Uncommon", "Common"]


def test_re_07_four_equal_ranks_afford_very_rare_goods(player):
    response = pool(player, "4+4+4")
    assert response.context["pool"].words == "7, Affluent"
    assert reach(response)["Very Rare"] == (True, "no")


@pytest.mark.parametrize("ranks", ["", "5", "2", "x", "4 11", "-4", "4" * 300, "4 ½", "%00"])
def test_ranks_that_make_no_pool_are_refused_by_their_field(player, ranks):
    response = pool(player, ranks)
    text = response.content.decode()
    assert response.status_code == 422
    assert response.context["pool"] is None
    assert 'aria-describedby="buy-together-refused pool-ranks-help" aria-invalid="true" autofocus' in text
    assert 'id="buy-together-refused"' in text


def test_a_character_without_resources_cannot_join_a_pool(player):
    player.send("spend-downtime", days="3", activity="Gambling", ranks="-4")
    assert "nothing to put in" in pool(player, "0").content.decode()


@pytest.mark.parametrize("htmx", [True, False])
def test_buying_together_costs_nobody_a_rank(player, htmx):
    fields = {"ref": "armor:plate", "ranks": "4", "quantity": "1", "page": "pool"}
    response = player.send("purchase-together", htmx=htmx, **fields)
    if htmx:
        assert b'id="pool"' in response.content
    else:
        assert response.status_code == 303
        assert response.headers["Location"] == f"{player.base}pool/?ranks=4#pool"
    assert any(value.get("ref") == "armor:plate" for value in player.facts.values() if isinstance(value, dict))
    assert "spent:resources-lowered" not in player.facts
    assert player.last.sentence.endswith("buys Plate together with others. Together: Resources 5, Comfortable.")


@pytest.mark.parametrize("htmx", [True, False])
def test_goods_beyond_the_pool_are_refused_and_the_form_keeps_the_quantity(player, htmx):
    fields = {"ref": "weapon:rifle-bolt-action", "ranks": "4", "quantity": "3", "page": "pool"}
    version = player.character.version
    response = player.send("purchase-together", htmx=htmx, **fields)
    text = response.content.decode()
    assert response.status_code == 422
    assert "is Very Rare; together they are 5, Comfortable" in text
    assert 'name="quantity"' in text
    assert 'value="3"' in text
    assert player.character.version == version


def test_the_sheet_links_to_the_pool_page(player):
    assert f'href="{player.base}pool/"' in player.get().content.decode()
