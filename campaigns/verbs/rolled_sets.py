"""Dice for ability ranks: rolled by the server, once for each player or for the whole table, and given to
characters."""

from random import Random

from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, Member, RolledSet, Seat
from campaigns.new_characters import Terms, terms_of
from campaigns.roles import PLAY, RUN, SEE, TAKE_PART
from characters.access import playable_by
from characters.actions.action_context import CHANCE
from characters.change.journal import Part, perform_all
from characters.change.refusals import Refused
from characters.models import Change, Character
from characters.people import Person
from characters.read.party import versions_of
from characters.verbs.abilities import dealing
from rules.games.contract import EACH, SHARED


def roll(pk: int, person: Person, *, chance: Random = CHANCE) -> RolledSet:
    """Roll the member's own set, or the table's if all share one. A set that was rolled before is returned instead."""
    with changing(pk, person, SEE) as member:
        terms = terms_of(member.campaign)
        if not terms.rolling_mode:
            raise not_rolled(terms)
        if not member.may(TAKE_PART if terms.shared else PLAY):
            raise Refused("Players roll their own dice.")
        return set_for(member, terms, chance)


def roll_again(pk: int, person: Person, number: int, *, chance: Random = CHANCE) -> RolledSet:
    """Roll a new set in place of this one, as someone who runs the table; characters with its dice get the new ones.

    If it was replaced already, returns the set in use.
    """
    with changing(pk, person, RUN) as granting:
        terms = terms_of(granting.campaign)
        old = row_of(RolledSet.objects.filter(campaign=pk), number)
        if terms.rolling_mode != (EACH if old.member else SHARED):
            raise not_rolled(terms)
        if old.replaced_at is None:
            old.replaced_at, old.replaced_by = timezone.now(), granting
            old.save(update_fields=["replaced_at", "replaced_by"])
        made = set_for(old.member, terms, chance)
        having = _having(granting.campaign, old)
        perform_all([_part(one, made) for one in having], person, "deal_abilities", _key(made))
        return made


def give(pk: int, person: Person, key: str, seat: int) -> Change:
    """Give a character that sits here the dice of its player, or the table's, to assign anew."""
    with changing(pk, person, SEE, key=key) as member:
        seats = member.campaign.seats.filter(character__in=Character.objects.filter(playable_by(person)))
        found = row_of(seats.select_related("character__ruleset", "member"), seat)
        if earlier := Change.objects.filter(character=found.character, key=key, verb="deal_abilities").first():
            return earlier
        terms = terms_of(member.campaign)
        if not terms.rolling_mode or terms.campaign.ruleset != found.character.ruleset:
            raise not_rolled(terms)
        if found.member is None and not terms.shared:
            raise Refused("Someone must play this character first.")
        dice = set_for(found.member, terms)
        return perform_all([_part(found.character, dice)], person, "deal_abilities", key)[found.character_id]


def deal_at_start(player: Member | None, character: Character, terms: Terms, person: Person) -> None:
    """Give a character that begins here the dice of its player, or the table's; in the caller's transaction. A
    character that is prepared for someone gets none unless all share them."""
    if terms.shared or (terms.rolling_mode and player):
        dice = set_for(player, terms)
        perform_all([_part(character, dice)], person, "deal_abilities", _key(dice))


def set_for(player: Member | None, terms: Terms, chance: Random = CHANCE) -> RolledSet:
    """The set of this player, or the table's, rolled now if there is none. The campaign is locked."""
    whose = {"campaign": terms.campaign, "member": None if terms.shared else player}
    in_use = RolledSet.objects.filter(**whose, replaced_at=None).first()
    if in_use is None:
        in_use = RolledSet.objects.create(**whose, dice=[list(one) for one in terms.game.rolling.roll(chance)])
        tell_followers(terms.campaign.pk)
    return in_use


def not_rolled(terms: Terms) -> Refused:
    return Refused(f"This table does not roll {terms.game.creation.NAME.lower()}.")


def _having(campaign: Campaign, dice: RolledSet) -> list[Character]:
    """The characters at this table that have these dice."""
    seats = Seat.objects.filter(campaign=campaign, character__binned_at=None, character__ruleset=campaign.ruleset)
    seats = seats.filter(member=dice.member) if dice.member else seats
    characters = [one.character for one in seats.select_related("character__ruleset")]
    versions = versions_of(characters)
    return [one for one in characters if dice.is_of(versions[one.pk].build)]


def _part(character: Character, dice: RolledSet) -> Part:
    where = f"{dice.member} at {dice.campaign}" if dice.member else f"{dice.campaign}, for all"
    return Part(character.pk, {"set": dice.pk, "whose": where}, dealing(dice.dice, where))


def _key(dice: RolledSet) -> str:
    return f"rolled-set-{dice.pk}"
