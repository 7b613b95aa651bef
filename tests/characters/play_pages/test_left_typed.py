"""A number typed into a counter survives a press on the button beside it, without script too."""

import pytest

pytestmark = pytest.mark.django_db


def field(html, slug):
    """The value of a counter's field."""
    return html.partition(f'id="adjust-{slug}-to"')[2].partition('value="')[2].partition('"')[0]


def pressed(player, typed, shown="1"):
    fields = {"resource": "stamina", "by": "-1", "amount": typed, "shown": shown}
    return player.send("adjust", htmx=False, **fields)


def test_the_field_keeps_the_typed_number(player):
    response = pressed(player, "-7")
    assert response.status_code == 303
    assert "counter=stamina&typed=-7#" in response.headers["Location"]
    html = player.client.get(response.headers["Location"]).content.decode()
    assert field(html, "stamina") == "-7"
    assert field(html, "resolve") == "1"
    assert "field-error" not in html
    assert field(player.get().content.decode(), "stamina") == "0"  # and is not kept for the next visit


def test_the_address_has_no_number_when_nothing_was_typed(player):
    response = pressed(player, "1")
    assert "typed" not in response.headers["Location"]
    typed = player.send("adjust", htmx=False, resource="stamina", amount="+1", shown="0")
    assert "typed" not in typed.headers["Location"]


@pytest.mark.parametrize(
    "asked", ["counter=nothing&typed=7", "counter=stamina", "counter=stamina&typed=" + "%3Cb%3E" * 99]
)
def test_a_made_up_address_shows_a_whole_page(player, asked):
    response = player.get(f"?{asked}")
    assert response.status_code == 200
    assert "<b><b>" not in response.content.decode()
    assert len(field(response.content.decode(), "stamina")) <= 20 * len("&lt;")
