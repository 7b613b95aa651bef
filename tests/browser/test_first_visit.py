"""The bytes that the real server sends for a first visit to a sheet, with headers, fonts and pictures."""

import io

import pytest

from tests.support.pictures import noise
from tests.support.site import copied, serving

HEAVIEST = 100_000
LONGEST = 99  # letters of the padding that hides the length of a page (polyhedral_site/middleware.py)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(copied(tmp_path_factory.mktemp("site"))) as site:
        yield site


def copy_of_a_sample(browser, host):
    """The address of a guest's own sheet, and the guest's cookies. The browser that made it is closed."""
    context = browser.new_context(base_url=host)
    page = context.new_page()
    page.goto("/")
    page.locator("form[action$='/copy/'] button").first.click()
    page.wait_for_url("**/build/**")
    address, state = page.url.split("build/")[0], context.storage_state()
    context.close()
    return address, state


def detailed_picture():
    """With so much detail that it is kept nearly as large as pictures get (`LIGHT` in portraits.py)."""
    data = io.BytesIO()
    noise(900, 28).convert("RGB").save(data, "JPEG")
    return {"name": "mira.jpg", "mimeType": "image/jpeg", "buffer": data.getvalue()}


def upload(browser, address, state):
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    page.goto(f"{address}face/")
    page.get_by_label("A picture").set_input_files(detailed_picture())
    page.get_by_role("button", name="Upload").click()
    page.locator(".face img").first.wait_for()
    context.close()


@pytest.mark.parametrize("face", ["faces", "webp"])
def test_a_first_visit_to_your_own_sheet_sends_less_than_100_kilobytes(browser, site, face):
    address, state = copy_of_a_sample(browser, f"http://localhost:{site.port}")
    if face == "webp":
        upload(browser, address, state)
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    urls, sizes, padding = {}, {}, {}

    def received(event):
        headers = {name.lower(): text for name, text in event["response"]["headers"].items()}
        if "x-padding" in headers:
            padding[event["requestId"]] = len(headers["x-padding"])

    network.on("Network.responseReceived", received)
    network.on("Network.requestWillBeSent", lambda event: urls.update({event["requestId"]: event["request"]["url"]}))
    network.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(address)
    page.evaluate("document.fonts.ready")
    parts = (address, "/fonts/figtree", "/fonts/literata", "htmx", "/css/play", "/js/play", face)

    def missing():
        sent = [urls[request] for request, size in sizes.items() if size > 500]
        return [part for part in parts if not any(part in url for url in sent)]

    for _ in range(200):  # its stream stays open, so the network is never idle
        if not missing():
            break
        page.wait_for_timeout(50)
    assert missing() == []
    page.wait_for_timeout(1_000)  # for anything else that is sent
    context.close()
    assert 0 <= max(padding.values()) <= LONGEST
    sent = {urls[request]: size + LONGEST - padding.get(request, LONGEST) for request, size in sizes.items()}
    assert sum(sent.values()) < HEAVIEST, sent
