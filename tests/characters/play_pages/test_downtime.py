"""Days between adventures are shown first, then entered (section 26)."""

import re

import pytest
from django.test import Client

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


def test_the_form_enters_nothing_that_was_not_shown(player):
    assert 'id="downtime-go"' not in player.get("downtime/").content.decode()
    assert 'id="downtime-go"' in look(player, **SPELL).content.decode()


def test_what_it_would_change_is_shown_and_nothing_is_changed(spent):
    version, text = spent.character.version, look(spent, **SPELL).content.decode()
    assert re.search(r'Resolve\s+<span class="change[^"]*"><del>0</del><ins>1</ins>', text)
    assert re.search(r'Resources\s+<span class="change[^"]*"><del>4</del><ins>3</ins>', text)
    assert re.search(r'Nature\s+<span class="change[^"]*"><del>2D\+1</del><ins>3D\+2</ins>', text)
    assert spent.character.version == version


def test_what_was_shown_is_what_comes(spent):
    spent.send("spend-downtime", htmx=False, page="downtime", **SPELL)
    assert "spent:resolve" not in spent.facts
    assert spent.facts["spent:resources-lost"] == 1
    assert spent.facts["award:knowledge:nature"]


def test_what_was_filled_in_stays_for_entering_it(player):
    text = look(player, **SPELL).content.decode()
    for shown in ('value="3"', 'value="Training"', 'value="knowledge:nature" selected', 'name="restore" checked'):
        assert shown in text


def test_days_of_nothing_say_so(player):
    assert "No number." in look(player, days="3", activity="Training").content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"days": "0"}, "Enter a whole number from 1 to 36,500."),
        ({"days": "x"}, "Enter a whole number."),
        ({"days": ""}, "Enter a whole number."),
        ({"notes": "語" * 5_000}, "That is too long: at most 1000 characters."),
        ({"activity": ""}, "Say what the days are spent on."),
        ({"ranks": "-9"}, "Resources go from 0 to 10."),
        ({"points": "-1"}, "Enter a whole number from 0 to 1,000."),
        ({"learn": "talent:medic"}, "That is nothing to learn in downtime."),
        ({"outcome": "x" * 301}, "That is too long: at most 300 characters."),
    ],
)
def test_a_look_refuses_what_entering_refuses(player, wrong, said):
    looked = look(player, **{**SPELL, **wrong})
    entered = player.send("spend-downtime", htmx=False, page="downtime", **{**SPELL, **wrong})
    for answer in (looked, entered):
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert 'id="downtime-go"' not in answer.content.decode()


def test_a_refusal_stands_by_its_field(player):
    text = look(player, **{**SPELL, "days": "0"}).content.decode()
    assert re.search(r'name="days"[^>]*><p class="field-error"', text)
    text = look(player, **{**SPELL, "ranks": "-9"}).content.decode()
    assert re.search(r'name="ranks"[^>]*><p class="field-error"', text)
    assert text.count("field-error") == 1


def test_what_was_cleared_stays_cleared_beside_its_refusal(player):
    assert (
        'name="days" inputmode="numeric" maxlength="8" autocomplete="off" value="" '
        in look(player, **{**SPELL, "days": ""}).content.decode()
    )


def test_days_that_were_entered_can_be_undone_where_one_comes_to(player):
    entered = player.send("spend-downtime", htmx=False, page="downtime", **SPELL)
    assert entered.headers["Location"] == f"{player.base}rest/#rest"
    assert "3 days of training" in (landed := player.get("rest/").content.decode())
    assert 'id="undo-latest"' in landed


def test_another_person_gets_no_look(player, django_user_model):
    other = Client()
    assert other.post(f"{player.base}downtime/", {"key": "k" * 32, **SPELL}).status_code == 401
    other.force_login(django_user_model.objects.create_user("bo"))
    assert other.post(f"{player.base}downtime/", {"key": "k" * 32, **SPELL}).status_code == 404


def test_the_rest_page_leads_there_and_what_the_rules_name_is_offered(player):
    assert f'href="{player.base}downtime/"' in player.get("rest/").content.decode()
    assert "<option>Practicing a Profession</option>" in player.get("downtime/").content.decode()


def test_what_is_known_already_is_not_offered_to_learn(player):
    text = player.get("downtime/").content.decode()
    assert 'value="knowledge:nature"' in text
    for ref in ("language:dwarven", "language:elvish", "skill:insight", "knowledge:history", "tool:masons-tools"):
        assert f'value="{ref}"' not in text
        refused = look(player, **{**SPELL, "learn": ref})
        assert refused.status_code == 422
        assert "is known already." in refused.content.decode()


def test_nothing_is_entered_but_what_was_shown(player):
    shown = re.search(r'name="shown" value="(\w+)"', look(player, **SPELL).content.decode())[1]
    other = player.send("spend-downtime", htmx=False, page="downtime", shown=shown, **{**SPELL, "ranks": "3"})
    assert other.status_code == 422
    assert "Look at what it changes first." in other.content.decode()
    assert 'value="3"' in other.content.decode()
    assert player.send("spend-downtime", htmx=False, page="downtime", shown=shown, **SPELL).status_code == 303


def test_the_days_so_far_stand_with_what_came_of_them(player):
    told = {"outcome": "Found a <map>", "notes": "Hush\nhush"}
    player.send("spend-downtime", htmx=False, page="downtime", **{**SPELL, **told})
    text = player.get("downtime/").content.decode()
    assert "3 days of training" in text
    assert "Found a &lt;map&gt;" in text
    assert "Hush" in text
    assert "Resources −1 for good. Learned: Nature. “Found a &lt;map&gt;”" in player.get("history/").content.decode()
