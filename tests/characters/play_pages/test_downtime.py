"""Days between adventures are shown first, then entered (section 26)."""

import pytest

SPELL = {
    "days": "3",
    "activity": "Training",
    "points": "1",
    "ranks": "-1",
    "learn": "knowledge:nature",
    "restore": "on",
}


def look(player, **asked):
    return player.client.get(f"{player.base}downtime/", asked)


@pytest.fixture
def spent(player):
    assert player.send("adjust", resource="resolve", amount="-1").status_code == 200
    return player


def test_the_form_enters_nothing_that_was_not_shown(player):
    assert 'id="downtime-go"' not in look(player).content.decode()
    assert 'id="downtime-go"' in look(player, **SPELL).content.decode()


def test_what_it_would_change_is_shown_and_nothing_is_changed(spent):
    version, text = spent.character.version, look(spent, **SPELL).content.decode()
    assert 'Resolve <span class="change"><del>0</del><ins>1</ins></span>' in text
    assert 'Resources <span class="change"><del>4</del><ins>3</ins></span>' in text
    assert 'Nature <span class="change"><del>2D+1</del><ins>3D+2</ins></span>' in text
    assert spent.character.version == version


def test_what_was_shown_is_what_comes(spent):
    spent.send("downtime", htmx=False, page="downtime", **SPELL)
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
        ({"activity": ""}, "Say what the days are spent on."),
        ({"ranks": "-9"}, "Resources go from 0 to 10."),
        ({"points": "-1"}, "Enter a whole number from 0 to 1,000."),
        ({"learn": "talent:medic"}, "That is nothing to learn in downtime."),
        ({"outcome": "x" * 301}, "That is too long: at most 300 characters."),
    ],
)
def test_a_look_refuses_what_entering_refuses(player, wrong, said):
    looked = look(player, **{**SPELL, **wrong})
    entered = player.send("downtime", htmx=False, page="downtime", **{**SPELL, **wrong})
    for answer in (looked, entered):
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert 'id="downtime-go"' not in answer.content.decode()


def test_an_address_keeps_nothing_of_the_form_that_acts(player):
    answer = look(player, **SPELL, csrfmiddlewaretoken="x" * 64, key="k" * 32, page="downtime")
    assert answer.status_code == 302
    assert not {"csrfmiddlewaretoken", "key", "page"} & {
        *answer.headers["Location"].partition("?")[2].replace("=", "&").split("&")
    }


def test_the_rest_page_leads_there_and_what_the_rules_name_is_offered(player):
    assert f'href="{player.base}downtime/"' in player.get("rest/").content.decode()
    assert "<option>Practicing a Profession</option>" in look(player).content.decode()
