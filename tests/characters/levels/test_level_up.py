"""Taking a level: one pick, its questions, one change; and everything that is refused."""

import re

import pytest

from characters import verbs
from characters.change.refusals import Refused
from rules.models import Source
from tests.characters.levels.conftest import ABILITIES, JOB, TALENT
from tests.support.derived import sheets_made
from tests.support.packs import load_texts

PATH = {"fighter.martial-path": ["path:champion"]}


def refuse(ysolde, sentence, /, level, *args, **what):
    before = ysolde.facts
    with pytest.raises(Refused, match=sentence):
        ysolde.up(level, *args, **what)
    assert ysolde.facts == before


def test_a_rank_is_one_change(ysolde):
    ysolde.earn(2)
    health, changes = ysolde.sheet.value("health.max"), ysolde.character.changes.count()
    change = ysolde.up(2)
    assert ysolde.sheet.value("health.max") > health
    assert ysolde.character.changes.count() == changes + 1
    assert change.sentence == "Ysolde Marrow takes Fighter at level 2."


def test_a_pick_and_its_answers_are_one_change(ysolde):
    ysolde.earn(3)
    ysolde.up(2)
    refuse(ysolde, "Choose a martial path", 3)
    change = ysolde.up(3, answers=PATH)
    assert set(change.after) == {"choice:core-rules.level-job@3", "choice:fighter.martial-path@3"}
    assert "path:champion" in ysolde.sheet.active


@pytest.mark.parametrize("choice", ["fighter.martial-path", "no.such-choice", ""])
def test_an_answer_that_was_not_asked_for_is_refused(ysolde, choice):
    ysolde.earn(2)
    refuse(ysolde, "does not have to choose that now", 2, answers={choice: ["path:champion"]})


def test_the_only_option_of_a_question_is_chosen_on_the_page(ysolde):
    ysolde.earn(3)
    ysolde.up(2)
    pick = ysolde.get("level-up", take=JOB, **{"for": "job:fighter"}).context["pick"]
    checked = {one.key: [option.name for option in one.options if option.checked] for one in pick.questions}
    assert checked == {"fighter.martial-path": ["Champion"], "fighter.fighting-style": []}


@pytest.mark.fast
def test_a_pick_with_its_questions_is_derived_once(ysolde, monkeypatch):
    ysolde.earn(3)
    ysolde.up(2)
    ysolde.get("level-up")
    now, made = f" {ysolde.build}", sheets_made(monkeypatch)
    pick = ysolde.get("level-up", take=JOB, **{"for": "job:fighter"}).context["pick"]
    assert len(pick.questions) == 2
    assert made
    assert len(made) == len(set(made))
    assert not [one for one in made if one.endswith(now)]  # the page before has its sheet


def test_a_style_is_swapped_with_a_rank(ysolde):
    ysolde.earn(2)
    ysolde.up(2, answers={"fighter.fighting-style": ["feature:dueling"]})
    assert "feature:dueling" in ysolde.sheet.active
    assert "feature:defense" not in ysolde.sheet.active


def test_two_styles_are_not_swapped_with_one_rank(ysolde):
    ysolde.fighter_to(8)
    ysolde.earn(9)
    swaps = {"fighter.fighting-style": ["feature:marksmanship"], "champion.fighting-style": ["feature:dueling"]}
    refuse(ysolde, "each new rank lets you swap one only", 9, answers=swaps)
    ysolde.up(9, answers={"champion.fighting-style": ["feature:dueling"]})
    assert {"feature:defense", "feature:dueling"} <= ysolde.sheet.active.keys()


def test_every_five_ranks_past_fifteen_bring_a_limit_break_in_the_players_words(ysolde):
    ysolde.fighter_to(15)
    ysolde.earn(20)
    for level in range(16, 20):
        ysolde.up(level)
    refuse(ysolde, "limit break", 20)
    ysolde.up(20, answers={"fighter.limit-break": ["Unbroken"]})
    assert ysolde.sheet.value("limit-breaks") == 2
    assert ysolde.facts["choice:fighter.limit-break@20"] == [{"write_in": "Unbroken"}]
    assert not ysolde.sheet.problems
    assert not [line for line in ysolde.sheet.choices if line.open]
    # One that was left open is asked for together with the next.
    ysolde.do(verbs.take_back_level, level=20)
    ysolde.do(verbs.drop_answer, choice="fighter.limit-break", level=15)
    refuse(ysolde, "2 are needed", 20, answers={"fighter.limit-break": ["Unbroken"]})
    ysolde.up(20, answers={"fighter.limit-break": ["Unbroken", "Unbowed"]})
    assert not ysolde.sheet.problems
    assert not [line for line in ysolde.sheet.choices if line.open]


def test_the_two_previewed_points_stay_in_their_fields(ysolde):
    ysolde.earn(2)
    page = ysolde.get("level-up", take=ABILITIES, **{"for": ["rank.spirit", "rank.mind"]}).content.decode()
    assert re.findall(r'<option value="([^"]*)" selected', page) == ["rank.spirit", "rank.mind"]
    assert re.findall(r'<option value="([^"]*)" selected', ysolde.get("level-up").content.decode()) == [
        "rank.strength",
        "rank.agility",
    ]


def test_two_points_go_to_one_ability_or_to_two(ysolde):
    ysolde.earn(3)
    before = ysolde.sheet
    ysolde.up(2, ABILITIES, ["rank.strength"] * 2)
    ysolde.up(3, ABILITIES, ["rank.mind", "rank.spirit"])
    moved = {
        key: ysolde.sheet.value(f"rank.{key}") - before.value(f"rank.{key}") for key in ("strength", "mind", "spirit")
    }
    assert moved == {"strength": 2, "mind": 1, "spirit": 1}


@pytest.mark.parametrize(
    ("level", "take", "targets", "sentence"),
    [
        (3, JOB, ["job:fighter"], "Level 2 comes first"),
        (2, JOB, ["job:wizard"], "not offered"),
        (2, JOB, [], "Choose something"),
        (2, JOB, [""], "Choose something"),
        (2, JOB, ["job:fighter", "job:fighter"], "too many"),
        (2, TALENT, ["talent:tough"], "already"),
        (2, TALENT, ["job:fighter"], "not offered"),
        (2, ABILITIES, ["rank.strength"] * 3, "too many"),
        (2, ABILITIES, ["rank.strength"], "Spend all 2 points"),
        (2, ABILITIES, ["rank.luck"] * 2, "not offered"),
        (2, "core-rules.lineage", ["lineage:elf"], "cannot give you that"),
        (2, "nothing", ["x"], "cannot give you that"),
        (1, JOB, ["job:fighter"], "from 2"),
        (0, JOB, ["job:fighter"], "from 2"),
        (10**9, JOB, ["job:fighter"], "from 2"),
    ],
)
def test_bad_picks_are_refused(ysolde, level, take, targets, sentence):
    ysolde.earn(3)
    refuse(ysolde, sentence, level, take, targets)


def test_a_level_that_is_not_earned_is_refused(ysolde):
    refuse(ysolde, "not earned", 2)


def test_a_level_is_taken_once(ysolde):
    ysolde.earn(3)
    ysolde.up(2)
    refuse(ysolde, "taken already", 2)


def test_a_talent_is_taken_once(ysolde):
    ysolde.earn(3)
    ysolde.up(2, TALENT, ["talent:medic"])
    refuse(ysolde, "already", 3, TALENT, ["talent:medic"])


def test_no_ability_passes_the_ceiling(ysolde):
    ysolde.earn(6)
    level = 2
    while ysolde.sheet.value("rank.strength") < 19:
        ysolde.up(level, ABILITIES, ["rank.strength"] * 2)
        level += 1
    refuse(ysolde, "20", level, ABILITIES, ["rank.strength"] * 2)
    page = ysolde.get("level-up").content.decode()
    assert "levels bring it to 20 at most" in page


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"fighter.martial-path": ["path:champion"]}, "does not have to choose"),
        ({"champion.fighting-style": ["feature:dueling"]}, "does not have to choose"),
        ({"fighter.fighting-style": ["feature:defense"]}, "know that one"),
        ({"fighter.fighting-style": ["feature:dueling", "feature:protection"]}, "too many"),
        ({"fighter.fighting-style": ["feature:provoke"]}, "not offered"),
        ({"fighter.fighting-style": ["talent:medic"]}, "not offered"),
        ({"nothing.at-all": ["x"]}, "does not have to choose"),
    ],
)
def test_answers_that_do_not_fit_are_refused(ysolde, answers, sentence):
    ysolde.earn(2)
    refuse(ysolde, sentence, 2, answers=answers)


def test_the_same_style_cannot_be_chosen_twice(ysolde):
    ysolde.fighter_to(7)
    ysolde.earn(8)
    refuse(ysolde, "already", 8, answers={"champion.fighting-style": ["feature:defense"]})


def test_a_form_of_an_older_page_is_shown_again_with_what_changed(ysolde):
    ysolde.earn(3)
    old = ysolde.saw
    ysolde.do(verbs.rename, name="Ysa")
    before = ysolde.facts
    response = ysolde.post("level-up", level="2", take=JOB, **{"for": "job:fighter"}, saw=old)
    assert response.status_code == 409
    assert "Ysolde Marrow is now called Ysa." in response.content.decode()
    assert ysolde.facts == before
    assert ysolde.saw in response.content.decode()


def test_a_form_is_shown_again_when_the_rules_have_changed(ysolde):
    from rules.publications import publish

    ysolde.earn(2)
    old = ysolde.saw
    publish(Source.objects.get(slug="polyhedral-core"))
    response = ysolde.post("level-up", level="2", take=JOB, **{"for": "job:fighter"}, saw=old)
    assert response.status_code == 409
    assert "The rules have changed" in response.content.decode()
    assert ysolde.sheet.picks.taken == 0


def test_two_tabs_take_one_level_and_get_one_message(ysolde):
    ysolde.earn(3)
    saw = ysolde.saw
    first = ysolde.post("level-up", level="2", take=JOB, **{"for": "job:fighter"}, saw=saw)
    second = ysolde.post("level-up", level="2", take=TALENT, **{"for": "talent:medic"}, saw=saw)
    assert (first.status_code, second.status_code) == (303, 409)
    assert "takes Fighter at level 2" in second.content.decode()
    assert ysolde.sheet.picks.taken == 1


def test_the_page_shows_this_characters_own_numbers_and_writes_nothing(ysolde):
    ysolde.earn(3)
    before = ysolde.character.version
    health = ysolde.sheet.value("health.max")
    page = ysolde.get("level-up").content.decode()
    assert f"<del>{health}</del>" in page
    assert "Action Surge" in page
    assert page.count('class="way') >= 3
    page = ysolde.get("level-up", take=JOB, **{"for": "job:fighter"}).content.decode()
    assert "take one additional action" in page  # the feature with its text
    assert "Keep Defense" in page
    assert ysolde.character.version == before


def test_a_level_not_earned_yet_can_be_previewed(ysolde):
    """The three ways show what they would change as if the XP were there."""
    early = ysolde.get("level-up")
    assert "Not earned yet" in early.content.decode()
    ysolde.earn(2)
    earned = ysolde.get("level-up")
    assert "Not earned yet" not in earned.content.decode()
    assert early.context["columns"] == earned.context["columns"]
    moves = early.context["columns"][0].cards[0].moves
    assert [move.name for move in moves] == ["Health", "Action Surge", "Second Wind"]


@pytest.mark.parametrize(
    "query",
    [
        {"take": "nothing", "for": "x"},
        {"take": JOB, "for": "job:wizard"},
        {"take": JOB},
        {"take": ABILITIES, "for": ["rank.strength"] * 3},
        {"take": ABILITIES, "for": "rank.strength"},
        {"take": TALENT, "for": "talent:tough"},
        {"take": JOB, "for": "\0"},
        {"take": "x" * 5000, "for": "y" * 5000},
    ],
)
def test_a_bad_preview_is_refused_with_a_sentence(ysolde, query):
    ysolde.earn(2)
    response = ysolde.get("level-up", **query)
    assert response.status_code == 422
    assert b'role="alert"' in response.content


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"level": "2"},
        {"level": "x", "take": JOB, "for": "job:fighter"},
        {"level": "9" * 30, "take": JOB, "for": "job:fighter"},
        {"level": "2", "take": JOB, "for": "job:fighter", "key": ""},
        {"level": "2", "take": JOB, "for": "job:fighter", "q:fighter.fighting-style": "a\0b"},
        {"level": "2", "take": JOB, "for": "job:fighter", "w:nothing": "x"},
        {"level": "2", "take": TALENT, "for": "talent:medic", "reason": "x" * 400},
    ],
)
def test_a_bad_form_stores_nothing(ysolde, fields):
    ysolde.earn(2)
    before = ysolde.facts
    response = ysolde.post("level-up", **fields)
    assert response.status_code == 422
    assert b'role="alert"' in response.content
    assert ysolde.facts == before


def test_the_refusal_is_shown_at_its_question(ysolde):
    ysolde.earn(3)
    ysolde.up(2)
    page = ysolde.post("level-up", level="3", take=JOB, **{"for": "job:fighter"}).content.decode()
    assert 'id="fighter-martial-path-3-error"' in page


def test_several_levels_are_taken_in_a_row_by_their_forms(ysolde):
    ysolde.earn(3)
    where = ysolde.post("level-up", level="2", take=JOB, **{"for": "job:fighter"}).headers["Location"]
    assert where.endswith("/levels/gained/3/")
    where = ysolde.post(
        "level-up", level="3", take=JOB, **{"for": "job:fighter", "q:fighter.martial-path": "path:champion"}
    ).headers["Location"]
    assert where.endswith("/levels/gained/4/")
    assert ysolde.sheet.picks.open == 0


def test_gains_that_come_with_every_pick_are_shown_above_the_ways(ysolde):
    """Ysolde is tough: two more health for each level. The ways start from the gains of all her open levels."""
    ysolde.earn(6)
    page = ysolde.get("level-up")
    health = next(move for move in page.context["level_changes"] if move.name == "Health")
    assert int(health.after) - int(health.before) == 2 * 5
    assert "The 5 levels bring by themselves:" in page.content.decode()
    fighter = page.context["columns"][0].cards[0]
    assert next(move for move in fighter.moves if move.name == "Health").before == health.after
    for level in range(2, 6):
        ysolde.up(level, ABILITIES, ["rank.mind", "rank.spirit"])
    assert "Skill bonus" in [move.name for move in ysolde.get("level-up").context["level_changes"]]


ACTING = {
    "source": "{ruleset: {slug: polyhedral}, source: {slug: acting, title: Acting}}",
    "talents": """\
- {slug: whistler, name: Whistler, actions: [{slug: whistle, name: Whistle, timing: bonus-action, text: Loud.}]}
- {slug: bard-like, name: Bard-like, grant: [{element: "feature:song", as: gain}]}
""",
    "features": "- {slug: song, name: Song, actions: [{slug: sing, name: Sing, timing: action, text: Well.}]}\n",
}


def test_a_new_action_is_told_unless_a_feature_tells_it(ysolde, tmp_path):
    load_texts(tmp_path, ACTING)
    ysolde.do(verbs.set_sources, sources=["acting"])
    ysolde.earn(2)
    cards = {card.name: card for column in ysolde.get("level-up").context["columns"] for card in column.cards}
    assert [move.name for move in cards["Whistler"].moves] == ["Bonus action: Whistle"]
    assert [move.name for move in cards["Bard-like"].moves] == ["Song"]
    page = ysolde.get("level-up", take=TALENT, **{"for": "talent:whistler"}).content.decode()
    assert "Bonus action: Whistle" in page
    assert "Nothing changes on your sheet" not in page.partition('id="picked"')[2].partition("</section>")[0]
