"""Text typed at the table is not lost when others change something, the server goes down, or the session ends."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from characters.change import fact_store
from characters.models import Character
from polyhedral_site.streams import stream_view
from tests.support.browser import health, unfold

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = "We swore it on the bridge.\nNobody saw us."


@pytest.fixture(autouse=True)
def told_when_asked(monkeypatch):
    """No page asks again by itself: an answer just before `follow` would leave that waiting in vain."""
    monkeypatch.setattr(stream_view, "AGAIN", 600_000)


@pytest.fixture
def here(new_page, ana, base):
    """The device that is typed on."""
    return opened(new_page(user=ana), base)


@pytest.fixture
def there(new_page, ana, base):
    """Another device, or another person who may write on the same sheet."""
    return opened(new_page(user=ana), base)


def opened(page, base):
    """The sheet, when it has the first numbers: later ones come as an answer to `follow` alone."""
    page.goto(base)
    page.wait_for_function("() => performance.getEntries().some(({ name }) => name.endsWith('/stream/'))")
    return page


def follow(page, until="**/watch/"):
    """Make the page ask at once for others' changes, and wait for the answer."""
    with page.expect_response(until):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def write(page, text):
    page.get_by_text("Write something").click()
    page.locator("#add-note-text").fill(text)


def keep(page, text):
    write(page, text)
    page.get_by_role("button", name="Save the note").click()
    expect(page.locator(".prose-row").get_by_text(text.split("\n")[0], exact=True).first).to_be_attached()


def notes():
    facts = fact_store.stored(Character.objects.select_related("ruleset").get(sample=""))
    return [value["text"] for address, value in facts.items() if address.startswith("note:")]


def row_of(page, text):
    return page.locator(".prose-row", has_text=text)


# Others' changes.


def test_a_text_being_rewritten_keeps_its_words_the_caret_and_the_focus(here, there):
    keep(there, "The old mill")
    follow(here)
    row = row_of(here, "The old mill")
    row.locator("summary").click()
    field = row.locator("textarea")
    field.fill("The old mill burned")
    field.evaluate("field => field.setSelectionRange(4, 7)")
    keep(there, "A second note")
    follow(here)
    expect(row_of(here, "A second note")).to_be_visible()
    expect(field).to_have_value("The old mill burned")
    expect(field).to_be_focused()
    assert field.evaluate("field => [field.selectionStart, field.selectionEnd]") == [4, 7]
    row.get_by_role("button", name="Save").click()
    expect(row_of(here, "The old mill burned")).to_be_visible()
    assert sorted(notes()) == ["A second note", "The old mill burned"]


def test_a_text_rewritten_by_two_people_shows_both_texts(here, there, axe):
    keep(there, "The old mill")
    follow(here)
    row_of(here, "The old mill").locator("summary").click()
    mine = here.locator(".prose-row textarea:visible")
    mine.fill("Mine about the mill")
    row_of(there, "The old mill").locator("summary").click()
    there.locator(".prose-row textarea:visible").fill("Theirs about the mill")
    there.locator(".prose-row:has(textarea:visible)").get_by_role("button", name="Save").click()
    expect(row_of(there, "Theirs about the mill")).to_be_visible()
    follow(here)
    expect(mine).to_have_value("Mine about the mill")
    here.locator(".prose-row:has(textarea:visible)").get_by_role("button", name="Save").click()
    expect(here.locator(".notice")).to_contain_text("Theirs about the mill")
    expect(mine).to_have_value("Mine about the mill")
    assert notes() == ["Theirs about the mill"]
    axe(here)
    here.locator(".prose-row:has(textarea:visible)").get_by_role("button", name="Save").click()
    expect(here.locator(".notice")).to_have_count(0)
    assert notes() == ["Mine about the mill"]


def test_leaving_a_half_written_note_asks_first(here):
    asked = []
    here.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    here.locator("#hit-amount").fill("7")
    write(here, LONG)
    with here.expect_event("dialog"):
        here.get_by_text("Menu", exact=True).click()
        here.locator("#sheet-menu").get_by_role("link", name="History").click(no_wait_after=True)
    assert asked == ["beforeunload"]
    expect(here.locator("#add-note-text")).to_have_value(LONG)
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#add-note-text")).to_have_value("")
    here.get_by_text("Menu", exact=True).click()
    here.locator("#sheet-menu").get_by_role("link", name="History").click()
    here.wait_for_url("**/history/")
    assert asked == ["beforeunload"]


def test_a_conflict_ends_when_the_other_text_is_chosen(here, there):
    """Your own is chosen in `test_focus.py`."""
    for page, text in ((here, "Mine"), (there, "Theirs")):
        page.locator(".prose-row summary").first.click()
        page.locator(".prose-row textarea").first.fill(text)
    save = here.locator(".prose-row").first.get_by_role("button", name="Save")
    there.locator(".prose-row").first.get_by_role("button", name="Save").click()
    expect(there.locator(".prose-row").first).to_contain_text("Theirs")
    follow(here)
    save.click()
    expect(here.locator(".notice-warn")).to_contain_text("Theirs")
    here.locator(".prose-row textarea").first.fill("Theirs")
    save.click()
    expect(here.locator(".notice-warn")).to_have_count(0)
    expect(here.locator(".prose-row").first.locator(".prose-text")).to_have_text("Theirs")


def test_a_page_shows_its_own_change_whatever_is_in_other_forms(here, base):
    fall(here)
    here.locator("#stabilize [name=medic]").check()
    heal(here)
    expect(here.locator("#down")).to_be_hidden()
    here.goto(f"{base}rest/")
    here.locator("#begin-short").click()
    here.locator("#rest-face").fill("4")
    here.locator("#finish-rest-go").click()
    expect(here.locator("#begin-short")).to_be_visible()


def test_a_ticked_box_does_not_hold_back_others_changes(here, there):
    fall(here)
    here.locator("#stabilize [name=medic]").check()
    here.locator("#hit-amount").focus()
    follow(there)
    heal(there)
    expect(there.locator("#down")).to_be_hidden()
    follow(here)
    expect(here.locator("#down")).to_be_hidden()


def fall(page):
    page.locator("#hit-amount").fill("-10")
    page.locator("#hit-amount").press("Enter")
    expect(page.locator("#down")).to_be_visible()


def heal(page):
    page.locator("#hit-amount").fill("5")
    page.locator("#hit-heal").click()


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_rewrite_of_a_deleted_note_can_be_saved_as_a_new_note(new_page, ana, base, there, axe, script):
    keep(there, "The old mill")
    here = new_page(user=ana, script=script)
    if script:
        opened(here, base)
    else:
        here.goto(base)
    row = row_of(here, "The old mill")
    row.locator("summary").click()
    row.locator("textarea").fill(LONG)
    row_of(there, "The old mill").locator("summary").click()
    there.get_by_role("button", name="Delete note").click()
    expect(row_of(there, "The old mill")).to_have_count(0)
    if script:
        follow(here)
        expect(row.locator("textarea")).to_have_value(LONG)
    row.get_by_role("button", name="Save").click()
    expect(here.locator("#add-note-refused")).to_contain_text("Someone has deleted this.")
    expect(here.locator("#add-note-text")).to_have_value(LONG)
    if script:
        axe(here)
    here.get_by_role("button", name="Save the note").click()
    expect(row_of(here, "We swore it")).to_have_count(1)
    assert notes() == [LONG]


def test_a_count_follows_others_changes_once_the_focus_leaves_it(here, there):
    unfold(here, "wounds")
    to = here.locator("#adjust-wounds-to")
    to.focus()
    unfold(there, "wounds")
    there.locator("#adjust-wounds-more").click()
    expect(there.locator("#adjust-wounds-to")).to_have_value("1")
    follow(here)
    expect(to).to_be_focused()
    expect(to).to_have_value("0")
    here.locator("#hit-amount").focus()
    expect(to).to_have_value("1")
    here.locator("#condition-more > summary").click()
    here.locator("#condition-what").select_option("condition:poisoned")
    here.locator("#condition-source").fill("a spider")
    there.locator("#condition-more > summary").click()
    there.locator("#condition-what").select_option("condition:prone")
    there.locator("#condition-add").click()
    expect(there.locator(".held")).to_contain_text("Prone")
    follow(here)
    expect(here.locator(".held")).to_contain_text("Prone")
    expect(here.locator("#condition-what")).to_have_value("condition:poisoned")
    expect(here.locator("#condition-source")).to_have_value("a spider")
    here.locator("#condition-add").click()
    expect(here.locator(".held")).to_contain_text("Poisoned by a spider")
    expect(here.locator("#condition-source")).not_to_be_visible()


def test_a_number_typed_before_the_answer_arrives_stays(here):
    held = []
    here.route("**/play/take-damage/", lambda route: held.append(route))
    here.locator("#hit-amount").fill("4")
    with here.expect_request("**/play/take-damage/"):
        here.locator("#hit-damage").click()
    here.evaluate("document.querySelector('#hit-amount').value = '3'")
    held[0].continue_()
    expect(health(here)).to_have_text(re.compile("6 of 10"))
    expect(here.locator("#hit-amount")).to_have_value("3")


def test_a_number_typed_into_a_counter_survives_a_press_beside_it(here):
    unfold(here, "wounds")
    field, more = here.locator("#adjust-wounds-to"), here.locator("#adjust-wounds-more")
    with here.expect_response("**/play/adjust/"):
        more.click()
    expect(field).to_have_value("1")  # with nothing typed it shows the count
    field.fill("+4")
    with here.expect_response("**/play/adjust/"):
        more.click()
    expect(here.locator("#count-wounds")).to_contain_text("−2 on every roll")
    expect(field).to_have_value("+4")
    field.press("Enter")
    expect(field).to_have_value("6")


def test_without_script_a_number_typed_into_a_counter_comes_back(new_page, ana, base):
    page = new_page(user=ana, script=False)
    page.goto(base)
    unfold(page, "wounds")
    page.locator("#adjust-wounds-to").fill("+4")
    page.locator("#adjust-wounds-more").click()
    expect(page.locator("#adjust-wounds-to")).to_have_value("+4")
    page.locator("#adjust-wounds-to").press("Enter")
    expect(page.locator("#adjust-wounds-to")).to_have_value("5")


# The server is gone.


def test_a_change_whose_answer_was_lost_is_made_once(new_page, here):
    def lose(route):
        route.fetch()
        route.abort()

    here.route("**/play/**", lose)
    write(here, LONG)
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#banner")).to_contain_text("cannot be reached")
    expect(here.locator("#add-note-text")).to_have_value(LONG)
    here.unroute("**/play/**")
    follow(here)
    expect(here.locator("#add-note-text")).to_have_value(LONG)
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#banner")).not_to_be_visible()
    expect(here.locator("#add-note-text")).to_have_value("")
    assert notes() == [LONG]
    new_page.complaints.clear()


def test_back_online_the_page_still_asks_to_press_again(new_page, here):
    here.route("**/play/**", lambda route: route.abort())
    write(here, LONG)
    here.evaluate("dispatchEvent(new Event('offline'))")
    expect(here.locator("#banner")).to_contain_text("You are offline")
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#banner")).to_contain_text("cannot be reached")
    here.evaluate("document.dispatchEvent(new Event('reached'))")  # the stream was not lost, or is back first
    here.evaluate("dispatchEvent(new Event('online'))")
    expect(here.locator("#status")).to_have_text("Back online.")
    expect(here.locator("#banner")).to_be_visible()
    expect(here.locator("#banner")).to_contain_text("Press again")
    here.unroute("**/play/**")
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#add-note-text")).to_have_value("")
    expect(here.locator("#banner")).not_to_be_visible()
    assert notes() == [LONG]
    new_page.complaints.clear()


@pytest.mark.parametrize("status", [500, 503])
def test_a_failed_save_shows_a_message_and_the_next_try_saves_once(new_page, here, status):
    here.route("**/play/**", lambda route: (route.fetch(), route.fulfill(status=status, body="<p>down</p>")))
    write(here, LONG)
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#banner")).to_be_visible()
    expect(here.locator("#add-note-text")).to_have_value(LONG)
    here.unroute("**/play/**")
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#add-note-text")).to_have_value("")
    assert notes() == [LONG]
    new_page.complaints.clear()


def test_without_script_a_reload_of_the_browsers_error_page_saves_once(new_page, ana, base):
    here = new_page(user=ana, script=False)
    here.goto(base)
    write(here, LONG)
    here.route("**/play/**", lambda route: (route.fetch(max_redirects=0), route.abort()))
    here.get_by_role("button", name="Save the note").click()
    here.wait_for_url("chrome-error://**")
    here.unroute("**/play/**")
    here.reload()
    expect(row_of(here, "We swore it")).to_have_count(1)
    assert notes() == [LONG]
    new_page.complaints.clear()


# The session has ended.


def sign_out_elsewhere(page):
    other = page.context.new_page()
    other.goto("/accounts/logout/")
    other.get_by_role("main").get_by_role("button", name="Sign out").click()
    other.wait_for_url(re.compile(r"/$"))
    other.close()


def end_session(page):
    Session.objects.all().delete()


def sign_in(page):
    page.get_by_label("Username or email").fill("ana")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize("end", [sign_out_elsewhere, end_session])
def test_a_note_typed_while_signed_out_is_saved_after_signing_in(here, axe, end):
    write(here, LONG)
    end(here)
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#banner")).to_contain_text("signed out")
    expect(here.locator("#add-note-text")).to_have_value(LONG)
    axe(here)
    with here.context.expect_page() as opened:
        here.locator("#banner").get_by_role("link", name="Sign in").click()
    sign_in(opened.value)
    expect(opened.value.locator("#hit-amount")).to_be_visible()
    opened.value.close()
    expect(here.locator("#add-note-text")).to_have_value(LONG)
    here.get_by_role("button", name="Save the note").click()
    expect(here.locator("#add-note-text")).to_have_value("")
    expect(here.locator("#banner")).not_to_be_visible()
    assert notes() == [LONG]


def test_the_page_shows_by_itself_that_you_are_signed_out_and_in_again(here, ana):
    write(here, LONG)
    cookies = here.context.cookies()
    here.context.clear_cookies()
    follow(here, until="**/stream/")
    expect(here.locator("#banner")).to_contain_text("signed out, or this browser has lost its cookies")
    here.context.add_cookies(cookies)
    follow(here, until="**/stream/")
    expect(here.locator("#banner")).not_to_be_visible()
    expect(here.locator("#add-note-text")).to_have_value(LONG)


@pytest.mark.parametrize("end", [sign_out_elsewhere, end_session])
def test_without_script_a_note_typed_while_signed_out_is_saved_after_signing_in(new_page, axe, ana, base, end):
    here = new_page(user=ana, script=False)
    here.goto(base)
    write(here, LONG)
    end(here)
    here.get_by_role("button", name="Save the note").click()
    expect(here.get_by_role("heading", level=1)).to_have_text("You are signed out")
    expect(here.get_by_role("main")).to_contain_text("without an account opens only in the browser that made it")
    expect(here.get_by_label("Text")).to_have_value(LONG)
    with here.context.expect_page() as opened:
        here.get_by_role("main").get_by_role("link", name="Sign in").click()
    sign_in(opened.value)
    expect(opened.value.locator("#hit-amount")).to_be_visible()
    opened.value.close()
    here.get_by_role("button", name="Send it").click()
    expect(here.get_by_role("heading", level=1)).to_have_text("Once more, please")
    expect(here.get_by_label("Text")).to_have_value(LONG)
    here.get_by_role("button", name="Send it").click()
    expect(row_of(here, "We swore it")).to_have_count(1)
    assert notes() == [LONG]


def test_the_page_that_shows_an_unsent_form_is_accessible(new_page, axe, ana, base):
    for width, dark in ((390, False), (1280, True)):
        here = new_page(user=ana, width=width, dark=dark)
        here.goto(base)
        end_session(here)
        key = "a key of this form"
        here.evaluate(
            """([url, key, text]) => {
                const form = document.createElement("form");
                Object.assign(form, { method: "post", action: url });
                for (const [name, value] of Object.entries({ key, text })) {
                    form.append(Object.assign(document.createElement("textarea"), { name, value }));
                }
                form.append(document.querySelector("[name=csrfmiddlewaretoken]").cloneNode());
                document.body.append(form);
                form.submit();
            }""",
            [f"{base}play/add-note/", key, LONG],
        )
        expect(here.get_by_label("Text")).to_have_value(LONG)
        axe(here)
        assert here.evaluate("document.documentElement.scrollWidth") <= width
