"""Downtime is previewed first, then entered (section 26)."""

import re

import pytest
from django.test import Client

from characters.models import Downtime
from characters.people import Person
from characters.verbs.switches import set_switches
from tests.characters.cast import new_key
from tests.support.html import html_of

SPELL = {
    "days": "3",
    "activity": "Training",
    "points": "1",
    "ranks": "-1",
    "learn": "knowledge:nature",
    "restore": "on",
}


def look(player, **asked):
    return player.client.post(f"{player.base}downtime/", {"key": "k" * 32, **asked})


@pytest.fixture
def spent(player):
    assert player.send("adjust", resource="resolve", amount="-1").status_code == 200
    return player


def test_the_button_that_enters_downtime_appears_only_with_the_preview(player):
    assert 'id="downtime-go"' not in html_of(player.get("downtime/"))
    assert 'id="downtime-go"' in html_of(look(player, **SPELL))


def test_the_preview_shows_what_would_change_and_changes_nothing(spent):
    version, text = spent.character.version, html_of(look(spent, **SPELL))
    assert re.search(r'Resolve left\s*<span class="change[^"]*"><del>0</del><ins>1</ins>', text)
    assert re.search(r'Resources\s*<span class="change[^"]*"><del>4</del><ins>3</ins>', text)
    assert re.search(r'Nature\s*<span class="change[^"]*"><del>2D\+1</del><ins>3D\+2</ins>', text)
    assert spent.character.version == version
    assert not Downtime.objects.exists()


def test_entering_downtime_does_what_the_preview_showed(spent):
    spent.send("spend-downtime", htmx=False, page="downtime", **SPELL)
    assert "spent:resolve" not in spent.facts
    assert spent.facts["spent:resources-lost"] == 1
    assert spent.facts["award:knowledge:nature"]


def test_the_preview_keeps_the_fields_for_entering(player):
    text = html_of(look(player, **SPELL))
    for shown in ('value="3"', 'value="Training"', 'value="knowledge:nature" selected', 'name="restore" checked'):
        assert shown in text


def test_the_preview_of_downtime_that_changes_nothing_says_so(player):
    assert "Nothing on the sheet." in html_of(look(player, days="3", activity="Training"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"days": "0"}, "Enter a whole number from 1 to 36,500."),
        ({"days": "x"}, "Enter a whole number."),
        ({"days": ""}, "Enter a whole number."),
        ({"notes": "語" * 5_000}, "That is too long: at most 1,000 characters."),
        ({"activity": ""}, "Say how you spend the days."),
        ({"ranks": "-9"}, "Resources go from 0 to 10."),
        ({"points": "-1"}, "Enter a whole number from 0 to 1,000."),
        ({"learn": "talent:medic"}, "You cannot learn that in downtime."),
        ({"outcome": "x" * 301}, "That is too long: at most 300 characters."),
    ],
)
def test_the_preview_refuses_what_entering_refuses(player, wrong, said):
    looked = look(player, **{**SPELL, **wrong})
    entered = player.send("spend-downtime", htmx=False, page="downtime", **{**SPELL, **wrong})
    for answer in (looked, entered):
        assert answer.status_code == 422
        assert said in html_of(answer)
        assert 'id="downtime-go"' not in html_of(answer)


def test_refused_downtime_shows_the_error_by_its_field(player):
    text = html_of(look(player, **{**SPELL, "days": "0"}))
    assert re.search(r'name="days"[^>]*><p class="field-error"', text)
    text = html_of(look(player, **{**SPELL, "ranks": "-9"}))
    assert re.search(r'name="ranks"[^>]*><p class="field-error"', text)
    assert text.count("field-error") == 1


def test_a_cleared_field_stays_empty_after_a_refusal(player):
    assert 'name="days" inputmode="numeric" maxlength="8" autocomplete="off" value="" ' in html_of(
        look(player, **{**SPELL, "days": ""})
    )


def test_entered_downtime_can_be_undone_on_the_page_that_follows(player):
    entered = player.send("spend-downtime", htmx=False, page="downtime", **SPELL)
    assert entered.headers["Location"] == f"{player.base}rest/#rest"
    assert "3 days of training" in (landed := html_of(player.get("rest/")))
    assert 'id="undo-latest"' in landed


def test_another_person_gets_no_preview(player, django_user_model):
    other = Client()
    assert other.post(f"{player.base}downtime/", {"key": "k" * 32, **SPELL}).status_code == 401
    other.force_login(django_user_model.objects.create_user("bo"))
    assert other.post(f"{player.base}downtime/", {"key": "k" * 32, **SPELL}).status_code == 404


def test_the_rest_page_links_to_downtime_and_the_form_offers_activities_of_the_rules(player):
    assert f'href="{player.base}downtime/"' in html_of(player.get("rest/"))
    assert "<option>Practicing a Profession</option>" in html_of(player.get("downtime/"))


def test_known_proficiencies_are_not_offered_to_learn(player):
    text = html_of(player.get("downtime/"))
    assert 'value="knowledge:nature"' in text
    for ref in ("language:dwarven", "language:elvish", "skill:insight", "knowledge:history", "tool:masons-tools"):
        assert f'value="{ref}"' not in text
        refused = look(player, **{**SPELL, "learn": ref})
        assert refused.status_code == 422
        assert "is known already." in html_of(refused)


def test_a_language_in_own_words_is_learned_on_the_page(player):
    told = {**SPELL, "learn": "", "language": "Sea <cant>"}
    text = html_of(look(player, **told))
    assert 'value="Sea &lt;cant&gt;"' in text
    assert '<span class="gain">Sea &lt;cant&gt;</span>' in text
    assert player.send("spend-downtime", htmx=False, page="downtime", **told).status_code == 303
    assert "Learned: Sea &lt;cant&gt;. " in html_of(player.get("history/")) + " "
    assert "Sea &lt;cant&gt;" in html_of(player.get(""))
    for page in (look(player, **told), player.send("spend-downtime", htmx=False, page="downtime", **told)):
        assert page.status_code == 422
        error = html_of(page).partition('id="language"')[2].partition("field-error")[2]
        assert error.partition(">")[2].startswith("Sea &lt;cant&gt; is known already.")


def test_unlisted_languages_of_the_house_rule_are_suggested_until_they_are_known(player):
    def suggested():
        return re.findall(r"<option>([^<]*)", html_of(player.get("downtime/")).partition('id="languages"')[2])

    assert suggested() == []
    values = {"languages": "Common, Sea cant, Old Coast Tongue"}
    set_switches(player.pk, Person(player.user), new_key(), values=values)
    assert suggested() == ["Sea cant", "Old Coast Tongue"]
    player.send("spend-downtime", htmx=False, page="downtime", **{**SPELL, "language": "sea CANT"})
    assert suggested() == ["Old Coast Tongue"]


def test_fields_that_differ_from_the_preview_are_refused(player):
    shown = re.search(r'name="shown" value="(\w+)"', html_of(look(player, **SPELL)))[1]
    other = player.send("spend-downtime", htmx=False, page="downtime", shown=shown, **{**SPELL, "ranks": "3"})
    assert other.status_code == 422
    assert "See what it changes first." in html_of(other)
    assert 'value="3"' in html_of(other)
    assert player.send("spend-downtime", htmx=False, page="downtime", shown=shown, **SPELL).status_code == 303


def test_resources_gained_a_second_time_are_told_once_and_not_as_a_loss(player):
    gains = {**SPELL, "ranks": "1", "learn": ""}
    player.send("spend-downtime", htmx=False, page="downtime", **gains)
    text = html_of(look(player, **gains))
    assert re.search(r'Resources\s*<span class="change"><del>5</del>', text)
    assert "gained for good" not in text
    assert ", worse" not in text


def test_the_downtime_page_lists_past_days_with_their_outcome(player):
    told = {"outcome": "Found a <map>", "notes": "Hush\nhush"}
    player.send("spend-downtime", htmx=False, page="downtime", **{**SPELL, **told})
    text = html_of(player.get("downtime/"))
    assert "3 days of training" in text
    assert "Found a &lt;map&gt;" in text
    assert "Hush" in text
    assert "Resources −1 for good. Learned: Nature. “Found a &lt;map&gt;”" in html_of(player.get("history/"))
