"""On the narrowest phone, 320 pixels wide, whole pages fit, and the navigation takes two lines at most."""

import pytest
from django.contrib.auth.models import User

from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NARROWEST = 320
# The distances that readers may set for themselves, and that no page may break at (WCAG 1.4.12).
SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-block-end: 2em !important }`);
  document.adoptedStyleSheets = [sheet];
}"""


@pytest.fixture
def page(new_page):
    page = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"))
    page.set_viewport_size({"width": NARROWEST, "height": 640})
    return page


@pytest.mark.parametrize("address", ["/rules/polyhedral/chapter/", "/admin/rules/source/upload/"])
def test_a_page_with_a_table_or_a_file_to_choose_fits(page, address):
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROWEST


@pytest.mark.parametrize("spaced", [False, True], ids=["as it is", "with letters further apart"])
def test_the_tables_of_how_to_play_fit_every_phone(page, spaced):
    """Their cells have less padding where the text is narrow, and phones stand on both sides of that."""
    page.goto("/rules/polyhedral/chapter/")
    if spaced:
        page.evaluate(SPACED)
    widths = [*range(NARROWEST, 420, 4)]
    wider = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 640})
        wider[width] = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wider == dict.fromkeys(widths, 0)


def test_the_header_has_a_line_for_the_sign_and_one_for_the_links(page):
    page.goto("/rules/")
    name, *links = [one.bounding_box() for one in page.locator(".site-name, .site-nav > a, .site-nav summary").all()]
    assert len({one["y"] for one in links}) == 1
    assert name["width"] >= 44


def test_the_next_question_is_beside_its_button(page):
    ada = User.objects.get(username="ada")
    page.goto(f"{owned_by(ada, choices={}).get_absolute_url()}build/origin/")
    words, button = page.locator(".onward-words").bounding_box(), page.locator(".onward .button").bounding_box()
    assert words["y"] < button["y"] + button["height"] / 2 < words["y"] + words["height"]


@pytest.mark.parametrize(
    ("line", "many"),
    [(".side", 3), (".times-row .button:visible", 4), ("#measures > .vital", 5)],
    ids=["the sides of a roll", "turn and rest", "the numbers below health"],
)
def test_a_row_of_the_sheet_is_one_line_on_a_narrow_phone(page, line, many):
    ada = User.objects.get(username="ada")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(owned_by(ada, "ysolde-marrow").get_absolute_url())
    parts = page.locator(line).all()
    assert len(parts) == many
    assert len({part.bounding_box()["y"] for part in parts}) == 1
