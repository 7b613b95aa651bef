"""Answers to the rules' questions, good and bad."""

from dataclasses import replace

import pytest

from characters.models import Change
from characters.pages.builder.diff_text import diff_texts
from rules import models
from rules.compile import bundle_for
from rules.engine import DiffLine
from rules.patterns.lines import write
from rules.patterns.words import Words
from rules.publications import publish
from tests.support.html import html_of
from tests.support.rows_of_lines import understood

SKILLS = "human-culture.skills"


def stored(draft, choice):
    return [one.get("ref") or one.get("write_in") for one in draft.facts.get(f"choice:{choice}@1", [])]


def card(response, choice, value):
    questions = [question for section in response.context["sections"] for question in section]
    question = next(question for question in questions if question.key == choice)
    return next(card for card in question.cards if card.value == value)


def test_a_card_says_what_it_would_change(envoy):
    moves = card(envoy.get("origin"), SKILLS, "skill:athletics").moves
    assert ("Athletics", "2D+0", "3D+1") in [(move.name, move.before, move.after) for move in moves]


def test_uses_are_named_once_though_their_statistic_has_another_name(db):
    """A line of the admin names the statistic “Uses of …”."""
    bundle, key = bundle_for("polyhedral"), "second-wind.max"
    renamed = replace(bundle, stats={**bundle.stats, key: replace(bundle.stats[key], name="Uses of Second Wind")})
    moves = [DiffLine("value", key, key, "0", "2"), DiffLine("resource", "second-wind", "second-wind", "", "2")]
    assert [words.name for words in diff_texts(renamed, bundle.game.steps, moves)] == ["Second Wind"]
    assert [words.name for words in diff_texts(renamed, bundle.game.steps, moves[:1])] == ["Uses of Second Wind"]


def test_a_card_that_is_compared_names_uses_once(draft):
    source = models.Source.objects.get(is_core=True)
    fen = models.Lineage(ruleset=source.ruleset, source=source, slug="fen", name="Fenfolk", status="published")
    fen.save()
    write(understood(["Action: Sing, 2 uses, back after a long rest"], Words(source, fen.name)), fen)
    publish(source, None, "")
    facts = card(draft.get("origin"), "core-rules.lineage", "lineage:fen").facts
    assert [number for label, numbers in facts for number in numbers if "Sing" in number] == ["Sing 2"], facts
    assert all(told for _, told in facts), facts


def test_a_card_of_points_shows_one_point_more_than_now(draft):
    choice = "core-rules.ability-bonuses"
    for rank, more in ((10, 11), (11, 12)):
        moves = card(draft.get("abilities"), choice, "rank.strength").moves
        assert (moves[0].before, moves[0].after) == (str(rank), str(more))
        draft.choose(choice, more="rank.strength")


def test_choosing_a_card_changes_the_number_that_it_named(envoy):
    moves = card(envoy.get("origin"), SKILLS, "skill:athletics").moves
    envoy.choose(SKILLS, "skill:athletics")
    side = {line.name: line.now for line in envoy.get("origin").context["side"].skills}
    assert side["Athletics"] == next(move.after for move in moves if move.name == "Athletics")


def test_looking_writes_nothing(envoy):
    version = envoy.character.version
    envoy.get("origin")
    assert envoy.character.version == version


def test_an_option_that_cannot_be_taken_says_why(envoy):
    assert card(envoy.get("origin"), SKILLS, "skill:insight").why_not == "You have it from Ambassador."


def test_a_single_choice_is_replaced(draft):
    draft.choose("core-rules.lineage", "lineage:dwarf")
    draft.choose("core-rules.lineage", "lineage:elf")
    assert stored(draft, "core-rules.lineage") == ["lineage:elf"]


def test_a_card_says_which_answers_it_would_undo(envoy):
    """In the words of the answer after it."""
    for take in ("skill:athletics", "skill:stealth"):
        envoy.choose(SKILLS, take)
    culture = "core-rules.culture"
    assert card(envoy.get("origin"), culture, "culture:human-culture").undoes == ""
    assert "Also undoes Athletics and Stealth." in html_of(envoy.get("origin"))
    assert card(envoy.get("origin"), "core-rules.lineage", "lineage:elf").undoes == ""
    undoes = card(envoy.get("origin"), culture, "culture:elven-culture").undoes
    assert undoes == "Athletics and Stealth"
    envoy.choose(culture, "culture:elven-culture")
    assert Change.objects.filter(character=envoy.pk).first().sentence.endswith(f" That also undoes {undoes}.")


def test_an_answer_is_dropped(envoy):
    envoy.choose(SKILLS, "skill:athletics")
    envoy.choose(SKILLS, "skill:stealth")
    envoy.choose(SKILLS, drop="skill:athletics")
    assert stored(envoy, SKILLS) == ["skill:stealth"]
    envoy.choose(SKILLS, drop="skill:stealth")
    assert stored(envoy, SKILLS) == []


def test_a_language_can_be_your_own_word(envoy):
    envoy.choose("ambassador.languages", "language:elvish")
    assert envoy.choose("ambassador.languages", word="Trade cant", write="1").status_code == 303
    assert stored(envoy, "ambassador.languages") == ["language:elvish", "Trade cant"]


def test_a_feature_in_your_own_words_is_on_the_sheet(draft):
    draft.choose("core-rules.background", "background:custom-background")
    draft.choose("custom-background.feature", word="Night roads", write="1")
    page = draft.client.get(f"/characters/{draft.pk}/").content.decode()
    features = page.partition('id="features"')[2]
    assert "Night roads" in features
    assert "Custom background" in features.partition("Night roads")[2].partition("</h3>")[0]
    draft.choose("custom-background.feature", drop="Night roads")
    page = draft.client.get(f"/characters/{draft.pk}/").content.decode()
    assert "Night roads" not in page.partition('id="features"')[2].partition("</section>")[0]


def test_an_answer_in_your_own_words_comes_before_the_ways_to_change_it(draft):
    draft.choose("core-rules.background", "background:custom-background")
    draft.choose("custom-background.feature", word="Night roads", write="1")
    page = draft.get("origin").content.decode()
    question = page.partition('id="custom-background-feature"')[2].partition("</section>")[0]
    ways = ["Night roads", "Choose differently", "Or in your own words", 'name="word"']
    assert sorted(ways, key=question.index) == ways


def test_a_skill_that_comes_from_elsewhere_too_opens_its_choice_again(draft):
    draft.choose("core-rules.culture", "culture:human-culture")
    draft.choose(SKILLS, "skill:insight")
    draft.choose(SKILLS, "skill:stealth")
    draft.choose("core-rules.background", "background:ambassador")
    response = draft.get("origin")
    question = next(q for section in response.context["sections"] for q in section if q.key == SKILLS)
    assert (question.made, question.needs) == (1, 2)
    assert "Insight comes from Ambassador already; choose another." in question.problems
    assert draft.choose(SKILLS, "skill:athletics").status_code == 303
    assert stored(draft, SKILLS) == ["skill:stealth", "skill:athletics"]


def test_points_are_spread_one_press_at_a_time(draft):
    for stat in ("rank.strength", "rank.strength", "rank.mind"):
        assert draft.choose("core-rules.ability-bonuses", more=stat).status_code == 303
    made = draft.facts["choice:core-rules.ability-bonuses@1"]
    assert sorted((one["stat"], one.get("points", 1)) for one in made) == [("rank.mind", 1), ("rank.strength", 2)]
    draft.choose("core-rules.ability-bonuses", less="rank.strength")
    made = draft.facts["choice:core-rules.ability-bonuses@1"]
    assert sorted((one["stat"], one.get("points", 1)) for one in made) == [("rank.mind", 1), ("rank.strength", 1)]


def test_no_card_promises_more_once_all_points_are_spread(draft):
    promised = 'class="spread-move"'
    assert promised in draft.get("abilities").content.decode()
    for stat in ("rank.strength", "rank.strength", "rank.mind"):
        draft.choose("core-rules.ability-bonuses", more=stat)
    assert promised not in draft.get("abilities").content.decode()


def refused(draft, response, sentence=""):
    assert response.status_code == 422
    assert sentence in response.content.decode()


def test_a_third_point_on_one_ability_is_refused(draft):
    for _ in range(2):
        draft.choose("core-rules.ability-bonuses", more="rank.strength")
    before = draft.facts
    refused(draft, draft.choose("core-rules.ability-bonuses", more="rank.strength"), "No more than +2 on one")
    assert draft.facts == before


def test_a_fourth_point_is_refused(draft):
    for stat in ("rank.strength", "rank.mind", "rank.spirit"):
        draft.choose("core-rules.ability-bonuses", more=stat)
    before = draft.facts
    refused(draft, draft.choose("core-rules.ability-bonuses", more="rank.agility"), "too many")
    assert draft.facts == before


@pytest.mark.parametrize(
    ("choice", "fields"),
    [
        ("core-rules.lineage", {"take": "lineage:orc"}),
        ("core-rules.lineage", {"take": "culture:elven-culture"}),
        ("core-rules.lineage", {"take": "17"}),
        ("core-rules.lineage", {"take": ""}),
        ("core-rules.lineage", {"take": "a\x00b"}),
        ("core-rules.lineage", {"take": "\ufffd"}),
        ("core-rules.lineage", {"take": "x" * 5000}),
        ("core-rules.lineage", {"take": "lineage:elf", "level": 2**70}),
        ("core-rules.lineage", {"take": "lineage:elf", "level": -1}),
        ("core-rules.lineage", {"take": "lineage:elf", "level": 7}),
        ("core-rules.lineage", {"take": "lineage:elf", "level": "NaN"}),
        ("core-rules.lineage", {"take": "lineage:elf", "key": ""}),
        ("core-rules.lineage", {"take": "lineage:elf", "key": "short"}),
        ("core-rules.lineage", {"word": "Marsh folk", "write": "1"}),
        ("core-rules.nothing", {"take": "lineage:elf"}),
        ("", {"take": "lineage:elf"}),
        ("fighter.fighting-style", {"take": "feature:defense"}),
        ("core-rules.disposition", {"word": "", "write": "1"}),
        ("core-rules.disposition", {"word": "x" * 121, "write": "1"}),
        ("core-rules.ability-bonuses", {"more": "rank.luck"}),
        ("core-rules.ability-bonuses", {"more": "defense"}),
    ],
)
def test_a_bad_answer_is_refused_with_a_sentence_and_stores_nothing(draft, choice, fields):
    before = draft.facts
    response = draft.choose(choice, **fields)
    assert response.status_code == 422
    assert b"field-error" in response.content or b"notice-danger" in response.content
    assert draft.facts == before


def test_a_third_answer_to_a_choice_of_two_is_refused(envoy):
    envoy.choose(SKILLS, "skill:athletics")
    envoy.choose(SKILLS, "skill:stealth")
    refused(envoy, envoy.choose(SKILLS, "skill:endurance"), "too many")
    assert stored(envoy, SKILLS) == ["skill:athletics", "skill:stealth"]


def test_the_same_option_twice_is_refused(envoy):
    envoy.choose(SKILLS, "skill:athletics")
    refused(envoy, envoy.choose(SKILLS, "skill:athletics"), "cannot choose the same thing twice")
    assert stored(envoy, SKILLS) == ["skill:athletics"]


def test_the_same_form_twice_counts_once(envoy):
    answers = [envoy.choose(SKILLS, "skill:athletics", key="the-same-key-twice") for _ in range(2)]
    assert [response.status_code for response in answers] == [303, 303]
    assert stored(envoy, SKILLS) == ["skill:athletics"]
    assert envoy.character.changes.filter(key="the-same-key-twice").count() == 1


def test_the_same_drop_sent_twice_counts_once(envoy):
    envoy.choose(SKILLS, "skill:athletics")
    envoy.choose(SKILLS, "skill:stealth")
    answers = [envoy.choose(SKILLS, drop="skill:athletics", key="the-same-key-twice") for _ in range(2)]
    assert [response.status_code for response in answers] == [303, 303]
    assert stored(envoy, SKILLS) == ["skill:stealth"]


def test_the_same_point_sent_twice_counts_once(draft):
    choice = "core-rules.ability-bonuses"
    answers = [draft.choose(choice, more="rank.mind", key="the-first-key-twice") for _ in range(2)]
    assert [response.status_code for response in answers] == [303, 303]
    assert draft.facts[f"choice:{choice}@1"] == [{"stat": "rank.mind"}]
    draft.choose(choice, more="rank.mind")
    answers = [draft.choose(choice, less="rank.mind", key="the-second-key-twice") for _ in range(2)]
    assert [response.status_code for response in answers] == [303, 303]
    assert draft.facts[f"choice:{choice}@1"] == [{"stat": "rank.mind"}]


def test_a_refused_word_stays_in_the_field(envoy):
    response = envoy.choose("ambassador.languages", word="Elvish" * 30, write="1")
    questions = [question for section in response.context["sections"] for question in section]
    asked = next(question for question in questions if question.key == "ambassador.languages")
    assert asked.typed == "Elvish" * 30
    assert asked.error


def test_a_style_named_like_a_number_still_shows_how_that_number_changes(envoy):
    envoy.post("buy", ref="armor:leather")
    armor = next(address for address in envoy.facts if address.startswith("item:"))
    envoy.post("item", item=armor.partition(":")[2], state="worn")
    moves = card(envoy.get("job"), "fighter.fighting-style", "feature:defense").moves
    assert [(move.name, move.before, move.after) for move in moves] == [("Defense", "12", "14")]


def test_a_key_sent_before_with_another_answer_is_refused(envoy):
    envoy.choose(SKILLS, "skill:athletics", key="one-key-two-bodies")
    refused(envoy, envoy.choose(SKILLS, "skill:stealth", key="one-key-two-bodies"), "sent before with something else")
    assert stored(envoy, SKILLS) == ["skill:athletics"]


def test_options_of_an_origin_compare_as_if_nothing_were_chosen(envoy):
    facts = dict(card(envoy.get("origin"), "core-rules.culture", "culture:elven-culture").facts)
    assert {"Nature", "Survival", "Longbow"} <= set(facts["Proficient with"])
    assert facts["Speaks"] == ("Common", "Elvish")
    assert "Woodland Stride" in facts["Features"]


def test_a_card_says_what_an_answer_does_against_damage(draft):
    source = models.Source.objects.get(is_core=True)
    fenfolk = models.Lineage.objects.create(ruleset=source.ruleset, source=source, slug="fenfolk", name="Fenfolk")
    write(understood(["resists poison", "Speed starts at 30"], Words(source, "Fenfolk", "lineage")), fenfolk)
    publish(source)
    lineage = "core-rules.lineage"
    shown = card(draft.get("origin"), lineage, "lineage:fenfolk")
    assert dict(shown.facts)["Against damage"] == ("resists Poison",)
    draft.choose(lineage, "lineage:fenfolk")
    moves = card(draft.get("origin"), lineage, "lineage:human").more
    assert [move.name for move in moves if move.gone and move.kind == "defense"] == ["resistance to Poison"]


def test_a_job_shows_its_ranks_under_the_house_rules_in_force(draft):
    ranks = dict(card(draft.get("job"), "core-rules.job", "job:fighter").ranks)
    assert ranks[1][:3] == ("Fighting Style", "Second Wind", "Choose a fighting style")
    assert ranks[14] == ("Strike True",)
    assert 12 not in ranks


def test_a_job_shows_all_that_a_rank_brings(draft):
    source = models.Source.objects.get(is_core=True)
    job = models.Job.objects.create(ruleset=source.ruleset, source=source, slug="warden", name="Warden", max_rank=3)
    lines = ["from rank 2: +1 to Defense while wearing no armor", "from rank 2: choose 1 language"]
    write(understood([*lines, "from rank 3: Reaction: Turn aside"], Words(source, "Warden", "job")), job)
    publish(source)
    assert card(draft.get("job"), "core-rules.job", "job:warden").ranks == (
        (2, ("+1 Defense while wearing no armor", "Choose 1 language")),
        (3, ("Reaction: Turn aside",)),
    )


def test_the_page_says_that_the_only_option_is_chosen(draft):
    said = "The only option: chosen for you."
    assert said not in draft.get("job").content.decode()
    draft.choose("core-rules.lineage", "lineage:elf")
    assert stored(draft, "core-rules.job") == ["job:fighter"]
    page = draft.get("job").content.decode()
    assert page.count(said) == 1
    assert said not in draft.get("origin").content.decode()


@pytest.mark.parametrize(("word", "sentence"), [("", "Write a word first."), ("x" * 121, "at most 120 characters")])
def test_a_word_that_is_refused_has_its_sentence_at_its_field(draft, word, sentence):
    text = draft.choose("core-rules.disposition", word=word, write="1").content.decode()
    field = text.partition('id="core-rules-disposition-word"')[2].partition("</div>")[0]
    assert 'aria-invalid="true"' in field
    assert 'id="core-rules-disposition-error" role="alert"' in field
    assert sentence in field
    assert text.count('id="core-rules-disposition-error"') == 1
