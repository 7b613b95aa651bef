"""Spending and regaining points of resolve (section 23)."""

from dataclasses import replace

from django.db.models import Q

from characters import addresses
from characters.journal import Refused
from characters.models import standing
from characters.rolls import chain, newest, rolled_of
from characters.words import clean, whole
from rules.games.outcome import NotAllowed

from .rolls import faces_of, invoked
from .table import CHANCE, play

# What has a round begin: a turn, an initiative roll, and what takes far longer than one.
TIMES = ("next_round", "finish_rest", "long_rest", "end_adventure", "spend_downtime")
ROUND_BEGINS = Q(verb__in=TIMES) | Q(rolls__key="initiative")


def extra_die(pk, person, key, *, roll, aspect="", faces=(), chance=CHANCE):
    """One more die on a roll that has been made (section 23.2). `aspect` is the address of the one invoked, if any."""
    faces = faces_of(faces)

    def happen(table):
        records = found(table, roll, aspect)
        outcome = table.game.with_die(*table.rules, rolled_of(records[-1]), chance, faces)
        return with_death_save(table, records, outcome)

    return play(pk, person, key, "extra_die", happen, roll=roll, aspect=aspect, faces=faces)


def nudge(pk, person, key, *, roll=None, up=True, aspect="", whose=""):
    """A total moved by 2, up or down: a roll of this log, or somebody else's in words (ruling 104)."""
    whose = clean(whose, limit=120, field="whose")

    def happen(table):
        if roll is None:
            return table.game.nudge_elsewhere(table.build, table.sheet, whose, up=bool(up))
        records = found(table, roll, aspect)
        outcome = table.game.with_nudge(*table.rules, rolled_of(records[-1]), up=bool(up))
        return with_death_save(table, records, outcome, passed=False)

    return play(pk, person, key, "nudge", happen, roll=roll, up=bool(up), aspect=aspect, whose=whose)


def turn_critical(pk, person, key, *, roll=None):
    """Two points: a hit becomes critical, or without a roll an enemy's critical a plain hit (section 23.2)."""

    def happen(table):
        rolled = rolled_of(found(table, roll)[-1]) if roll is not None else None
        return table.game.turned_critical(*table.rules, rolled)

    return play(pk, person, key, "turn_critical", happen, roll=roll)


def cheat_death(pk, person, key):
    """The death save that was just failed becomes two successes (section 23.2)."""

    def happen(table):
        records = newest(table.draft.character, "death")
        if not may_be_turned(table.draft.character, table.game, table.build, records):
            raise NotAllowed("There is no failed death saving throw to turn.")
        spends = table.game.paid(table.sheet)
        outcome = table.game.cheated(table.build, table.sheet, counted_by(table.game, records, table.game.FAILURES))
        table.draft.follows = records
        turned = replace(rolled_of(records[-1]), success=True, turned_by="Resolve")
        return replace(outcome, spends={**outcome.spends, **spends}, rolls=(turned,))

    return play(pk, person, key, "cheat_death", happen)


def extra_turn(pk, person, key):
    """A whole turn at once (ruling 40)."""

    def happen(table):
        taken = 0
        if table.game.most_extra_turns(table.bundle, table.build) is not None:
            changes = table.draft.character.changes
            rounds = changes.filter(standing(), ROUND_BEGINS).order_by("-sequence")
            began = rounds.values_list("sequence", flat=True).first() or 0
            taken = changes.filter(standing(), verb="extra_turn", sequence__gt=began).count()
        return table.game.extra_turn(*table.rules, taken)

    return play(pk, person, key, "extra_turn", happen)


def declare(pk, person, key, *, aspect, detail="", roll=None):
    """A detail of the story by one of the character's aspects or relationships, once the storyteller has agreed."""
    detail = clean(detail, limit=160, field="detail")

    def happen(table):
        if roll is None:
            text = invoked(table, aspect)
            return table.game.declared(table.build, table.sheet, text, detail)
        records = found(table, roll, aspect)
        outcome = table.game.declared(table.build, table.sheet, invoked(table, aspect), detail)
        return replace(outcome, rolls=(rolled_of(records[-1]),))

    return play(pk, person, key, "declare", happen, aspect=aspect, detail=detail, roll=roll)


def compel(pk, person, key, *, aspect, accept, by_player=False):
    """An aspect is turned against its owner, who accepts or pays to refuse (section 23.4)."""
    aspect = clean(aspect, limit=300, field="aspect", empty="Say which aspect it is.")

    def happen(table):
        how = {"accept": bool(accept), "by_player": bool(by_player)}
        return table.game.compelled(*table.rules, told(table, aspect), **how)

    what = {"aspect": aspect, "accept": bool(accept), "by_player": bool(by_player)}
    return play(pk, person, key, "compel", happen, **what)


def regain(pk, person, key, *, points=1, reason=""):
    """Points given by the storyteller, never above the maximum (section 23.3, ruling 41)."""
    whole(points, least=1, most=1_000, field="points")
    reason = clean(reason, limit=160, field="reason")

    return play(
        pk,
        person,
        key,
        "regain",
        lambda t: t.game.regained(t.build, t.sheet, points, reason),
        points=points,
        reason=reason,
    )


def found(table, root, aspect="") -> list:
    """The roll and what was added to it; what comes next follows it. An aspect serves a roll once (section 23.2)."""
    if isinstance(root, bool) or not isinstance(root, int):
        raise Refused("There is no such roll.", "roll")
    records = chain(table.draft.character, root)
    if not records or records[0].pk != root or records[0].follows_id:
        raise Refused("There is no such roll.", "roll")
    if aspect:
        invoked(table, aspect)
        if any(record.aspect == aspect for record in records):
            raise NotAllowed("That aspect has served this roll already.", "aspect")
    table.draft.follows, table.aspect = records, aspect
    return records


def told(table, aspect) -> str:
    """An aspect by its address or, for a disposition or another, in words."""
    return invoked(table, aspect) if aspect.startswith(("aspect:", "relationship:")) else aspect


def may_be_turned(character, game, build, records) -> bool:
    """Whether a death save is a failure that nobody has turned yet, and still decides."""
    return decides(character, game, build, records) and records[-1].success is False


def decides(character, game, build, records) -> bool:
    """Whether a death save is still what the character's life hangs on: whoever was healed, struck or saved since is
    past it, and so is whoever a critical, resolve or a feature has helped."""
    if not records or records[-1].critical or records[-1].turned_by:
        return False
    failed, saved = (counted_by(game, records, slug) for slug in (game.FAILURES, game.SAVES))
    # What had led there is undone.
    if build.spent.get(game.FAILURES, 0) < failed or build.spent.get(game.SAVES, 0) < saved or not game.is_down(build):
        return False
    changes = [record.change for record in records]
    made = next((one.sequence for one in reversed(changes) if moves_life(game, one)), 0)
    if made == character.version:
        return True
    facts = facts_of_life(game)
    since = character.changes.filter(standing(), inverts=None, sequence__gt=made, after__has_any_keys=facts)
    return not since.exists()


def facts_of_life(game) -> list[str]:
    """The addresses of what a death save moves."""
    counts = [f"spent:{slug}" for slug in (game.SAVES, game.FAILURES)]
    return [*counts, *(addresses.condition(ref) for ref in game.STATES)]


def moves_life(game, change) -> bool:
    return not change.after.keys().isdisjoint(facts_of_life(game))


def counted_by(game, records, slug) -> int:
    """How many failures or successes this death save stands for now, by what its changes moved. Less than none where it
    ended the counting."""
    address = f"spent:{slug}"
    return sum(r.change.after.get(address, 0) - r.change.before.get(address, 0) for r in records)


def with_death_save(table, records, outcome, *, passed=True):
    """A death save that turns out otherwise does to the body what it does now. `passed`: one that was passed may still
    become better."""
    if records[0].kind != "death":
        return outcome
    asked = decides if passed else may_be_turned
    if not asked(table.draft.character, table.game, table.build, records):
        raise NotAllowed("That death save needs no more help.", "roll")
    failed, saved = (counted_by(table.game, records, slug) for slug in (table.game.FAILURES, table.game.SAVES))
    body = table.game.revised(table.build, table.sheet, outcome.rolls[0], failed=failed, saved=saved)
    return replace(body, sentence=outcome.sentence, spends={**body.spends, **outcome.spends}, rolls=outcome.rolls)
