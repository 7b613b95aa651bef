"""Creatures: several of a kind, hidden or shown, hit and healed with an undo, and rolled for."""

from functools import partial

import pytest
from django.http import Http404

from campaigns.models import Campaign, Combatant, Creature, CreatureRoll, Hit
from campaigns.verbs import combatants, creature_actions, creatures, encounters
from campaigns.verbs.creature_actions import newest_hit
from characters.change.refusals import KeyReused, Refused, StalePage
from tests.campaigns.fights import WOLF, Fight
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import new_key
from tests.characters.play.table import Fixed

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    made = Fight()
    made.wolves(3)
    return made


def hit(fight, name, amount, *, heal=False, key=None):
    creature_actions.hit(fight.campaign.pk, fight.ana, key or new_key(), fight.named(name).pk, amount=amount, heal=heal)


def undo(fight, found=None):
    creature_actions.undo_hit(fight.campaign.pk, fight.ana, (found or newest_hit(fight.encounter)).pk)


def describe(fight, who=None, *, was=None, **columns):
    kind = Creature.objects.get()
    was = creatures.digest(kind) if was is None else was
    creatures.describe(fight.campaign.pk, who or fight.ana, kind.pk, was=was, **columns)


def over(fight):
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)


def left(fight, name="Wolf 1"):
    return fight.named(name).left


def test_creatures_of_a_kind_are_numbered_and_later_ones_continue_the_count(fight):
    kind = Creature.objects.get()
    combatants.bring_creatures(fight.campaign.pk, fight.ana, new_key(), kind.pk, many=2, hidden=True)
    assert [name for name in fight.order if "Wolf" in name] == [f"Wolf {at}" for at in range(1, 6)]
    assert [one.hidden for one in fight.everybody if one.creature] == [False] * 3 + [True] * 2


def test_after_the_highest_number_creatures_get_the_lowest_free_ones(fight):
    kind = Creature.objects.get()
    kind.combatants.filter(number=2).update(number=999)
    combatants.bring_creatures(fight.campaign.pk, fight.ana, new_key(), kind.pk, many=3, hidden=False)
    assert sorted(kind.combatants.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 999]
    assert combatants.numbers_for({998}, 2) == [999, 1000]


def test_the_only_one_of_its_kind_has_no_number(fight):
    fight.wolves(name="Ogre")
    assert "Ogre" in fight.order


def test_a_form_sent_twice_brings_the_creatures_once(fight):
    key = new_key()
    columns = {"name": "Bat", "vital": 3, "guard": 12, "dice": "", "rolls": "", "notes": ""}
    for _ in range(2):
        creatures.create(fight.campaign.pk, fight.ana, key, many=2, hidden=False, **columns)
    assert [name for name in fight.order if "Bat" in name] == ["Bat 1", "Bat 2"]
    assert Creature.objects.filter(name="Bat").count() == 1


def test_a_known_creature_comes_unhurt_to_the_next_encounter(fight):
    hit(fight, "Wolf 1", 5)
    over(fight)
    encounters.begin(fight.campaign.pk, fight.ana, new_key())
    combatants.bring_creatures(fight.campaign.pk, fight.ana, new_key(), Creature.objects.get().pk, many=1, hidden=False)
    assert left(fight, "Wolf") == 11


def begin_with(fight, many, *, hidden=False, key=None, kind=None):
    kind = kind or Creature.objects.get()
    coming = [encounters.StartingCreatures(kind.pk, many, hidden)]
    return encounters.begin(fight.campaign.pk, fight.ana, key or new_key(), coming)


def test_creatures_are_there_when_an_encounter_begins(fight):
    over(fight)
    key = new_key()
    for _ in range(2):
        begin_with(fight, 2, hidden=True, key=key)
    assert fight.order == ["Mira", "Nell", "Wolf 1", "Wolf 2"]
    assert [one.hidden for one in fight.everybody] == [False, False, True, True]
    with pytest.raises(KeyReused):
        begin_with(fight, 3, hidden=True, key=key)


def test_who_begins_an_encounter_that_is_on_already_brings_their_creatures_to_it(fight):
    assert begin_with(fight, 2) == fight.encounter
    assert [name for name in fight.order if "Wolf" in name] == [f"Wolf {at}" for at in range(1, 6)]


def test_the_form_of_an_encounter_that_is_over_brings_nothing_to_the_next_one(fight):
    over(fight)
    key = new_key()
    first = begin_with(fight, 2, key=key)
    over(fight)
    encounters.begin(fight.campaign.pk, fight.ana, new_key())
    assert begin_with(fight, 2, key=key) == first
    assert fight.order == ["Mira", "Nell"]


def test_an_encounter_with_too_many_or_with_anothers_creatures_does_not_begin(fight):
    over(fight)
    wolf = Creature.objects.get()
    others = Creature.objects.create(campaign=saltmarsh("zoe"), key=new_key(), name="Bat")
    with pytest.raises(Refused, match="At most 100 can take part"):
        begin_with(fight, 99, kind=wolf)
    with pytest.raises(Http404):
        begin_with(fight, 1, kind=others)
    assert fight.encounter is None


def test_a_creature_is_described_before_an_encounter_begins(fight):
    over(fight)
    key = new_key()
    for _ in range(2):
        bat = creatures.create(fight.campaign.pk, fight.ana, key, name="Bat", vital=3)
    assert fight.encounter is None
    begin_with(fight, 1, kind=bat)
    assert fight.order == ["Mira", "Nell", "Bat"]


def test_hits_stop_at_zero_and_an_unhurt_creature_is_not_healed(fight):
    hit(fight, "Wolf 1", 4)
    hit(fight, "Wolf 1", 2, heal=True)
    assert left(fight) == 9
    hit(fight, "Wolf 1", 50)
    assert left(fight) == 0
    with pytest.raises(Refused, match="nothing left"):
        hit(fight, "Wolf 1", 1)
    with pytest.raises(Refused, match="has lost nothing"):
        hit(fight, "Wolf 2", 1, heal=True)


def test_a_hit_sent_twice_counts_once(fight):
    key = new_key()
    for _ in range(2):
        hit(fight, "Wolf 1", 4, key=key)
    assert left(fight) == 7


def test_the_last_hit_is_undone_first_and_then_the_one_before(fight):
    hit(fight, "Wolf 1", 50)
    first = newest_hit(fight.encounter)
    hit(fight, "Wolf 2", 4)
    with pytest.raises(Refused, match="Undo that first"):
        undo(fight, first)
    second = newest_hit(fight.encounter)
    for _ in range(2):
        undo(fight, second)
    assert (left(fight), left(fight, "Wolf 2")) == (0, 11)
    undo(fight)
    assert left(fight) == 11
    assert newest_hit(fight.encounter) is None
    assert Hit.objects.exclude(undone_at=None).count() == 2


def test_a_creatures_roll_is_stored_with_its_faces_and_total(fight):
    key, wolf = new_key(), fight.named("Wolf 1").pk
    args = (fight.campaign.pk, fight.ana, key, wolf)
    rolled = creature_actions.roll(*args, which=0, secret=False, chance=Fixed(6, 6, 1))
    assert (rolled.name, rolled.dice, rolled.faces, rolled.total, rolled.critical) == (
        *("Bite", "3D+4"),
        (6, 6, 1),
        *(17, True),
    )
    assert creature_actions.roll(*args, which=0, secret=False) == rolled
    second = creature_actions.roll(
        fight.campaign.pk, fight.ana, new_key(), wolf, which=1, secret=False, chance=Fixed(4, 4)
    )
    assert (second.total, second.critical) == (10, False)
    with pytest.raises(Http404):
        creature_actions.roll(fight.campaign.pk, fight.ana, new_key(), wolf, which=2, secret=False)


def test_a_character_is_not_a_creature(fight):
    pk = fight.named("Mira").pk
    for act in (
        lambda: creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), pk, amount=1, heal=False),
        lambda: creature_actions.roll(fight.campaign.pk, fight.ana, new_key(), pk, which=0, secret=False),
        lambda: combatants.show_or_hide(fight.campaign.pk, fight.ana, pk, hidden=True),
    ):
        with pytest.raises(Refused):
            act()


def test_a_new_maximum_keeps_the_health_that_each_creature_has_lost(fight):
    hit(fight, "Wolf 1", 8)
    version = Campaign.objects.get().version
    describe(fight, name="Dire wolf", vital=6)
    assert Campaign.objects.get().version > version  # so open pages ask for the new numbers
    assert left(fight, "Dire wolf 1") == 0
    assert left(fight, "Dire wolf 2") == 6
    describe(fight, vital=20)
    assert left(fight, "Dire wolf 1") == 12


def test_two_edits_of_a_creature_at_once_lose_nothing(fight):
    was = creatures.digest(Creature.objects.get())
    describe(fight, was=was, notes="Fears fire.", vital=12)
    with pytest.raises(StalePage) as conflict:
        describe(fight, was=was, notes="Hunts at night.", vital=11)
    kind = Creature.objects.get()
    assert conflict.value.stored == kind
    assert (kind.notes, kind.vital) == ("Fears fire.", 12)
    describe(fight, was=was, notes="Fears fire.", vital=12)
    describe(fight, notes="Fears fire. Hunts at night.")
    assert Creature.objects.get().notes == "Fears fire. Hunts at night."


def test_only_storytellers_change_creatures(fight):
    wolf, kind = fight.named("Wolf 1").pk, Creature.objects.get().pk
    for act in (
        lambda: creature_actions.hit(fight.campaign.pk, fight.bo, new_key(), wolf, amount=1, heal=False),
        lambda: creature_actions.roll(fight.campaign.pk, fight.bo, new_key(), wolf, which=0, secret=False),
        lambda: combatants.remove(fight.campaign.pk, fight.bo, wolf),
        lambda: combatants.show_or_hide(fight.campaign.pk, fight.bo, wolf, hidden=True),
        lambda: creatures.describe(fight.campaign.pk, fight.bo, kind, was="", name="x"),
        lambda: combatants.bring_creatures(fight.campaign.pk, fight.bo, new_key(), kind, many=1, hidden=False),
    ):
        with pytest.raises(Http404):
            act()
    assert left(fight) == 11
    assert Combatant.objects.count() == 5
    assert not CreatureRoll.objects.exists()


def test_creatures_and_hits_of_another_table_are_not_found(fight):
    hit(fight, "Wolf 1", 4)
    hers, wolf, kind = newest_hit(fight.encounter).pk, fight.named("Wolf 1").pk, Creature.objects.get().pk
    other = Fight()
    at = other.campaign.pk, other.ana
    for act in (
        lambda: creature_actions.undo_hit(*at, hers),
        lambda: creature_actions.hit(*at, new_key(), wolf, amount=1, heal=False),
        lambda: creature_actions.roll(*at, new_key(), wolf, which=0, secret=False),
        lambda: combatants.show_or_hide(*at, wolf, hidden=True),
        lambda: combatants.bring_creatures(*at, new_key(), kind, many=1, hidden=False),
        lambda: creatures.describe(*at, kind, was=creatures.digest(Creature.objects.get()), name="x"),
        lambda: creatures.archive(*at, kind, over=True),
    ):
        with pytest.raises(Http404):
            act()
    assert left(fight) == 7
    assert (Creature.objects.get().name, Creature.objects.get().archived_at) == ("Wolf", None)
    assert newest_hit(other.encounter) is None  # so each table offers to undo its own newest hit
    assert other.order == ["Mira", "Nell"]


def test_a_form_sent_again_with_other_creatures_is_another_form(fight):
    key, bring = new_key(), partial(creatures.create, fight.campaign.pk, fight.ana, many=1, hidden=False)
    bring(key, **WOLF)
    with pytest.raises(KeyReused):
        bring(key, **{**WOLF, "vital": 12})
    assert fight.order.count("Wolf") == 1


def test_a_table_has_a_limit_of_creatures(client, fight, monkeypatch):
    monkeypatch.setattr(creatures, "MOST_CREATURES", 2)
    fight.wolves()
    with pytest.raises(Refused, match="Archive one that you no longer need"):
        fight.wolves(name="Bear")
    for _ in range(2):
        creatures.archive(fight.campaign.pk, fight.ana, Creature.objects.first().pk, over=True)
    fight.wolves(name="Bear")
    assert "Bear" in fight.order
    archived = Creature.objects.exclude(archived_at=None).first()
    client.force_login(fight.ana.user)
    answer = client.post(f"{fight.campaign.get_absolute_url()}creatures/{archived.pk}/archive/")
    assert answer.status_code == 422
    assert "There are 2 creatures already. Archive one" in answer.content.decode()
    archived.refresh_from_db()
    assert archived.archived_at


def test_only_those_who_run_the_table_archive_a_creature(fight):
    pk = Creature.objects.get().pk
    with pytest.raises(Http404):
        creatures.archive(fight.campaign.pk, fight.bo, pk, over=True)
    assert Creature.objects.get().archived_at is None


def test_an_encounter_has_a_limit_of_combatants(fight):
    def more(many):
        kind = Creature.objects.get().pk
        combatants.bring_creatures(fight.campaign.pk, fight.ana, new_key(), kind, many=many, hidden=False)

    for _ in range(4):
        more(20)
    with pytest.raises(Refused, match="take part"):
        more(16)
    assert len(fight.order) == 85
    more(15)
    assert len(fight.order) == 100
