"""The pages beside the sheet: history, comparison, rests, a roll before it is made, the glance page, other devices."""

import json
import re

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from characters.models import Character
from characters.pages.sheet.live import NEWS
from tests.support.characters import owned_by
from tests.support.html import html_of

from .conftest import regions


def test_the_history_shows_changes_and_undoes_them(player):
    player.send("change-health", amount="-3")
    player.send("add-note", text="A note")
    text = html_of(player.get("history/"))
    assert "takes 3 damage" in text
    assert "ana" in text
    response = player.send("undo", change=2, page="history")
    assert regions(response) == ["history"]
    assert "is-undone" in html_of(response)
    assert "spent:health" not in player.facts
    assert player.send("undo", change=4, page="history").status_code == 200  # undoes the undo
    assert player.facts["spent:health"] == 3


def test_a_change_that_cannot_be_undone_says_why_beside_it(player):
    player.send("add-condition", condition="condition:prone")
    player.send("remove-condition", condition="condition:prone", source="")
    response = player.send("undo", change=2, page="history")
    assert response.status_code == 422
    assert re.search(r'id="change-2".*cannot be undone.*id="change-1"', html_of(response), re.S)


@pytest.mark.parametrize("kind", ["", "health", "building", "nonsense"])
def test_the_history_is_filtered_by_kind(player, kind):
    player.send("change-health", amount="-3")
    response = player.get(f"history/?kind={kind}&before=999999999999999999999")
    assert response.status_code == 200
    assert ("takes 3 damage" in html_of(response)) == (kind != "building")


def test_a_mark_compares_then_with_now(player):
    player.send("mark", name="last night")
    number = player.character.version
    player.send("change-health", amount="-3")
    player.send("add-condition", condition="condition:poisoned")
    assert f"history/{number}/" in html_of(player.get("history/"))
    text = html_of(player.get(f"history/{number}/"))
    assert "<del>10</del><ins>7</ins>" in text
    assert "Poisoned began" in text
    assert player.get("history/99/").status_code == 404


def test_the_rest_page_shows_the_health_that_a_rest_restores(player):
    player.send("change-health", amount="-6")
    text = html_of(player.get("rest/"))
    assert "<del>4</del><ins>10</ins>" in text
    assert player.facts["spent:health"] == 6


def test_the_rest_page_says_that_wounds_halve_what_a_long_rest_restores(player):
    player.send("change-health", amount="-6")
    assert "Wounds halve" not in html_of(player.get("rest/"))
    player.send("adjust", resource="wounds", by="+1")
    text = html_of(player.get("rest/"))
    assert "<del>4</del><ins>7</ins>" in text
    assert "Wounds halve the health that you regain." in text


def test_the_rest_page_shows_what_rally_costs_and_why_it_is_refused(player):
    def rally():
        return re.search(r'aria-labelledby="rally-title">(.*?)</section>', html_of(player.get("rest/")), re.DOTALL)[1]

    sheet = html_of(player.get())
    assert f'href="{player.base}rest/#rally-title"' in sheet  # where other features have "Use"
    assert 'name="action" value="rally"' not in sheet
    assert "<del>1</del><ins>0</ins>" in rally()
    assert 'id="begin-rally"' in rally()
    player.send("begin-rest", rest="rally")
    player.send("finish-rest")
    assert "spent until the next long rest" in rally()
    assert 'id="begin-rally"' not in rally()


def test_a_rest_spends_its_dice_one_by_one(player):
    player.send("change-health", amount="-6")
    player.send("begin-rest", rest="short-rest", page="rest")
    response = player.send("spend-rest-die", faces="4", page="rest")
    assert "10 of 10 health" in html_of(response)
    assert '<span class="die">4</span>' in html_of(response)
    player.send("finish-rest", page="rest")
    assert not player.facts.get("field:rest")


def test_a_roll_shows_its_exact_chance_before_it_is_made(player):
    text = html_of(player.get("roll/skill.athletics/?target=12"))
    assert "27.78%" in text  # DC-35: two dice and +3 reach 12
    assert "with one Resolve 74.07%" in text
    assert "50.00%" not in text
    assert player.get("roll/skill.athletics/?target=x").status_code == 422
    for nothing in ("no-such-roll", "attack.nothing.here", "skill.nothing"):
        assert player.get(f"roll/{nothing}/").status_code == 404
    assert player.get("roll/against/").status_code == 404


def test_the_options_of_a_chance_are_filled_in_on_the_form_that_rolls(player):
    text = html_of(player.get("roll/knowledge.history/?side=advantage&unskilled=on&target=12"))
    for field in ('name="side" value="advantage" checked', 'name="unskilled" checked', 'name="target"[^>]*value="12"'):
        assert re.search(field, text), field
    assert not re.search('name="secret" checked', text)
    text = html_of(player.get("roll/skill.athletics/?target=x&ability=mind"))
    assert re.search('value="x"[^>]*aria-invalid="true"', text)
    assert "Enter a whole number." in text
    assert '<option value="mind" selected>' in text


def test_only_a_proficient_character_can_roll_as_unskilled(player):
    offered = [
        'name="unskilled"' in html_of(player.get(f"roll/{roll}/")) for roll in ("skill.athletics", "knowledge.history")
    ]
    assert offered == [False, True]


def test_an_answer_has_no_dice_for_a_save_that_fails_without_a_roll(player):
    player.send("add-condition", condition="condition:paralyzed")
    version = player.get().context["live"].version_number
    response = player.send("adjust", resource="wounds", by="+1", version=version)
    page = html_of(player.get())
    assert "save-strength-pool" not in page
    assert all(f'id="{one}"' in page for one in regions(response))


def test_the_address_of_a_chance_leaves_out_the_key_and_the_token(player):
    response = player.get("roll/skill.athletics/?csrfmiddlewaretoken=abc&key=12345678&target=12&bonus=&secret=on")
    assert response.url == f"{player.base}roll/skill.athletics/?target=12&secret=on"


def test_a_check_is_rolled_with_another_ability_and_with_a_tool(player):
    sheet = html_of(player.get())
    tool = re.search(r'href="([^"]+/roll/(tool\.[\w-]+)/)"', sheet)
    page = html_of(player.get(tool[1].removeprefix(player.base) + "?ability=vitality"))
    assert '<option value="vitality" selected>Vitality</option>' in page
    assert "<span>Vitality</span>" in page
    assert "roll/skill.athletics/" in html_of(player.get("odds/skill.athletics/"))
    for key in ("skill.athletics", tool[2]):
        player.send("roll", roll=key, ability="vitality")
        assert player.character.rolls.first().modifiers[0][0] == "Vitality"
    assert 'name="ability"' not in html_of(player.get("roll/save.agility/"))


@pytest.mark.parametrize("key", ["save.agility", "check.strength", "attack.unarmed-strike.unarmed", "initiative"])
def test_saves_attacks_and_plain_checks_take_no_other_ability(player, key):
    response = player.send("roll", roll=key, ability="mind")
    assert response.status_code == 422
    assert "other ability." in html_of(response)
    assert re.search(r'name="ability"[^>]*aria-invalid="true"', html_of(response))
    assert not player.character.rolls.exists()


def test_a_roll_shows_its_dice_and_the_chance_with_one_resolve(player):
    text = html_of(player.send("roll", roll="skill.athletics", faces="2 4", target="12"))
    assert [int(face) for face in re.findall(r'<span class="die">(\d)</span>', text)] == [2, 4]
    assert "by hand" in text
    assert "a failure" in text
    assert "another die succeeds 66.67%" in text


def test_the_log_of_rolls_says_when_each_was_made(player):
    player.send("roll", roll="skill.athletics", faces="2 4")
    text = html_of(player.get("rolls/"))
    assert f'datetime="{player.last.at:%Y-%m-%dT%H:%M:%S.%f}+00:00"' in text
    assert f"{player.last.at:%H:%M}</time>" in text


def test_a_critical_hit_offers_critical_damage(player):
    item = next(row for row in player.character.items.all() if row.element and row.element.slug == "warhammer")
    text = html_of(player.send("roll", roll=f"attack.{item.pk}.one-hand", faces="6 6 1"))
    assert "critical" in text
    opened = r'<details class="rolled" id="rolled"\s+data-stays open>'
    assert re.search(opened, text)
    assert re.search(r'value="critical\.[\w-]+\.one-hand"', text)
    value = re.search(r'value="(critical\.[\w-]+\.one-hand)"', text)[1]
    answer = player.send("roll", roll=value, faces="3 5")
    assert answer.status_code == 200
    assert not re.search(opened, html_of(answer))
    assert player.last.verb == "roll"


def test_two_writers_lose_no_text(player):
    player.send("add-note", text="First")
    address = f"note:{player.row('note')}"
    mark = re.search(r'name="was" value="(\w+)"', html_of(player.get()).split(f'value="{address}"')[1])[1]
    player.send("edit", address=address, text="Theirs", was=mark)
    for htmx in (True, False):
        response = player.send("edit", htmx=htmx, address=address, text="Mine", was=mark)
        text = html_of(response)
        assert response.status_code == 409
        assert "Theirs" in text
        assert (
            text.count("Someone else has changed this in the meantime.") == 1
        )  # by the form, and not again in the latest news
        assert "Mine</textarea>" in text
    assert player.facts[address]["text"] == "Theirs"


def test_lowered_resources_are_a_counter_like_the_others(player):
    def lowered():
        (row,) = re.findall(r'<li id="count-lowered".*?</li>', html_of(player.get()), re.DOTALL)
        return re.search(r'name="amount" value="(\d+)"', row)[1], "back after the end of an adventure" in row

    rank = player.get().context["page"].vitals.resources
    assert lowered() == ("0", True)
    for amount, after in (("+1", "1"), ("3", "3"), ("-2", "1")):
        answer = player.send(
            "adjust", version=player.get().context["live"].version_number, resource="resources-lowered", amount=amount
        )
        assert re.search(rf'id="count-lowered".*?value="{after}"', html_of(answer), re.DOTALL)
        assert lowered() == (after, True)
    assert player.get().context["page"].vitals.resources == rank - 1
    refused = player.send("adjust", resource="resources-lowered", amount="-7")
    assert refused.status_code == 422
    assert "Resources lowered: only 1." in html_of(refused)
    player.send("end-adventure")
    assert lowered() == ("0", True)


def test_opening_the_address_of_a_refused_form_leads_to_the_sheet(player):
    assert player.send("change-health", htmx=False, amount="many").status_code == 422
    response = player.get("play/change-health/")
    assert (response.status_code, response.url) == (302, player.base)
    assert player.client.put(f"{player.base}play/change-health/").status_code == 405


@pytest.mark.parametrize(
    ("do", "amount", "taken"),
    [("take-damage", amount, taken) for amount, taken in (("3", 3), ("-3", 3), ("−3", 3), ("+3", None), ("--3", None))]
    + [("heal", "+3", -3), ("heal", "3", -3), ("heal", "-3", None), ("heal", "−3", None)],
)
def test_an_amount_may_have_only_the_sign_of_its_button(player, do, amount, taken):
    player.send("take-damage", amount="5")
    response = player.send(do, amount=amount)
    if taken is None:
        assert response.status_code == 422
        assert "Type an amount such as 7." in html_of(response)
    assert player.facts["spent:health"] == 5 + (taken or 0)


def test_an_edit_of_a_removed_text_can_be_kept_as_a_note(player):
    player.send("add-note", text="First")
    address = f"note:{player.row('note')}"
    player.send("remove", address=address)
    for htmx in (True, False):
        response = player.send("edit", htmx=htmx, address=address, text="Mine", was="x")
        assert response.status_code == 422
        assert re.search(r'id="add-note-text"[^>]*aria-invalid[^>]*>Mine</textarea>', html_of(response))


def test_only_an_agreed_relationship_is_offered_for_spending_resolve(player):
    player.send("roll", roll="skill.athletics", faces="2 4", target="12")
    for agreed, offers in (("", 0), ("on", 5)):  # declare, compel, the next roll, the last roll, a detail on it
        player.send("add-relationship", other="Bo", based_on="bond", text="Old friends", agreed=agreed)
        player.send("roll", roll="skill.athletics", faces="2 4", target="12")
        html = html_of(player.get())
        assert html.count(f'<option value="relationship:{player.row("relationship")}"') == offers


def test_a_refused_text_that_is_too_long_is_given_back_whole(player):
    text = "far too long " * 1_000
    for htmx in (True, False):
        assert text.strip() in html_of(player.send("add-note", htmx=htmx, text=text))


def test_changes_by_others_are_still_fetched_after_a_refusal(player):
    version = player.get().context["live"].version_number
    player.send("change-health", amount="-3")
    refused = player.send("adjust", version=version, resource="stamina", amount="999")
    assert [*json.loads(refused.headers["HX-Trigger"])] == [
        "refused"
    ]  # no `version`: the page still shows the former one
    assert "health" in regions(player.get("watch/", **{"X-Version": version}))


def test_other_devices_learn_of_a_change(player):
    version = player.get().context["live"].version_number
    assert player.get("watch/", **{"X-Version": version}).status_code == 204
    player.send("change-health", amount="-3")
    response = player.get("watch/", **{"X-Version": version})
    assert response.status_code == 200
    assert {"health", "latest"} <= set(regions(response)) < {"health", "latest", "attacks", "abilities", "down"}
    assert set(regions(player.get("watch/", **{"X-Version": "nonsense"}))) >= {"vitals", "skills", "aspects"}


def test_watching_for_changes_costs_one_query(player, django_assert_max_num_queries):
    version = player.get().context["live"].version_number
    with django_assert_max_num_queries(3):  # session, user, version
        response = player.get("watch/", **{"X-Version": version})
    assert response.status_code == 204


@override_settings(STORAGES={"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}})
def test_the_glance_page_is_light(player):
    from pathlib import Path

    for fields in ({"condition": "condition:unconscious"}, {"condition": "condition:poisoned"}):
        player.send("add-condition", **fields)
    text = player.get("glance/").content
    css = Path("static/css/glance.css").read_bytes()
    assert len(text) + len(css) + Path("static/favicon.svg").stat().st_size < 30_000
    assert b"<script" not in text
    # The stylesheet loads letters with accents only for a page that has any.
    letters = [one.stat().st_size for one in Path("static/fonts").glob("*.woff2") if "accents" not in one.name]
    assert text.count(b".woff2") == len(letters) == 2
    assert sum(letters) < 25_000  # which the sheet has loaded already


def test_an_action_from_the_glance_page_leads_back_to_it(player):
    response = player.send("take-damage", htmx=False, amount="4", page="glance")
    assert response.headers["Location"].startswith(f"{player.base}glance/")
    response = player.send("take-damage", htmx=False, amount="many", page="glance")
    assert response.status_code == 422
    assert 'value="many"' in html_of(response)


def test_the_sentence_of_a_secret_roll_says_that_it_is_secret(player):
    player.send("roll", roll="skill.athletics", faces="2 4", secret="on")
    assert player.last.sentence == "Borrin Ashlar rolls Athletics: in secret."
    assert "in secret" in html_of(player.get("rolls/"))


def test_a_death_save_at_a_glance_takes_real_dice(player):
    player.send("take-damage", amount=str(player.get().context["page"].vitals.health.left))
    assert 'name="faces"' in html_of(player.get("glance/"))
    player.send("death-save", htmx=False, faces="6 5 4", page="glance")
    assert "1 of 3 passed" in html_of(player.get("glance/"))
    refused = player.send("death-save", htmx=False, faces="6 9 1", page="glance")
    assert refused.status_code == 422
    assert 'value="6 9 1"' in html_of(refused)


@pytest.mark.parametrize(
    ("key", "numbers"),
    [("damage.warhammer.one-hand", "2d8+3 5 to 19 12 on average"), ("damage.unarmed-strike.unarmed", "4")],
)
def test_the_page_of_a_damage_roll_shows_least_most_and_average(player, key, numbers):
    page = html_of(player.get(f"roll/{key}/?critical=on"))
    said = re.search(r'<p class="prepare-pool">(.*?)</p>', page, re.DOTALL)[1]
    assert " ".join(re.sub("<[^>]*>", " ", said).split()) == numbers
    assert 'name="side"' not in page
    player.send("roll", htmx=False, roll=key, critical="on", bonus="2")
    assert player.last.verb == "roll"


def test_a_death_save_can_be_rolled_with_advantage(player):
    player.send("take-damage", amount=str(player.get().context["page"].vitals.health.left))
    assert f'href="{player.base}roll/death-save/"' in html_of(player.get())
    assert "succeeds 83.80%" in html_of(player.get("roll/death-save/?side=advantage"))
    player.send("death-save", htmx=False, side="advantage", faces="4 4 1 1")
    assert player.last.verb == "death_save"
    assert "10 with two ones, two failures" in player.last.sentence


def test_a_feature_that_heals_takes_real_dice_from_the_tray(player):
    player.send("take-damage", amount="5")
    assert 'name="action" value="second-wind"' in html_of(player.get())
    player.send("use", action="second-wind", faces="6 1")
    assert player.last.verb == "use"
    assert "uses Second Wind: 9" in player.last.sentence
    assert player.get().context["live"].last_roll.last.by_hand
    player.send("take-damage", amount="5")
    player.send("adjust", resource="second-wind", amount="1")
    for more in ({"secret": "on"}, {"side": "advantage"}, {"bonus": "2"}, {"target": "9"}):
        answer = player.send("use", action="second-wind", **more)
        assert (answer.status_code, "you can only enter your own dice" in html_of(answer)) == (422, True)


def test_an_aspect_that_declared_a_detail_on_a_roll_cannot_nudge_it(player):
    player.send("roll", roll="skill.athletics", faces="2 4", target="12")
    roll = player.get().context["live"].last_roll.first.pk
    (aspect, _), *_ = player.get().context["live"].version.invocable
    player.send("detail", roll=roll, aspect=aspect, detail="The gate is old")
    assert player.last.verb == "detail"
    player.send("adjust", resource="resolve", amount="1")
    answer = player.send("nudge", roll=roll, up="yes", aspect=aspect)
    assert answer.status_code == 422
    assert "You have used that aspect on this roll already." in html_of(answer)


def test_a_detail_declared_on_a_roll_is_shown_as_the_latest_change(player):
    player.send("roll", roll="skill.athletics", faces="2 4", target="12")
    roll = player.get().context["live"].last_roll.first.pk
    (aspect, _), *_ = player.get().context["live"].version.invocable
    said = html_of(player.send("detail", roll=roll, aspect=aspect, detail="The gate is old"))
    assert 'class="latest-what">' in said
    assert "declares a detail by" in said


def test_a_roll_of_nothing_chosen_is_refused(player):
    for base in ({}, {"page": "glance"}):
        answer = player.send("roll", target="12", **base)
        assert (answer.status_code, "Choose what to roll: press" in html_of(answer)) == (422, True)


def test_a_declaration_without_an_aspect_says_what_is_missing(player):
    answer = player.send("declare", detail="The gate is old")
    assert (answer.status_code, "Choose one of the character&#x27;s aspects." in html_of(answer)) == (422, True)


def test_the_dice_tray_offers_an_aspect_added_after_a_refusal(player):
    player.send("add-aspect", kind="flaw", text="")
    answer = player.send("add-aspect", kind="flaw", text="Proud")
    assert "roll-aspect" in regions(answer)


def test_a_healing_kit_says_how_its_uses_come_back(player):
    player.send("purchase-together", ref="gear:healing-kit", ranks="4")
    assert "of 10, back with a new one" in html_of(player.get())


def test_a_compel_may_name_a_disposition_in_words(player):
    player.send("compel", words="Good, and it shows", accept="yes")
    assert "“Good, and it shows”" in player.last.sentence


def test_a_stranger_does_not_find_the_pages_of_a_character(player, stranger):
    for below in ("watch/", "glance/", "rest/", "downtime/", "history/", "history/1/", "rolls/", "roll/initiative/"):
        assert stranger.get(player.base + below).status_code == 404


def test_the_dice_of_attackers_are_shown_by_the_defense(player):
    assert b"attackers" not in player.get().content
    player.send("add-condition", condition="condition:prone")
    version = player.get().context["live"].version_number
    near = player.send("toggle", version=version, switch="+attacker-within-5")
    assert "attackers +1D" in html_of(near)
    assert f'href="{player.base}explain/against/"' in html_of(player.get())


def test_a_new_turn_says_how_long_conditions_last(player):
    player.send("add-condition", condition="condition:poisoned", rounds="3")
    player.send("next-round")
    assert "Poisoned for 2 more rounds" in player.last.sentence


def test_the_sheet_says_which_checks_fail_under_a_circumstance(player):
    player.send("add-condition", condition="condition:blinded")
    text = html_of(player.get())
    assert text.count("Every check: fails when the check needs sight (Blinded)") == 2  # of skills, and of knowledge
    assert text.count("needs sight (Blinded)") == 2
    assert "+0D" not in text


def test_thousands_are_set_apart_in_piles_and_falls(player):
    pile = html_of(player.send("add-item", custom="Sling stone", quantity="1200"))
    assert pile.count('<span class="number">× 1,200</span>') == 1
    assert "falls 1,000 ft. " in html_of(player.send("fall", feet="1000", faces=" ".join("1" * 20)))


def test_conditions_in_force_are_listed_by_the_name(player):
    line = re.compile(r'<p id="in-force"( hidden)?><a[^>]*><span[^>]*>In force: </span>([^<]*)</a>')
    assert line.search(html_of(player.get())).groups() == (" hidden", "")
    added = html_of(player.send("add-condition", condition="condition:unconscious"))
    assert line.search(added).groups() == (None, "Prone, Unconscious, Incapacitated")
    player.send("adjust", resource="wounds", amount="+2")
    assert line.search(html_of(player.get()))[2].endswith("Wounded × 2")


def test_the_circumstance_of_a_condition_can_be_switched_beside_it(player):
    def at_hand():
        text = html_of(player.get())
        return re.findall(
            r'id="situation-([\w-]+)"', text[text.index('class="situations"') : text.index("situations-more")]
        )

    assert at_hand() == []
    player.send("add-condition", condition="condition:frightened")
    (waits,) = at_hand()
    assert "1D+3" not in html_of(player.get("roll/skill.athletics/"))
    player.send("toggle", switch=f"+{waits}")
    assert at_hand() == [waits]
    assert "1D+3" in html_of(player.get("roll/skill.athletics/"))
    player.send("remove-condition", condition="condition:frightened", source="")
    player.send("toggle", switch=f"-{waits}")
    assert at_hand() == []


def test_no_resolve_is_offered_for_a_death_save_that_was_cheated(player):
    player.send("change-health", amount="-10")
    failed = html_of(player.send("death-save", faces="1 1 1"))
    player.send("cheat-death")
    player.send("regain", points="1", reason="A good scene")
    assert "Spend one Resolve" in failed
    assert "Spend one Resolve" not in html_of(player.get("rolls/"))
    assert "Spend one Resolve" not in html_of(player.get())


def test_no_resolve_is_offered_for_a_death_save_that_needs_no_help(player):
    player.send("change-health", amount="-10")
    assert "Spend one Resolve" not in html_of(player.send("death-save", faces="5 5 5"))
    assert "Spend one Resolve" in html_of(player.send("roll", roll="save.vitality"))


def test_the_history_says_that_a_guest_made_a_change(player):
    guest = Client()
    guest.post("/characters/start/", {"key": "k" * 32})
    begun = Character.objects.latest("pk")
    assert "a guest" in html_of(guest.get(f"/characters/{begun.pk}/history/"))
    assert "a guest" not in html_of(player.get("history/"))


def test_the_rest_page_shows_the_features_and_conditions_that_a_rest_changes(player):
    player.send("use", action="second-wind", faces="3 4")
    player.send("add-condition", condition="condition:poisoned", until="short-rest")
    text = html_of(player.get("rest/"))
    for title in ("short-title", "rally-title"):
        section = re.search(rf'aria-labelledby="{title}">(.*?)</section>', text, re.DOTALL)[1]
        assert "Second Wind" in section
        assert "Poisoned ends" in section


def test_the_rest_page_says_why_the_dying_cannot_rest_and_the_stable_cannot_rally(player):
    player.send("change-health", amount="-10")
    text = html_of(player.get("rest/"))
    assert "The dying cannot rest." in text
    assert 'id="begin-short"' not in text
    player.send("stabilize")
    text = html_of(player.get("rest/"))
    assert 'id="begin-short"' in text
    assert "No actions while incapacitated." in text
    assert player.send("begin-rest", rest="rally").status_code == 422


def test_falling_to_0_health_without_script_leads_to_the_part_on_dying(player):
    assert player.send("change-health", htmx=False, amount="-1").headers["Location"].endswith("#vitals")
    assert player.send("change-health", htmx=False, amount="-10").headers["Location"].endswith("#down")


def test_no_gap_is_left_on_paper_before_a_tools_press(player):
    page = player.client.get(owned_by(player.user, "borrin-ashlar").get_absolute_url()).content.decode()
    assert 'tools</a><a class="roll-this roll-with"' in page


def test_the_part_on_dying_leads_to_what_it_means(player):
    player.send("change-health", amount="-10")
    (title,) = re.findall('(?s)<h2 id="down-title".*?</h2>', html_of(player.get("")))
    assert 'href="/rules/polyhedral/term/dying/"' in title


def test_cheating_death_is_offered_only_after_a_failed_save(player):
    offered = "cheat-death-go"
    player.send("change-health", amount="-10")
    hit = player.send("take-damage", amount="2")
    assert player.facts["spent:death-failures"] == 1
    assert offered not in html_of(hit) + html_of(player.get())
    assert offered in html_of(player.send("death-save", faces="1 2 1"))
    assert offered in html_of(player.get())


def test_a_death_can_be_ended_once_there_are_fewer_than_ten_wounds(player):
    player.send("adjust", resource="wounds", amount="10")
    assert 'id="not-dead-go"' not in html_of(player.get())  # ten wounds
    assert player.send("remove-condition", condition="condition:dead").status_code == 422
    fewer = player.send("adjust", resource="wounds", amount="9", version=player.get().context["live"].version_number)
    assert 'id="not-dead-go"' in html_of(fewer)
    assert player.send("remove-condition", condition="condition:dead").status_code == 200
    assert 'id="not-dead-go"' not in html_of(player.get())


def test_a_switch_that_is_on_stays_in_sight_when_its_condition_ends(player):
    player.send("add-condition", condition="condition:frightened")
    (waits,) = re.findall(r'id="situation-([\w-]*fear[\w-]*|[\w-]*source[\w-]*)"', html_of(player.get()))
    player.send("toggle", switch=f"+{waits}")
    player.send("remove-condition", condition="condition:frightened", source="")
    assert f'id="situation-{waits}" name="switch" value="-{waits}"' in html_of(player.get())


def test_a_roll_names_what_puts_it_at_a_disadvantage(player):
    player.send("add-condition", condition="condition:poisoned")
    rolled = html_of(player.send("roll", roll="skill.athletics", side="disadvantage", faces="3"))
    assert "Disadvantage (Poisoned and at the table) −1" in rolled


def test_a_spell_attack_offers_no_damage_that_the_sheet_does_not_have(player):
    for roll, offers in (("spell-attack", False), ("attack.unarmed-strike.unarmed", True)):
        said = html_of(player.send("roll", roll=roll, target="1"))
        assert (re.search("Roll (its|critical) damage", said) is not None) is offers


def test_a_refused_detail_marks_the_field_of_its_own_form(player):
    player.send("roll", roll="skill.athletics", faces="2 4", target="12")
    roll = player.get().context["live"].last_roll.first.pk
    said = html_of(player.send("detail", roll=roll, aspect="aspect:0", detail="It creaks"))
    wrong = re.findall(r'id="([^"]+)"[^>]* aria-invalid="true"', said)
    assert wrong == [f"detail-by-{roll}"]
    assert 'value="It creaks"' in said


def test_a_refused_roll_opens_the_dice_options_only_if_one_is_filled_in(player):
    for more, opens in (({}, False), ({"target": "12"}, True)):
        said = html_of(player.send("roll", roll="attack.999999.one-hand", **more))
        assert ('id="dice-more" open' in said) is opens


def test_another_device_sees_that_a_save_can_no_longer_be_turned(player):
    """The count is as it was: one failed, but now by a blow."""
    player.send("adjust", resource="health", amount="0")
    player.send("death-save", faces="2 2 2")
    there = player.get().context["live"].version_number
    for amount in ("1", "0", "-1"):
        player.send("adjust", resource="health", amount=amount)
    said = html_of(player.client.get(f"{player.base}watch/", headers={"X-Version": there}))
    assert 'id="down"' in said
    assert "cheat-death-go" not in said


def test_many_falls_add_no_queries_to_the_log_of_rolls(player, django_assert_max_num_queries):
    for _ in range(6):
        player.send("adjust", resource="health", amount="0")
        player.send("death-save", faces="2 2 2")
        player.send("adjust", resource="health", amount="1")
    player.send("adjust", resource="health", amount="0")
    player.send("death-save", faces="2 2 2")
    with django_assert_max_num_queries(10):
        page = html_of(player.get("rolls/"))
    assert page.count("a failure") == 7


def test_the_latest_change_is_shown_only_while_it_is_new(player):
    player.send("take-damage", amount="2")
    assert 'id="undo-latest"' in html_of(player.get())
    Character.objects.filter(pk=player.pk).update(changed_at=timezone.now() - NEWS)
    assert 'id="undo-latest"' not in html_of(player.get())
    assert "2 damage" not in html_of(player.get("glance/"))
    assert "2 damage" in html_of(player.get("history/"))
    answer = player.send("take-damage", amount="3").content.decode()
    assert "3 damage" in answer


def test_the_creation_of_a_character_is_not_shown_as_news(player):
    assert 'class="latest"' not in html_of(player.get())
