"""Creatures in an encounter: hits, healing and rolls."""

from random import Random

from django.db.models import F
from django.http import Http404
from django.utils import timezone

from campaigns.campaign_access import row_of
from campaigns.models import Combatant, CreatureRoll, Encounter, Hit
from campaigns.order import names_of, order_of
from campaigns.scene import heal_word, hit_word
from campaigns.verbs.turn_order import among, at_encounter, made_by
from characters.actions.action_context import CHANCE
from characters.change.arguments import fingerprint_of
from characters.change.refusals import Refused
from characters.people import Person
from rules.games.contract import Game
from rules.games.dice_text import read_rolls


def hit(pk: int, person: Person, key: str, combatant: int, *, amount: int, heal: bool) -> str:
    """A creature loses this much or, with `heal`, regains it, within its bounds. Returns the sentence that says so."""
    with at_encounter(pk, person, key=key) as (member, encounter):
        found = _creature(encounter, combatant)
        fingerprint = fingerprint_of(amount=amount, heal=heal)
        if earlier := made_by(found.hits, key, fingerprint):
            return _told(encounter, earlier)
        moved = -min(amount, found.lost) if heal else min(amount, found.left)
        if not moved:
            name = names_of(order_of(encounter), hidden=True)[found.pk]
            raise Refused(f"{name} has lost nothing." if heal else f"{name} has nothing left to lose.")
        made = found.hits.create(key=key, fingerprint=fingerprint, amount=moved, by=member)
        encounter.combatants.filter(pk=found.pk).update(lost=F("lost") + moved)
        return _told(encounter, made)


def _told(encounter: Encounter, hit: Hit) -> str:
    return in_words(hit, encounter.campaign.game, names_of(order_of(encounter), hidden=True)[hit.combatant_id])


def in_words(hit: Hit, game: Game, name: str) -> str:
    """The hit, worded like an act on characters: `Damage 5: Wolf 2.`"""
    return f"{heal_word(game) if hit.amount < 0 else hit_word(game)} {abs(hit.amount)}: {name}."


def newest_hit(encounter: Encounter) -> Hit | None:
    """The hit that may be undone."""
    return Hit.objects.filter(combatant__encounter=encounter, undone_at=None).first()


def undo_hit(pk: int, person: Person, hit: int) -> str:
    """Undo the newest hit. Returns the sentence that says so. Repeating it changes nothing."""
    with at_encounter(pk, person) as (_, encounter):
        found = row_of(Hit.objects.filter(combatant__encounter=encounter), hit)
        if found.undone_at is None:
            if found != newest_hit(encounter):
                raise Refused("There has been another hit since. Undo that first.")
            Hit.objects.filter(pk=found.pk).update(undone_at=timezone.now())
            encounter.combatants.filter(pk=found.combatant_id).update(lost=F("lost") - found.amount)
        return f"Undone: {_told(encounter, found)}"


def roll(
    pk: int, person: Person, key: str, combatant: int, *, which: int, secret: bool, chance: Random = CHANCE
) -> CreatureRoll:
    """One of a creature's rolls, by its number in the list. A hidden creature's roll is always secret."""
    with at_encounter(pk, person, key=key) as (member, encounter):
        found = _creature(encounter, combatant)
        fingerprint = fingerprint_of(which=which, secret=secret)
        if earlier := made_by(found.rolls, key, fingerprint):
            return earlier
        rules = member.campaign.game.encounter
        rolls = read_rolls(found.creature.rolls, rules.DIE, rules.EXAMPLE)
        if not 0 <= which < len(rolls):
            raise Http404("No such roll.")
        name, written, dice = rolls[which]
        faces = dice.thrown(chance)
        return found.rolls.create(
            key=key,
            fingerprint=fingerprint,
            name=name,
            dice=written,
            faces=faces,
            total=sum(faces) + dice.modifier,
            critical=rules.is_critical(faces, dice.die),
            secret=secret or found.hidden,
            by=member,
        )


def _creature(encounter: Encounter, combatant: int) -> Combatant:
    found = among(order_of(encounter), combatant)
    if found.creature is None:
        raise Refused("For a character, use its own sheet.")
    return found
