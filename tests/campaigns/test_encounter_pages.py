"""The pages of an encounter: the parts that each role finds there, and those that other roles never find."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Condition, Creature, CreatureRoll, Encounter, Screen
from campaigns.verbs import combatant_conditions, creature_actions, creatures, screens, seats
from characters import verbs
from characters.change.refusals import KeyReused
from characters.models import Change
from characters.people import hashed
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.campaigns.fights import Fight
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import browser_of, mira, new_key, person
from tests.characters.play.table import play
from tests.games import pebbles
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
SECRETS = ("Canary-witch", "Canary-note", "Canary-roll", "Canary-held")


def begin():
    """A hidden witch with a secret in every field, who has rolled and has a condition; and wolves with notes."""
    made = Fight()
    made.wolves(2, notes="Canary-note")
    made.wolves(name="Canary-witch", notes="Canary-note", rolls="Canary-roll 3D", hidden=True)
    sits(made.campaign, person("dan"), "spectator", name="Dan")
    sits(made.campaign, person("eve"), "co-storyteller", name="Eve")
    made.ordered(**{"Mira": 15, "Canary-witch": 13, "Wolf_1": 12, "Wolf_2": 11, "Nell": 9})
    creature_actions.roll(made.campaign.pk, made.ana, new_key(), made.named("Canary-witch").pk, which=0, secret=False)
    hold(made, "Canary-witch", "Canary-held")
    hold(made, "Wolf 1", "Asleep", whose="Canary-witch", at_end=True)
    return made


def hold(fight, name, condition, *, whose=None, at_end=False):
    whose = whose and fight.named(whose).pk
    pk = fight.named(name).pk
    combatant_conditions.add(
        fight.campaign.pk, fight.ana, new_key(), pk, name=condition, rounds=2, whose=whose, at_end=at_end
    )


def page(fight, name="", path="encounter/"):
    client = Client()
    if name:
        client.force_login(person(name).user)
    return client.get(f"{fight.campaign.get_absolute_url()}{path}")


def words(response):
    return re.sub(r"(<[^>]*>|\s)+", " ", response.content.decode())


def words_and_marks(response):
    return " ".join(response.content.decode().split())


def send(fight, path, who="ana", **fields):
    client = browser_of(who)
    return client.post(f"{fight.campaign.get_absolute_url()}{path}", {"key": new_key(), **fields})


# Secrets


@pytest.mark.parametrize("turn", ["Mira", "Canary-witch", "Wolf 1"])
def test_hidden_creatures_and_notes_are_shown_to_nobody_but_storytellers(fight, turn):
    fight.until((1, turn))
    token = screens.make_screen(fight.campaign.pk, fight.ana, new_key(), vitals="numbers")
    for name in ("bo", "cid", "dan"):
        for path in ("encounter/", ""):
            assert not [one for one in SECRETS if one in page(fight, name, path).content.decode()], name
    for vitals in ("numbers", "bars", "words"):
        Screen.objects.update(vitals=vitals)
        shown = Client().get(f"/screen/{token}/").content.decode()
        assert not [one for one in SECRETS if one in shown]
        assert "Wolf 1" in shown
    for name in ("ana", "eve"):
        shown = page(fight, name).content.decode()
        assert [one for one in SECRETS if one not in shown] == []


def test_players_see_a_hidden_creatures_turn_as_the_storytellers(fight):
    fight.until((1, "Canary-witch"))
    assert "Round 1 Your storyteller" in words(page(fight, "bo"))
    assert "Round 1 Canary-witch" in words(page(fight, "ana"))


def test_the_turn_of_a_character_in_the_bin_is_nobodys(fight):
    fight.until((1, "Mira"))
    verbs.throw_away(fight.mira.pk, fight.bo, new_key())
    for name in ("ana", "bo", "cid", "dan", "eve"):
        assert "Round 1 Nobody’s turn" in words(page(fight, name)), name
    cid = browser_of(fight.cid)
    assert "Nobody’s turn" in words(cid.get(f"{fight.nell.get_absolute_url()}table/"))


def test_players_see_no_numbers_of_creatures(fight):
    fight.next()
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), fight.named("Wolf 1").pk, amount=8, heal=False)
    shown = words(page(fight, "bo"))
    assert "Badly hurt" in shown
    assert "of 11" not in shown
    assert "13" not in shown
    assert "3 of 11" in words(page(fight, "ana"))


def test_players_see_a_creature_only_while_it_is_shown(fight):
    fight.next()
    pk = fight.named("Canary-witch").pk
    assert send(fight, f"combatants/{pk}/hide/").status_code == 303
    shown = page(fight, "bo").content.decode()
    assert "Canary-witch" in shown
    assert "Canary-note" not in shown
    assert send(fight, f"combatants/{pk}/hide/", hidden="yes").status_code == 303
    assert "Canary-witch" not in page(fight, "bo").content.decode()


# Pages


def test_members_see_the_encounter_and_nobody_else_does(fight):
    found = {name: page(fight, name).status_code for name in ("ana", "bo", "cid", "dan", "eve", "zoe", "")}
    assert found == {**dict.fromkeys(("ana", "bo", "cid", "dan", "eve"), 200), "zoe": 404, "": 404}


def test_the_page_says_that_an_encounter_begins_or_that_there_is_none(fight):
    assert "An encounter begins" in words(page(fight, "bo"))
    assert "Wolf" not in words(page(fight, "bo"))
    send(fight, f"encounter/{fight.encounter.pk}/end/")
    assert "No encounter now" in words(page(fight, "bo"))
    assert "Begin an encounter" in words(page(fight, "ana"))
    assert "Begin an encounter" not in words(page(fight, "bo"))


def over(fight):
    send(fight, f"encounter/{fight.encounter.pk}/end/")
    return Creature.objects.get(name="Wolf").pk


def test_the_page_asks_which_creatures_are_there_when_an_encounter_begins(fight):
    wolf = over(fight)
    assert "Wolf, how many" in words(page(fight, "ana"))
    for name in ("bo", "dan"):
        assert not [one for one in SECRETS if one in page(fight, name).content.decode()]
    send(fight, "encounter/begin/", **{f"many-{wolf}": "2", f"hidden-{wolf}": "on"})
    assert fight.order == ["Mira", "Nell", "Wolf 1", "Wolf 2"]
    assert all(one.hidden for one in fight.everybody if one.creature)
    assert "Wolf" not in words(page(fight, "bo"))


@pytest.mark.parametrize("many", ["-1", "21", "two", "9" * 30, "1.5", "\x00"])
def test_a_number_of_creatures_that_cannot_be_is_refused_at_its_field(fight, many):
    wolf, witch = over(fight), Creature.objects.get(name="Canary-witch").pk
    sent = {f"many-{wolf}": many, f"many-{witch}": "1", f"hidden-{witch}": "on"}
    refused = send(fight, "encounter/begin/", **sent)
    assert refused.status_code == 422
    assert f'id="id_many-{wolf}-error">Enter a whole number from 0 to 20.' in words_and_marks(refused)
    assert "The encounter has not begun. Check the number of Wolf." in words_and_marks(refused)
    assert f'name="many-{witch}" value="1"' in html_of(refused)
    assert fight.encounter is None


def test_too_many_creatures_are_refused_on_top_and_the_numbers_stay(fight):
    over(fight)
    kinds = [Creature.objects.create(campaign=fight.campaign, key=new_key(), name=f"Bat {at}").pk for at in range(6)]
    refused = send(fight, "encounter/begin/", **{f"many-{pk}": "20" for pk in kinds})
    assert refused.status_code == 422
    assert "At most 100 can take part." in words(refused)
    assert refused.content.decode().count('value="20"') == 6
    assert fight.encounter is None


def test_an_archived_creature_is_out_of_the_lists_until_it_is_taken_out(fight):
    wolf = Creature.objects.get(name="Wolf").pk
    archive = f"{fight.campaign.get_absolute_url()}creatures/{wolf}/archive/"
    told = words(browser_of("ana").post(archive, {"key": new_key(), "over": "yes"}, follow=True))
    assert "Wolf is in the archive." in told
    assert "Wolf, how many" not in told
    assert "Wolf 1" in told
    over(fight)
    assert "Wolf, how many" not in words(page(fight, "ana"))
    assert "Wolf" in words(page(fight, "ana", "creatures/archive/"))
    send(fight, f"creatures/{wolf}/archive/")
    assert "Wolf, how many" in words(page(fight, "ana"))
    assert "No archived creatures." in words(page(fight, "ana", "creatures/archive/"))


def test_the_page_reads_no_archived_creatures(fight, monkeypatch):
    read, from_db = [], Creature.from_db.__func__

    def noted(kind, *row, **how):
        read.append(from_db(kind, *row, **how).name)
        return from_db(kind, *row, **how)

    for at in range(3):
        kind = Creature.objects.create(campaign=fight.campaign, key=new_key(), name=f"Bat {at}")
        creatures.archive(fight.campaign.pk, fight.ana, kind.pk, over=True)
    monkeypatch.setattr(Creature, "from_db", classmethod(noted))
    assert "Wolf, how many" in words(page(fight, "ana"))
    over(fight)
    page(fight, "ana")
    assert set(read) == {"Wolf", "Canary-witch"}


def test_an_archived_creature_joins_from_no_old_page(fight):
    wolf = Creature.objects.get(name="Wolf").pk
    creatures.archive(fight.campaign.pk, fight.ana, wolf, over=True)
    before = fight.order
    refused = send(fight, f"creatures/{wolf}/bring/", many="1")
    assert refused.status_code == 422
    assert "Wolf is in the archive. Take it out first." in words(refused)
    assert fight.order == before
    over(fight)
    refused = send(fight, "encounter/begin/", **{f"many-{wolf}": "2"})
    assert refused.status_code == 422
    assert "Wolf is in the archive. Take it out first." in words(refused)
    assert fight.encounter is None


def test_between_encounters_a_new_creature_is_saved_without_a_number(fight):
    over(fight)
    assert "How many" not in words(page(fight, "ana", "creatures/"))
    assert send(fight, "creatures/", name="Bat", vital="3").status_code == 303
    assert "Bat, how many" in words(page(fight, "ana"))
    assert fight.encounter is None


def test_a_player_ends_their_turn_with_one_press(fight):
    fight.next()
    shown = page(fight, "bo").content.decode()
    assert "It’s your turn, Mira" in shown
    saw = re.search(r'name="saw" value="(\d+)"', shown)[1]
    assert "End my turn" not in page(fight, "cid").content.decode()
    assert "End my turn" not in page(fight, "dan").content.decode()
    assert send(fight, "encounter/next/", "cid", saw=saw).status_code == 422
    assert send(fight, "encounter/next/", "bo", saw=saw).status_code == 303
    assert fight.turn == (1, "Canary-witch")


def test_the_campaigns_page_links_to_the_encounter(fight):
    assert "Round" not in page(fight, "bo", "").content.decode()
    fight.next()
    for name in ("ana", "bo", "dan"):
        shown = page(fight, name, "").content.decode()
        assert "Round 1" in shown
        assert shown.count(f"{fight.campaign.get_absolute_url()}encounter/") == 2


def test_forms_run_a_whole_encounter(client):
    campaign = saltmarsh()
    seats.bring(campaign.pk, person(), mira(state=None).pk)
    base = campaign.get_absolute_url()
    client.force_login(person().user)

    def post(path, **fields):
        return client.post(f"{base}{path}", {"key": new_key(), **fields}, follow=True)

    post("encounter/begin/")
    post("creatures/", name="Wolf", vital="11", guard="13", rolls="Bite 3D+4\r\nDamage 2d4+2", many="2", notes="x")
    shown = words(post("encounter/initiative/"))
    assert "Wolf 1" in shown
    assert "without initiative" not in shown
    encounter = campaign.encounters.get()
    wolf = encounter.combatants.filter(number=2).get()
    assert "Round 1" in words(post("encounter/next/", saw="0"))
    assert "6 of 11" in words(post(f"combatants/{wolf.pk}/hit/", amount="5"))
    assert "Damage 5: Wolf 2." in words(client.get(f"{base}encounter/"))
    assert "8 of 11" in words(post(f"combatants/{wolf.pk}/hit/", amount="2", heal="yes"))
    assert "Heal 2: Wolf 2." in words(client.get(f"{base}encounter/"))
    hit = wolf.hits.first()
    assert "6 of 11" in words(post(f"hits/{hit.pk}/undo/"))
    assert "Bite 3D+4: " in words(post(f"combatants/{wolf.pk}/roll/", which="0"))
    assert "Asleep, 2 rounds" in words(post("conditions/", combatant=wolf.pk, condition="Asleep", rounds="2"))
    assert "Asleep" not in words(post(f"conditions/{wolf.conditions.get().pk}/remove/"))
    assert "Before the first round" in words(post("encounter/back/", saw="1"))
    post(f"combatants/{wolf.pk}/initiative/", total="40")
    assert encounter.combatants.first() == wolf
    wolf.refresh_from_db()
    post(f"combatants/{wolf.pk}/move/", way="down", saw=str(wolf.place))
    assert encounter.combatants.first() != wolf
    post(f"combatants/{wolf.pk}/remove/")
    assert encounter.combatants.count() == 2
    post(f"creatures/{campaign.creatures.get().pk}/bring/", many="1", hidden="on")
    assert encounter.combatants.filter(hidden=True).count() == 1
    kind = campaign.creatures.get()
    post(f"creatures/{kind.pk}/", name="Dire wolf", vital="20", was=creatures.digest(kind))
    assert "Dire wolf" in words(client.get(f"{base}encounter/"))
    late = mira(state=None, name="Late")
    seats.bring(campaign.pk, person(), late.pk)
    post(f"seats/{late.seat.pk}/fight/")
    assert encounter.combatants.filter(seat=late.seat).exists()
    post(f"encounter/{encounter.pk}/end/")
    assert "Continue the last one" in words(client.get(f"{base}encounter/"))
    post(f"encounter/{encounter.pk}/resume/")
    assert "Before the first round" in words(client.get(f"{base}encounter/"))


# Bad input

WRONG = ("", "0", "-1", "x", "1e9", "9" * 30, "1.5")
FIELDS = {
    "encounter/next/": ("saw", {}),
    "encounter/back/": ("saw", {}),
    "combatants/{wolf}/hit/": ("amount", {}),
    "combatants/{wolf}/roll/": ("which", {}),
    "conditions/": ("combatant", {"condition": "Asleep", "rounds": "2"}),
    "combatants/{wolf}/move/": ("way", {"saw": "2"}),
    "creatures/{kind}/bring/": ("many", {}),
    "screens/make/": ("vitals", {}),
}
FINE = {
    ("encounter/next/", "0"),
    ("encounter/back/", "0"),
    ("combatants/{wolf}/roll/", "0"),
}


@pytest.mark.parametrize("path", FIELDS)
def test_bad_answers_are_refused_with_a_sentence(fight, path):
    field, more = FIELDS[path]
    url = path.format(wolf=fight.named("Wolf 1").pk, kind=Creature.objects.first().pk)
    before = (list(Encounter.objects.values()), Condition.objects.count(), CreatureRoll.objects.count())
    for wrong in (None, *WRONG):
        if (path, wrong) not in FINE:
            response = send(fight, url, **more, **({} if wrong is None else {field: wrong}))
            assert response.status_code == 422, wrong
            assert 'role="alert"' in response.content.decode(), wrong
    assert (list(Encounter.objects.values()), Condition.objects.count(), CreatureRoll.objects.count()) == before
    assert fight.named("Wolf 1").lost == 0
    assert not Screen.objects.exists()


def test_a_refused_condition_keeps_its_answers(fight):
    wolf = fight.named("Wolf 2").pk
    asked = {"condition": "Asleep", "combatant": wolf, "rounds": "many", "turn_of": wolf, "at_end": "on"}
    page = words_and_marks(send(fight, "conditions/", **asked))
    for kept in ('value="Asleep"', 'value="many"', 'name="at_end" checked', 'id="new-condition" open'):
        assert kept in page
    assert page.count(f'value="{wolf}" selected') == 2


def test_a_refusal_stands_in_the_form_that_was_sent(fight):
    wolf, kind = fight.named("Wolf 2").pk, fight.named("Wolf 2").creature_id
    for path, sent, field in (
        (f"combatants/{wolf}/hit/", {}, f"amount-{wolf}"),
        (f"combatants/{wolf}/hit/", {"amount": ""}, f"amount-{wolf}"),
        (f"combatants/{wolf}/hit/", {"amount": "plenty"}, f"amount-{wolf}"),
        (f"combatants/{wolf}/initiative/", {"total": "plenty"}, f"total-{wolf}"),
        (f"creatures/{kind}/bring/", {"many": "plenty"}, f"many-{kind}"),
        ("conditions/", {"combatant": wolf, "condition": ""}, "held"),
        ("conditions/", {"combatant": wolf, "condition": "Asleep", "rounds": "plenty"}, "held"),
    ):
        page = words_and_marks(send(fight, path, **sent))
        assert page.count(f'class="field-error" id="{field}-error" role="alert"') == 1, path
        assert page.count('value="plenty"') == ("plenty" in sent.values()), path
        assert "notice-danger" not in page, path
        assert page.count('aria-invalid="true"') == page.count(f'aria-describedby="{field}-error"') == 1, path


def test_a_refusal_whose_form_is_gone_stands_on_top(fight):
    assert "notice-danger" in send(fight, "combatants/999999/hit/", amount="").content.decode()


NO_CREATURE = [
    ("name", ""), ("name", "x" * 61), ("name", "a\x00b"), ("vital", "-1"), ("vital", "x"), ("vital", "1000000"),
    ("guard", "-1"), ("dice", "three"), ("dice", "0D"), ("dice", "41D"), ("dice", "3D+9999"), ("dice", "1d1"),
    ("rolls", "Bite"), ("rolls", "3D"), ("rolls", "x" * 601), ("rolls", "Bite 3D\nRoar"), ("notes", "x" * 2001),
    ("many", "0"), ("many", "21"), ("many", ""),
]  # fmt: skip


def test_a_bad_creature_is_refused_at_its_field(fight):
    asked = {"name": "Bat", "vital": "3", "guard": "11", "dice": "3D", "rolls": "Bite 3D", "notes": "", "many": "1"}
    before, kind = Creature.objects.count(), Creature.objects.first()
    for field, wrong in NO_CREATURE:
        for path in ("creatures/", f"creatures/{kind.pk}/"):
            if field == "many" and path != "creatures/":
                continue
            response = send(fight, path, **{**asked, field: wrong})
            assert response.status_code == 422, (path, field, wrong)
            assert f"id_{field}_error" in response.content.decode(), (path, field, wrong)
    assert Creature.objects.count() == before
    assert Creature.objects.get(pk=kind.pk).name == kind.name


def test_two_who_edit_a_creature_at_once_see_both_texts(fight):
    kind = Creature.objects.get(name="Wolf")
    asked = {"name": "Wolf", "vital": "11", "guard": "13", "dice": "", "rolls": "Bite 3D+4"}
    was = page(fight, "ana", f"creatures/{kind.pk}/").context["was"]
    first = send(fight, f"creatures/{kind.pk}/", "eve", **asked, notes="Fears fire.", was=was)
    assert first.status_code == 303
    wrong = send(fight, f"creatures/{kind.pk}/", **{**asked, "vital": "x"}, notes="Hunts at night.", was=was)
    assert (wrong.status_code, wrong.context["was"]) == (422, was)
    second = send(fight, f"creatures/{kind.pk}/", **{**asked, "vital": "12"}, notes="Hunts at night.", was=was)
    assert second.status_code == 409
    shown = words(second)
    assert "What is saved now Health 11 Notes Fears fire. Not saved yet Someone else" in shown
    assert "Hunts at night." in shown
    assert Creature.objects.get(pk=kind.pk).notes == "Fears fire."
    both = {"notes": "Fears fire, hunts at night.", "was": second.context["was"]}
    assert send(fight, f"creatures/{kind.pk}/", **asked, **both).status_code == 303
    assert Creature.objects.get(pk=kind.pk).notes == "Fears fire, hunts at night."


def test_without_a_key_nothing_happens(fight):
    wolf = fight.named("Wolf 1").pk
    for path, fields in {
        "encounter/next/": {"saw": "0"},
        f"combatants/{wolf}/hit/": {"amount": "3"},
        f"combatants/{wolf}/roll/": {"which": "0"},
        "conditions/": {"combatant": wolf, "condition": "Asleep"},
        "screens/make/": {"vitals": "bars"},
        "encounter/initiative/": {},
    }.items():
        assert send(fight, path, **fields, key="").status_code == 422, path
    assert fight.turn == (0, None)
    assert fight.named("Wolf 1").lost == 0


@pytest.mark.parametrize("who", ["bo", "dan", "zoe"])
def test_only_storytellers_run_the_encounter(fight, who):
    wolf, kind = fight.named("Wolf 1").pk, Creature.objects.first().pk
    for path in (
        "encounter/begin/", "encounter/back/", "encounter/initiative/", f"encounter/{fight.encounter.pk}/end/",
        f"encounter/{fight.encounter.pk}/resume/", "creatures/", f"creatures/{kind}/", f"creatures/{kind}/bring/",
        f"combatants/{wolf}/remove/", f"combatants/{wolf}/hide/", f"combatants/{wolf}/initiative/",
        f"combatants/{wolf}/move/", f"combatants/{wolf}/hit/", f"combatants/{wolf}/roll/", "conditions/",
        "screens/make/",
    ):  # fmt: skip
        response = send(
            fight, path, who, combatant=wolf, saw="0", amount="3", which="0", condition="x", way="up", vitals="bars"
        )
        assert response.status_code == 404, path
    for path in (f"creatures/{kind}/", "creatures/"):
        assert page(fight, who, path).status_code == 404


def test_what_another_tab_has_removed_stays_removed_without_a_fault(fight):
    hold(fight, "Wolf 2", "Asleep")
    wolf = fight.named("Wolf 2")
    held_on = wolf.conditions.get().pk
    for path in (f"conditions/{held_on}/remove/", f"combatants/{wolf.pk}/remove/"):
        for _ in range(2):
            assert send(fight, path).status_code == 303, path
    assert send(fight, f"combatants/{10**30}/remove/").status_code == 303
    assert "Wolf 2" not in fight.order


# A player's own dice


def test_a_player_enters_their_own_initiative_before_the_first_turn(fight):
    mira, nell = fight.named("Mira"), fight.named("Nell")
    shown = page(fight, "bo").content.decode()
    assert f'id="total-{mira.pk}"' in shown
    assert f'id="total-{nell.pk}"' not in shown
    assert send(fight, f"combatants/{mira.pk}/initiative/", "bo", total="4").status_code == 303
    assert fight.named("Mira").initiative == 4
    assert fight.order[-1] == "Mira"
    assert 'value="4"' in page(fight, "bo").content.decode()
    fight.next()
    assert f'id="total-{mira.pk}"' not in page(fight, "bo").content.decode()
    late = send(fight, f"combatants/{mira.pk}/initiative/", "bo", total="40")
    assert "The turns have begun" in words(late)
    assert (late.status_code, fight.named("Mira").initiative) == (422, 4)


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("combatants/{}/roll/", {"which": "0"}),
        ("combatants/{}/initiative/", {"total": "4"}),
        ("combatants/{}/move/", {"way": "up"}),
        ("conditions/", {"condition": "Prone"}),
    ],
)
def test_without_script_the_page_begins_at_the_line_that_alone_shows_what_came_of_it(fight, path, sent):
    wolf = fight.named("Wolf 2")
    about = {"combatant": wolf.pk, "saw": wolf.place, "rounds": "2"}
    place = send(fight, path.format(wolf.pk), **about, **sent).headers["Location"]
    assert place == f"{fight.campaign.get_absolute_url()}encounter/#combatant-{wolf.pk}"
    assert f'id="combatant-{wolf.pk}"' in page(fight, "ana").content.decode()


def test_a_latecomer_enters_their_initiative_while_turns_pass(fight):
    fight.next()
    fight.ordered(Mira=None)
    mira = fight.named("Mira").pk
    assert f'id="total-{mira}"' in page(fight, "bo").content.decode()
    assert send(fight, f"combatants/{mira}/initiative/", "bo", total="30").status_code == 303
    assert fight.order[0] == "Mira"


@pytest.mark.parametrize("who", ["cid", "dan", "zoe"])
@pytest.mark.parametrize("whose", ["Mira", "Wolf 1", "Canary-witch"])
def test_nobody_enters_the_initiative_of_others(fight, who, whose):
    one = fight.named(whose)
    assert send(fight, f"combatants/{one.pk}/initiative/", who, total="40").status_code == 404
    assert fight.named(whose).initiative == one.initiative


def test_a_players_own_bad_initiative_is_refused_by_its_field(fight):
    mira = fight.named("Mira").pk
    refused = html_of(send(fight, f"combatants/{mira}/initiative/", "bo", total="a lot"))
    assert 'value="a lot"' in refused
    (sentence,) = re.findall(r'<p class="field-error"[^>]*>([^<]*)</p>', refused)
    assert sentence.startswith("Initiative:")
    assert refused.count(sentence) == 1


@pytest.mark.parametrize("total", ["x", "1.5", "99999", "-9999", "٣" * 9])
def test_a_bad_initiative_is_refused_with_a_sentence(fight, total):
    mira = fight.named("Mira")
    refused = send(fight, f"combatants/{mira.pk}/initiative/", "bo", total=total)
    assert refused.status_code == 422
    assert "Initiative:" in words(refused)
    assert fight.named("Mira").initiative == mira.initiative


# Screens


def test_a_screen_is_made_shown_once_and_ended(fight):
    fight.next()
    made = send(fight, "screens/make/", vitals="bars").content.decode()
    path = re.search(r'value="http://testserver(/screen/[^"]+)"', made)[1]
    token = path.split("/")[2]
    assert Screen.objects.get().token == hashed(token)
    assert '<svg viewBox="0 0' in made
    assert token not in page(fight, "ana").content.decode()
    shown = Client().get(path)
    assert f"<title>Screen of {fight.campaign} ·" in shown.content.decode()
    assert "noindex" in shown.headers["X-Robots-Tag"]
    assert "no-store" in shown.headers["Cache-Control"]
    assert "<form" not in shown.content.decode()
    assert Client().post(path).status_code == 405
    screen = Screen.objects.get().pk
    ended = send(fight, f"screens/{screen}/end/")
    assert ended.status_code == 303
    assert "The screen was deleted." in ended.client.get(ended.headers["Location"]).content.decode()
    assert Client().get(path).status_code == 404
    assert send(fight, f"screens/{screen}/change/", vitals="words").status_code == 404


def test_a_screen_form_sent_again_makes_no_second_and_does_not_bring_it_back(fight):
    key = new_key()
    one = screens.make_screen(fight.campaign.pk, fight.ana, key, vitals="bars")
    assert screens.make_screen(fight.campaign.pk, fight.ana, key, vitals="bars") == one
    screens.end_screen(fight.campaign.pk, fight.ana, Screen.objects.get().pk)
    assert send(fight, "screens/make/", vitals="bars", key=key).status_code == 422
    assert Client().get(f"/screen/{one}/").status_code == 404


def test_a_screen_shows_numbers_bars_or_words(fight):
    fight.next()
    token = screens.make_screen(fight.campaign.pk, fight.ana, new_key(), vitals="numbers")
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), fight.named("Wolf 1").pk, amount=8, heal=False)
    screen, seen = Screen.objects.get().pk, {}
    for vitals in ("numbers", "bars", "words"):
        assert send(fight, f"screens/{screen}/change/", vitals=vitals).status_code == 303
        seen[vitals] = Client().get(f"/screen/{token}/").content.decode()
    assert "3</b> <small>of 11" in seen["numbers"]
    assert '<progress max="10" value="3" aria-label="Badly hurt">' in seen["bars"]
    assert "Badly hurt" in seen["words"]
    for vitals in ("bars", "words"):
        assert "of 11" not in seen[vitals]
    assert "<progress" not in seen["words"]


def test_screens_have_a_limit_and_belong_to_their_table(fight):
    other = Fight()
    screens.make_screen(fight.campaign.pk, fight.ana, new_key(), vitals="bars")
    assert send(other, f"screens/{Screen.objects.get().pk}/end/").status_code == 404
    for _ in range(screens.MOST - 1):
        screens.make_screen(fight.campaign.pk, fight.ana, new_key(), vitals="bars")
    assert send(fight, "screens/make/", vitals="bars").status_code == 422


def test_a_screens_form_with_another_display_is_another_form(fight):
    key = new_key()
    screens.make_screen(fight.campaign.pk, fight.ana, key, vitals="bars")
    with pytest.raises(KeyReused):
        screens.make_screen(fight.campaign.pk, fight.ana, key, vitals="words")


# Another game, and many at the table


def test_a_game_without_initiative_uses_the_order_set_by_hand():
    load_rules(pebbles.PACK)
    fight = Fight.__new__(Fight)
    small = Ruleset.objects.get(slug="pebbles")
    fight.campaign, fight.ana = saltmarsh(ruleset=small), person()
    pim = verbs.surprise(person(), new_key(), ruleset=small).character
    seats.bring(fight.campaign.pk, fight.ana, pim.pk)
    assert send(fight, "encounter/begin/").status_code == 303
    assert send(fight, "creatures/", name="Heron", vital="4", many="1").status_code == 303
    shown = words(page(fight, "ana"))
    assert "Roll initiative" not in shown
    assert "Pebbles" in shown
    assert "Defense" not in shown
    heron = fight.named("Heron")
    assert send(fight, f"combatants/{heron.pk}/move/", way="up", saw=heron.place).status_code == 303
    for turn in ((1, "Heron"), (1, str(pim)), (2, "Heron")):
        fight.next()
        assert fight.turn == turn
    fight.back()
    assert send(fight, "encounter/initiative/").status_code == 303
    assert fight.order == ["Heron", str(pim)]
    assert Change.objects.filter(character=pim).count() == 1


def test_many_combatants_take_as_many_queries_as_few(fight):
    def asked():
        client = browser_of()
        client.get(f"{fight.campaign.get_absolute_url()}encounter/")
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"{fight.campaign.get_absolute_url()}encounter/").status_code == 200
        return len(captured)

    few = asked()
    fight.wolves(20, name="Bat")
    for at in range(4):
        one = mira(fight.bo, name=f"More {at}", state=None)
        seat = seats.bring(fight.campaign.pk, fight.bo, one.pk)
        assert send(fight, f"seats/{seat.pk}/fight/").status_code == 303
    assert len(fight.order) == 29
    assert asked() == few


def test_a_players_note_is_on_no_page_of_the_encounter(fight):
    play.add_note(fight.mira.pk, fight.bo, new_key(), text="Canary-private")
    fight.next()
    token = screens.make_screen(fight.campaign.pk, fight.ana, new_key(), vitals="bars")
    for name in ("ana", "bo", "cid", "dan"):
        assert "Canary-private" not in page(fight, name).content.decode()
    assert "Canary-private" not in Client().get(f"/screen/{token}/").content.decode()
