"""The terms of a table: decided by storytellers, applied to new characters, and a mark on characters that differ."""

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from django.http import Http404
from django.test import Client

from campaigns.models import CampaignRules, CampaignTerms, Seat
from campaigns.new_characters import terms_of
from campaigns.verbs import seats, table_rules, terms
from characters.models import Change, Character
from rules.models import Ruleset
from tests.campaigns.seated import invite, saltmarsh
from tests.characters.cast import browser_of, facts, first_level, new_key, person, refuses
from tests.factories import SourceFactory
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
LEVEL, METHOD = "startingLevel", "abilityMethod"


@pytest.fixture
def campaign():
    return saltmarsh(bo="player", eve="spectator")


def decide(campaign, who=None, more_xp=0, **switches):
    return terms.decide(campaign.pk, who or person(), switches=switches, more_xp=more_xp)


def begun(campaign, who="bo", key=None):
    return seats.begin(campaign.pk, person(who), key or new_key())


def page(campaign, name="ana"):
    return html_of(browser_of(name).get(campaign.get_absolute_url()))


def marks(campaign):
    return [mark for mark in ("Below the starting level", "Began above") if mark in page(campaign)]


def form(**changed):
    fields = {LEVEL: "1", METHOD: "any", "pointBuyBudget": "15", "pointBuyMax": "15", "allowReroll": "false"}
    return {f"rule-{key}": value for key, value in fields.items()} | {"more_xp": "0"} | changed


def test_a_new_character_begins_by_the_tables_house_rules_and_terms(campaign):
    house = {"trackAmmunition": "off", "xpPerLevel": "500"}
    table_rules.decide(campaign.pk, person(), new_key(), switches=house, sources=())
    decide(campaign, more_xp=200, **{LEVEL: "3", METHOD: "array"})
    seat = begun(campaign)
    stored = facts(seat.character)
    assert {key: stored[f"switch:{key}"] for key in (*house, LEVEL, METHOD)} == house | {LEVEL: "3", METHOD: "array"}
    assert stored["field:xp"] == 1200
    assert (seat.level, seat.member.name, seat.character.owner) == (3, "Bo", person("bo").user)
    assert seat.character.changes.count() == 1


def test_a_new_character_has_the_tables_sources(campaign):
    polyhedral = Ruleset.objects.get(slug="polyhedral")
    SourceFactory(ruleset=polyhedral, slug="reef", title="Reef", is_core=False)
    table_rules.decide(campaign.pk, person(), new_key(), switches={}, sources=["reef"])
    assert facts(begun(campaign).character)["source:reef"] is True


def test_a_storyteller_prepares_a_character_that_nobody_plays_yet(campaign):
    assert begun(campaign, "ana").member is None


def test_the_same_key_is_the_same_seat(campaign):
    key = new_key()
    assert begun(campaign, key=key) == begun(campaign, key=key)
    assert Seat.objects.count() == Character.objects.filter(owner=person("bo").user).count() == 1
    with refuses(""):
        begun(campaign, "ana", key)


def test_a_spectator_begins_no_character_and_a_stranger_finds_nothing(campaign):
    with refuses(""):
        begun(campaign, "eve")
    with pytest.raises(Http404):
        begun(campaign, "cid")
    assert not Seat.objects.exists()


def test_a_full_table_takes_no_new_character(campaign, monkeypatch):
    monkeypatch.setattr(seats, "MOST_SEATS", 1)
    begun(campaign)
    with refuses(""):
        begun(campaign)


@pytest.mark.parametrize("who", ["bo", "eve", "cid"])
def test_only_storytellers_decide_the_terms(campaign, who):
    with pytest.raises(Http404):
        decide(campaign, person(who), **{LEVEL: "3"})
    answer = browser_of(who).post(f"/campaigns/{campaign.pk}/terms/", form(**{f"rule-{LEVEL}": "3"}))
    assert answer.status_code == 404
    assert not CampaignTerms.objects.exists()


@pytest.mark.parametrize(
    ("field", "switches", "more_xp"),
    [
        (LEVEL, {LEVEL: "0"}, 0),
        (METHOD, {METHOD: "guess"}, 0),
        ("trackAmmunition", {"trackAmmunition": "off"}, 0),
        ("more_xp", {}, 1000),  # that is the next level
    ],
)
def test_a_bad_term_is_refused_at_its_field(campaign, field, switches, more_xp):
    with refuses(field):
        decide(campaign, more_xp=more_xp, **switches)
    assert not CampaignTerms.objects.exists()


def test_more_experience_than_anyone_can_have_is_refused(campaign):
    CampaignRules.objects.create(campaign=campaign, switches={"xpPerLevel": "90000"})
    with refuses(LEVEL):
        decide(campaign, **{LEVEL: "9000"})


def test_terms_are_saved_without_script_and_shown_to_members_and_on_an_invite(campaign):
    where = f"/campaigns/{campaign.pk}/terms/"
    data = form(**{f"rule-{LEVEL}": "4", f"rule-{METHOD}": "pointBuy", "more_xp": "250"})
    assert browser_of().post(where, data).status_code == 303
    assert terms_of(campaign).lines == [
        ("Level", "4"),
        ("XP", "3,250"),
        ("Ability ranks are found by", "buying with points"),
    ]
    token = invite(campaign)
    for text in (page(campaign), page(campaign, "bo"), html_of(Client().get(f"/join/{token}/"))):
        assert "3,250" in text
        assert "buying with points" in text
    shown = browser_of().get(where).context
    assert (shown["form"].in_force[LEVEL], shown["more"].initial["more_xp"]) == ("4", 250)


@pytest.mark.parametrize(
    "wrong",
    [
        {f"rule-{LEVEL}": "many"},
        {f"rule-{LEVEL}": ""},
        {f"rule-{METHOD}": "guess"},
        {"more_xp": "-1"},
        {"more_xp": ""},
        {"more_xp": "1000"},
        {"more_xp": "9" * 30},
    ],
)
def test_a_bad_form_is_refused_at_its_field_and_stores_nothing(campaign, wrong):
    answer = browser_of().post(f"/campaigns/{campaign.pk}/terms/", form(**wrong))
    assert answer.status_code == 422
    (field,) = wrong
    shown = answer.context["more" if field == "more_xp" else "form"]
    assert shown[field.removeprefix("rule-")].errors
    assert not CampaignTerms.objects.exists()


def test_the_form_does_not_ask_for_xp_where_levels_are_milestones(campaign):
    CampaignRules.objects.create(campaign=campaign, switches={"advancement": "milestone"})
    where, data = f"/campaigns/{campaign.pk}/terms/", form(**{f"rule-{LEVEL}": "3"})
    assert "more_xp" not in html_of(browser_of().get(where))
    del data["more_xp"]
    assert browser_of().post(where, data).status_code == 303
    assert facts(begun(campaign).character)["field:milestone"] == 3


def test_a_player_begins_in_the_builder_and_a_spectator_is_refused(campaign):
    where = f"/campaigns/{campaign.pk}/seats/begin/"
    assert 'action="' + where in page(campaign, "bo")
    answer = browser_of("bo").post(where, {"key": new_key()})
    assert (answer.status_code, answer["Location"]) == (
        303,
        f"/characters/{Seat.objects.get().character_id}/build/origin/",
    )
    assert browser_of("bo").post(where, {"key": "short"}).status_code == 422
    assert 'action="' + where not in page(campaign, "eve")
    assert browser_of("eve").post(where, {"key": new_key()}).status_code == 422


def test_an_invited_guest_begins_a_character_at_once(campaign):
    decide(campaign, **{LEVEL: "2"})
    client = Client()
    data = {"name": "Nell", "character": "begin", "key": new_key()}
    answer = client.post(f"/join/{invite(campaign)}/", data)
    seat = Seat.objects.get()
    assert (seat.member.name, seat.level) == ("Nell", 2)
    assert client.get(answer["Location"]).status_code == 200


def test_a_start_below_or_above_the_terms_is_marked_and_later_levels_are_not(campaign):
    grown = begun(campaign)
    decide(campaign, **{LEVEL: "2"})
    assert "Below the starting level of 2" in page(campaign)
    Character.objects.filter(pk=grown.character_id).update(xp=5000, version=99)
    assert not marks(campaign)
    decide(campaign, **{LEVEL: "5"})
    begun(campaign)
    assert not marks(campaign)
    decide(campaign, **{LEVEL: "2"})
    assert page(campaign).count("Began above level 2") == 1


def test_ranks_that_the_terms_do_not_allow_are_marked(campaign):
    seats.bring(campaign.pk, person("bo"), first_level(person("bo")).pk)
    assert "Ranks found another way" not in page(campaign)
    decide(campaign, **{METHOD: "pointBuy", "pointBuyBudget": "0"})
    assert "Ranks found another way" in page(campaign)


def test_changing_the_terms_changes_no_character(campaign):
    seat = begun(campaign)
    before, count = facts(seat.character), Change.objects.count()
    decide(campaign, more_xp=100, **{LEVEL: "5", METHOD: "array"})
    assert facts(seat.character) == before
    assert Change.objects.count() == count


def test_new_house_rules_leave_a_characters_starting_level_alone(campaign):
    decide(campaign, **{LEVEL: "3"})
    seat = begun(campaign)
    rules = {"switches": {"trackAmmunition": "off"}, "sources": ()}
    assert table_rules.decide(campaign.pk, person(), new_key(), **rules) == [seat.character]
    assert facts(seat.character)[f"switch:{LEVEL}"] == "3"
    assert "Other house rules" not in page(campaign)


@pytest.mark.parametrize("more_xp", [-1, 100_000_001])
def test_the_database_holds_the_bounds_of_experience(campaign, more_xp):
    with pytest.raises(IntegrityError), transaction.atomic():
        CampaignTerms.objects.create(campaign=campaign, more_xp=more_xp)


@pytest.mark.parametrize("level", [0, 10_001])
def test_the_database_holds_the_bounds_of_a_level(campaign, level):
    seat = begun(campaign)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(level=level)


def test_the_second_of_two_storytellers_is_told_that_the_terms_changed(campaign):
    client, where = browser_of(), f"/campaigns/{campaign.pk}/terms/"
    was = client.get(where).context["was"]
    decide(campaign, more_xp=50, **{METHOD: "roll"})
    sent = form(more_xp="0", was=was)
    answer = client.post(where, sent)
    assert answer.status_code == 409
    assert "Someone else has changed this in the meantime." in html_of(answer)
    assert CampaignTerms.objects.get().more_xp == 50
    assert client.post(where, sent | {"was": answer.context["was"]}).status_code == 303
    assert CampaignTerms.objects.get().more_xp == 0


def test_of_two_storytellers_at_once_the_second_is_told_the_terms_of_the_first(campaign, monkeypatch):
    """The first form is done while the second, which has been read, waits for the lock."""
    client, where = browser_of(), f"/campaigns/{campaign.pk}/terms/"
    sent = form(more_xp="10", was=client.get(where).context["was"])
    real = terms.decide

    def after_another(*args, **what):
        monkeypatch.undo()
        decide(campaign, more_xp=50)
        return real(*args, **what)

    monkeypatch.setattr(terms, "decide", after_another)
    answer = client.post(where, sent)
    assert answer.status_code == 409
    assert "is set to 50" in html_of(answer)
    assert client.post(where, sent | {"was": answer.context["was"]}).status_code == 303
    assert CampaignTerms.objects.get().more_xp == 10


def test_a_ruleset_need_not_have_every_rule_on_how_characters_begin(campaign):
    decide(campaign, **{METHOD: "array"})
    found = terms_of(campaign)
    known = found.bundle.switches
    found.__dict__["bundle"] = replace(found.bundle, switches={METHOD: known[METHOD]})
    assert [name for name, _ in found.lines] == ["Level", known[METHOD].name]
