"""Rests, the end of an adventure, downtime, and marks in the history with what is taken back there."""

from characters.arguments import fingerprint_of
from characters.journal import Refused
from characters.play.fields import MOST_TEXT, downtime_asked, faces, maybe, number, row, tick, word
from characters.verbs import play

from .registry import action


@action("rest", "rest", rest=word(60))
def begin_rest(pk, person, key, *, rest):
    return play.begin_rest(pk, person, key, rest=rest)


@action("rest", faces=faces())
def rest_die(pk, person, key, *, faces):
    return play.spend_rest_die(pk, person, key, faces=faces)


@action("rest", medic=maybe(5), by=maybe(500))
def treat_wounds(pk, person, key, *, medic, by):
    return play.treat_wounds(pk, person, key, medic={"yes": True, "no": False}.get(medic), by=by)


@action("rest")
def finish_rest(pk, person, key):
    return play.finish_rest(pk, person, key)


@action("rest", strenuous_minutes=number(least=0), day_passed=tick())
def long_rest(pk, person, key, *, strenuous_minutes, day_passed):
    return play.long_rest(pk, person, key, strenuous_minutes=strenuous_minutes or 0, day_passed=day_passed)


@action("rest")
def end_adventure(pk, person, key):
    return play.end_adventure(pk, person, key)


@action(
    "rest",
    days=number(required=True),
    activity=maybe(500),
    notes=maybe(MOST_TEXT),
    outcome=maybe(MOST_TEXT),
    restore=tick(),
    ranks=number(),
    points=number(),
    learn=maybe(),
    shown=maybe(64),
)
def downtime(pk, person, key, *, shown, **asked):
    """`shown` tells for what of these fields the page has said what it would change."""
    if shown and shown != fingerprint_of(**asked):
        raise Refused("This is not what was looked at. Look at what it changes first.")
    return play.spend_downtime(pk, person, key, **downtime_asked(asked))


# History.


@action("tray", "change", change=row())
def undo(pk, person, key, *, change):
    return play.undo(pk, person, key, change)


@action("history", name=word(MOST_TEXT))
def mark(pk, person, key, *, name):
    return play.mark(pk, person, key, name=name)
