"""With letters twice as large nothing is lost on a phone: no page scrolls sideways, and all is in reach."""

import pytest

from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LARGE = "document.documentElement.style.fontSize = '200%'"
# Lists that are scrolled sideways in any size are left out.
BEYOND = """() => [...document.querySelectorAll("a, button, input, select, summary, textarea")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  return one.checkVisibility() && width > 1 && !one.closest(".tabs, .step-nav ol") && (left < 0 || right > innerWidth);
}).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("below", ["", "glance/", "build/equipment/", "build/origin/", "build/abilities/", "compare/"])
def test_large_text_fits_a_phone(new_page, ana, base, below):
    page = new_page(width=PHONE, user=ana)
    page.goto(base)
    page.get_by_role("button", name="Attack with Warhammer, one hand").click()
    page.locator("#rolled").wait_for()
    page.goto(base + below)
    page.evaluate(LARGE)
    for more in page.locator("main details:not([open]) > summary").all():
        if below != "build/equipment/" and more.is_visible():
            more.evaluate("one => one.parentElement.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    assert page.evaluate(BEYOND) == []
    if not below:
        assert page.locator("#hit-amount").bounding_box()["width"] >= 44
        assert page.locator("#skills .check-name > a").first.bounding_box()["height"] < 60
    if below != "build/equipment/":
        return
    name = page.locator(".ware h3").first.bounding_box()
    assert name["width"] > name["height"]
