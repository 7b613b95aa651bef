"""A roll before it is made: pool, modifiers and exact chance, by the key that the sheet's buttons carry."""

from characters.journal import Refused
from rules.games.outcome import NotAllowed

from .history import before_asked

A_PAGE = 25


def ready_for(live, key: str, ability: str, asked):
    """The roll as it would be made; None for a key the sheet does not have. Raises Refused as the verb would."""
    shown = live.shown
    play = shown.bundle.game.play
    rules = shown.bundle, shown.build
    try:
        kind, _, rest = key.partition(".")
        item, _, grip = rest.rpartition(".")
        if kind == "attack":
            return play.attack_ready(*rules, play.attack_of(shown.sheet, item, grip), asked)
        if kind == "damage":
            return play.damage_ready(*rules, play.striking(shown.sheet, item, grip), asked)
        if kind == "cast":
            return play.cast_ready(*rules, shown.sheet, rest, asked)
        if key == "death-save":
            return play.death_save_ready(*rules, shown.sheet, asked)
        if key not in shown.sheet.rolls and kind not in ("skill", "knowledge", "tool"):
            return None
        return play.check_ready(*rules, play.roll_of(*rules, shown.sheet, key, ability), asked)
    except NotAllowed as no:
        raise Refused(no.sentence, no.field) from no


def rolls_of(request, live) -> dict:
    before = before_asked(request)
    found = live.rolls(A_PAGE + 1, before)
    return {
        "rolls": found[:A_PAGE],
        "earlier": found[A_PAGE - 1].first.pk if len(found) > A_PAGE else None,
        "before": before,
    }
