"""Everything done at a table raises its version, which tells other people's open pages that they are out of date."""

import pytest

from campaigns.models import (
    Campaign,
    CampaignNote,
    Condition,
    Creature,
    Encounter,
    Pairing,
    Purchase,
    RolledSet,
    Seat,
)
from campaigns.verbs import (
    agreements,
    campaign_notes,
    combatant_conditions,
    combatants,
    creature_actions,
    creatures,
    encounters,
    initiative,
    pairings,
    purchases,
    rolled_sets,
    table_rules,
    terms,
)
from tests.campaigns.acting import act
from tests.campaigns.buying import agree, propose
from tests.campaigns.fights import Fight
from tests.characters.cast import new_key, person

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    """Three combatants with places and a condition, after the first turn."""
    made = Fight()
    made.wolves()
    made.ordered(Mira=15, Wolf=12, Nell=9)
    hold(made)
    made.next()
    return made


def hold(fight):
    wolf = fight.named("Wolf").pk
    sleep = {"name": "Asleep", "rounds": 2, "whose": None, "at_end": False}
    combatant_conditions.add(fight.campaign.pk, fight.ana, new_key(), wolf, **sleep)


def kind():
    return Creature.objects.get().pk


def wolf(fight):
    return fight.named("Wolf")


def hit(fight):
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), wolf(fight).pk, amount=1, heal=False)


def end(fight):
    encounters.end(fight.campaign.pk, fight.ana, Encounter.objects.get().pk)


def resume(fight):
    encounters.resume(fight.campaign.pk, fight.ana, Encounter.objects.get().pk)


# Each is done after the ones before it, with the table's id and its storyteller.
IN_A_FIGHT = {
    "a turn passes": lambda fight, *at: fight.next(),
    "a turn goes back": lambda fight, *at: fight.back(),
    "a condition ends": lambda fight, *at: combatant_conditions.remove(*at, new_key(), Condition.objects.get().pk),
    "a condition begins": lambda fight, *at: hold(fight),
    "a creature is hit": lambda fight, *at: hit(fight),
    "a hit is undone": lambda fight, *at: creature_actions.undo_hit(
        *at, creature_actions.newest_hit(fight.encounter).pk
    ),
    "a creature rolls": lambda fight, *at: creature_actions.roll(*at, new_key(), wolf(fight).pk, which=0, secret=False),
    "an initiative is entered": lambda fight, *at: initiative.enter_initiative(*at, wolf(fight).pk, total=3),
    "somebody moves": lambda fight, *at: initiative.move(*at, wolf(fight).pk, up=True, saw=wolf(fight).place),
    "a creature is hidden": lambda fight, *at: combatants.show_or_hide(*at, wolf(fight).pk, hidden=True),
    "a creature is described": lambda fight, *at: creatures.describe(
        *at, kind(), was=creatures.digest(Creature.objects.get()), vital=20
    ),
    "somebody is removed": lambda fight, *at: combatants.remove(*at, wolf(fight).pk),
    "a creature comes": lambda fight, *at: combatants.bring_creatures(*at, new_key(), kind(), many=1, hidden=False),
    "initiatives are rolled": lambda fight, *at: initiative.roll_initiative(*at, new_key()),
    "a creature is archived": lambda fight, *at: creatures.archive(*at, kind(), over=True),
    "a creature is new": lambda fight, *at: creatures.create(*at, new_key(), name="Bear", many=1),
    "the encounter ends": lambda fight, *at: end(fight),
    "a creature is new between encounters": lambda fight, *at: creatures.create(*at, new_key(), name="Owl"),
    "the encounter is resumed": lambda fight, *at: resume(fight),
    "the encounter ends again": lambda fight, *at: end(fight),
    "an encounter begins": lambda fight, *at: encounters.begin(*at, new_key()),
}


def test_everything_in_an_encounter_tells_the_table(fight):
    at = fight.campaign.pk, fight.ana
    assert untold(fight.campaign.pk, {name: lambda do=do: do(fight, *at) for name, do in IN_A_FIGHT.items()}) == []


def test_everything_that_several_agree_to_tells_the_table(campaign, party):
    pk, bo, cid = campaign.pk, party["bo"].pk, party["cid"].pk
    table_rules.decide(pk, person(), new_key(), switches={"relationships": "on"}, sources=())
    words = {"based_on": "bond", "text": "You pulled me out of the tide."}

    def pair():
        pairings.propose(pk, person(), new_key(), pairings.BY_HAND, chosen=(bo, cid))

    def paired(name):
        pairings.agree(pk, person(name), Pairing.objects.latest("pk").pk, party[name].pk, **words)

    def bought(name):
        agree(Purchase.objects.latest("pk"), party, name)

    def newest(kind):
        return kind.objects.latest("pk").pk

    assert (
        untold(
            pk,
            {
                "a pair is proposed": pair,
                "a pair is declined": lambda: agreements.decline(Pairing, pk, person("bo"), newest(Pairing), bo),
                "a pair is proposed again": pair,
                "a pair is withdrawn": lambda: agreements.withdraw(Pairing, pk, person(), newest(Pairing)),
                "a pair is proposed once more": pair,
                "one says yes": lambda: paired("bo"),
                "both say yes": lambda: paired("cid"),
                "a purchase is proposed": lambda: propose(campaign, party),
                "a purchase is declined": lambda: agreements.decline(
                    Purchase, pk, person("cid"), newest(Purchase), cid
                ),
                "a purchase is proposed again": lambda: propose(campaign, party),
                "a purchase is withdrawn": lambda: agreements.withdraw(Purchase, pk, person("bo"), newest(Purchase)),
                "a purchase is proposed once more": lambda: propose(campaign, party),
                "a thing is bought": lambda: bought("cid"),
                "a purchase is undone": lambda: purchases.undo(pk, person("cid"), new_key(), newest(Purchase)),
                "the storyteller acts on the party": lambda: act(campaign, party),
                "the storyteller asks the party": lambda: act(campaign, party, proposed=True),
            },
        )
        == []
    )


def test_everything_that_the_table_decides_tells_it(campaign, party):
    at, seat = (campaign.pk, person()), Seat.objects.get(character=party["bo"]).pk

    def rewrite(text):
        note = CampaignNote.objects.get()
        campaign_notes.rewrite(*at, note.pk, text=text, reader="everyone", was=note.digest)

    def bin_note(**back):
        campaign_notes.bin_note(*at, CampaignNote.objects.get().pk, **back)

    assert (
        untold(
            campaign.pk,
            {
                "house rules": lambda: table_rules.decide(*at, new_key(), switches={"relationships": "on"}, sources=()),
                "an exception": lambda: table_rules.except_seat(*at, seat, reason="They began elsewhere."),
                "an exception ends": lambda: table_rules.end_exception(*at, new_key(), seat),
                "terms": lambda: terms.decide(*at, switches={"abilityMethod": "roll"}, more_xp=0),
                "dice are rolled": lambda: rolled_sets.roll(campaign.pk, person("bo")),
                "dice are rolled again": lambda: rolled_sets.roll_again(*at, RolledSet.objects.get().pk),
                "a note is written": lambda: campaign_notes.write(*at, new_key(), text="Fog.", reader="storytellers"),
                "a note is rewritten": lambda: rewrite("The bridge is out."),
                "a note is deleted": bin_note,
                "a note is restored": lambda: bin_note(back=True),
            },
        )
        == []
    )


def untold(campaign, deeds):
    """The names of the deeds after which the table has the same version as before."""
    silent = []
    for name, do in deeds.items():
        before = Campaign.objects.get(pk=campaign).version
        do()
        if Campaign.objects.get(pk=campaign).version == before:
            silent.append(name)
    return silent
