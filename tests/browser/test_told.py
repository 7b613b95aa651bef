"""Others' changes appear by themselves: on a sheet, in every tab, also after the connection was lost."""

import pytest
from playwright.sync_api import expect

from characters import verbs
from characters.models import Character
from characters.people import Person
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.support.browser import health, unfold
from tests.support.streaming import streaming, until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def hub(site):
    return site[1].hub


@pytest.fixture
def sheet(new_page, ana, base, site):
    """Opens Ana's sheet on the server with streams: `sheet()`, in a browser of its own unless it gets a context."""

    def opened(context=None, **how):
        page = context.new_page() if context else new_page(user=ana, **how)
        page.goto(site[0] + base)
        return page

    return opened


@pytest.fixture
def hit(ana, base):
    """Damage from elsewhere: `hit(3)`."""
    character = Character.objects.get(sample="")

    def change(amount):
        play.take_damage(character.pk, Person(ana), new_key(), amount=str(amount))

    return change


def left(page):
    return int(health(page).inner_text().split()[0])


def streams(hub, many):
    until(lambda: len(hub.all()) == many)


def test_a_change_appears_on_another_device_and_is_announced(sheet, hub, hit):
    page = sheet()
    streams(hub, 1)
    before = left(page)
    hit(3)
    expect(health(page)).to_contain_text(str(before - 3))
    expect(page.locator("#status")).to_contain_text("takes 3 damage")


def test_a_new_name_is_in_the_title_as_well(sheet, hub, ana):
    page = sheet()
    streams(hub, 1)
    verbs.rename(Character.objects.get(sample="").pk, Person(ana), new_key(), name="Nell the second")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nell the second")
    expect(page).to_have_title("Nell the second · Polyhedral")


def test_a_page_does_not_fetch_its_own_change_again(sheet, hub, hit):
    page, asked = sheet(), []
    streams(hub, 1)
    hit(1)
    expect(page.locator("#status")).to_contain_text("takes 1 damage")  # so the page has already heard of this change
    page.on("request", lambda request: asked.append(request.url))
    before = left(page)
    page.locator("#hit-amount").fill("-2")
    page.locator("#hit-amount").press("Enter")
    expect(health(page)).to_contain_text(str(before - 2))
    until(lambda: not hub.announced)
    page.wait_for_timeout(300)
    assert [url for url in asked if url.endswith("/watch/")] == []


def test_a_hidden_page_fetches_changes_when_it_is_shown(sheet, hub, hit):
    page, asked = sheet(), []
    streams(hub, 1)
    before = left(page)
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("Object.defineProperty(document, 'hidden', {configurable: true, get: () => true})")
    hit(3)
    page.wait_for_timeout(300)
    assert asked == []
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    expect(health(page)).to_contain_text(str(before - 3))


def test_a_refusal_is_not_removed_by_the_change_that_led_to_it(sheet, hub, ana):
    def resolve(amount):
        play.adjust(Character.objects.get(sample="").pk, Person(ana), new_key(), resource="resolve", amount=amount)

    page = sheet()
    streams(hub, 1)
    unfold(page, "resolve")
    page.evaluate("Object.defineProperty(document, 'hidden', {configurable: true, get: () => true})")
    resolve("0")
    page.locator("#adjust-resolve-less").click()
    refusal = page.locator("#vitals .field-error")
    expect(refusal).to_contain_text("none left")
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#status")).to_contain_text("now 0 of")  # the change is here, and the reason is still read
    expect(refusal).to_contain_text("none left")
    resolve("1")
    expect(refusal).to_have_count(0)


def test_a_press_as_anothers_change_comes_does_not_undo_that(sheet, hub, hit):
    page = sheet()
    streams(hub, 1)
    before = left(page)
    hit(1)
    expect(page.locator("#undo-latest")).to_contain_text("takes 1 damage")
    page.wait_for_timeout(500)
    press = "document.addEventListener('version', () => document.getElementById('undo-latest').click(), {once: true})"
    page.evaluate(press)
    hit(3)
    expect(page.locator("#undo-latest")).to_contain_text("takes 3 damage")
    page.wait_for_timeout(500)
    expect(health(page)).to_contain_text(str(before - 4))
    page.locator("#undo-latest").click()
    expect(health(page)).to_contain_text(str(before - 1))


def test_twelve_tabs_share_one_stream_and_all_follow(sheet, hub, hit):
    first = sheet()
    context = first.context
    tabs = [first, *(sheet(context) for _ in range(11))]
    streams(hub, 1)
    before = left(first)
    hit(1)
    for tab in tabs:
        expect(health(tab)).to_contain_text(str(before - 1))
    [held] = hub.all()
    first.close()  # the tab with the stream; the next one may open its own before the server notices
    until(lambda: len(hub.all()) == 1 and held not in hub.all())
    hit(1)
    for tab in tabs[1:]:
        expect(health(tab)).to_contain_text(str(before - 2))
    assert len(hub.all()) == 1


def test_without_locks_each_tab_has_a_stream_of_its_own(sheet, hub, hit, new_page, ana, site, base):
    page = new_page(user=ana)
    page.context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', {get: () => undefined})")
    page.goto(site[0] + base)
    other = sheet(page.context)
    streams(hub, 2)
    before = left(page)
    hit(1)
    for one in (page, other):
        expect(health(one)).to_contain_text(str(before - 1))


def test_a_frozen_tab_loses_the_stream_to_another_tab(sheet, hub, hit):
    first = sheet()
    streams(hub, 1)
    second = sheet(first.context)
    until(lambda: second.evaluate("navigator.locks.query().then(all => all.pending.length)") == 1)
    first.evaluate("BroadcastChannel.prototype.postMessage = () => {}")  # because a frozen tab says nothing
    second.clock.install()
    second.clock.fast_forward(60_000)
    second.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    second.clock.fast_forward(3_000)
    until(lambda: second.evaluate("navigator.locks.query().then(all => all.held.length)") == 1)
    before = left(second)
    hit(1)
    expect(health(second)).to_contain_text(str(before - 1))


def a_lost_connection_is_expected(new_page):
    lost = ("ERR_CONNECTION", "ERR_INCOMPLETE")
    new_page.complaints[:] = [one for one in new_page.complaints if not any(word in one for word in lost)]


def test_a_lost_connection_shows_a_message_and_misses_no_change(new_page, ana, base, hit, sound):
    page = new_page(user=ana)
    with streaming() as (port, application):
        page.goto(f"http://localhost:{port}{base}")
        streams(application.hub, 1)
        before = left(page)
    hit(3)
    banner = page.locator("#banner")
    expect(banner).to_contain_text("The connection is lost")
    sound(page)
    page.locator("#hit-amount").fill("12")
    with streaming(port) as (_, application):
        page.evaluate("dispatchEvent(new Event('online'))")  # sooner than it would by itself
        expect(health(page)).to_contain_text(str(before - 3))
        expect(banner).to_be_hidden()
        expect(page.locator("#hit-amount")).to_have_value("12")
        page.goto("about:blank")
    a_lost_connection_is_expected(new_page)


def test_that_the_connection_is_back_is_said_once(new_page, ana, base, hit):
    page = new_page(user=ana)
    with streaming() as (port, application):
        page.goto(f"http://localhost:{port}{base}")
        streams(application.hub, 1)
    expect(page.locator("#banner")).to_contain_text("The connection is lost")
    with streaming(port) as (_, application):
        page.evaluate("dispatchEvent(new Event('online'))")  # sooner than it would by itself
        expect(page.locator("#status")).to_contain_text("Connected again")
        page.locator("#status").evaluate(
            """status => {
                window.heard = [];
                new MutationObserver(() => heard.push(status.textContent)).observe(status, {childList: true});
            }"""
        )
        hit(1)
        until(lambda: any("takes 1 damage" in one for one in page.evaluate("heard")))
        assert not any("Connected again" in one for one in page.evaluate("heard"))
        page.goto("about:blank")
    a_lost_connection_is_expected(new_page)


def test_a_lost_connection_comes_back_by_itself(new_page, ana, base, hit):
    page = new_page(user=ana)
    with streaming() as (port, application):
        page.goto(f"http://localhost:{port}{base}")
        streams(application.hub, 1)
        before = left(page)
    hit(3)
    with streaming(port):
        expect(health(page)).to_contain_text(str(before - 3))
        page.goto("about:blank")
    a_lost_connection_is_expected(new_page)


def test_two_hundred_changes_do_not_disturb_typing(sheet, hub, hit, ana):
    """Text and caret, while 500 characters are typed."""
    page = sheet()
    streams(hub, 1)
    page.get_by_text("Write something").click()
    field = page.locator("#add-note-text")
    field.click()
    words, typed = ("We swore it on the bridge; nobody saw us. " * 12)[:500], ""
    character = Character.objects.get(sample="")
    for number in range(200):
        play.adjust(character.pk, Person(ana), new_key(), resource="health", by="+1" if number % 2 else "-1")
        part = words[len(typed) : len(typed) + 3] if number % 2 else words[len(typed) : len(typed) + 2]
        field.press_sequentially(part)
        typed += part
    assert len(typed) == 500
    expect(field).to_have_value(typed)
    expect(field).to_be_focused()
    assert field.evaluate("field => [field.selectionStart, field.selectionEnd]") == [500, 500]
    field.evaluate("field => field.setSelectionRange(10, 20)")
    hit(5)
    expect(page.locator("#status")).to_contain_text("takes 5 damage")
    assert field.evaluate("field => [field.selectionStart, field.selectionEnd]") == [10, 20]
    expect(field).to_have_value(typed)
