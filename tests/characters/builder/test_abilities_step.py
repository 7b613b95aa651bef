import re

import pytest

from characters.pages.builder import rank_rows
from rules.engine import derive
from rules.games.polyhedral import creation, rolling
from tests.support.html import html_of

ARRAY = (0, 1, 2, 3, 4, 5)


def ranks(draft):
    return [
        draft.facts.get(f"input:rank.{name}")
        for name in ("strength", "agility", "vitality", "mind", "spirit", "presence")
    ]


def test_ranks_are_bought_with_points(draft):
    assert draft.ranks(15, 14, 13, 12, 10, 8).status_code == 303
    assert ranks(draft) == [15, 14, 13, 12, 10, 8]
    page = draft.get("abilities").context
    assert (page["spent"], page["left"]) == (15, 0)


def test_plus_and_minus_change_one_rank_by_one(draft):
    draft.ranks(10, 10, 10, 10, 10, 10, up="rank.strength")
    draft.ranks(11, 10, 10, 10, 10, 10, down="rank.mind")
    assert ranks(draft) == [11, 10, 10, 9, 10, 10]


def test_each_ability_names_the_numbers_that_it_moves_at_any_rank(draft):
    for spirit in (8, 10):
        draft.ranks(15, 14, 13, 12, spirit, 18 - spirit)
        names = [row.affects for row in draft.get("abilities").context["rows"]]
        assert names[4] == "Resolve, Spell save difficulty, Spirit save, Resonance, Spell attack"


@pytest.mark.parametrize("rank", [30, 10])
def test_only_ranks_of_the_game_are_tried_for_the_numbers_that_an_ability_moves(draft, monkeypatch, rank):
    """A game may have no price, and no rule, for a rank beyond its own."""
    draft.ranks(*[rank] * 6, method="manual")
    tried = []

    def seen(bundle, build):
        tried.extend(build.inputs.values())
        return derive(bundle, build)

    monkeypatch.setattr(rank_rows, "derive", seen)
    names = [row.affects for row in draft.get("abilities").context["rows"]]
    assert set(tried) <= set(creation.MANUAL)
    assert all(names)


def test_each_step_shows_its_price_in_points(draft):
    draft.ranks(13, 14, 15, 9, 8, 10)
    rows = draft.get("abilities").context["rows"]
    assert [row.up for row in rows] == ["2", "2", "", "1", "1", "1"]
    assert [row.down for row in rows] == ["1", "2", "2", "1", "", "1"]


def test_a_step_that_costs_more_than_is_left_cannot_be_pressed_and_says_so(draft):
    """On a phone, the refusal would stand far above the button."""
    draft.ranks(15, 14, 12, 10, 10, 10)
    page = html_of(draft.get("abilities"))
    assert page.count("next costs 2, 1 left") == 1
    assert re.findall(r'id="up-(\d)"[^>]* disabled', page) == ["1", "2"]
    draft.ranks(15, 15, 11, 10, 10, 10)
    page = html_of(draft.get("abilities"))
    assert page.count("next costs 1, 0 left") == 4
    assert re.findall(r'id="up-(\d)"[^>]* disabled', page) == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ((15, 15, 12, 10, 10, 10), "These ranks cost 16 points"),
        ((16, 14, 10, 10, 10, 10), "points buy is 15"),
        ((7, 10, 10, 10, 10, 10), "no rank below 8"),
        ((-1, 10, 10, 10, 10, 10), "no rank below 8"),
        ((2**70, 10, 10, 10, 10, 10), "enter a whole number"),
        (("", 10, 10, 10, 10, 10), "enter a whole number"),
        (("NaN", 10, 10, 10, 10, 10), "enter a whole number"),
        (("1e3", 10, 10, 10, 10, 10), "enter a whole number"),
        (("1\x00", 10, 10, 10, 10, 10), "enter a whole number"),
    ],
)
def test_bad_points_are_refused_and_kept_in_the_form(draft, numbers, sentence):
    response = draft.ranks(*numbers)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert str(response.context["rows"][0].value) == str(numbers[0])[:20]
    assert ranks(draft) == [None] * 6


def test_ranks_that_are_no_numbers_have_no_sum(draft):
    """The page said “of 15 points spent”, without the number spent."""
    points = re.search(r'id="points">(.*?)</p>', html_of(draft.ranks("", 10, 10, 10, 10, 10)))
    assert points[1] == "15 points to spend"


def test_a_rank_may_be_below_0_if_the_game_says_so(draft, monkeypatch):
    monkeypatch.setattr(creation, "rank_problems", lambda bundle, build: [])
    assert draft.ranks(0, 10, 10, 10, 10, 10, down="rank.strength").status_code == 303
    assert draft.ranks(-1, 9, 10, 10, 10, 10, **{"was-rank.strength": -1}).status_code == 303
    assert ranks(draft) == [-1, 9, 10, 10, 10, 10]


def tabs(draft):
    found = re.search(r'<nav class="tabs".*?</nav>', draft.get("abilities").content.decode(), re.DOTALL)
    return found and re.findall(r">([^<]+)</a>", found[0])


def test_a_game_names_its_methods_and_a_single_one_has_no_tabs(draft, monkeypatch):
    assert tabs(draft) == ["Standard array", "Point buy", "Roll", "By hand"]
    monkeypatch.setitem(creation.METHODS, "points", "Barter")
    assert tabs(draft) == ["Standard array", "Barter", "Roll", "By hand"]
    monkeypatch.setattr(creation, "methods_allowed", lambda bundle, build: ["points"])
    assert tabs(draft) is None
    assert 'id="points"' in draft.get("abilities").content.decode()


def test_the_array_is_handed_out(draft):
    assert draft.ranks(0, 1, 2, 3, 4, 5, method="array").status_code == 303
    assert ranks(draft) == [15, 14, 13, 12, 10, 8]


@pytest.mark.parametrize("places", [(0, 0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 6), (0, 1, 2, 3, 4, 99), (0, 1, 2, 3, 4, -1)])
def test_each_result_is_given_to_one_ability(draft, places):
    assert draft.ranks(*places, method="array").status_code == 422
    assert ranks(draft) == [None] * 6


SEEN = dict.fromkeys(("was-rank.strength", "was-rank.agility", "was-rank.vitality"), 10)


def test_a_result_given_twice_is_refused_in_the_row_of_the_second(draft):
    page = html_of(draft.ranks(0, 1, 2, 3, 4, 0, method="array"))
    (row,) = [row for row in page.split('<li class="ability-row">') if "have the same result" in row]
    assert 'id="rank-6"' in row


def test_a_rank_left_as_it_was_shown_keeps_somebody_elses_change(draft):
    draft.ranks(10, 12, 10, 10, 10, 10)
    assert draft.ranks(13, 10, 10, 10, 10, 10, **SEEN).status_code == 303
    assert ranks(draft) == [13, 12, 10, 10, 10, 10]


def test_two_people_who_hand_out_different_results_both_keep_theirs(draft):
    draft.ranks(*ARRAY, method="array")
    draft.ranks(1, 0, 2, 3, 4, 5, method="array")
    shown = {f"was-{row.stat}": number for number, row in enumerate(draft.get("abilities").context["rows"])}
    assert draft.ranks(0, 1, 2, 3, 5, 4, method="array", **shown).status_code == 303
    assert ranks(draft) == [14, 15, 13, 12, 8, 10]


def test_a_rank_that_somebody_else_changed_too_is_refused_with_both_values(draft):
    draft.ranks(12, 12, 10, 10, 10, 10)
    response = draft.ranks(13, 10, 10, 10, 10, 10, **SEEN)
    assert response.status_code == 422
    assert "Strength has changed to 12 in the meantime. Look again." in response.content.decode()
    rows = response.context["rows"]
    assert [(row.value, row.was, row.invalid) for row in rows[:2]] == [("13", 12, True), (12, 12, False)]
    assert ranks(draft) == [12, 12, 10, 10, 10, 10]


@pytest.mark.parametrize("seen", ["ten", "-101", "9" * 40, "1\x00"])
def test_a_bad_value_for_the_rank_that_was_shown_is_refused(draft, seen):
    assert draft.ranks(13, 10, 10, 10, 10, 10, **{"was-rank.strength": seen}).status_code == 422
    assert ranks(draft) == [None] * 6


def test_ranks_from_paper_are_written_in(draft):
    page = draft.get("abilities", method="manual").content.decode()
    assert page.count('min="1" max="30"') == 6
    assert draft.ranks(18, 18, 9, 9, 3, 16, method="manual").status_code == 303
    assert (ranks(draft), draft.facts["field:method"]) == ([18, 18, 9, 9, 3, 16], "manual")
    assert draft.get("abilities").context["method"] == "manual"
    assert "Presence 16 before bonuses. They were written in." in draft.character.changes.first().sentence


def test_a_rank_that_nobody_has_is_not_written_in(draft):
    response = draft.ranks(31, 10, 10, 10, 10, 10, method="manual")
    assert response.status_code == 422
    assert "Strength must be from 1 to 30." in response.content.decode()
    assert ranks(draft) == [None] * 6


def test_where_the_house_rules_name_a_method_no_ranks_are_written_in(draft, monkeypatch):
    monkeypatch.setattr(creation, "methods_allowed", lambda bundle, build: ["array"])
    assert tabs(draft) is None
    response = draft.ranks(18, 18, 18, 18, 18, 18, method="manual")
    assert response.status_code == 422
    assert "The house rules do not allow this way to find ability ranks." in response.content.decode()
    assert ranks(draft) == [None] * 6


@pytest.mark.parametrize("method", ["", "cheating", "rolled"])
def test_a_method_that_is_not_open_is_refused(draft, method):
    assert draft.ranks(0, 1, 2, 3, 4, 5, method=method).status_code == 422
    assert ranks(draft) == [None] * 6


def test_the_dice_are_rolled_once_kept_and_shown(draft):
    assert draft.post("dice").status_code == 303
    dice = draft.facts["field:dice"]
    assert [len(faces) for faces in dice] == [4] * 7
    shown = draft.get("abilities").context["dice"]
    assert [[face for face, _ in throw["dice"]] for throw in shown] == dice
    assert [sum(counts for _, counts in throw["dice"]) for throw in shown] == [3] * 7
    assert draft.post("dice").status_code == 422
    assert draft.facts["field:dice"] == dice


def test_the_page_says_that_results_stand_unless_a_house_rule_allows_another_roll(draft, monkeypatch):
    told = "The results stand"
    assert told in draft.get("abilities", method="rolled").content.decode()
    monkeypatch.setattr(rolling, "may_roll_again", lambda bundle, build: True)
    assert told not in draft.get("abilities", method="rolled").content.decode()


def test_the_page_offers_another_roll_where_a_house_rule_allows_it(draft, monkeypatch):
    draft.post("dice")
    first, told = draft.facts["field:dice"], "This replaces the ranks you saved."
    assert 'id="roll-again"' not in draft.get("abilities").content.decode()
    monkeypatch.setattr(rolling, "may_roll_again", lambda bundle, build: True)
    page = draft.get("abilities").content.decode()
    assert ('id="roll-again"' in page, told in page) == (True, False)
    draft.ranks(0, 1, 2, 3, 4, 5, method="rolled")
    assert told in draft.get("abilities").content.decode()
    assert draft.post("dice").status_code == 303
    assert draft.facts["field:dice"] != first
    assert ranks(draft) == [None] * 6


def test_a_die_is_left_out_only_if_the_game_says_so(draft, monkeypatch):
    monkeypatch.setattr(creation, "left_out", lambda faces: ())
    draft.post("dice")
    page = draft.get("abilities").content.decode()
    assert "What you rolled" in page
    assert "left out" not in page


def test_six_of_seven_results_are_handed_out(draft):
    draft.post("dice")
    results = [sum(sorted(faces)[1:]) for faces in draft.facts["field:dice"]]
    assert draft.ranks(6, 5, 4, 3, 2, 1, method="rolled").status_code == 303
    assert ranks(draft) == [results[n] for n in (6, 5, 4, 3, 2, 1)]


def test_looking_at_another_method_stores_nothing(draft):
    draft.ranks(15, 14, 13, 12, 10, 8)
    assert draft.get("abilities", method="array").context["method"] == "array"
    assert draft.facts["field:method"] == "points"


def test_the_page_warns_that_dice_replace_saved_ranks(draft):
    told = "This replaces the ranks you saved"
    assert told not in draft.get("abilities", method="rolled").content.decode()
    draft.ranks(15, 14, 13, 12, 10, 8)
    assert told in draft.get("abilities", method="rolled").content.decode()
    draft.post("dice")
    assert ranks(draft) == [None] * 6


@pytest.mark.parametrize("htmx", [True, False])
def test_an_answer_beside_the_ranks_keeps_their_tab_open(draft, htmx):
    url = draft.get("abilities", method="points").context["choose_url"]
    assert url.endswith("?method=points")
    bonus = {"key": "k" * 32, "choice": "core-rules.ability-bonuses", "level": 1, "more": "rank.mind"}
    answer = draft.client.post(url, bonus, headers={"HX-Request": "true"} if htmx else {})
    page = answer if htmx else draft.client.get(answer.url)
    assert page.context["method"] == "points"


def test_the_review_lists_the_ranks_with_the_other_answers(draft):
    assert "Ability ranks" not in [prompt for prompt, _, _ in draft.get("review").context["summary"]]
    draft.ranks(15, 14, 13, 12, 10, 8)
    told = {prompt: (answers, url) for prompt, answers, url in draft.get("review").context["summary"]}
    answers, url = told["Ability ranks"]
    assert answers == ["Strength 15", "Agility 14", "Vitality 13", "Mind 12", "Spirit 10", "Presence 8"]
    assert url.endswith("/build/abilities/#ranks")


def test_the_review_lists_them_by_the_games_own_word(draft, monkeypatch):
    monkeypatch.setattr(creation, "NAME", "Dice")
    draft.ranks(15, 14, 13, 12, 10, 8)
    assert "Dice" in [prompt for prompt, _, _ in draft.get("review").context["summary"]]


def test_a_number_below_zero_has_a_true_minus_sign(draft, monkeypatch):
    """In the history, among the answers and on the page: a game may have such scores."""
    monkeypatch.setattr(creation, "result", lambda faces: -1)
    draft.post("dice")
    draft.ranks(0, 1, 2, 3, 4, 5, method="rolled")
    told = {prompt: answers for prompt, answers, _ in draft.get("review").context["summary"]}
    assert told["Ability ranks"][-1] == "Presence −1"
    assert "Presence −1 before" in draft.character.changes.first().sentence
    page = draft.get("abilities").content.decode()
    assert ">−1</option>" in page
    assert '<span class="number">−1</span>' in page


def test_the_game_says_between_which_ranks_points_buy(draft, monkeypatch):
    monkeypatch.setattr(creation, "LOWEST", 3)
    monkeypatch.setattr(creation, "highest", lambda bundle, build: 12)
    assert draft.get("abilities", method="points").content.decode().count('min="3" max="12"') == 6
