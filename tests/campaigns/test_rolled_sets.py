"""Dice for ability ranks at a table: rolled once by the server, dealt to new characters, rerolled only by a grant."""

from random import Random

import pytest
from django.db import IntegrityError, transaction
from django.http import Http404

from campaigns.models import RolledSet, Seat
from campaigns.verbs import membership, rolled_sets, seats, terms
from characters import verbs
from characters.change.refusals import Refused
from characters.models import Change, Character
from characters.verbs.abilities import dealt_from
from rules.compile import bundle_for
from rules.games.polyhedral.creation import rank_stats
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import browser_of, facts, first_level, guest, new_key, person, refuses
from tests.characters.play.table import play
from tests.support.at_once import at_once
from tests.support.characters import sheet_of
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
METHOD = "abilityMethod"
EACH, SHARED = "roll", "rollShared"
MARK = "Not this table’s dice"


@pytest.fixture
def campaign():
    return saltmarsh(bo="player", dan="player", eve="spectator")


def by(campaign, method, **more):
    terms.decide(campaign.pk, person(), switches={METHOD: method, **more}, more_xp=0)


def roll(campaign, who="bo", seed=1):
    return rolled_sets.roll(campaign.pk, person(who), chance=Random(seed))


def begun(campaign, who="bo"):
    return seats.begin(campaign.pk, person(who), new_key()).character


def dice_of(character):
    return facts(character).get("field:dice")


def page(campaign, name="ana", where=""):
    return html_of(browser_of(name).get(f"{campaign.get_absolute_url()}{where}"))


def test_a_player_has_one_set_however_often_they_roll(campaign):
    by(campaign, EACH)
    first = roll(campaign)
    assert roll(campaign, seed=2) == first
    assert len(first.dice) == 7
    assert all(len(four) == 4 and set(four) <= {1, 2, 3, 4, 5, 6} for four in first.dice)
    assert roll(campaign, "dan", seed=2).dice != first.dice


def test_every_character_that_a_player_begins_has_their_set_and_no_other(campaign):
    by(campaign, EACH)
    dice = roll(campaign)
    for character in (begun(campaign), begun(campaign)):
        assert dice_of(character) == dice.dice
        assert facts(character)["field:method"] == "rolled"
        with refuses("method"):
            verbs.roll_abilities(character.pk, person("bo"), new_key())
    assert dice_of(begun(campaign, "dan")) != dice.dice


def test_beginning_a_character_rolls_for_a_player_who_has_not_rolled(campaign):
    by(campaign, EACH)
    assert dice_of(begun(campaign)) == RolledSet.objects.get(member__name="Bo").dice


def test_rolling_in_the_builder_after_an_undo_brings_the_same_dice(campaign):
    by(campaign, EACH)
    character = begun(campaign)
    before = dice_of(character)
    dealt = character.changes.get(verb="deal_abilities")
    play.undo(character.pk, person("bo"), new_key(), change=dealt.sequence)
    assert not dice_of(character)
    verbs.roll_abilities(character.pk, person("bo"), new_key(), chance=Random(9))
    assert dice_of(character) == before


def test_dice_given_again_after_manual_ranks_are_still_the_tables(campaign):
    by(campaign, EACH)
    character = begun(campaign)
    before, bo = dice_of(character), person("bo")
    ranks = dict.fromkeys(rank_stats(bundle_for(character.ruleset)), 10)
    dealt = character.changes.get(verb="deal_abilities")
    verbs.set_abilities(character.pk, bo, new_key(), method="manual", ranks=ranks)
    rolled_sets.give(campaign.pk, person(), new_key(), Seat.objects.get(character=character).pk)
    again = character.changes.filter(verb="deal_abilities").latest("sequence")
    assert "field:dice" not in again.after
    assert dealt_from(character, before) == "Bo at Saltmarsh"
    play.undo(character.pk, bo, new_key(), change=dealt.sequence)
    verbs.roll_abilities(character.pk, bo, new_key(), chance=Random(9))
    assert dice_of(character) == before


def test_a_shared_roll_is_one_set_for_the_table(campaign):
    by(campaign, SHARED)
    dice = roll(campaign)
    assert roll(campaign, "dan", seed=2) == roll(campaign, "ana", seed=3) == dice
    assert dice.member is None
    assert dice_of(begun(campaign)) == dice_of(begun(campaign, "dan")) == dice_of(begun(campaign, "ana")) == dice.dice


def test_a_prepared_character_has_no_players_dice(campaign):
    by(campaign, EACH)
    assert not dice_of(begun(campaign, "ana"))
    with refuses(""):
        roll(campaign, "ana")


def test_a_prepared_character_gets_dice_only_once_somebody_plays_it(campaign):
    seat = seats.bring(campaign.pk, person(), first_level(person()).pk)
    by(campaign, EACH)
    with pytest.raises(Refused, match="Someone must play this character first"):
        rolled_sets.give(campaign.pk, person(), new_key(), seat.pk)
    assert not RolledSet.objects.exists()


def test_nothing_is_rolled_where_ranks_are_found_another_way(campaign):
    for method in ("any", "array", "pointBuy"):
        by(campaign, method)
        with refuses(""):
            roll(campaign)
        assert not dice_of(begun(campaign))
    assert not RolledSet.objects.exists()


def test_a_spectator_rolls_nothing_and_a_stranger_finds_nothing(campaign):
    by(campaign, SHARED)
    with refuses(""):
        roll(campaign, "eve")
    with pytest.raises(Http404):
        roll(campaign, "cid")
    assert not RolledSet.objects.exists()


def test_the_dice_are_the_servers_whatever_is_sent(campaign):
    by(campaign, EACH)
    sent = {"dice": "[[6,6,6,6]]", "faces": "6 6 6 6", "key": new_key()}
    assert browser_of("bo").post(f"{campaign.get_absolute_url()}dice/roll/", sent).status_code == 303
    assert RolledSet.objects.get().dice != [[6, 6, 6, 6]] * 7
    assert browser_of("bo").get(f"{campaign.get_absolute_url()}dice/roll/").status_code == 405


def test_a_storyteller_grants_a_new_roll_and_the_pages_say_so(campaign):
    by(campaign, EACH)
    old, other = roll(campaign), roll(campaign, "dan", seed=2)
    mine, theirs = begun(campaign), begun(campaign, "dan")
    made = rolled_sets.roll_again(campaign.pk, person(), old.pk, chance=Random(5))
    assert made.dice != old.dice
    assert dice_of(mine) == made.dice
    assert dice_of(theirs) == other.dice
    told = mine.changes.filter(verb="deal_abilities").order_by("-sequence").first()
    assert (told.actor, "the dice of Bo at Saltmarsh" in told.sentence) == (person().user, True)
    old.refresh_from_db()
    assert (old.replaced_by.user, old.replaced_at is not None) == (person().user, True)
    assert "Replaced" in page(campaign, where="terms/")
    assert told.sentence in page(campaign, where="log/")


def test_assigned_ranks_stay_until_the_new_dice_are_assigned(campaign):
    by(campaign, EACH)
    old, character = roll(campaign), begun(campaign)
    stats = list(rank_stats(bundle_for(character.ruleset)))
    assign(character, stats, old)
    assert problems(character) == []
    had = {stat: facts(character)[f"input:{stat}"] for stat in stats}
    made = rolled_sets.roll_again(campaign.pk, person(), old.pk, chance=Random(5))
    assert set(had.values()) - set(results(made))
    assert {stat: facts(character)[f"input:{stat}"] for stat in stats} == had
    assert problems(character)
    assert "The ranks stay as they are until these are assigned." in character.changes.first().sentence
    where = f"{character.get_absolute_url()}build/abilities/"
    shown = browser_of("bo").get(where)
    assert "0 / 6" in " ".join(html_of(shown).split())
    saved = browser_of("bo").post(f"{character.get_absolute_url()}build/ranks/", as_shown(shown))
    assert saved.status_code == 303
    assert problems(character) == []
    assert "6 / 6" in " ".join(html_of(browser_of("bo").get(where)).split())


def results(dice):
    return [int(one) for one in dice.results.split(", ")]


def assign(character, stats, dice):
    ranks = dict(zip(stats, results(dice), strict=False))
    verbs.set_abilities(character.pk, person("bo"), new_key(), method="rolled", ranks=ranks)


def problems(character):
    sheet = sheet_of(Character.objects.get(pk=character.pk))[2]
    return [one.text for one in sheet.problems if one.where == "abilities.ranks"]


def as_shown(page):
    """The form of the ranks as the browser sends it when nothing is touched."""
    sent = {"key": new_key(), "method": "rolled"}
    for row in page.context["rows"]:
        sent |= {row.stat: row.value, f"was-{row.stat}": row.was}
    return sent


def test_a_grant_pressed_twice_is_one_new_roll(campaign):
    by(campaign, EACH)
    old = roll(campaign)
    made = rolled_sets.roll_again(campaign.pk, person(), old.pk)
    assert rolled_sets.roll_again(campaign.pk, person(), old.pk) == made
    assert RolledSet.objects.count() == 2


@pytest.mark.parametrize("who", ["bo", "eve", "cid"])
def test_only_storytellers_grant_a_new_roll(campaign, who):
    by(campaign, EACH)
    old = roll(campaign)
    with pytest.raises(Http404):
        rolled_sets.roll_again(campaign.pk, person(who), old.pk)
    assert RolledSet.objects.get() == old


def test_the_dice_of_another_table_are_not_found(campaign):
    by(campaign, EACH)
    old, another = roll(campaign), saltmarsh("cid")
    for number in (old.pk, 2**63, 2**70):
        with pytest.raises(Http404):
            rolled_sets.roll_again(another.pk, person("cid"), number)


def test_a_player_who_leaves_and_comes_back_has_the_same_dice(campaign):
    by(campaign, EACH)
    dice = roll(campaign)
    membership.remove(campaign.pk, person(), dice.member_id)
    sits(campaign, person("bo"), name="Bo")
    assert roll(campaign, seed=7) == dice


def test_a_character_from_elsewhere_is_marked_and_may_get_the_dice(campaign):
    brought = first_level(person("bo"))
    verbs.roll_abilities(brought.pk, person("bo"), new_key(), chance=Random(3))
    seat = seats.bring(campaign.pk, person("bo"), brought.pk)
    by(campaign, EACH)
    dice = roll(campaign)
    assert MARK in page(campaign)
    where = f"{campaign.get_absolute_url()}seats/{seat.pk}/dice/"
    assert where in page(campaign, "bo")
    key = new_key()
    for _ in range(2):
        assert browser_of("bo").post(where, {"key": key}).status_code == 303
    assert dice_of(brought) == dice.dice
    assert brought.changes.filter(verb="deal_abilities").count() == 1
    assert MARK not in page(campaign)
    assert where not in page(campaign, "bo")
    assert browser_of("bo").post(where, {"key": new_key()}).status_code == 422  # the character has them already
    assert browser_of("dan").post(where, {"key": new_key()}).status_code == 404


def test_other_dice_are_not_marked_where_players_may_roll_again(campaign):
    brought = first_level(person("bo"))
    verbs.roll_abilities(brought.pk, person("bo"), new_key(), chance=Random(3))
    seats.bring(campaign.pk, person("bo"), brought.pk)
    by(campaign, EACH)
    assert MARK in page(campaign)
    by(campaign, EACH, allowReroll="true")
    assert MARK not in page(campaign)


def test_the_pages_show_whose_dice_they_are(campaign):
    by(campaign, EACH)
    assert "You have not rolled yet." in page(campaign, "bo")
    dice = roll(campaign)
    assert dice.results in page(campaign, "bo")
    assert dice.results not in page(campaign, "dan")
    character = begun(campaign)
    assert f"Rolled {dice.results}" in page(campaign)
    assert dice.results in page(campaign, where="terms/")
    built = html_of(browser_of("bo").get(f"{character.get_absolute_url()}build/abilities/"))
    assert "These dice were rolled for Bo at Saltmarsh." in built
    assert "roll-ranks" not in built


def test_ranks_are_assigned_from_the_dice_of_the_table(campaign):
    by(campaign, SHARED)
    character, dice = begun(campaign), RolledSet.objects.get()
    stats, most = list(rank_stats(bundle_for(character.ruleset))), max(results(dice))
    with refuses("ranks"):
        verbs.set_abilities(
            character.pk, person("bo"), new_key(), method="rolled", ranks=dict.fromkeys(stats, most + 1)
        )
    assign(character, stats, dice)
    assert facts(character)[f"input:{stats[0]}"] == results(dice)[0]


def test_a_solo_character_is_not_offered_a_shared_roll(campaign):
    character = first_level(person("bo"))
    form = browser_of("bo").get(f"{character.get_absolute_url()}house-rules/").context["form"]
    assert SHARED not in dict(form.fields[METHOD].choices)
    offered = dict(browser_of().get(f"{campaign.get_absolute_url()}terms/").context["form"].fields[METHOD].choices)
    assert offered[SHARED] == "One roll for the whole table"


def test_the_database_holds_one_set_per_player_and_one_shared_set(campaign):
    by(campaign, EACH)
    dice = roll(campaign)
    twice = {"campaign": campaign, "dice": dice.dice}
    with pytest.raises(IntegrityError), transaction.atomic():
        RolledSet.objects.create(member=dice.member, **twice)
    RolledSet.objects.create(**twice)
    with pytest.raises(IntegrityError), transaction.atomic():
        RolledSet.objects.create(**twice)


@pytest.mark.django_db(transaction=True)
def test_thirty_two_rolls_at_once_by_one_player_make_one_set(campaign):
    by(campaign, EACH)
    answers = at_once(*[lambda seed=seed: roll(campaign, seed=seed) for seed in range(32)])
    assert {answer.pk for answer in answers} == {RolledSet.objects.get().pk}


@pytest.mark.django_db(transaction=True)
def test_two_players_at_once_get_the_same_shared_set_for_their_characters(campaign):
    by(campaign, SHARED)
    at_once(lambda: begun(campaign), lambda: begun(campaign, "dan"), lambda: roll(campaign, "dan"))
    (dice,) = RolledSet.objects.all()
    assert [dice_of(seat.character) for seat in Seat.objects.all()] == [dice.dice] * 2


@pytest.mark.django_db(transaction=True)
def test_grants_at_once_are_one_new_roll(campaign):
    by(campaign, EACH)
    old, character = roll(campaign), begun(campaign)
    answers = at_once(*[lambda: rolled_sets.roll_again(campaign.pk, person(), old.pk) for _ in range(8)])
    assert len({answer.pk for answer in answers}) == 1
    assert RolledSet.objects.count() == 2
    assert Change.objects.filter(character=character, verb="deal_abilities").count() == 2


def test_a_guest_who_signs_in_to_an_account_at_the_same_table_keeps_dice_and_role(campaign):
    by(campaign, "roll")
    fay = person("fay")
    sits(campaign, fay, role="spectator", name="Fay")
    nell = sits(campaign, guest(), name="Nell")
    seat = seats.begin(campaign.pk, guest(), new_key())
    Character.objects.filter(pk=seat.character_id).update(owner=fay.user, guest="")
    rolled = RolledSet.objects.get(member=nell)
    membership.claim_seats(guest().guest, fay.user)
    here = campaign.members.get(user=fay.user)
    assert (here.role, RolledSet.objects.get(pk=rolled.pk).member, here.seats.get().pk) == ("player", here, seat.pk)
    assert not campaign.members.filter(pk=nell.pk).exists()
    assert rolled_sets.roll(campaign.pk, fay) == rolled


def test_a_guests_former_dice_stay_where_their_account_has_dice_of_its_own(campaign):
    by(campaign, EACH)
    fay = person("fay")
    sits(campaign, fay, name="Fay")
    sits(campaign, guest(), name="Nell")
    own, former = rolled_sets.roll(campaign.pk, fay), rolled_sets.roll(campaign.pk, guest())
    rolled_sets.roll_again(campaign.pk, person(), former.pk)
    membership.claim_seats(guest().guest, fay.user)
    assert {*RolledSet.objects.filter(member__user=fay.user)} == {own, former}
