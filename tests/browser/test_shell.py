"""The frame around every page: accessible in both color schemes and widths, usable without script, clear about
failures."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import expect

from tests.support.browser import PHONE, WIDE

PAGES = [
    "/",
    "/style/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/inactive/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/1-none/",
    "/accounts/password/reset/key/done/",
    "/accounts/confirm-email/",
    "/accounts/confirm-email/none/",
]
MINE = [
    "/accounts/email/",
    "/accounts/notifications/",
    "/accounts/password/change/",
    "/accounts/reauthenticate/",
    "/accounts/logout/",
]
REFUSED = '<form id="area"><label>Amount <input name="amount" aria-invalid="true"></label><p>No.</p></form>'
BUTTONS = (
    '<form id="area"><button name="how" value="gain">Gain</button><button name="how" value="lose">Lose</button></form>'
)
# A form such as any page may have; each test says how the server answers it.
FORM = """() => {
    document.querySelector('main').innerHTML = `
        <form id="area" hx-post="/answer/" hx-target="#area" hx-swap="outerHTML">
        <label>Amount <input name="amount"></label><button name="how" value="lose">Lose</button></form>`;
    htmx.process(document.querySelector('main'));
}"""


def test_every_page_is_accessible_and_fits(new_page, sound, ana):
    for user, paths in [(None, PAGES), (ana, MINE)]:
        page = new_page(user=user)
        for path in paths:
            page.goto(path)
            sound(page)


def test_no_button_fades_in_as_a_page_opens(new_page):
    """On a first visit no button begins without its color. Chromium would fade in those within a container when the
    style sheets arrive after the page."""
    guest = new_page()
    guest.goto("/characters/")
    guest.get_by_role("button", name="Make a character").click()
    guest.wait_for_url("**/build/origin/")
    for _ in range(2):
        page = new_page(motion=True, storage_state=guest.context.storage_state())
        page.add_init_script("addEventListener('transitionrun', one => (self.faded ??= []).push(one.target.outerHTML))")
        page.route("**/*.css", lambda route: (time.sleep(0.1), route.continue_()))
        page.goto(guest.url)
        page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert page.evaluate("self.faded ?? []") == []


@pytest.mark.smoke
def test_a_visitor_signs_up_out_and_in_without_script(new_page, db):
    page = new_page(script=False)
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill("mira")
    page.get_by_label("Email").fill("mira@example.com")
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Sign up").click()
    error = page.locator("#id_password1_error")
    expect(error).to_contain_text("too short")
    assert error.get_attribute("id") in page.get_by_label("Password").get_attribute("aria-describedby")
    assert page.get_by_label("Username").input_value() == "mira"

    page.get_by_label("Password").fill("a lantern on the reef")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_text("Account", exact=True).click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Username or email").fill("mira")
    page.get_by_label("Password").fill("a lantern on the reef")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Account", exact=True)).to_be_visible()


def test_escape_and_a_press_outside_close_a_menu(new_page, ana):
    page = new_page(user=ana)
    page.goto("/style/")
    summary = page.locator("details.menu > summary")
    summary.focus()
    page.keyboard.press("Enter")
    panel = page.locator(".menu-panel")
    assert panel.is_visible()
    page.keyboard.press("Escape")
    assert not panel.is_visible()
    assert summary.evaluate("element => element === document.activeElement")
    summary.click()
    page.mouse.click(5, 5)
    assert not panel.is_visible()


def test_the_pages_of_an_account_are_named_in_one_line_and_lead_to_a_forgotten_password_once(new_page, ana):
    page = new_page(user=ana)
    page.goto("/accounts/password/change/")
    tabs = page.get_by_role("navigation", name="Account").get_by_role("link").all()
    assert len(tabs) == 4
    assert len({tab.bounding_box()["y"] for tab in tabs}) == 1
    assert page.locator("main [href$='/password/reset/']").count() == 1


@pytest.mark.parametrize("several", [False, True])
def test_only_one_of_several_addresses_can_become_the_main_one(new_page, ana, several):
    for address in ("ana@example.com", "ana@example.org")[: 1 + several]:
        EmailAddress.objects.create(user=ana, email=address, primary=address.endswith("com"))
    page = new_page(user=ana)
    page.goto("/accounts/email/")
    expect(page.get_by_role("button", name="Send the confirmation again")).to_be_visible()
    expect(page.get_by_role("button", name="Make it the main one")).to_have_count(int(several))


@pytest.mark.parametrize("below", ["can-take/", "downtime/", "pool/"])
def test_what_a_page_is_about_stands_close_below_its_heading(new_page, ana, base, below):
    page = new_page(user=ana)
    page.goto(base + below)
    heading, lede = page.locator("h1").bounding_box(), page.locator(".lede").bounding_box()
    assert lede["y"] - heading["y"] - heading["height"] == 12


def test_the_sentence_below_a_heading_looks_the_same_on_every_page(new_page, ana, base):
    page, looks = new_page(user=ana), set()
    for path in ("/accounts/email/", "/rules/", f"{base}pool/", f"{base}house-rules/", f"{base}build/aspects/"):
        page.goto(path)
        sentence = page.locator("h1 ~ p:not(.print-only), main .lede").first
        looks.add(sentence.evaluate("p => { const style = getComputedStyle(p); return style.fontSize + style.color; }"))
    assert len(looks) == 1


def test_the_skip_link_comes_first_and_leads_to_the_page(page):
    page.goto("/style/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_chosen_theme_is_drawn_by_the_server(page):
    page.goto("/style/")
    page.get_by_label("Theme").select_option("dark")
    night = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.goto("/")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == night


def test_the_side_sheet_is_a_drawer_on_a_phone_and_open_beside_the_choices(new_page):
    for width, visible in [(PHONE, False), (WIDE, True)]:
        page = new_page(width=width)
        page.goto("/style/")
        assert page.get_by_text("Ines Marrable").is_visible() is visible


def test_a_form_works_after_a_sign_in_in_another_tab(page):
    sent = []
    page.goto("/style/")
    page.route("**/answer/", lambda route: (sent.append(route.request), route.fulfill(body=BUTTONS)))
    page.evaluate(FORM)
    page.evaluate(
        """() => {
            document.cookie = "csrftoken=fresh; path=/";
            document.querySelector("#area").insertAdjacentHTML(
                "beforeend", '<input type="hidden" name="csrfmiddlewaretoken" value="stale">');
        }"""
    )
    page.get_by_role("button", name="Lose").click()
    page.get_by_role("button", name="Gain").wait_for()
    assert sent[0].headers["x-csrftoken"] == "fresh"
    assert "fresh" in sent[0].post_data
    assert "stale" not in sent[0].post_data


def test_the_sign_in_page_is_not_swapped_into_another_page(page):
    page.goto("/style/")
    page.evaluate(FORM.replace("/answer/", "/accounts/email/").replace("hx-post", "hx-get"))
    page.get_by_label("Amount").fill("7")
    page.get_by_role("button", name="Lose").click()
    page.locator("#banner").get_by_text("signed out").wait_for()
    assert page.get_by_label("Amount").input_value() == "7"


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(401, "signed out"), (403, "not allowed"), (429, "Too many tries"), (413, "more than this site takes")],
)
def test_a_failed_request_shows_a_message_and_keeps_what_was_typed(page, status, sentence):
    page.goto("/style/")
    page.route("**/answer/", lambda route: route.fulfill(status=status, body="<p>gone</p>"))
    page.evaluate(FORM)
    page.get_by_label("Amount").fill("7")
    page.get_by_role("button", name="Lose").click()
    page.locator("#banner").get_by_text(sentence).wait_for()
    assert page.get_by_label("Amount").input_value() == "7"


def test_a_refused_form_is_redrawn_with_its_error_in_focus(page):
    page.goto("/style/")
    page.route("**/answer/", lambda route: route.fulfill(status=422, body=REFUSED))
    page.evaluate(FORM)
    page.get_by_role("button", name="Lose").click()
    page.get_by_text("No.").wait_for()
    assert not page.locator("#banner").is_visible()
    expect(page.locator("[name=amount]")).to_be_focused()


def test_focus_returns_to_the_same_button_and_the_answer_is_announced(page):
    page.goto("/style/")
    headers = {"HX-Trigger": '{"say": {"value": "Saved at 20:14."}}'}
    page.route("**/answer/", lambda route: route.fulfill(body=BUTTONS, headers=headers))
    page.evaluate(FORM)
    page.get_by_role("button", name="Lose").focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Saved at 20:14.").wait_for()
    page.get_by_role("button", name="Gain").wait_for()
    expect(page.locator("button[value=lose]")).to_be_focused()


def test_an_unreachable_site_shows_a_message(page):
    page.goto("/style/")
    page.evaluate(FORM)
    page.evaluate(
        # htmx reports it in the console too, as it should; here that is no complaint.
        "() => { console.error = () => {}; window.fetch = () => Promise.reject(new TypeError('no network')) }"
    )
    page.get_by_role("button", name="Lose").click()
    page.locator("#banner").get_by_text("cannot be reached").wait_for()


def test_print_leaves_out_the_header_and_the_footer(page):
    page.goto("/style/")
    page.emulate_media(media="print")
    assert not page.locator(".site-header").is_visible()
    assert not page.locator(".site-footer").is_visible()
    assert page.get_by_role("heading", name="Style page").is_visible()


WEIGHTS = """() => [...document.querySelectorAll("label:not(.side)")]
  .filter((label) => {
    const light = /checkbox|radio/.test(label.control?.type);
    return getComputedStyle(label).fontWeight !== (light ? "400" : "600");
  })
  .map((label) => label.textContent.trim())
"""
LABELED = ["", "downtime/", "levels/", "rest/", "roll/skill.athletics/", "house-rules/", "can-take/"]


@pytest.mark.parametrize("place", LABELED)
def test_labels_of_fields_are_semibold_and_labels_of_choices_are_not(new_page, ana, base, place):
    page = new_page(user=ana)
    page.goto(f"{base}{place}")
    assert page.locator("label").count()
    assert page.evaluate(WEIGHTS) == []


def test_the_parts_of_an_account_are_one_row_on_a_phone(new_page, ana):
    page = new_page(width=PHONE, user=ana)
    page.goto("/accounts/email/")
    tops = page.locator(".tabs a").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert len(tops) == 4
    assert len(set(tops)) == 1


DECLARATION = re.compile(r"(?<=[{;])\s*([a-z][a-z-]*)\s*:\s*([^;{}]+)(?=[;}])")
APART = re.compile(r"/\*.*?\*/|@font-face\s*{[^}]*}", re.DOTALL)


def test_the_browser_knows_every_declaration(new_page, settings):
    """It drops without a word what it does not know. A declaration with a variable counts as valid in any case."""
    sheets = {path.name: APART.sub("", path.read_text()) for path in (settings.BASE_DIR / "static/css").glob("*.css")}
    found = [(name, *pair) for name, text in sheets.items() for pair in DECLARATION.findall(text)]
    assert len(found) > 1_000, "the style sheets are elsewhere"
    known = "found => found.filter(([, name, value]) => !CSS.supports(name, value.replace('!important', '')))"
    assert new_page().evaluate(known, found) == []
