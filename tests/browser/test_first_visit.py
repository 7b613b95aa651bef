"""The bytes that a first visit of a sheet sends as the real server does: heads, pages, fonts, face and all."""

import pytest

from tests.support.site import copied, serving

HEAVIEST = 100_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(copied(tmp_path_factory.mktemp("site"))) as site:
        yield site


def copy_of_a_sample(browser, host):
    """The address of a guest's own sheet, and what keeps them a guest. The browser that made it is closed."""
    context = browser.new_context(base_url=host)
    page = context.new_page()
    page.goto("/")
    page.locator("form[action$='/copy/'] button").first.click()
    page.wait_for_url("**/build/**")
    address, state = page.url.split("build/")[0], context.storage_state()
    context.close()
    return address, state


def test_a_first_visit_of_ones_own_sheet_is_light(browser, site):
    address, state = copy_of_a_sample(browser, f"http://localhost:{site.port}")
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    urls, sizes = {}, {}
    network.on("Network.requestWillBeSent", lambda event: urls.update({event["requestId"]: event["request"]["url"]}))
    network.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(address)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(1_000)  # its stream stays open, so the network is never idle
    context.close()
    sent = {urls[request]: size for request, size in sizes.items()}
    for part in (address, "/fonts/figtree", "/fonts/literata", "htmx", "/css/play", "/js/play", "faces"):
        assert any(part in url and size > 500 for url, size in sent.items()), part
    assert sum(sent.values()) < HEAVIEST, sent
