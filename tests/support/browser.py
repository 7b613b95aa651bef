"""Fixtures for tests that open pages in Chromium.

`new_page(width=390, script=False, dark=True)` opens a page on the live server; `page` is a wide one with script.
Every error in the console of a page, CSP violations included, fails the test.
"""

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.core.servers.basehttp import WSGIRequestHandler
from django.test import Client
from playwright.sync_api import expect, sync_playwright

from . import chromium

PHONE, WIDE = 390, 1280
PATIENCE = 30_000  # milliseconds; a page that takes 100 of them alone can take seconds beside other tests
HEIGHTS = {PHONE: 844, WIDE: 900}
# An answer of 4xx that the page shows is not an error of the page, but Chromium reports it as one.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4(?!04)\d\d")

# Axe parses the colors behind every word, which is slow; so each color string is parsed once.
READ_ONCE = """
const Color = axe.commons.color.Color.prototype, read = Color.parseString, known = new Map();
Color.parseString = function (text) {
  if (!known.has(text)) {
    read.call(this, text);
    known.set(text, [this.r, this.g, this.b, this.alpha]);
  }
  [this.r, this.g, this.b, this.alpha] = known.get(text);
  return this;
};
"""
# Axe keeps the fields of each color in maps with weak keys, which are slow; so a map keeps them on the color itself.
FIELDS = """
class Field {
  #name = Symbol();
  has(one) { return this.#name in one; }
  get(one) { return one[this.#name]; }
  set(one, value) { one[this.#name] = value; return this; }
  add(one) { return this.set(one, true); }
}
"""
AXE = f"""(() => {{
{FIELDS}
((WeakMap, WeakSet) => {{ {AXE_SCRIPT} }})(Field, Field);
{READ_ONCE}
}})()"""
# Parts that fade in have less contrast until the end, so axe looks at the end.
VIOLATIONS = """async ([within, which]) => {
  document.getAnimations().forEach(one => one.effect.getComputedTiming().endTime < Infinity && one.finish());
  const where = within.length ? {include: within.map(one => [one])} : document;
  return (await axe.run(where, {resultTypes: ['violations'], ...which})).violations;
}"""
# The focused element if a bar covers one of its left corners; "" if both corners show, or if it is in the bar.
COVERED = """bar => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  if (one === document.body || one.closest(bar)) return "";
  const corners = [box.top + 3, box.bottom - 3].map(y => document.elementFromPoint(box.left + 3, y));
  return corners.some(there => there && there.closest(bar)) ? one.outerHTML.slice(0, 80) : "";
}"""
COLORS = ("color-contrast", "link-in-text-block")


def health(page):
    """The number that damage and healing change, on a sheet at the table."""
    return page.locator("#health .vital-value")


def unfold(page, slug):
    """Open the folded stepper of a count."""
    folded = page.locator(f"#count-{slug} > details:not([open]) > summary")
    if folded.count():
        folded.click()


@pytest.fixture(scope="session")
def browser():
    program = chromium.find()
    if not program:
        pytest.fail(chromium.HOW_TO_GET_IT)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def live_server(live_server):
    """Django's own, but it sends the body of an answer at once. Otherwise the body would wait until the head, which is
    sent separately, is acknowledged."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WSGIRequestHandler, "disable_nagle_algorithm", True)
        yield live_server


@pytest.fixture
def new_page(browser, live_server):
    """Open pages: `new_page(width=390, script=True, dark=False, motion=False, user=None)`, signed in as that user.

    Without `motion` nothing is animated, because painting frames takes processor time from the tests.
    `new_page.complaints` lists the errors of all pages so far; a test that causes one on purpose removes it.
    `new_page.close()` closes them.
    """
    contexts, complaints = [], []

    def open_page(*, width=WIDE, script=True, dark=False, motion=False, user=None, **options):
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": HEIGHTS[width]},
            java_script_enabled=script,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            **options,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if user:
            client = Client()
            client.force_login(user)
            name = settings.SESSION_COOKIE_NAME
            context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda message: complain(message.type, message.text, page.url))
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        return page

    def complain(kind, text, url):
        if kind == "error" and not REFUSED.match(text):
            complaints.append(f"{url}: {text}")

    def close():
        while contexts:
            contexts.pop().close()

    open_page.complaints, open_page.close = complaints, close
    yield open_page
    close()
    assert not complaints, "The pages complained:\n" + "\n".join(complaints)


@pytest.fixture
def page(new_page):
    return new_page()


@pytest.fixture
def axe():
    """Assert that a page has no accessibility violations: `axe(page)`, by rules (`only`, `but`), `within` elements."""

    def check(page, *, only=(), but=(), within=()):
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        which = {"runOnly": only} if only else {"rules": {rule: {"enabled": False} for rule in but}}
        found = page.evaluate(VIOLATIONS, [list(within), which])
        lines = [f"{fault['id']}: {fault['help']}: {node['html']}" for fault in found for node in fault["nodes"]]
        assert not found, f"{page.url} at {page.viewport_size['width']}\n" + "\n".join(lines)

    return check


UNREAD = re.compile(r"\{[#%{]|[#%}]\}")  # template syntax that was not rendered


@pytest.fixture
def sound(axe):
    """Assert that a page shows no template syntax, fits the screen and has no accessibility violations, on a phone and
    wide, by day and by night: `sound(page)`, or `on` some widths. The open page is resized, which is quicker than
    opening it twice."""

    def check(page, *, on=(PHONE, WIDE)):
        assert not UNREAD.search(page.inner_text("body")), page.url
        before = page.viewport_size
        for width in on:
            page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{page.url} at {width}"
            axe(page)
            page.emulate_media(color_scheme="dark")
            assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            axe(page, only=COLORS)  # the night changes only colors
            page.emulate_media(color_scheme="light")
        page.set_viewport_size(before)

    return check
