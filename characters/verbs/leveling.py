"""Levels taken, changed and undone: one pick with everything it asks, in one change."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, Unpack

from characters.actions.form_values import whole
from characters.change import fact_address
from characters.change.draft import Draft
from characters.change.refusals import Refused, StalePage
from characters.change.text_input import clean, one_level, who
from characters.models import Change
from characters.people import Person
from rules.engine import Bundle, options_for
from rules.engine.levels import LevelAnswer, LevelQuestion, Tried, next_level, superseded, taken, tried
from rules.games.outcome import listed

from .building import rebuild
from .choose import decide, named


class Pick(TypedDict):
    """The pick that a level is spent on, as a form sends it.

    take: the key of a choice that a level can be spent on. answers: targets by choice, for the questions. override: the
    reason for an exception to a requirement.
    """

    take: str
    targets: Sequence[str]
    answers: NotRequired[Mapping[str, Sequence[str]]]
    override: NotRequired[str]


def seen(bundle: Bundle, version: int) -> str:
    """The state that a page was drawn from: the rules' revisions and the character's version."""
    return ",".join(f"{slug}.{revision}" for slug, revision in bundle.revision) + f":{version}"


def check_seen(draft: Draft, saw: str, bundle: Bundle | None = None) -> None:
    """Raise StalePage if the state that the page `saw` is not the present one. `bundle`: the rules bundle that the page
    showed, if it is not the draft's."""
    now = seen(bundle or draft.bundle, draft.character.version)
    if saw == now:
        return
    if saw.rpartition(":")[0] != now.rpartition(":")[0]:
        raise StalePage("The rules have changed since you opened this page. This is what it would do now.")
    last = draft.character.changes.first()
    raise StalePage(
        f"{who(draft)} has changed since you opened this page: “{last.sentence}” "
        "Nothing was changed; this is how it is now."
    )


def level_up(pk: int, person: Person, key: str, *, level: int, saw: str, **pick: Unpack[Pick]) -> Change:
    """Spend the next open level on one pick, with the answers to all its questions.

    saw: `seen` of the page; raises StalePage if that is no longer so.
    """
    pick = bounded(level, pick)

    def act(draft: Draft) -> str:
        check_seen(draft, saw)
        check_order(draft, level, next_level(draft.bundle, draft.build))
        return spend(draft, level, pick)

    return rebuild(pk, person, "level_up", key, {"level": level, "saw": saw, **pick}, act)


def change_level(pk: int, person: Person, key: str, *, level: int, saw: str, **pick: Unpack[Pick]) -> Change:
    """Spend a level that is taken on something else. Later choices stay, even if they no longer fit."""
    pick = bounded(level, pick)

    def act(draft: Draft) -> str:
        bundle = draft.bundle
        check_seen(draft, saw)
        if level not in taken(bundle, draft.build.decisions):
            raise Refused(f"{one_level(draft, level).capitalize()} is not taken yet.", "level")
        sentence = spend(draft, level, pick, changed=True)
        draft.check_moved("level")
        lost = len(draft.sheet.problems)
        return sentence + (f" {lost} thing{'s' * (lost != 1)} no longer fit{'s' * (lost == 1)}." if lost else "")

    return rebuild(pk, person, "change_level", key, {"level": level, "saw": saw, **pick}, act)


def take_back_level(pk: int, person: Person, key: str, *, level: int) -> Change:
    """Undo the last level, with all that was chosen at it. `level` says which one is meant."""

    def act(draft: Draft) -> str:
        bundle, name = draft.bundle, draft.bundle.game.levels.NAME
        last = max(taken(bundle, draft.build.decisions), default=0)
        if not last:
            raise Refused(f"No {name} is taken yet.", "level")
        if level != last:
            raise Refused(f"The last {name} is {last}. Undo the last {name} first.", "level")
        gone = []
        for address, made in draft.all_of("choice").items():
            if fact_address.choice_parts(address)[1] == last:
                gone += named(bundle, made)
                draft.put(address, None)
        return f"{who(draft)} undoes {name} {last}: {listed(gone)}."

    return rebuild(pk, person, "take_back_level", key, {"level": level}, act)


def drop_answer(pk: int, person: Person, key: str, *, choice: str, level: int) -> Change:
    """Remove one answer above level 1 that is no pick; answers that depend on it stay, as problems."""

    def act(draft: Draft) -> str:
        bundle = draft.bundle
        made = draft.read(fact_address.choice(choice, level))
        if not made or choice in bundle.way_keys:
            raise Refused("Nothing like that is chosen there.", "choice")
        draft.put(fact_address.choice(choice, level), None)
        return f"{who(draft)} undoes {listed(named(bundle, made))} at {one_level(draft, level)}."

    return rebuild(pk, person, "drop_answer", key, {"choice": choice, "level": level}, act)


# Helpers of the verbs that spend a level, here and in `plan.py`.


def bounded(level: int, pick: Pick) -> Pick:
    """The pick with every field, as plain and bounded data."""
    whole(level, least=2, most=10_000, field="level")
    return {
        "take": pick["take"],
        "targets": [clean(target, limit=120, field="targets", empty="Choose something.") for target in pick["targets"]],
        "answers": {
            choice: [clean(one, limit=120, field=choice, empty="Choose something.") for one in chosen]
            for choice, chosen in pick.get("answers", {}).items()
        },
        "override": clean(pick.get("override", ""), limit=200, field="override"),
    }


def check_order(draft: Draft, level: int, following: int) -> None:
    """Raise Refused if the level is taken, or comes after the following one: levels are taken and planned in order."""
    if level in taken(draft.bundle, draft.build.decisions):
        raise Refused(f"{one_level(draft, level).capitalize()} is taken already.", "level")
    if level > following:
        raise Refused(f"{one_level(draft, following).capitalize()} comes first.", "level")


def spend(draft: Draft, level: int, pick: Pick, *, changed: bool = False) -> str:
    """Put one level's pick and its answers into the draft; returns the sentence for the history. Raises Refused if it
    is not allowed. pick: from `bounded` or `plan_of`; changed: the level had another."""
    bundle = draft.bundle
    take, targets, answers = pick["take"], pick["targets"], pick["answers"]
    way = next((way for way in bundle.ways if way.key == take), None)
    if way is None:
        raise Refused(f"A {bundle.game.levels.NAME} cannot give you that.", "take")
    if way.mode == "spread" and len(targets) < way.count:
        raise Refused(f"Spend all {way.count} points.", "targets")
    found = tried(bundle, draft.build, draft.sheet, LevelAnswer(take, level, tuple(targets)), answers)
    verb = "now takes" if changed else "takes"
    sentence = decide(draft, take, level, targets, pick["override"], keep=changed, verb=verb)
    questions = {one.choice.key: one for one in found.asked}
    more = []
    for answer in found.answers:
        more += answer_one(draft, questions[answer.choice], list(answer.targets))
    used = {answer.choice for answer in found.answers}
    if stray := [key for key, chosen in answers.items() if chosen and key not in used]:
        raise Refused("This character does not have to choose that now.", stray[0])
    for one in found.asked:
        may_wait = one.swap or (changed and one.level != level)
        if not may_wait and one.choice.key not in used and can_answer(bundle, found, one):
            raise Refused(f"{one.choice.prompt}.", one.choice.key)
    return f"{sentence.removesuffix('.')}, with {listed(more)}." if more else sentence


def answer_one(draft: Draft, one: LevelQuestion, chosen: list[str]) -> list[str]:
    """Answer one question of a pick in full. Returns the names of the chosen things."""
    if one.swap and set(chosen) & set(one.now):
        raise Refused("You know that one already. Choose another, or keep what you have.", one.choice.key)
    if len(chosen) < one.needs:
        raise Refused(f"{one.choice.prompt}: {one.needs} are needed.", one.choice.key)
    for address in draft.all_of("choice"):
        if superseded(one, fact_address.choice_parts(address)[0]):
            draft.put(address, None)
    try:
        decide(draft, one.choice.key, one.level, chosen, keep=True)
    except Refused as refused:
        raise Refused(refused.sentence, one.choice.key) from refused
    return named(draft.bundle, draft.read(fact_address.choice(one.choice.key, one.level)))


def can_answer(bundle: Bundle, found: Tried, one: LevelQuestion) -> bool:
    """True if a question can be answered at all: it takes the player's own words, or one of its options can be
    taken."""
    options = options_for(bundle, found.build, found.sheet, one.choice.key, one.level)
    again = superseded(one, one.choice.key)  # an answer that no longer counts may be chosen again
    return one.choice.write_in or any(not option.why_not and (again or not option.taken) for option in options)
