"""Damage, wounds, dying, healing and rests as plain procedures.

Sections 25 and 28, rulings 4, 5, 19, 20, 23, 37, 62, 80 to 83 and 92.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

DEADLY_WOUNDS = 10
SAVES_TO_END = 3


@dataclass(frozen=True, slots=True)
class Body:
    """A character's health, wounds and death saves. At health 0 it is dying unless stable or dead. saves, failures: of
    death saving throws."""

    health: int
    maximum: int
    wounds: int = 0
    saves: int = 0
    failures: int = 0
    stable: bool = False
    dead: bool = False

    @property
    def dying(self) -> bool:
        return self.health == 0 and not self.stable and not self.dead


def resisted(damage: int, *, resist: bool = False, immune: bool = False, vulnerable: bool = False) -> int:
    """Damage after resistance (half, rounded down), immunity (none) and vulnerability (double), once each. Ruling
    83."""
    if immune:
        return 0
    if resist:
        damage //= 2
    return damage * 2 if vulnerable else damage


def wounds_from(damage: int, threshold: int, *, firearm: bool = False, critical: bool = False) -> int:
    """Wounds from one hit, 0 or 1: one at or over the threshold (0 turns that off); from a firearm, one for any damage,
    or for a critical even without damage (rulings 20 and 62)."""
    if firearm and (damage >= 1 or critical):
        return 1
    return int(threshold > 0 and damage >= threshold)


def hurt(
    body: Body,
    damage: int,
    threshold: int,
    *,
    firearm: bool = False,
    critical: bool = False,
    massive: bool = True,
) -> Body:
    """The body after one hit of `damage`, resistance already counted (section 28, ruling 81).

    At 0 health, a hit is one failed death save, and a critical is two. If `massive`, damage kills if the part of it
    beyond the health left reaches the maximum. The tenth wound kills.
    """
    if body.dead:
        return body
    wounds = min(DEADLY_WOUNDS, body.wounds + wounds_from(damage, threshold, firearm=firearm, critical=critical))
    after = replace(body, wounds=wounds)
    if body.health == 0:
        if damage > 0:
            after = _hit_while_down(after, damage, critical=critical, massive=massive)
    else:
        left_over = max(0, damage - body.health)
        after = replace(after, health=max(0, body.health - damage))
        if massive and after.health == 0 and left_over >= body.maximum:
            after = replace(after, dead=True)
    return replace(after, dead=True) if after.wounds >= DEADLY_WOUNDS else after


def _hit_while_down(body: Body, damage: int, *, critical: bool, massive: bool) -> Body:
    failures = body.failures + (2 if critical else 1)
    dead = failures >= SAVES_TO_END or (massive and damage >= body.maximum)
    return replace(body, stable=False, failures=min(SAVES_TO_END, failures), dead=dead)


def healing(amount: int, wounds: int) -> int:
    """Healing received: halved while wounded, rounded down, but at least 1 if any was due. Ruling 80."""
    if amount <= 0:
        return 0
    return max(1, amount // 2) if wounds else amount


def stamina_heals(face: int, vitality: int, wounds: int) -> int:
    """Health from one Stamina Die: the face plus the Vitality modifier, at least 1; then halved while wounded."""
    return healing(max(1, face + vitality), wounds)


def heal(body: Body, amount: int) -> Body:
    """The body after healing. Any health wakes it and clears the death saves (ruling 81). The dead stay dead."""
    if body.dead or amount <= 0:
        return body
    health = min(body.maximum, body.health + healing(amount, body.wounds))
    return replace(body, health=health, saves=0, failures=0, stable=False)


def succeed(body: Body, count: int) -> Body:
    """The body after `count` passed death saves; three make it stable. Resolve turns a failure into two of these
    (section 23.2)."""
    saves = min(SAVES_TO_END, body.saves + count)
    return replace(body, saves=saves, stable=saves >= SAVES_TO_END)


def fail(body: Body, count: int) -> Body:
    """The body after `count` failed death saves; three kill."""
    failures = min(SAVES_TO_END, body.failures + count)
    return replace(body, failures=failures, dead=failures >= SAVES_TO_END)


def stabilized(body: Body, *, medic: bool = False) -> Body:
    """The body after being stabilized: no more death saves. A Medic with healing tools also restores 1 health."""
    return heal(body, 1) if medic else replace(body, stable=True, saves=0, failures=0)


def damage_of(faces: Sequence[int], modifier: int, least: int) -> int:
    """The damage of a hit: dice and modifier, never below `least` (0, or 1 unarmed). Ruling 37."""
    return max(least, sum(faces) + modifier)


def damage_dice(dice: int, *, critical: bool) -> int:
    """The number of damage dice of a hit, doubled by a critical. Flat modifiers count once (ruling 4)."""
    return dice * 2 if critical else dice


def fall(feet: int) -> int:
    """The number of six-sided damage dice of a fall: one for each 10 ft, at most 20 (ruling 92)."""
    return min(20, feet // 10)


def wounds_treated(wounds: int, dice_spent: int, *, medic: bool = False) -> int:
    """Wounds that one helper treats in a short rest: 1, or for a Medic with healing tools the number of Stamina Dice
    that the patient spent, if that is more (ruling 80)."""
    return min(wounds, max(1, dice_spent) if medic else 1)


def interrupted(minutes: int) -> bool:
    """True if strenuous activity starts a long rest over: an hour in all (ruling 23)."""
    return minutes >= 60
