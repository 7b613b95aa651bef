"""Relationships between characters at a table: proposed by someone who runs it, and on the sheets once both players
agree."""

from collections.abc import Sequence
from random import Random

from django.http import Http404

from campaigns.campaign_access import changing, member_of, runner_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, Member, Pairing, Seat
from campaigns.roles import RUN, SEE
from campaigns.verbs import agreements
from campaigns.verbs.agreements import acts_by_key, answered_by, is_done, undone
from campaigns.verbs.party_acts import new_act, record_act
from characters.actions.act import act_of
from characters.actions.action_context import CHANCE
from characters.actions.proposals import OVER
from characters.actions.registry import actions_of
from characters.change.journal import Part, perform_all
from characters.change.refusals import KeyReused, Refused, StalePage
from characters.models import Character
from characters.people import Person
from characters.read.party import versions_of

RING, RANDOM, BY_HAND = "ring", "random", "hand"
ADD = "add_relationship"
MOST_OPEN = 200
LOOK_AGAIN = "The characters at this table have changed. Show the pairs again."
REWRITTEN = "The other player has changed the words. Read them below. To propose yours instead, agree again."

type Pair = tuple[Character, Character]


def to_pair(campaign: Campaign) -> list[Character]:
    """The characters that are played at this table and whose house rules have relationships, in the order of their
    seats."""
    if campaign.game.ring is None:
        return []
    seats = Seat.objects.filter(campaign=campaign, character__binned_at=None)
    played = [one.character for one in seats.exclude(member=None).select_related("character__ruleset")]
    versions = versions_of(played)
    return [one for one in played if versions[one.pk].table.has_relationships]


def draw(pk: int, person: Person, way: str, *, chosen: Sequence[int] = ()) -> tuple[list[Pair], list[Character]]:
    """The pairs that would be proposed, and the characters left out. Nothing is stored."""
    campaign = member_of(pk, person, RUN).campaign
    pairs, left = _pairs(campaign, to_pair(campaign), way, chosen, CHANCE)
    return _new(campaign, pairs, way), left


def propose(
    pk: int,
    person: Person,
    key: str,
    way: str,
    *,
    chosen: Sequence[int] = (),
    drawn: Sequence[tuple[int, int]] = (),
    based_on: str = "",
    text: str = "",
    chance: Random = CHANCE,
) -> tuple[list[Pairing], list[Character]]:
    """Propose a relationship to the players of each pair; returns the pairings, and the characters left out.

    way: RING, RANDOM, or BY_HAND with the two that are `chosen`. drawn: the pairs that were previewed with `draw`; only
    these are proposed then. Characters that are paired already are not paired again. The same key returns the same
    pairings, as long as no player has written other words.
    """
    with changing(pk, person, RUN, key=key) as member:
        campaign = member.campaign
        if known := list(Pairing.objects.filter(campaign=campaign, key=key).select_related("first", "second")):
            if not _proposed_so(known, drawn or ([chosen] if chosen else []), based_on, text):
                raise KeyReused
            return known, []
        people = to_pair(campaign)
        pairs, left = _looked_at(people, drawn) if drawn else _pairs(campaign, people, way, chosen, chance)
        new = _new(campaign, pairs, way)
        if drawn and len(new) < len(drawn):
            raise Refused(LOOK_AGAIN, "way")
        made = [
            Pairing.objects.create(campaign=campaign, first=first, second=second, based_on=based_on, text=text, key=key)
            for first, second in new
        ]
        tell_followers(pk)
    return made, left


def _proposed_so(known: Sequence[Pairing], asked: Sequence[Sequence[int]], based_on: str, text: str) -> bool:
    """True if these were proposed with these words, and for the requested pairs. If no pairs were requested, everyone
    who sat here then was paired, and only the words are compared."""
    pairs = {frozenset((one.first_id, one.second_id)) for one in known}
    same_pairs = not asked or pairs == {frozenset(pair) for pair in asked}
    return same_pairs and all((one.based_on, one.text) == (based_on, text) for one in known)


def agree(
    pk: int, person: Person, pairing: int, character: int, *, based_on: str, text: str, saw: str | None = None
) -> bool:
    """Say yes to these words for the person's own character; new words need the Yes of both. Returns True if the
    relationship is on both sheets now.

    saw: the digest of the words that the form showed. If someone has rewritten those since, new words do not replace
    them.

    Raises RefusedForSome if one of the sheets has no room for it.
    """
    with changing(pk, person, SEE) as member:
        found = answered_by(Pairing, member, pairing, character)
        if (found.based_on, found.text) != (based_on, text):
            if found.over or is_done(found):
                raise Refused(OVER)
            if saw not in (None, found.digest):
                raise StalePage(REWRITTEN)
            found.agreements.all().delete()
            found.based_on, found.text = based_on, text
            found.save(update_fields=["based_on", "text"])
        return agreements.agree(found, member, character, lambda: _write(member, found, person))


def _pairs(
    campaign: Campaign, people: list[Character], way: str, chosen: Sequence[int], chance: Random
) -> tuple[list[Pair], list[Character]]:
    if way == BY_HAND:
        known = {one.pk: one for one in people}
        if len(chosen) != 2 or not set(chosen) <= set(known):
            raise Http404("No such characters at this table.")
        if chosen[0] == chosen[1]:
            raise Refused("Choose two different characters.", "second")
        return [(known[chosen[0]], known[chosen[1]])], []
    if len(people) < 2:
        raise Refused("This takes two characters with players.", "way")
    if way == RING:
        ring = campaign.game.ring
        assert ring is not None  # nobody is left to pair
        return ring(people), []
    mixed = chance.sample(people, len(people))
    return list(zip(mixed[::2], mixed[1::2], strict=False)), mixed[len(mixed) // 2 * 2 :]


def _looked_at(people: list[Character], drawn: Sequence[tuple[int, int]]) -> tuple[list[Pair], list[Character]]:
    known = {one.pk: one for one in people}
    apart = {frozenset(pair) for pair in drawn}
    if len(apart) < len(drawn) or any(len(pair) < 2 or not pair <= set(known) for pair in apart):
        raise Refused(LOOK_AGAIN, "way")
    paired = {one for pair in drawn for one in pair}
    return [(known[first], known[second]) for first, second in drawn], [one for one in people if one.pk not in paired]


def _new(campaign: Campaign, pairs: Sequence[Pair], way: str) -> list[Pair]:
    """The pairs that are not paired yet. Refused if there are none, or too many."""
    paired = _paired(campaign)
    new = [pair for pair in pairs if frozenset(one.pk for one in pair) not in paired]
    if not new:
        raise Refused("They are already paired.", "second" if way == BY_HAND else "way")
    if len(paired) + len(new) > MOST_OPEN:
        raise Refused(f"A table has at most {MOST_OPEN} relationships.", "way")
    return new


def _paired(campaign: Campaign) -> set[frozenset[int]]:
    """The pairs that wait for an answer or are on the sheets."""
    pairings = list(Pairing.objects.filter(campaign=campaign, declined_at=None, withdrawn_at=None))
    gone = {key for key, act in acts_by_key(campaign.pk, pairings).items() if undone(act)}
    return {frozenset((one.first_id, one.second_id)) for one in pairings if one.act_key not in gone}


def _write(member: Member, pairing: Pairing, person: Person) -> None:
    """Write both sheets in one act, with the permission of someone who runs the table: neither player may change the
    other's."""
    if not {pairing.first_id, pairing.second_id} <= {one.pk for one in to_pair(member.campaign)}:
        raise Refused("Relationships are now turned off for one of the two.")
    runner = runner_of(pairing.campaign)

    def part(one: Character, other: Character) -> Part:
        answers = {
            "other": "", "based_on": pairing.based_on, "text": pairing.text,
            "agreed": True, "linked": other.pk, "address": None,
        }  # fmt: skip
        return Part(one.pk, answers, act_of(actions_of(one.ruleset.game)[ADD], answers, runner))

    first, second, key = pairing.first, pairing.second, pairing.act_key
    perform_all([part(first, second), part(second, first)], runner, ADD, key, actor=person)
    act = new_act(member, ADD, key, {"pairing": pairing.pk})
    record_act(act, f"Relationship: {pairing}.", [first, second])
