"""The house rules of a table: previewed on each seated character, followed by all, with exceptions for a reason."""

import re

import pytest
from django.http import Http404

from campaigns.models import CampaignRules, RuleException
from campaigns.verbs import seats, table_rules
from campaigns.verbs.membership import make_invite
from characters import verbs
from characters.change.refusals import KeyReused, Refused
from characters.models import Change
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import browser_of, facts, first_level, mira, new_key, person, refuses
from tests.characters.play.table import play
from tests.factories import SourceFactory
from tests.support.edits import retire_house_rule
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
SWITCH, VALUE = "trackAmmunition", "off"
TIDES = """
ruleset: {slug: polyhedral, name: Polyhedral, game: polyhedral, armor_stat: defense}
source: {slug: tides, title: Tides, version: "1"}
"""


def decide(campaign, who=None, key=None, **switches):
    return table_rules.decide(campaign.pk, who or person(), key or new_key(), switches=switches, sources=())


def played(party):
    return [facts(one).get(f"switch:{SWITCH}") for one in party.values()]


def page(campaign):
    client = browser_of()
    return client, f"/campaigns/{campaign.pk}/rules/"


def whole_form(client, where, **changed):
    """The form as the page shows it, with some values changed."""
    context = client.get(where).context
    data = {f"rule-{key}": value for key, value in context["form"].in_force.items()}
    data |= {f"source-{slug}": "out" for slug in context["sources"].fields} | {"was": context["was"]}
    return data | changed | {"key": new_key()}


def test_every_seated_character_follows_the_house_rules(campaign, party):
    assert len(decide(campaign, **{SWITCH: VALUE})) == 2
    assert played(party) == [VALUE, VALUE]
    change = party["bo"].changes.first()
    assert (change.verb, change.actor) == ("follow_table", person().user)
    assert change.sentence.startswith("By the house rules of the table, ")


def test_a_character_that_follows_the_house_rules_already_is_not_changed(campaign, party):
    decide(campaign, **{SWITCH: VALUE})
    count = Change.objects.count()
    assert decide(campaign, **{SWITCH: VALUE}) == []
    assert Change.objects.count() == count


def test_a_character_in_the_bin_keeps_its_rules_and_holds_up_nobody(campaign, party):
    verbs.throw_away(party["bo"].pk, person("bo"), new_key())
    assert decide(campaign, **{SWITCH: VALUE}) == [party["cid"]]
    assert played(party) == [None, VALUE]


def test_a_house_rule_that_is_no_longer_decided_goes_back_to_its_default(campaign, party):
    decide(campaign, **{SWITCH: VALUE})
    decide(campaign)
    assert played(party) == [None, None]


def test_a_character_whose_file_names_the_core_rules_follows_the_house_rules(campaign):
    decide(campaign, fighterProgression="table")
    named = mira(person("bo"))
    assert facts(named)["source:polyhedral-core"]
    seats.bring(campaign.pk, person("bo"), named.pk)
    assert decide(campaign, fighterProgression="table") == []
    client, where = page(campaign)
    assert "Other house rules" not in client.get(where).content.decode()


def test_a_source_comes_with_the_value_of_its_own_house_rule(campaign, party, tmp_path):
    (tmp_path / "source.yaml").write_text(TIDES)
    (tmp_path / "switches.yaml").write_text('- {key: tide, name: Tide, type: number, default: "1"}')
    load_rules(tmp_path)

    def play_by(sources, **switches):
        table_rules.decide(campaign.pk, person(), new_key(), switches=switches, sources=sources)
        return party["bo"].changes.first().sentence, facts(party["bo"]).get("switch:tide")

    assert play_by(["tides"], tide="3") == (
        "By the house rules of the table, “Tide” is 3 and Tides is in play.",
        "3",
    )
    assert decide_again(campaign) == []
    assert play_by([]) == ("By the house rules of the table, “Tide” is 1 and Tides is left out.", None)


def test_a_source_that_has_come_to_need_another_is_not_put_in_play_without_it(campaign):
    ruleset = Ruleset.objects.get(slug="polyhedral")
    tides, ebb = (SourceFactory(ruleset=ruleset, slug=slug, title=slug.title()) for slug in ("tides", "ebb"))
    table_rules.decide(campaign.pk, person(), new_key(), switches={}, sources=["ebb"])
    ebb.requires.add(tides)
    late = first_level(person("bo"))
    seat = seats.bring(campaign.pk, person("bo"), late.pk)
    assert "source:ebb" not in facts(late)
    with pytest.raises(Refused, match="Ebb builds on Tides: put both in play, or neither."):
        table_rules.end_exception(campaign.pk, person(), new_key(), seat.pk)
    table_rules.decide(campaign.pk, person(), new_key(), switches={}, sources=["ebb", "tides"])
    assert {"source:ebb", "source:tides"} <= facts(late).keys()


def decide_again(campaign):
    rules = table_rules.rules_of(campaign)
    sources = table_rules.sources_of(rules)
    return table_rules.decide(campaign.pk, person(), new_key(), switches=rules.switches, sources=sources)


def test_the_same_form_twice_is_one_change(campaign, party):
    key = new_key()
    decide(campaign, key=key, **{SWITCH: VALUE})
    assert decide(campaign, key=key, **{SWITCH: VALUE}) == []
    assert Change.objects.filter(verb="follow_table").count() == 2


def test_the_same_form_with_something_else_in_it_is_refused(campaign, party):
    key = new_key()
    decide(campaign, key=key, **{SWITCH: VALUE})
    with pytest.raises(KeyReused):
        decide(campaign, key=key, fumbles="on")
    assert played(party) == [VALUE, VALUE]


def test_a_character_that_sits_down_later_follows_the_house_rules(campaign):
    decide(campaign, **{SWITCH: VALUE})
    late = first_level(person("bo"))
    seats.bring(campaign.pk, person("bo"), late.pk)
    assert facts(late)[f"switch:{SWITCH}"] == VALUE


def test_a_retired_house_rule_is_offered_only_to_a_table_that_has_set_it(campaign, party):
    decide(campaign, **{SWITCH: VALUE})
    retire_house_rule(SWITCH)
    client, where = page(campaign)
    other = whole_form(client, where, **{"rule-fighterProgression": "table", "save": "1"})
    assert client.post(where, other).status_code == 303
    assert played(party) == [VALUE, VALUE]
    assert SWITCH in client.get(where).context["form"].fields
    _, elsewhere = page(saltmarsh())
    assert SWITCH not in client.get(elsewhere).context["form"].fields
    client.post(where, whole_form(client, where, **{f"rule-{SWITCH}": "on", "save": "1"}))
    assert played(party) == [None, None]
    assert SWITCH not in client.get(where).context["form"].fields


@pytest.mark.parametrize(
    ("switches", "sentence"),
    [
        ({SWITCH: VALUE}, "There is no such house rule"),
        ({"tide": "3"}, "There is no such house rule"),
        ({"fumbles": "maybe"}, "“maybe” is not possible here"),
    ],
)
def test_a_house_rule_that_is_not_offered_is_refused_even_where_nobody_sits(switches, sentence):
    """A form may arrive after the rule on it was retired."""
    retire_house_rule(SWITCH)
    table = saltmarsh()
    with pytest.raises(Refused, match=sentence):
        decide(table, **switches)
    assert table_rules.rules_of(table) is None


KEEPS = "This table has no house rules, so Bo keeps its own."


@pytest.mark.parametrize(
    ("former", "here", "told"), [({SWITCH: VALUE}, None, True), ({SWITCH: VALUE}, {}, False), (None, None, False)]
)
@pytest.mark.parametrize("by_invite", [True, False])
def test_whoever_brings_a_character_is_told_that_it_keeps_the_rules_of_a_former_table(
    campaign, party, former, here, told, by_invite
):
    if former is not None:
        decide(campaign, **former)
    seats.stand_up(campaign.pk, person("bo"), party["bo"].seat.pk)
    table, bo = saltmarsh("zoe"), party["bo"].pk
    if here is not None:
        decide(table, person("zoe"), **here)
    token = make_invite(table.pk, person("zoe"), new_key(), role="player", most=1, days=1)
    joining, client = f"/join/{token}/", browser_of("bo")
    fields = {"key": new_key(), "name": "Bo"}
    if by_invite:
        answer = client.post(joining, {**fields, "character": f"bring:{bo}"}, follow=True)
    else:
        client.post(joining, fields, follow=True)
        answer = client.post(f"{table.get_absolute_url()}seats/bring/", {**fields, "character": bo}, follow=True)
    said = [str(one) for one in answer.context["messages"]]
    assert said[-1].endswith(f" {KEEPS}") == told
    assert (facts(party["bo"]).get(f"switch:{SWITCH}") == VALUE) == told


def test_a_character_that_cannot_follow_sits_down_and_is_marked(campaign):
    rules = CampaignRules.objects.create(campaign=campaign, switches={SWITCH: "sideways"})
    late = first_level(person("bo"))
    assert seats.bring(campaign.pk, person("bo"), late.pk).campaign == rules.campaign
    assert f"switch:{SWITCH}" not in facts(late)
    client, _ = page(campaign)
    assert "Other house rules" in html_of(client.get(campaign.get_absolute_url()))


def test_a_character_whose_player_undoes_the_house_rules_is_marked(campaign, party):
    decide(campaign, **{SWITCH: VALUE})
    client, _ = page(campaign)
    assert "Other house rules" not in html_of(client.get(campaign.get_absolute_url()))
    play.undo(party["bo"].pk, person("bo"), new_key(), party["bo"].changes.first().sequence)
    assert html_of(client.get(campaign.get_absolute_url())).count("Other house rules") == 1


def test_an_excepted_character_is_left_alone_and_the_reason_is_shown(campaign, party):
    table_rules.except_seat(campaign.pk, person(), party["bo"].seat.pk, reason="Came from another table")
    decide(campaign, **{SWITCH: VALUE})
    assert played(party) == [None, VALUE]
    client, _ = page(campaign)
    text = html_of(client.get(campaign.get_absolute_url()))
    assert "Came from another table" in text
    assert "Other house rules" not in text
    table_rules.end_exception(campaign.pk, person(), new_key(), party["bo"].seat.pk)
    assert played(party) == [VALUE, VALUE]


def test_a_refused_exception_keeps_its_reason(client, campaign, party):
    decide(campaign, **{SWITCH: VALUE})
    client.force_login(person().user)
    seats = {name: one.seat.pk for name, one in party.items()}
    page = client.post(f"/campaigns/{campaign.pk}/rules/{seats['bo']}/", {"key": new_key(), "reason": "x" * 200})
    assert page.status_code == 422
    assert page.content.decode().count("x" * 200) == 1


def test_an_exception_without_a_reason_is_refused_at_its_field(client, campaign, party):
    decide(campaign, **{SWITCH: VALUE})
    client.force_login(person().user)
    where = f"/campaigns/{campaign.pk}/rules/{party['bo'].seat.pk}/"
    text = html_of(client.post(where, {"key": new_key(), "reason": " "}))
    assert text.count("Say why, in a few words.") == 1
    assert text.index("Say why, in a few words.") > text.index('id="exceptions"')
    assert re.search(r'name="reason"[^>]* aria-invalid="true"[^>]* aria-describedby="reason-error"', text)


def test_an_exception_needs_a_reason(campaign, party):
    with refuses("reason"):
        table_rules.except_seat(campaign.pk, person(), party["bo"].seat.pk, reason=" ")
    assert not RuleException.objects.exists()


def test_only_storytellers_decide_house_rules(campaign, party):
    seat = party["bo"].seat.pk
    for who in (person("bo"), person("zoe")):
        with pytest.raises(Http404):
            decide(campaign, who, **{SWITCH: VALUE})
        with pytest.raises(Http404):
            table_rules.except_seat(campaign.pk, who, seat, reason="Mine")
    other = saltmarsh("bo")
    with pytest.raises(Http404):
        table_rules.except_seat(other.pk, person("bo"), seat, reason="A seat of another table")
    assert played(party) == [None, None]


def test_a_preview_names_the_characters_that_would_change_and_changes_nothing(campaign, party):
    client, where = page(campaign)
    answer = client.post(where, whole_form(client, where, **{f"rule-{SWITCH}": VALUE, "preview": "1"}))
    text = html_of(answer)
    assert answer.status_code == 200
    assert "<h3>Bo</h3>" in text
    assert "<h3>Cid</h3>" in text
    assert played(party) == [None, None]
    assert not CampaignRules.objects.exists()


def test_house_rules_are_saved_without_script(campaign, party):
    client, where = page(campaign)
    answer = client.post(where, whole_form(client, where, **{f"rule-{SWITCH}": VALUE, "save": "1"}))
    assert answer.status_code == 303
    assert played(party) == [VALUE, VALUE]
    assert "Saved. 2 characters play by these rules now." in html_of(client.get(where))
    client.post(where, whole_form(client, where, save="1"))
    assert "Saved.<" in html_of(client.get(where))


def test_the_preview_counts_only_characters_whose_sheet_would_change(campaign, party):
    client, where = page(campaign)
    looked = client.post(where, whole_form(client, where, **{"rule-relationships": "on", "preview": "1"}))
    assert html_of(looked).count("Nothing changes on this sheet.") == 2
    assert "would change</span>" not in html_of(looked)
    looked = client.post(where, whole_form(client, where, **{"rule-jobSkillPicks": "2", "preview": "1"}))
    assert "2 would change</span>" in html_of(looked)


@pytest.mark.parametrize("value", ["sideways", "", "x" * 300])
def test_a_bad_value_is_refused_at_its_field(campaign, party, value):
    client, where = page(campaign)
    answer = client.post(where, whole_form(client, where, **{f"rule-{SWITCH}": value, "save": "1"}))
    assert answer.status_code == 422
    assert "field-error" in html_of(answer)
    assert played(party) == [None, None]


def test_a_form_without_its_key_changes_nobody(campaign, party):
    client, where = page(campaign)
    data = whole_form(client, where, **{f"rule-{SWITCH}": VALUE, "save": "1"}) | {"key": "short"}
    assert client.post(where, data).status_code == 422
    assert played(party) == [None, None]


def test_the_second_of_two_storytellers_is_told_what_the_first_decided(campaign, party):
    """Saving again overwrites it."""
    client, where = page(campaign)
    was = client.get(where).context["was"]
    decide(campaign, trackAmmunition="off")
    sent = whole_form(client, where) | {"rule-trackAmmunition": "on", "rule-fumbles": "on", "save": "1", "was": was}
    answer = client.post(where, sent)
    assert answer.status_code == 409
    assert "“Count ammunition” is set to off" in html_of(answer)
    assert played(party) == ["off", "off"]
    again = client.post(where, sent | {"was": answer.context["was"], "key": new_key()})
    assert again.status_code == 303
    assert played(party) == [None, None]


def test_of_two_storytellers_at_once_the_second_is_told_what_the_first_decided(campaign, party, monkeypatch):
    """The first form is done while the second, which has been read, waits for the lock."""
    client, where = page(campaign)
    sent = whole_form(client, where, **{"rule-fumbles": "on", "save": "1"})
    real = table_rules.decide

    def after_another(*args, **what):
        monkeypatch.undo()
        decide(campaign, trackAmmunition="off")
        return real(*args, **what)

    monkeypatch.setattr(table_rules, "decide", after_another)
    answer = client.post(where, sent)
    assert answer.status_code == 409
    assert "“Count ammunition” is set to off" in html_of(answer)
    assert client.post(where, sent | {"was": answer.context["was"], "key": new_key()}).status_code == 303
