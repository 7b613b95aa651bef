"""Purchases together at a table of three players, each with Resources 4, Modest."""

from campaigns.verbs import purchases
from tests.characters.cast import facts, new_key, person
from tests.characters.play.table import play

RARE = "armor:half-plate"
BUYERS = ("bo", "cid", "dan")


def poorer(character, who):
    """Their Resources sink by two ranks."""
    play.spend_downtime(character.pk, person(who), new_key(), days=1, activity="Gambling", ranks=-2)


def propose(campaign, party, who="bo", buyer="bo", to=("cid",), ref=RARE, quantity=1, key=None):
    others = [party[name].pk for name in to]
    what = {"ref": ref, "quantity": quantity}
    return purchases.propose(campaign.pk, person(who), key or new_key(), party[buyer].pk, others, **what)


def buy(campaign, party, buyer="bo", to=("cid",), ref=RARE, quantity=1, key=None, who="ana"):
    others = [party[name].pk for name in to]
    what = {"ref": ref, "quantity": quantity}
    return purchases.buy(campaign.pk, person(who), key or new_key(), party[buyer].pk, others, **what)


def agree(purchase, party, who):
    return purchases.agree(purchase.campaign_id, person(who), purchase.pk, party[who].pk)


def has(character, ref=RARE):
    return sum(value["quantity"] for address, value in facts(character).items()
               if address.startswith("item:") and value.get("ref") == ref)  # fmt: skip
