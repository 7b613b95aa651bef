"""Levels to come: planned, planned again, removed from the plan, and taken as planned."""

from typing import Unpack

from characters.change import fact_address
from characters.change.draft import Draft
from characters.change.journal import perform
from characters.change.refusals import Refused
from characters.change.text_input import one_level, who
from characters.models import Change
from characters.people import Person
from characters.read.versions import version_of
from rules.engine.levels import next_level, next_to_plan, taken

from .building import rebuild
from .choose import target_of
from .leveling import Pick, bounded, check_order, check_seen, spend


def plan_level(pk: int, person: Person, key: str, *, level: int, saw: str, **pick: Unpack[Pick]) -> Change:
    """Plan the pick of a level to come. It is checked as if the level were taken, and nothing else changes."""
    pick = bounded(level, pick)

    def act(draft: Draft) -> str:
        check_seen(draft, saw)
        check_order(draft, level, next_to_plan(draft.bundle, draft.build))
        ahead = as_planned(draft, level)
        sentence = spend(ahead, level, pick)
        forget(draft, level)
        for address, made in ahead.all_of("choice").items():
            choice, at = fact_address.choice_parts(address)
            if at == level:
                draft.put(fact_address.plan(choice, at), made)
        return f"Planned: {sentence}"

    return perform(pk, person, "plan_level", key, {"level": level, "saw": saw, **pick}, act)


def forget_plan(pk: int, person: Person, key: str, *, level: int | None = None) -> Change:
    """Remove a level from the plan; without a level, the whole plan."""

    def act(draft: Draft) -> str:
        levels = {at for address in draft.all_of("plan") for at in [fact_address.choice_parts(address)[1]]}
        gone = levels & {level} if level is not None else levels
        if not gone:
            raise Refused("Nothing is planned there.", "level")
        for at in gone:
            forget(draft, at)
        if level is None:
            return f"{who(draft)} drops the plan."
        return f"{who(draft)} has no plan for {one_level(draft, level)} any more."

    return perform(pk, person, "forget_plan", key, {"level": level}, act)


def take_planned(pk: int, person: Person, key: str, *, level: int, saw: str) -> Change:
    """Take the next level as it is planned. The plan is kept, and shows again if the level is undone."""

    def act(draft: Draft) -> str:
        check_seen(draft, saw)
        check_order(draft, level, next_level(draft.bundle, draft.build))
        return spend(draft, level, plan_of(draft, level))

    return rebuild(pk, person, "take_planned", key, {"level": level, "saw": saw}, act)


def plan_of(draft: Draft, level: int) -> Pick:
    """The pick that is planned for a level. Raises Refused if none is."""
    pick: Pick | None = None
    answers: dict[str, list[str]] = {}
    for address, made in draft.all_of("plan").items():
        choice, at = fact_address.choice_parts(address)
        if at != level:
            continue
        targets = [target_of(one) for one in made for _ in range(one.get("points", 1))]
        if choice in draft.bundle.way_keys:
            override = next((one["override"] for one in made if "override" in one), "")
            pick = {"take": choice, "targets": targets, "answers": answers, "override": override}
        else:
            answers[choice] = targets
    if pick is None:
        raise Refused(f"Nothing is planned for {one_level(draft, level)}.", "level")
    return pick


def as_planned(draft: Draft, level: int) -> Draft:
    """A draft to try things on: the character at `level`, with every planned level before it taken."""
    bundle, facts = draft.bundle, dict(draft.facts)
    spent = taken(bundle, draft.build.decisions)
    for address, made in draft.all_of("plan").items():
        choice, at = fact_address.choice_parts(address)
        del facts[address]
        if at < level and at not in spent:
            facts[fact_address.choice(choice, at)] = made
    there = bundle.game.levels.at_level(bundle, draft.build, level)
    facts |= {"field:xp": there.xp, "field:milestone": there.milestone}
    return Draft(draft.character, version_of(draft.character, facts))


def forget(draft: Draft, level: int) -> None:
    for address in draft.all_of("plan"):
        if fact_address.choice_parts(address)[1] == level:
            draft.put(address, None)
