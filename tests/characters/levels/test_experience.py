"""Experience gained and lost, and levels by milestone."""

import pytest

from characters import verbs
from tests.characters.cast import refuses
from tests.support.html import html_of


def test_xp_is_gained_with_a_reason(ysolde):
    change = ysolde.do(verbs.add_xp, amount=1400, reason="The mill")
    assert change.sentence == "Ysolde Marrow gains 1,400 XP (The mill) and has 1,400. Level 1 to 2."
    assert (ysolde.sheet.picks.earned, ysolde.sheet.picks.open) == (1, 1)


def test_losing_xp_leaves_levels_unearned_and_deletes_nothing(ysolde):
    ysolde.fighter_to(4)
    before = {address: value for address, value in ysolde.facts.items() if address.startswith("choice:")}
    ysolde.do(verbs.add_xp, amount=-2000)
    assert {address: value for address, value in ysolde.facts.items() if address.startswith("choice:")} == before
    assert [p.text for p in ysolde.sheet.problems if "not earned" in p.text]
    assert b"are taken, but not earned any more" in ysolde.get("levels").content
    assert b"are taken, but not earned any more" in ysolde.get("sheet").content
    ysolde.do(verbs.add_xp, amount=2000)
    assert not ysolde.sheet.problems


@pytest.mark.parametrize("amount", [0, -1, 10**9, "5", None, True, 1.5])
def test_bad_amounts_are_refused(ysolde, amount):
    with refuses("amount"):
        ysolde.do(verbs.add_xp, amount=amount)
    assert ysolde.facts["field:xp"] == 0


def test_setting_the_level_that_it_has_is_refused(ysolde):
    ysolde.do(verbs.set_switches, values={"advancement": "milestone"})
    ysolde.do(verbs.set_level, level=2)
    before = ysolde.character.version
    with refuses("level"):
        ysolde.do(verbs.set_level, level=2)
    assert ysolde.character.version == before


def test_xp_is_gained_and_lost_by_the_form(ysolde):
    assert ysolde.post("experience", amount="700", reason="A wolf").status_code == 303
    assert ysolde.post("experience", amount="300").status_code == 303
    assert ysolde.post("experience", amount="100", lose="1").status_code == 303
    assert ysolde.facts["field:xp"] == 900


@pytest.mark.parametrize(
    "fields", [{}, {"amount": ""}, {"amount": "many"}, {"amount": "0"}, {"amount": "-5"}, {"amount": "9" * 40},
               {"amount": "5", "lose": "1"}, {"amount": "5", "reason": "x" * 400}, {"amount": "5", "key": ""}],
)  # fmt: skip
def test_a_bad_form_is_refused_with_a_sentence(ysolde, fields):
    before = ysolde.facts
    response = ysolde.post("experience", **fields)
    assert response.status_code == 422
    assert b'role="alert"' in response.content
    assert ysolde.facts == before


def test_the_same_form_twice_counts_once(ysolde):
    for _ in range(2):
        ysolde.post("experience", amount="700", key="the-same-key-twice")
    assert ysolde.facts["field:xp"] == 700


@pytest.mark.parametrize(("amount", "sentence"), [
    ("4000", "That is 4 levels at once. Ysolde Marrow would be level 5 with 4,000 XP."),
    ("14000", "That is 14 levels at once. Ysolde Marrow would be level 15 with 14,000 XP."),
])  # fmt: skip
def test_a_leap_of_more_than_three_levels_is_asked_about_first(ysolde, amount, sentence):
    response = ysolde.post("experience", amount=amount, reason="The mill")
    page = html_of(response)
    assert response.status_code == 200
    assert sentence in page
    assert f'name="amount" value="{amount}"' in page
    assert 'name="reason" value="The mill"' in page
    assert ysolde.facts["field:xp"] == 0
    assert ysolde.post("experience", amount=amount, reason="The mill", sure="1").status_code == 303
    assert ysolde.facts["field:xp"] == int(amount)
    ysolde.post("play-undo", change=ysolde.character.version)
    assert ysolde.facts["field:xp"] == 0


def test_three_levels_are_gained_at_once(ysolde):
    assert ysolde.post("experience", amount="3999").status_code == 303
    assert ysolde.sheet.level == 4


def test_a_leap_is_counted_from_the_characters_current_level(ysolde):
    ysolde.earn(11)
    assert ysolde.post("experience", amount="3000").status_code == 303
    assert ysolde.post("experience", amount="4000").status_code == 200
    assert ysolde.sheet.level == 14


def test_losing_many_levels_is_asked_about_first(ysolde):
    ysolde.earn(11)
    response = ysolde.post("experience", amount="10000", lose="1")
    assert "That is 10 levels at once. Ysolde Marrow would be level 1 with 0 XP." in html_of(response)
    assert ysolde.sheet.level == 11
    assert ysolde.post("experience", amount="10000", lose="1", sure="1").status_code == 303
    assert ysolde.sheet.level == 1


@pytest.mark.parametrize(
    "fields", [{"amount": "x", "sure": "1"}, {"amount": "5", "lose": "1", "sure": "1"}, {"amount": "5000", "key": ""},
               {"amount": "100000000", "reason": "x" * 400}],
)  # fmt: skip
def test_a_bad_form_is_refused_without_asking_first(ysolde, fields):
    response = ysolde.post("experience", **fields)
    assert response.status_code == 422
    assert "levels at once" not in html_of(response)
    assert ysolde.facts["field:xp"] == 0


def test_a_confirmation_sent_twice_counts_once(ysolde):
    for _ in range(2):
        assert ysolde.post("experience", amount="9000", sure="1", key="the-same-key-twice").status_code == 303
    assert ysolde.facts["field:xp"] == 9000


def test_a_level_is_set_by_milestone(ysolde):
    ysolde.do(verbs.set_switches, values={"advancement": "milestone"})
    page = ysolde.get("levels").content.decode()
    assert "Set the level" in page
    assert "Gain" not in page
    assert "That is 4 levels at once. Ysolde Marrow would be level 5. " in html_of(ysolde.post("milestone", level="5"))
    assert ysolde.sheet.level == 1
    assert ysolde.post("milestone", level="5", reason="The tower fell", sure="1").status_code == 303
    assert (ysolde.sheet.level, ysolde.sheet.picks.open) == (5, 4)
    assert ysolde.post("milestone", level="0").status_code == 422
    assert ysolde.sheet.level == 5


def test_no_level_is_set_where_it_follows_from_experience(ysolde):
    """As a page from before a house rule changed would."""
    refused = ysolde.post("milestone", level="2")
    assert refused.status_code == 422
    error = html_of(refused).partition('id="xp-error"')[2].partition("</p>")[0]
    assert "Ysolde Marrow gains experience. Enter an amount instead." in error
    assert "field:milestone" not in ysolde.facts


@pytest.mark.parametrize(("page", "fields"), [("experience", {"amount": "5"}), ("milestone", {"level": "2"})])
def test_a_reason_that_is_too_long_is_marked_at_its_field(ysolde, page, fields):
    if page == "milestone":
        ysolde.do(verbs.set_switches, values={"advancement": "milestone"})
    html = html_of(ysolde.post(page, **fields, reason="x" * 400))
    assert 'aria-invalid="true"' in html.partition('name="reason"')[2].partition(">")[0]
