"""House rules of a single character: previewed first, then saved; a bad value is refused at its field."""

import pytest
from django.urls import reverse

from characters import verbs
from characters.models import Change, Character
from rules.games.polyhedral.level import UNREAD
from rules.models import Switch
from tests.characters.cast import facts, new_key, person
from tests.characters.compare.conftest import saw
from tests.support.characters import sheet_of
from tests.support.html import html_of

pytestmark = pytest.mark.full


@pytest.fixture
def form(ana, character):
    """Every field of the page as it stands, some of them changed: `form(shieldBonus="4")`."""

    def fields(**changed):
        shown = ana.get(reverse("characters:house-rules", args=[character.pk])).context["form"]
        values = {key: shown[key].value() for key in shown.fields}
        return {"key": new_key(), **{f"rule-{key}": value for key, value in {**values, **changed}.items()}}

    return fields


@pytest.fixture
def post(ana, character):
    def send(data, **headers):
        return ana.post(reverse("characters:change-house-rules", args=[character.pk]), data, headers=headers)

    return send


def test_every_switch_is_shown_with_its_text_its_group_and_its_default(read):
    text = read("house-rules/")
    for switch in Switch.objects.exclude(key__in=UNREAD):
        assert f'name="rule-{switch.key}"' in text
        assert switch.group in text
    assert "By text, the third attack comes at rank 11" in text
    assert "Default: The text" in text
    assert 'value="fighterProgression" id="reset-fighterProgression"' in text
    assert 'id="reset-shieldBonus"' not in text


def test_a_value_shows_its_changes_before_it_is_saved(post, form, character):
    before = facts(character), Change.objects.count()
    response = post(form(shieldBonus="4"))
    text = html_of(response)
    assert response.status_code == 200
    for words in ("Shield bonus", "<del>2</del><ins>4</ins>", "Defense", "Save it"):
        assert words in text
    assert (facts(character), Change.objects.count()) == before


def test_the_previewed_values_are_the_ones_saved(post, form, character):
    data = form(shieldBonus="4", healthPer="level")
    now = sheet_of(character)[2]
    response = post({**data, "save": "1", "saw": saw(post(data))})
    assert response.status_code == 303
    after = sheet_of(Character.objects.get(pk=character.pk))[2]
    assert after.value("defense") == now.value("defense") + 2
    assert after.value("health.max") != now.value("health.max")
    change = character.changes.first()
    assert change.sentence == "House rules “Health grows with”: each level, “Shield bonus”: 4."
    assert set(change.after) == {"switch:shieldBonus", "switch:healthPer"}


def test_a_reset_is_previewed_too_and_removes_the_house_rule(post, form, character, read):
    data = {**form(), "reset": "fighterProgression"}
    response = post(data)
    assert "<del>The table</del><ins>The text</ins>" in html_of(response)
    assert "switch:fighterProgression" in facts(character)
    kept = {**form(fighterProgression="text"), "save": "1", "saw": saw(response)}
    assert post(kept).status_code == 303
    assert "switch:fighterProgression" not in facts(character)
    assert "House rules</h2>" not in read("")


def test_a_switch_that_nothing_reads_is_not_offered(read):
    text = read("house-rules/")
    assert not [key for key in UNREAD if f'name="rule-{key}"' in text]


def test_a_value_that_changes_nothing_on_the_sheet_says_so(post, form):
    assert "Nothing changes on this sheet." in html_of(post(form(trackAmmunition="off")))


def test_the_sheet_names_house_rules_that_differ_from_the_default(read):
    assert "instead of the text" in read("")


def test_an_outdated_page_shows_the_preview_again(post, form, character):
    data = form(shieldBonus="4")
    old = saw(post(data))
    verbs.rename(character.pk, person(), new_key(), name="Nell")
    response = post({**data, "save": "1", "saw": old})
    assert response.status_code == 409
    assert "has changed since you opened this page" in html_of(response)
    assert "switch:shieldBonus" not in facts(character)
    assert post({**data, "save": "1", "saw": saw(response)}).status_code == 303


def test_the_same_form_twice_is_saved_once(post, form, character):
    data = form(shieldBonus="4")
    data = {**data, "save": "1", "saw": saw(post(data))}
    assert post(data).status_code == 303
    changes = Change.objects.count()
    again = post(data)
    assert again.status_code < 500
    assert Change.objects.count() == changes


@pytest.mark.parametrize(
    ("switch", "value"),
    [
        ("shieldBonus", ""),
        ("shieldBonus", "lots"),
        ("shieldBonus", "-1"),
        ("shieldBonus", "1.5"),
        ("shieldBonus", "1" * 30),
        ("shieldBonus", "٣"),
        ("shieldBonus", "\0"),
        ("woundThresholdMultiplier", "4"),
        ("pointBuyMax", "18"),
        ("abilityCap", "some"),
        ("abilityCap", "0"),
        ("healthPer", "moon"),
        ("healthPer", ""),
        ("healthPer", "%s %(x)s"),
        ("fumbles", "maybe"),
        ("languages", ""),
        ("languages", "x" * 201),
        ("languages", "\0"),
    ],
)
@pytest.mark.parametrize("button", ["save", "preview"])
def test_a_bad_value_is_refused_at_its_field(post, form, character, switch, value, button):
    before = facts(character)
    response = post({**form(**{switch: value}), button: "1", "saw": "x"})
    text = html_of(response)
    assert response.status_code == 422
    assert f'href="#id_rule-{switch}"' in text
    assert f'id="id_rule-{switch}_error"' in text
    assert facts(character) == before


def test_a_number_field_accepts_its_special_words(post, form):
    for key, value in (("abilityCap", "none"), ("extraTurnsPerRound", "unlimited"), ("extraTurnsPerRound", "0")):
        assert post(form(**{key: value})).status_code == 200


def test_saving_without_a_change_is_refused(post, form):
    response = post({**form(), "save": "1", "saw": saw(post(form(shieldBonus="4")))})
    assert response.status_code == 422
    assert "Those are the house rules already." in html_of(response)


def test_an_unknown_house_rule_cannot_be_reset(post, form):
    assert post({**form(), "reset": "noSuchRule"}).status_code == 404


@pytest.mark.parametrize("key", ["", "short", "x" * 65])
def test_a_form_without_its_key_is_refused(post, form, character, key):
    data = form(shieldBonus="4")
    response = post({**data, "save": "1", "saw": saw(post(data)), "key": key})
    assert response.status_code == 422
    assert "switch:shieldBonus" not in facts(character)


def test_htmx_gets_the_form_alone(post, form):
    response = post(form(shieldBonus="4"), **{"HX-Request": "true"})
    text = html_of(response)
    assert "<html" not in text
    assert 'id="house-rules-form"' in text
    assert "HX-Request" in response.headers["Vary"].split(", ")


def test_htmx_is_told_that_the_house_rules_are_saved(post, form):
    data = form(shieldBonus="4")
    response = post({**data, "save": "1", "saw": saw(post(data))}, **{"HX-Request": "true"})
    assert response.status_code == 200
    assert "House rule" in response.headers["HX-Trigger"]
    assert "Default: 2" in html_of(response)


def test_the_page_and_a_preview_take_at_most_fourteen_queries_each(read, post, form, django_assert_max_num_queries):
    read("house-rules/")
    data = form(shieldBonus="4")
    with django_assert_max_num_queries(14):
        read("house-rules/")
    with django_assert_max_num_queries(14):
        post(data)
