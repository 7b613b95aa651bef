"""A first visit with an empty cache, in Chromium: how many requests, and how many bytes came over the wire."""

from playwright.sync_api import sync_playwright

from tests.support import chromium


def first_visit(port, request):
    """(requests, bytes received with headers) for the page of a Request and all that it loads."""
    sizes = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 900}, extra_http_headers=request.headers)
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(f"http://127.0.0.1:{port}{request.path}", wait_until="networkidle")
        browser.close()
    return len(sizes), sum(sizes)
