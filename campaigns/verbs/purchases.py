"""Purchases with the pooled means of several characters: one player proposes, and all of them agree.

A storyteller buys for them at once.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404

from campaigns.campaign_access import changing, runner_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, Member, PartyAct, Purchase, Seat, Share
from campaigns.roles import RUN, SEE
from campaigns.verbs import agreements
from campaigns.verbs.agreements import acts_by_key, answered_by, joint_of, players_of
from campaigns.verbs.party_acts import done_before, new_act, record_act, undo_act
from characters import access
from characters.actions.act import act_of
from characters.actions.action_context import allowed
from characters.actions.form_values import answers_of
from characters.actions.registry import actions_of
from characters.actions.what_if import Foreseen, foreseen
from characters.change.draft import Draft
from characters.change.journal import Act, Part, perform_all
from characters.change.refusals import KeyReused, Refused, RefusedForSome
from characters.models import Character
from characters.people import Person
from characters.read.party import versions_of
from characters.read.versions import Version
from rules.games.contract import PageRules
from rules.games.outcome import listed
from rules.games.rows import Pool
from rules.games.table_action import TableAction

BUY = "purchase_together"  # the act of the table, whatever the action of its game is called
MOST_OPEN = 50


@dataclass(frozen=True)
class Pooled:
    """Several characters who pool their means, in these versions: the first of them buys."""

    characters: tuple[Character, ...]
    versions: Mapping[int, Version]

    @property
    def buyer(self) -> Character:
        return self.characters[0]

    @property
    def others(self) -> tuple[Character, ...]:
        return self.characters[1:]

    @property
    def version(self) -> Version:
        return self.versions[self.buyer.pk]

    @property
    def rules(self) -> PageRules:
        """The rules by which they buy together. Raises Refused for a game without them."""
        rules = self.version.bundle.game.page_rules
        if rules is None:
            raise Refused("In this game, characters cannot buy together.", "buyer")
        return rules

    @property
    def action(self) -> TableAction:
        return actions_of(self.buyer.ruleset.game)[self.rules.BUY_TOGETHER]

    def _rank(self, character: Character) -> int:
        return self.rules.means_of(self.versions[character.pk].sheet)

    @cached_property
    def ranks(self) -> list[int]:
        return [self._rank(one) for one in self.others]

    def reach(self) -> Pool:
        """Their combined means, in the game's words. RefusedForSome names those who cannot join, with the reasons."""
        rules = self.rules
        refusals: dict[int, Refused] = {}
        for one in self.others:
            try:
                if one.ruleset_id != self.buyer.ruleset_id:
                    raise Refused("Plays another game.")
                allowed(rules.pool_of, self.version.sheet, [self._rank(one)])
            except Refused as refused:
                refusals[one.pk] = refused
        if refusals:
            raise RefusedForSome(refusals)
        return allowed(rules.pool_of, self.version.sheet, self.ranks)

    def answers(self, ref: str, quantity: int) -> dict[str, Any]:
        sent = {"ref": ref, "ranks": " ".join(map(str, self.ranks)), "quantity": str(quantity)}
        return answers_of(self.action.fields, sent)

    def ahead(self, ref: str, quantity: int, person: Person) -> Foreseen:
        """A preview of the purchase, by the procedure that makes it. Raises as `reach` does."""
        self.reach()
        return foreseen(self.buyer, self.version, act_of(self.action, self.answers(ref, quantity), person))


def pooled(characters: Collection[Character]) -> Pooled:
    """These characters in their current versions; the first buys."""
    return Pooled(tuple(characters), versions_of(characters))


def joining(campaign: Campaign, buyer: int, others: Collection[int]) -> list[Character]:
    """The buyer and the others, all at this table. Http404 if one is not; Refused if nobody else joins."""
    wanted = [buyer, *sorted({*others} - {buyer})]
    seats = Seat.objects.filter(campaign=campaign, character__in=wanted, character__binned_at=None)
    found = {one.character_id: one.character for one in seats.select_related("character__ruleset")}
    if len(found) < len(wanted):
        raise Http404("No such character at this table.")
    if len(wanted) < 2:
        raise Refused("Tick who joins.", "to")
    return [found[pk] for pk in wanted]


def buy(pk: int, person: Person, key: str, buyer: int, others: Collection[int], *, ref: str, quantity: int) -> PartyAct:
    """Buy this for them at once, as a storyteller. The same key returns the same act.

    Raises RefusedForSome with those who cannot join, and Refused if it is beyond their means.
    """
    what = {"buyer": buyer, "joined": sorted({buyer, *others}), "ref": ref, "quantity": quantity}
    with changing(pk, person, RUN, key=key) as member:
        act = new_act(member, BUY, key, what)
        if earlier := done_before(act):
            return earlier
        return _carry_out(act, person, person, joining(member.campaign, buyer, others), ref, quantity)


def propose(
    pk: int, person: Person, key: str, buyer: int, others: Collection[int], *, ref: str, quantity: int
) -> Purchase:
    """Propose this purchase, as the player of one of the characters. The player's own characters agree at once; if all
    are theirs, it is bought. The same key returns the same purchase. Raises as `buy` does."""
    with changing(pk, person, SEE, key=key) as member:
        if earlier := Purchase.objects.filter(campaign=pk, key=key).first():
            same = {*earlier.agreed()} == {buyer, *others}
            if not same or (earlier.buyer_id, earlier.ref, earlier.quantity) != (buyer, ref, quantity):
                raise KeyReused
            return earlier
        characters = joining(member.campaign, buyer, others)
        players = players_of(pk, [one.pk for one in characters])
        if member not in players.values():
            raise Refused("One of your own characters must join.", "to")
        if waiting := [one.pk for one in characters if one.pk not in players]:
            raise RefusedForSome(dict.fromkeys(waiting, Refused("Nobody plays this character.")))
        ahead = pooled(characters).ahead(ref, quantity, person)
        if ahead.refused:
            raise Refused(ahead.refused, "ref")
        open_ones = Purchase.objects.filter(campaign=pk, declined_at=None, withdrawn_at=None)
        if len(agreements.not_done(pk, open_ones)) >= MOST_OPEN:
            raise Refused(
                f"{MOST_OPEN} purchases are already waiting for an answer at this table, and that is the limit."
            )
        made = Purchase.objects.create(
            campaign=member.campaign, buyer=characters[0], by=member, ref=ref, quantity=quantity, key=key
        )
        for one in characters:
            agreed = member if players[one.pk] == member else None
            Share.objects.create(purchase=made, character=one, agreed=agreed)
        if set(players.values()) == {member}:
            _buy(member, made, person)
        tell_followers(pk)
    return made


def agree(pk: int, person: Person, purchase: int, character: int) -> bool:
    """Say yes for the person's own character; returns True if it is bought now. Repeating it changes nothing.

    The last Yes buys, by the sheets as they are then. Raises RefusedForSome as `propose` does.
    """
    with changing(pk, person, SEE) as member:
        found = answered_by(Purchase, member, purchase, character)
        return agreements.agree(found, member, character, lambda: _buy(member, found, person))


def undo(pk: int, person: Person, key: str, purchase: int) -> PartyAct:
    """Undo a purchase for all, as someone who runs the table or a player who agreed to it. The same key returns the
    same act.

    Like the purchase, it is done with the permission of someone who runs the table. Refused as `party_acts.undo` is.
    """
    with changing(pk, person, SEE, key=key) as member:
        found = joint_of(Purchase, pk, purchase)
        act = acts_by_key(pk, [found]).get(found.act_key)
        agreed = [one for one, by in found.agreed().items() if by == member.pk]
        theirs = member in players_of(pk, agreed).values()
        if act is None or not (theirs or member.may(RUN)):
            raise Http404("No such purchase of yours.")
        return undo_act(member, person, runner_of(found.campaign), key, act)


def _buy(member: Member, purchase: Purchase, person: Person) -> None:
    """Buy what everyone has agreed to, with the permission of someone who runs the table: no player may change the
    others' sheets."""
    characters = joining(purchase.campaign, purchase.buyer_id, purchase.agreed())
    act = new_act(member, BUY, purchase.act_key, {"purchase": purchase.pk})
    _carry_out(act, person, runner_of(purchase.campaign), characters, purchase.ref, purchase.quantity)


def _carry_out(
    act: PartyAct, person: Person, runner: Person, characters: list[Character], ref: str, quantity: int
) -> PartyAct:
    """Give the buyer the thing, and everyone who joins a line in their history. Their means are those of their sheets
    now."""
    for pk in sorted(one.pk for one in characters):  # locked before their means are read
        access.locked(pk, runner)
    together = pooled(joining(act.campaign, characters[0].pk, [one.pk for one in characters]))
    ahead = together.ahead(ref, quantity, person)
    if ahead.refused:
        raise Refused(ahead.refused, "ref")
    answers = together.answers(ref, quantity)
    parts = [Part(together.buyer.pk, {**answers, **act.what}, act_of(together.action, answers, runner))]
    parts += [Part(one.pk, act.what, _joins(one, ahead.sentence)) for one in together.others]
    perform_all(parts, runner, together.rules.BUY_TOGETHER, act.key, actor=person)
    words = f"{ahead.sentence} With {listed(str(one) for one in together.others)}."
    return record_act(act, words, together.characters)


def _joins(character: Character, bought: str) -> Act:
    def act(draft: Draft) -> str:
        return f"{character} joins a purchase. {bought}"

    return act
