"""Creatures of a kind are numbered, and only a storyteller can tell from the numbers that one is hidden."""

import pytest
from django.test import Client

from campaigns.models import Creature
from campaigns.scene import scene_for, scene_for_all
from campaigns.verbs import combatant_conditions, combatants, creature_actions, initiative, screens
from tests.campaigns.fights import Fight
from tests.campaigns.seated import sits
from tests.characters.cast import browser_of, facts, new_key, person
from tests.characters.play.table import Fixed

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    """Three wolves lie in wait, and then one is seen; Dan watches, and the turns have begun."""
    made = Fight()
    sits(made.campaign, person("dan"), "spectator", name="Dan")
    made.wolves(3, hidden=True)
    again(made)
    made.next()
    return made


def again(fight, many=1, *, hidden=False):
    kind = Creature.objects.get().pk
    return combatants.bring_creatures(fight.campaign.pk, fight.ana, new_key(), kind, many=many, hidden=hidden)


def hide(fight, name, *, hidden=True):
    return combatants.show_or_hide(fight.campaign.pk, fight.ana, fight.named(name).pk, hidden=hidden)


def show(fight, name):
    return hide(fight, name, hidden=False)


def wolves(fight, who=None):
    """The wolves' names as this person reads them (by default the storyteller), sorted."""
    who = who or fight.ana
    member = fight.campaign.members.get(user=who.user)
    lines = scene_for(fight.encounter, member, who).lines
    return sorted(line.name for line in lines if line.combatant.creature)


def text(who, path):
    client = Client()
    if who:
        client.force_login(who.user)
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def roll(fight, name):
    args = (fight.campaign.pk, fight.ana, new_key(), fight.named(name).pk)
    creature_actions.roll(*args, which=0, secret=False, chance=Fixed(1, 2, 3))


def test_the_only_visible_creature_has_no_number_however_many_are_hidden(fight):
    assert wolves(fight) == ["Wolf 1", "Wolf 2", "Wolf 3", "Wolf 4"]
    assert wolves(fight, fight.bo) == wolves(fight, person("dan")) == ["Wolf"]
    seen = scene_for_all(fight.encounter, counts=True).lines
    assert [line.name for line in seen if line.combatant.creature] == ["Wolf"]


def test_no_page_tells_players_of_hidden_creatures(fight):
    roll(fight, "Wolf 1")
    combatant_conditions.add(
        fight.campaign.pk,
        fight.ana,
        new_key(),
        fight.named("Mira").pk,
        name="Poisoned",
        rounds=2,
        whose=fight.named("Wolf 1").pk,
        at_end=False,
    )
    table = fight.campaign.get_absolute_url()
    screen = screens.make_screen(fight.campaign.pk, fight.ana, new_key(), vitals="numbers")
    fight.until((1, "Wolf 1"))
    read = [
        *((who, f"{table}{part}") for who in (fight.bo, person("dan")) for part in ("", "encounter/", "log/")),
        *((fight.cid, f"{table}log.{form}") for form in ("json", "csv")),
        (fight.bo, fight.mira.get_absolute_url()),
        (fight.bo, f"{fight.mira.get_absolute_url()}history/"),
        (None, f"/screen/{screen}/"),
    ]
    for who, path in read:
        found = text(who, path)
        assert "Wolf" in found or path == table, path
        for number in range(1, 5):
            assert f"Wolf {number}" not in found, path
    assert "Wolf’s turn" in text(fight.bo, fight.mira.get_absolute_url())
    assert "Wolf 1" in text(fight.ana, f"{table}log/")
    assert "Wolf 1" not in str(facts(fight.mira))


def test_once_a_second_creature_is_shown_both_have_numbers(fight):
    seen = fight.named("Wolf 1")
    show(fight, "Wolf 4")
    assert fight.named("Wolf 1") == seen
    assert wolves(fight, fight.bo) == ["Wolf 1", "Wolf 2"]
    assert wolves(fight) == ["Wolf 1", "Wolf 2", "Wolf 3", "Wolf 4"]


def test_creatures_are_numbered_in_the_order_in_which_they_are_shown(fight):
    waiting = {name: fight.named(name) for name in ("Wolf 2", "Wolf 3", "Wolf 4")}
    show(fight, "Wolf 4")
    assert fight.named("Wolf 2") == waiting["Wolf 4"]
    show(fight, "Wolf 4")
    assert fight.named("Wolf 3") == waiting["Wolf 3"]
    assert wolves(fight, fight.bo) == ["Wolf 1", "Wolf 2", "Wolf 3"]
    assert fight.named("Wolf 4") == waiting["Wolf 2"]


def test_new_visible_creatures_are_numbered_before_hidden_ones(fight):
    again(fight, 2)
    again(fight, 1, hidden=True)
    assert wolves(fight, fight.bo) == ["Wolf 1", "Wolf 2", "Wolf 3"]
    assert [fight.named(name).hidden for name in wolves(fight)] == [False] * 3 + [True] * 4


def test_hidden_creatures_keep_their_order_when_they_are_numbered_anew(fight):
    second, last = fight.named("Wolf 3"), fight.named("Wolf 4")
    initiative.move(fight.campaign.pk, fight.ana, last.pk, up=True, saw=last.place)
    again(fight)
    assert (fight.named("Wolf 4"), fight.named("Wolf 5")) == (second, last)


def test_the_storyteller_is_told_which_creatures_have_new_numbers(fight):
    numbered = "Wolf 4 is Wolf 2 now, Wolf 2 is Wolf 3 now and Wolf 3 is Wolf 4 now."
    assert show(fight, "Wolf 4") == f"Wolf 2 is shown. {numbered}"
    assert again(fight) == "Wolf 3 is Wolf 4 now and Wolf 4 is Wolf 5 now."
    assert again(fight, hidden=True) == ""
    assert hide(fight, "Wolf 1") == "Wolf 1 is hidden."


def test_the_page_of_the_storyteller_says_it_and_that_of_a_player_does_not(fight):
    path = f"{fight.campaign.get_absolute_url()}"
    ana, bo, kind = browser_of(), browser_of("bo"), Creature.objects.get().pk
    sent = {"key": new_key(), "many": "1"}
    page = ana.post(f"{path}creatures/{kind}/bring/", sent, follow=True).content.decode()
    assert "Wolf 2 is Wolf 3 now, Wolf 3 is Wolf 4 now and Wolf 4 is Wolf 5 now." in page
    assert " now" not in bo.get(f"{path}encounter/").content.decode()


def test_a_creature_that_has_been_seen_keeps_its_number(fight):
    again(fight, 2)
    first, second = fight.named("Wolf 1"), fight.named("Wolf 2")
    hide(fight, "Wolf 1")
    assert wolves(fight, fight.bo) == ["Wolf 2", "Wolf 3"]
    show(fight, "Wolf 1")
    assert (fight.named("Wolf 1"), fight.named("Wolf 2")) == (first, second)
    combatants.remove(fight.campaign.pk, fight.ana, first.pk)
    assert wolves(fight, fight.bo) == ["Wolf 2", "Wolf 3"]
    combatants.remove(fight.campaign.pk, fight.ana, fight.named("Wolf 3").pk)
    assert wolves(fight, fight.bo) == ["Wolf"]
    again(fight)
    assert wolves(fight, fight.bo) == ["Wolf 2", "Wolf 3"]


def test_a_creature_hidden_before_the_first_turn_counts_as_never_seen(fight):
    again(fight, 2)
    fight.back()
    first = fight.named("Wolf 1")
    hide(fight, "Wolf 1")
    assert wolves(fight, fight.bo) == ["Wolf 1", "Wolf 2"]
    hide(fight, "Wolf 1")
    assert wolves(fight, fight.bo) == ["Wolf"]
    assert first.pk in {one.pk for one in fight.everybody if one.hidden}
    assert wolves(fight) == [f"Wolf {number}" for number in range(1, 7)]


def test_removing_a_hidden_creature_leaves_no_gap(fight):
    combatants.remove(fight.campaign.pk, fight.ana, fight.named("Wolf 2").pk)
    show(fight, "Wolf 4")
    assert wolves(fight, fight.bo) == ["Wolf 1", "Wolf 2"]


def test_a_storytellers_hit_names_the_creature_as_they_read_it(fight):
    wolf = fight.named("Wolf 1")
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), wolf.pk, amount=4, heal=False)
    page = " ".join(text(fight.ana, f"{fight.campaign.get_absolute_url()}encounter/").split())
    assert "Damage 4: Wolf 1." in page
