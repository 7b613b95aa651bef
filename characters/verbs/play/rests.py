"""Rests and times. Each is shown first by the same code: `preview_rest` tries what `finish_rest` and the others do."""

from dataclasses import replace
from datetime import timedelta

from django.db.models import Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from characters.journal import Refused
from characters.models import Change, standing
from characters.words import clean, whole
from rules.games.outcome import NotAllowed

from .rolls import faces_of
from .table import CHANCE, play, preview

DAY = timedelta(days=1)


def treatments(character):
    """The arguments of those that stand since the rest began that goes on."""
    own = Change.objects.filter(standing(), character=character)
    begun = own.filter(verb__in=("begin_rest", "use"), after__has_key="field:rest").order_by("-sequence")
    since = Coalesce(Subquery(begun.values("sequence")[:1]), 0)
    return own.filter(verb="treat_wounds", sequence__gt=since).values_list("what", flat=True)


def begin_rest(pk, person, key, *, rest="short-rest"):
    """Begin a short rest, or Rally, which is one in the middle of a fight (sections 25.1 and 25.3)."""
    return play(pk, person, key, "begin_rest", lambda t: t.game.begun(t.build, t.sheet, t.resting, rest), rest=rest)


def spend_rest_die(pk, person, key, *, faces=(), chance=CHANCE):
    """Roll one die of healing in a rest, and decide about the next after seeing it (section 25.1)."""
    faces = faces_of(faces)
    return play(
        pk,
        person,
        key,
        "spend_rest_die",
        lambda t: t.game.die_spent(t.build, t.sheet, t.resting, chance, faces),
        faces=faces,
    )


def treat_wounds(pk, person, key, *, medic=None, by=""):
    """One carer treats wounds in a rest, once (ruling 80). `medic` says whether the carer is one; None is the
    character's own care.
    """
    by = clean(by, limit=80, field="by")

    def happen(table):
        skilled = table.game.is_medic(*table.rules) if medic is None else bool(medic)
        carers = [what["by"].casefold() for what in treatments(table.draft.character)]
        how = {"treatments": len(carers), "medic": skilled, "by": by}
        outcome = table.game.treated(table.build, table.sheet, table.resting, table.rest_dice, **how)
        if by.casefold() in carers:
            who, instead = (by, "each carer does so once") if by else ("The character", "name somebody else")
            raise NotAllowed(f"{who} has treated wounds in this rest already: {instead}.", "by")
        return outcome

    return play(pk, person, key, "treat_wounds", happen, medic=medic, by=by)


def finish_rest(pk, person, key):
    """The begun rest ends: features return, and what lasts until a rest is over."""
    return play(pk, person, key, "finish_rest", finishing)


def long_rest(pk, person, key, *, strenuous_minutes=0, day_passed=False):
    """Eight hours, once in a day (section 25.2). An hour of exertion in all starts it over (ruling 23).

    `day_passed` answers what a second one within a day of the clock on the wall is asked: only the table knows the time
    of its story.
    """
    whole(strenuous_minutes, least=0, most=10_000, field="strenuous_minutes")

    def happen(table):
        outcome = sleeping(table, strenuous_minutes)
        if not day_passed and slept_lately(table.draft.character):
            raise NotAllowed(
                "There was a long rest less than a day ago. Say that a day has passed since.", "day_passed"
            )
        return outcome

    what = {"strenuous_minutes": strenuous_minutes, "day_passed": bool(day_passed)}
    return play(pk, person, key, "long_rest", happen, **what)


def slept_lately(character) -> bool:
    """Whether a long rest stands that was taken within a day of the clock on the wall, and no downtime since."""
    own = Change.objects.filter(standing(), character=character, at__gt=timezone.now() - DAY)
    last = own.filter(verb__in=("long_rest", "spend_downtime")).order_by("-sequence").values_list("verb", flat=True)
    return last.first() == "long_rest"


def end_adventure(pk, person, key):
    """The adventure is over: all Resolve, and Resources that were lowered (sections 17 and 23.3)."""
    return play(pk, person, key, "end_adventure", lambda t: t.game.brought_back(*t.rules, "adventure"))


def preview_rest(character, version, event):
    """What an event would change, by the verbs' own code: a short rest or Rally from beginning to end, the end of the
    rest that has begun, a long rest, the end of the adventure."""
    tries = {
        "short-rest": lambda t: t.game.foreseen(*t.rules, t.resting, "short-rest"),
        "rally": lambda t: t.game.foreseen(*t.rules, t.resting, "rally"),
        "finish": finishing,
        "long_rest": lambda t: sleeping(t, 0),
        "adventure": lambda t: t.game.brought_back(*t.rules, "adventure"),
    }
    if event not in tries:
        raise Refused("There is no such rest.", "event")
    return preview(character, version, tries[event])


def finishing(table):
    return table.game.finished(*table.rules, table.resting, table.rest_dice)


def sleeping(table, strenuous_minutes):
    """A long rest; a short one that had begun is over with it."""
    outcome = table.game.rested_long(*table.rules, strenuous_minutes=strenuous_minutes)
    return replace(outcome, rest="", rest_dice=-table.rest_dice)
