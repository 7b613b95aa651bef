"""Until the site's fonts have loaded, fonts of the same width and height stand in for them, so nothing moves.

The stand-ins are fonts of the machine, which may have none. So the tests bring two with the metrics of Arial and Times
New Roman: Arimo and Tinos, as in @fontsource/arimo and @fontsource/tinos 5.3.0, with their license beside them.
"""

import base64
import re
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FILES = {"Arial": "arimo-400", "Arial Bold": "arimo-700", "Times New Roman": "tinos-400"}
THEIRS = re.compile(r'local\("([^"]+)"\), local\("Liberation [^"]+"\)')
WIDTH = re.compile(r"size-adjust: [\d.]+%")
LOADED = """Promise.all(["400 1em 'Until Figtree'", "600 1em 'Until Figtree'", "400 1em 'Until Literata'"]
  .map((font) => document.fonts.load(font))).then((found) => found.flat().length)"""
OWN = re.compile(r"\.woff2")
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
MOST = 0.01  # of a shift of the layout, as browsers count it
SHIFTS = """
const shifts = [], seen = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
seen.observe({ type: "layout-shift" });
window.moved = () => [...shifts, ...seen.takeRecords()].reduce((sum, { value }) => sum + value, 0);
"""


def stand_in(found):
    font = (Path(__file__).parent / "fonts" / f"{FILES[found[1]]}.woff2").read_bytes()
    return f"url(data:font/woff2;base64,{base64.b64encode(font).decode()})"


def moved_by_late_fonts(new_page, *, width=None):
    """The shift of a page when its own fonts come; width: of the stand-ins, for that in the style sheet."""
    page, own = new_page(bypass_csp=True), []

    def styles(route):
        answer = route.fetch()
        text = THEIRS.sub(stand_in, answer.text())
        route.fulfill(response=answer, body=WIDTH.sub(f"size-adjust: {width}", text) if width else text)

    page.route(OWN, lambda route: own.append(route))
    page.route(re.compile(r"/base\.css"), styles)
    page.set_viewport_size({"width": 768, "height": 850})
    page.goto("/rules/polyhedral/chapter/", wait_until="domcontentloaded")
    assert page.evaluate(LOADED) == len(FILES)
    page.evaluate(DRAWN)
    page.evaluate(SHIFTS)
    page.unroute(OWN)
    for font in own:
        font.continue_()
    page.evaluate("document.fonts.ready.then(() => null)")
    page.evaluate(DRAWN)
    return page.evaluate("moved()")


def test_nothing_moves_when_fonts_come_late(new_page):
    assert moved_by_late_fonts(new_page) < MOST


def test_stand_ins_of_another_width_break_lines_elsewhere(new_page):
    """The control."""
    assert moved_by_late_fonts(new_page, width="115%") > MOST
