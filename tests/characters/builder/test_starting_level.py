"""Characters that begin above level 1: with the experience for it, and levels that are open or spent at random."""

from random import Random

import pytest
from django.urls import reverse

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Character
from characters.verbs.leveling import seen
from rules.models import Source, Switch
from rules.publications import publish
from tests.characters.cast import facts, guest, new_key
from tests.characters.play.table import play
from tests.support.characters import sheet_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def begin_at():
    """Publishes rules by which every new character of the game begins at a level."""

    def set_default(level, **others):
        for key, value in {"startingLevel": level, **others}.items():
            Switch.objects.filter(key=key).update(default=value)
        publish(Source.objects.get(slug="polyhedral-core"))

    return set_default


def test_a_new_character_has_the_experience_and_the_open_levels(begin_at):
    begin_at("5")
    character = verbs.start(guest(), new_key()).character
    sheet = sheet_of(character)[2]
    assert facts(character)["field:xp"] == 4000
    assert (sheet.level, sheet.picks.earned, sheet.picks.open) == (5, 4, 4)
    assert [problem.where for problem in sheet.problems] == ["name"]


def test_a_new_character_under_milestones_has_the_level(begin_at):
    begin_at("5", advancement="milestone")
    character = verbs.start(guest(), new_key()).character
    assert facts(character)["field:milestone"] == 5
    assert facts(character)["field:xp"] == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("level", ["2", "16"])
def test_a_surprise_has_spent_all_its_levels(begin_at, level, seed):
    begin_at(level)
    character = verbs.surprise(guest(), new_key(), chance=Random(seed)).character
    _, build, sheet = sheet_of(character)
    assert (sheet.level, sheet.picks.open) == (int(level), 0)
    assert [line.choice.key for line in sheet.choices if line.open] == []
    assert sheet.problems == ()
    assert {d.level for d in build.decisions} == set(range(1, int(level) + 1))


def test_the_builder_says_that_levels_are_open_and_links_to_them(draft):
    link = f'href="{reverse("characters:level-up", args=[draft.pk])}"'
    for step in ("origin", "job", "review"):
        assert link not in draft.get(step).content.decode()
    verbs.set_switches(draft.pk, visitor_of(draft), new_key(), values={"startingLevel": "3"})
    for step in ("origin", "job", "review"):
        page = draft.get(step).content.decode()
        assert link in page
        assert "2 levels are open." in page


def visitor_of(draft):
    from characters.people import Person

    return Person(guest=draft.character.guest)


class TestAsAHouseRuleOfOnesOwn:
    """Only an existing character can have house rules, so a new one changes its level with them."""

    def put(self, draft, **values):
        return verbs.set_switches(draft.pk, visitor_of(draft), new_key(), values=values)

    def level(self, draft):
        return sheet_of(draft.character)[2].level

    def test_a_character_that_has_gained_nothing_follows_the_house_rule(self, draft):
        change = self.put(draft, startingLevel="5")
        assert (self.level(draft), draft.facts["field:xp"]) == (5, 4000)
        self.put(draft, startingLevel="3")
        assert self.level(draft) == 3
        self.put(draft, startingLevel="1")
        assert self.level(draft) == 1
        assert change.sentence == "House rule “Starting level”: 5."

    def test_a_character_that_has_gained_experience_keeps_it(self, draft):
        verbs.add_xp(draft.pk, visitor_of(draft), new_key(), amount=1500)
        self.put(draft, startingLevel="5")
        assert draft.facts["field:xp"] == 1500

    def test_a_character_follows_it_with_other_experience_per_level_and_with_milestones(self, draft):
        self.put(draft, startingLevel="5", xpPerLevel="300")
        assert (self.level(draft), draft.facts["field:xp"]) == (5, 1200)
        self.put(draft, advancement="milestone", startingLevel="6")
        assert (self.level(draft), draft.facts["field:milestone"]) == (6, 6)

    def test_undo_restores_the_character(self, draft):
        before = draft.facts
        change = self.put(draft, startingLevel="5")
        play.undo(draft.pk, visitor_of(draft), new_key(), change.sequence)
        assert draft.facts == before

    def test_a_starting_level_beyond_the_most_experience_is_refused(self, draft):
        before = draft.facts
        with pytest.raises(Refused, match="it can be from 0 to 100,000,000"):
            self.put(draft, startingLevel="9000", xpPerLevel="90000")
        assert draft.facts == before

    def test_the_page_previews_the_level_before_it_is_saved(self, draft):
        url = reverse("characters:house-rules", args=[draft.pk])
        shown = draft.client.get(url).context["form"]
        fields = {f"rule-{key}": shown[key].value() for key in shown.fields}
        page = draft.client.post(f"{url}change/", {"key": new_key(), **fields, "rule-startingLevel": "3"})
        assert "Stamina Dice" in page.content.decode()
        assert self.level(draft) == 1
        bundle = sheet_of(draft.character)[0]
        saw = seen(bundle, draft.character.version)
        sent = {"key": new_key(), **fields, "rule-startingLevel": "3", "save": "1", "saw": saw}
        assert draft.client.post(f"{url}change/", sent).status_code == 303
        assert Character.objects.get(pk=draft.pk).xp == 2000
