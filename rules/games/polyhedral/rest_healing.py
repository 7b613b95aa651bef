"""The healing of rests (section 25, rulings 19, 80 and 82)."""

from .health import healing


def stamina_heals(face: int, vitality: int, wounds: int = 0) -> int:
    """Health from one Stamina Die: the face plus the Vitality modifier, at least 1; halved while wounded."""
    return healing(max(1, face + vitality), wounds)


def wounds_treated(wounds: int, dice_spent: int, *, medic: bool = False) -> int:
    """Wounds that one helper treats in a short rest: 1, or with a Medic's healing tools as many as the patient spent
    Stamina Dice when that is more (ruling 80)."""
    return min(wounds, max(1, dice_spent) if medic else 1)


def interrupted(minutes: int) -> bool:
    """True if strenuous activity starts a long rest over: an hour of it in all (ruling 23)."""
    return minutes >= 60
