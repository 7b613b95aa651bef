"""After a refused form the first field with an error has the focus, on the live sheet and in the builder, with script
and without."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.support.browser import PHONE, unfold
from tests.support.characters import owned_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def mine(ana):
    return owned_by(ana)


@pytest.mark.parametrize("script", [True, False])
def test_on_the_live_sheet_the_wrong_field_has_the_focus(new_page, axe, ana, mine, script):
    page = new_page(width=PHONE, script=script, user=ana)
    page.goto(mine.get_absolute_url())
    regain = "form:has(#regain-points) button"
    tried = [
        (lambda: page.locator("#hit-amount").fill("many"), "#hit-damage", "#hit-amount"),
        (lambda: fold(page, "#condition-more", "#condition-rounds", "x"), "#condition-add", "#condition-rounds"),
        (lambda: fold(page, "#resolve-more", "#regain-points", "x"), regain, "#regain-points"),
        (lambda: fold(page, "#dice-more", "#roll-target", "high"), "[form=dice][value=initiative]", "#roll-target"),
    ]  # fmt: skip
    for fill, press, field in tried:
        fill()
        page.locator(press).first.click()
        expect(page.locator(field)).to_be_focused()
        expect(page.locator(field)).to_have_attribute("aria-invalid", "true")
        sentence = page.locator(field).get_attribute("aria-describedby").split()[0]
        expect(page.locator(f"#{sentence}")).to_be_visible()
        if script:
            axe(page)
        page.goto(mine.get_absolute_url())


def fold(page, details, field, text):
    page.locator(f"{details} > summary").first.click()
    page.locator(field).fill(text)


@pytest.mark.parametrize("script", [True, False])
def test_a_refusal_without_a_wrong_field_is_an_alert(new_page, ana, mine, script):
    page = new_page(script=script, user=ana)
    page.goto(mine.get_absolute_url())
    unfold(page, "resolve")
    page.locator("#adjust-resolve-less").click()
    expect(page.locator("#adjust-resolve-to")).to_have_value("0")
    page.locator("#resolve-more > summary").click()
    page.locator("#extra-turn").click()
    sentence = page.locator("#extra-turn-refused")
    expect(sentence).to_have_attribute("role", "alert")
    expect(page.locator("#extra-turn") if script else sentence).to_be_focused()


def test_a_refusal_of_text_goes_away_once_the_action_succeeds(new_page, ana, mine):
    page = new_page(user=ana)
    page.goto(mine.get_absolute_url())
    page.locator("#resolve-more > summary").click()
    page.locator("#nudge-whose").fill("x" * 120)
    page.locator("#nudge-whose").evaluate("field => field.value += 'yy'")
    page.get_by_role("button", name="Up by 2").first.click()
    expect(page.locator("#nudge-refused")).to_be_visible()
    expect(page.locator("#nudge-whose")).to_be_focused()
    page.locator("#nudge-whose").fill("the ogre")
    page.get_by_role("button", name="Up by 2").first.click()
    expect(page.locator("#nudge-refused")).to_have_count(0)
    expect(page.locator("#nudge-whose")).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#nudge-whose")).to_have_value("")


def test_a_refused_number_leaves_its_field_empty_once_the_action_succeeds(new_page, ana, mine):
    page = new_page(user=ana)
    page.goto(mine.get_absolute_url())
    page.locator("#hit-amount").fill("lots")
    page.locator("#hit-damage").click()
    expect(page.locator("#hit-refused")).to_be_visible()
    page.locator("#hit-amount").fill("1")
    page.locator("#hit-damage").click()
    expect(page.locator("#hit-refused")).to_have_count(0)
    expect(page.locator("#hit-amount")).to_have_value("")


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize(
    ("step", "field", "text", "press"),
    [
        ("abilities", "#rank-1", "", "#keep-ranks"),
        ("aspects", "#trait-text", "x" * 301, "#trait-write"),
        ("equipment", "#own-thing-name", "x" * 121, "#own-thing-add"),
        ("review", "#character-name", "x" * 81, "form:has(#character-name) button"),
    ],
)
def test_in_the_builder_the_wrong_field_has_the_focus(new_page, axe, ana, mine, script, step, field, text, press):
    page = new_page(width=PHONE, script=script, user=ana)
    page.goto(f"{reverse('characters:build', args=[mine.pk, step])}{'?method=points' * (step == 'abilities')}")
    if step == "aspects":
        page.locator("#trait details.one-more > summary").click()
    for limit in ("maxlength", "required", "min"):
        page.locator(field).evaluate("(field, name) => field.removeAttribute(name)", limit)
    page.locator(field).fill(text)
    page.locator(press).first.click()
    expect(page.locator(field)).to_be_focused()
    expect(page.locator(field)).to_have_attribute("aria-invalid", "true")
    sentence = page.locator(field).get_attribute("aria-describedby").split()[-1]
    expect(page.locator(f"#{sentence}")).to_be_visible()
    if script:
        axe(page)


@pytest.mark.parametrize("script", [True, False])
def test_experience_without_a_number_is_refused_by_the_field(new_page, ana, mine, script):
    page = new_page(script=script, user=ana)
    page.goto(reverse("characters:levels", args=[mine.pk]))
    page.locator("#gain").click()
    field = page.locator("#amount")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-describedby", "xp-error")
    expect(page.locator("#xp-error")).to_contain_text("Enter a whole number")
    page.set_viewport_size({"width": PHONE, "height": 844})
    assert page.locator("#xp-error").bounding_box()["y"] < page.locator("#reason").bounding_box()["y"]


@pytest.mark.parametrize("script", [True, False])
def test_in_the_builder_a_refused_count_of_things_has_the_focus(new_page, ana, mine, script):
    page = new_page(script=script, user=ana)
    page.goto(reverse("characters:build", args=[mine.pk, "equipment"]))
    field = page.locator("[id^=count-]:not(button)").first
    field.evaluate("field => { field.type = 'text'; }")
    field.fill("0")
    field.evaluate("field => field.removeAttribute('min')")
    page.locator("[id^=count-][id$=-set]").first.click()
    expect(field).to_be_focused()
    expect(field).to_have_value("0")
