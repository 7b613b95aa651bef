"""An evening at the table, on a phone and on a wide screen, with script and without: a fight, a rest, some things."""

import re

import pytest
from playwright.sync_api import expect

from characters.models import Character
from tests.support.browser import COLORS, PHONE, WIDE, health, unfold

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [PHONE, WIDE])
@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_an_evening_is_played_from_fight_to_history(new_page, axe, ana, base, width, script):
    page = new_page(width=width, script=script, motion=width == PHONE, user=ana)

    def look(opened=False):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
        # Axe itself needs the script. The colors of what an action draws are judged in test_swaps, on a phone.
        if script and opened:
            axe(page)
        elif script and width == WIDE:
            axe(page, but=COLORS)

    evening = Evening(page, base, look)
    evening.fight()
    evening.rest()
    evening.downtime()
    evening.shopping()
    evening.level()
    evening.history()


class Evening:
    """An evening played through the pages alone; `look` checks the page after every step."""

    def __init__(self, page, base, look):
        self.page, self.base, self.look = page, base, look

    def open(self, below=""):
        self.page.goto(f"{self.base}{below}")
        self.look(opened=True)

    def press(self, control, then, text=None):
        """Press a control, wait for its result, and check the page."""
        control.click()
        expect(then).to_contain_text(text) if text else expect(then).to_be_visible()
        self.look()

    def hit(self, amount, then):
        self.page.locator("#hit-amount").fill(amount)
        self.press(self.page.locator("#hit-damage"), health(self.page), then)

    def fight(self):
        page = self.page
        self.open()
        assert page.locator("#hit-damage").bounding_box()["y"] < page.viewport_size["height"]
        self.press(page.get_by_role("button", name="Roll initiative"), page.locator("#rolled"), "Initiative")
        self.hit("4", "6 of 10")
        page.locator("#hit-amount").fill("-1")
        page.locator("#hit-amount").press("Enter")
        expect(health(page)).to_contain_text("5 of 10")
        self.look()
        attack = page.get_by_role("button", name="Attack with Warhammer, one hand")
        self.press(attack, page.locator("#rolled"), "Warhammer")
        expect(page.locator("#rolled .die")).to_have_count(3)
        self.press(page.locator("#next-turn"), page.locator("#tray"), "starts a turn")
        page.locator("#condition-more > summary").click()
        page.locator("#condition-what").select_option("condition:poisoned")
        self.press(page.locator("#condition-add"), page.locator("#conditions .held"), "Poisoned")
        page.locator("#hit-amount").fill("many")
        self.press(page.locator("#hit-damage"), page.locator("#hit-refused"), "Type an amount")
        expect(page.locator("#hit-amount")).to_have_value("many")
        self.hit("5", "0 of 10")
        expect(page.locator("#down")).to_contain_text("Dying")
        self.press(page.locator("#death-save-roll"), page.locator("#rolled"), "Death")
        self.press(page.locator("#undo-latest"), page.locator("#tray"), "Undone")
        page.locator("#hit-amount").fill("5")
        page.locator("#hit-heal").click()
        expect(health(page)).to_contain_text("5 of 10")
        self.look()
        end = page.locator("#conditions .held").get_by_role("button")
        self.press(end.filter(has_text="Poisoned"), page.locator("#tray"), "no longer poisoned")
        self.press(end.filter(has_text="Prone"), page.locator("#conditions .held"), "No conditions")

    def rest(self):
        page = self.page
        self.open("rest/")
        self.press(page.locator("#begin-short"), page.locator("#now-title"), "Short rest")
        page.locator("#rest-face").fill("3")
        self.press(page.locator("#rest-die-go"), page.locator(".rest-state"), "10 of 10 health")
        self.press(page.locator("#finish-rest-go"), page.locator("#begin-short"))

    def downtime(self):
        page = self.page
        page.get_by_role("link", name="Enter days of downtime").click()
        page.locator("#activity").fill("Training")
        page.locator("#learn").select_option("knowledge:nature")
        self.press(page.locator("#downtime-look"), page.locator(".ahead"), "Nature")
        self.look()
        self.press(page.locator("#downtime-go"), page.locator(".latest"), "7 days of training. Learned: Nature.")

    def shopping(self):
        page = self.page
        self.open()
        page.get_by_text("Add something").click()
        page.locator("#add-thing-custom").fill("A silver key")
        add = page.locator("#add-thing").get_by_role("button", name="Add it")
        self.press(add, page.locator("#equipment"), "A silver key")
        page.goto(f"{self.base}build/equipment/?shelf=gear")
        self.look()
        self.press(page.locator("#gear-torch-buy"), page.locator(".thing", has_text="Torch"))
        self.open()
        expect(page.locator("#equipment")).to_contain_text("Torch")

    def level(self):
        page = self.page
        self.open("levels/")
        page.get_by_label("XP", exact=True).fill("1000")
        page.get_by_label("Reason").fill("The ogre of the bridge")
        self.press(page.get_by_role("button", name="Gain"), page.get_by_text("has 1,000. Level 1 to 2."))
        self.press(page.get_by_role("link", name="Take level 2"), page.get_by_role("heading", level=1), "Level 2")
        take = page.get_by_role("button", name="Take level 2")
        self.press(page.get_by_role("link", name="Choose Fighter"), take)
        self.press(take, page.locator(".moment-pick"), "Fighter 2")
        self.open()
        expect(page.locator("#identity")).to_contain_text("Level 2")
        expect(health(page)).not_to_contain_text("of 10")

    def history(self):
        page = self.page
        self.open("history/")
        rows = page.locator(".history-row")
        expect(rows.first).to_contain_text("level 2")
        expect(page.get_by_text("gains 1,000 XP (The ogre of the bridge)").first).to_be_visible()
        bought = rows.filter(has_text="buys Torch")
        self.press(bought.get_by_role("button", name="Undo"), rows.first, "Undone")


def test_focus_stays_and_counts_add_up(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    unfold(page, "resolve")
    less = page.locator("#adjust-resolve-less")
    less.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#adjust-resolve-to")).to_have_value("0")
    expect(less).to_be_focused()
    for _ in range(3):
        unfold(page, "wounds")
        page.locator("#adjust-wounds-more").click()
    expect(page.locator("#adjust-wounds-to")).to_have_value("3")


def test_a_page_follows_another_device_and_keeps_what_is_being_typed(new_page, ana, base):
    here, there = new_page(user=ana), new_page(user=ana)
    here.goto(base)
    there.goto(base)
    here.locator("#hit-amount").fill("12")
    there.locator("#hit-amount").fill("3")
    there.locator("#hit-damage").click()
    expect(health(here)).to_have_text(re.compile("7 of 10"))
    expect(here.locator("#hit-amount")).to_have_value("12")
    expect(here.locator("#hit-amount")).to_be_focused()


def test_the_keys_show_their_list_and_lead_to_damage(new_page, axe, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).not_to_be_visible()
    page.keyboard.press("h")
    expect(page.locator("#hit-amount")).to_be_focused()
    page.keyboard.type("-2")
    page.keyboard.press("Enter")
    expect(health(page)).to_have_text(re.compile("8 of 10"))


def test_a_typed_number_survives_a_server_that_cannot_be_reached(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    page.route("**/play/**", lambda route: route.abort())
    page.locator("#hit-amount").fill("4")
    page.locator("#hit-damage").click()
    expect(page.locator("#banner")).to_contain_text("cannot be reached")
    expect(page.locator("#hit-amount")).to_have_value("4")
    page.unroute("**/play/**")
    page.locator("#hit-damage").click()
    expect(health(page)).to_have_text(re.compile("6 of 10"))
    new_page.complaints.clear()


def test_the_foot_of_the_sheet_says_when_the_newest_change_was_saved(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    moment = page.locator("#saved time")
    begun = moment.inner_text()
    page.locator("#hit-amount").fill("3")
    page.route("**/play/**", lambda route: route.abort())
    page.locator("#hit-damage").click()
    expect(page.locator("#banner")).to_contain_text("cannot be reached")
    assert moment.inner_text() == begun
    page.unroute("**/play/**")
    page.locator("#hit-damage").click()
    expect(page.locator("#latest")).to_contain_text("takes 3 damage")
    at = Character.objects.get(sample="").changed_at
    assert moment.inner_text() == f"{at:%-d %B %Y} at {at:%H:%M:%S}"
    new_page.complaints.clear()


def test_the_live_sheet_prints_its_counts_and_no_controls(new_page, ana, base):
    page = new_page(user=ana)
    page.goto(base)
    unfold(page, "wounds")
    page.locator("#adjust-wounds-more").click()
    expect(page.locator("#adjust-wounds-to")).to_have_value("1")
    page.emulate_media(media="print")
    expect(page.locator("#count-wounds .number").first).to_have_text("1")
    expect(page.locator("#count-wounds .number").first).to_be_visible()
    expect(page.locator("#count-second-wind .pip").first).to_be_visible()
    expect(page.locator("#health .bar")).to_have_css("print-color-adjust", "exact")  # else its colors stay away
    for words in ("Add a condition", "Add something", "Write something", "odds", "Roll", "Use"):
        expect(page.get_by_text(words).first).to_be_hidden()
    expect(page.locator("#adjust-wounds-more")).to_be_hidden()
    page.set_viewport_size({"width": 695, "height": 1000})  # A4 without its margins
    cells = page.locator(".ability-cell").all()
    assert len(cells) == 6
    right = "one => one.getBoundingClientRect().right"
    for cell in cells:
        edge = cell.evaluate(right)
        assert all(number.evaluate(right) <= edge for number in cell.locator(".ability-line .number").all())
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    assert len(pages) == 2
