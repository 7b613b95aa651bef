"""Until the site's fonts have come, others of the same width and height stand in for them, so that nothing moves."""

import re

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAINTED = "new Promise((done) => new PerformanceObserver(() => done()).observe({ type: 'paint', buffered: true }))"
SHIFTS = """
window.moved = 0;
new PerformanceObserver((seen) => { for (const one of seen.getEntries()) window.moved += one.value; })
  .observe({ type: "layout-shift", buffered: true });
"""
STAND_INS = re.compile('"Until (Figtree|Literata)", ')


def moved_by_late_fonts(page, *, stand_ins=True):
    """The shift of a page whose fonts come late; without stand-ins it has the fonts of the machine until then."""

    def without(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=STAND_INS.sub("", answer.text()))

    fonts = []
    page.route(re.compile(r"\.woff2"), lambda route: fonts.append(route))
    if not stand_ins:
        page.route(re.compile(r"/base\.css"), without)
    page.add_init_script(SHIFTS)
    page.set_viewport_size({"width": 768, "height": 850})
    page.goto("/rules/polyhedral/chapter/", wait_until="domcontentloaded")
    page.evaluate(PAINTED)
    page.wait_for_timeout(200)
    for font in fonts:
        font.continue_()
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(300)
    return page.evaluate("window.moved")


def test_nothing_moves_when_fonts_come_late(new_page):
    page = new_page()
    moved = moved_by_late_fonts(page)
    if page.evaluate("[...document.fonts].some((one) => one.family.includes('Until') && one.status === 'error')"):
        pytest.skip("This machine has none of the fonts that stand in.")
    assert moved < 0.05


def test_without_stand_ins_lines_break_elsewhere(new_page):
    """The control."""
    assert moved_by_late_fonts(new_page(), stand_ins=False) > 0.05
