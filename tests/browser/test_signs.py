"""Every sign has a word beside it, for readers who do not know the drawing."""

import pytest

from tests.characters.play_pages.conftest import Player
from tests.support.browser import PHONE, WIDE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# The signs that a reader would see alone: their own line (the nearest block) shows no word.
ALONE = """signs => signs.filter(sign => sign.checkVisibility()).filter(sign => {
  const beside = sign.closest("a, button, label, summary, h1, h2, h3, h4, dt, dd, th, td, li, p") ?? sign.parentElement
  return !/[a-z]{2}/i.test(beside.innerText)
}).map(sign => sign.outerHTML)"""
PAGES = {
    "sheet": lambda borrin: borrin,
    "origin": lambda borrin: f"{borrin}build/origin/",
    "job": lambda borrin: f"{borrin}build/job/",
}


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize("name", PAGES)
def test_each_sign_has_its_word(new_page, ana, client, name, width):
    page = new_page(width=width, user=ana)
    page.goto(PAGES[name](Player(ana, client).base))
    signs = page.locator("svg.sign")
    assert signs.count() > 0
    assert signs.evaluate_all(ALONE) == []


def test_a_sign_that_has_lost_its_word_is_found(new_page, ana, client):
    """The control."""
    page = new_page(user=ana)
    page.goto(Player(ana, client).base)
    signs = page.locator("svg.sign")
    page.evaluate(
        "document.querySelector('svg.sign').parentElement.replaceChildren(document.querySelector('svg.sign'))"
    )
    assert len(signs.evaluate_all(ALONE)) == 1
