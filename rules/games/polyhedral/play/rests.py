"""Rests, turns, the end of an adventure and downtime (sections 25 and 26, rulings 19, 23, 80, 82, 91 and 98)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from rules.engine.build import Build, Held
from rules.engine.bundle import Bundle
from rules.engine.recover import due, recovered
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, counted, listed, name_of
from rules.games.table_action import (
    FACES,
    RESTS,
    At,
    Number,
    Since,
    TableAction,
    TableLog,
    Text,
    Tick,
    Word,
)

from ..health import Body, heal, healing, interrupted, stamina_heals, wounds_treated
from .body import DYING, HEALTH, STAMINA, TURNS, WOUNDS, becoming, body_of, needs_turn, takes
from .ends import Over, called, ended_by_event, held_as, ticked
from .harm import alive, by_wounds, halved_by_wounds
from .pool import thrown

SHORT, LONG, TURN = "short-rest", "long-rest", "turn"


class RestKind(NamedTuple):
    """A rest that begins, takes time and is finished. name: "" to use that of its event. event: happens when it is
    finished. short: a short rest happens with it. costs: the price of beginning it, by resource. timing, text: of the
    action that begins it."""

    name: str
    event: str
    short: bool
    costs: Mapping[str, int]
    timing: str
    text: str

    @property
    def brief(self) -> bool:
        """True if it takes only part of a turn, so conditions counted in rounds continue."""
        return self.timing in IN_A_FIGHT


IN_A_FIGHT = {*TURNS, "free"}
# Words for beginning the game's own rests, in a sentence.
BEGINS = {SHORT: "begins a short rest", "rally": "rallies"}
NO_REST = "There is no such rest."
THIS_REST = Since(("begin_rest", "use"), rest=True)
MEDIC, HEALING_TOOLS = "talent:medic", "category:healing"


def rests_of(bundle: Bundle, build: Build, sheet: Sheet) -> dict[str, RestKind]:
    """The rests that the character may take, by slug: a short rest, and every action that counts as a rest. So Rally is
    a short rest in the middle of a fight, once per long rest (ruling 82)."""
    kinds = {SHORT: RestKind("", SHORT, True, {}, "", "")}
    for line in sheet.actions:
        action = line.action
        if action.fires:
            costs = {action.resource: action.uses} if action.resource else {}
            short = SHORT in bundle.included[action.fires]
            kind = RestKind(action.name, action.fires, short, costs, action.timing, action.text)
            kinds.setdefault(action.slug, kind)
    return kinds


def may_begin(bundle: Bundle, rest: str) -> bool:
    """True if any character could take a rest with this slug."""
    actions = (action for element in bundle.elements.values() for action in element.actions)
    return rest == SHORT or any(action.fires and action.slug == rest for action in actions)


def begin_rest(at: At, *, rest: str) -> Outcome:
    """Begin a short rest, or a rest that one of the character's actions counts as."""
    build, sheet = at.build, at.sheet
    kind = rests_of(at.bundle, build, sheet).get(rest)
    if kind is None:
        raise NotAllowed(NO_REST, "rest")
    if build.rest:
        raise NotAllowed("A rest has begun already. Finish it first.")
    resting_body(build, sheet)
    for slug, amount in kind.costs.items():
        if slug not in sheet.resources or sheet.resources[slug].left < amount:
            raise NotAllowed(f"{kind.name} is spent{until_back(at.bundle, sheet, slug)}.")
    needs_turn(sheet, kind.timing)
    begins = BEGINS.get(rest, f"begins a rest, {kind.name}")
    return Outcome(f"{name_of(build)} {begins}.", {**kind.costs, **takes(sheet, kind.timing)}, rest=rest)


def until_back(bundle: Bundle, sheet: Sheet, slug: str) -> str:
    """The first event that brings the resource back, to end a sentence with; "" for none."""
    line = sheet.resources.get(slug)
    return f" until the next {bundle.events[line.recovers[0]].name.lower()}" if line and line.recovers else ""


def whole_rest(at: At, rest: str) -> Outcome:
    """The changes of a whole rest without Stamina Dice or treated wounds. Raises NotAllowed as `begin_rest` does."""
    costs = begin_rest(at, rest=rest).spends
    over = over_with(at, rest)
    return replace(over, spends={**over.spends, **costs})


def spend_rest_die(at: At, *, faces: tuple[int, ...]) -> Outcome:
    """Spend one Stamina Die in a rest: D6 + Vitality modifier, at least 1, halved while wounded (section 25.1)."""
    build, sheet = at.build, at.sheet
    needs_short_rest(at)
    body = resting_body(build, sheet)
    line = sheet.resources.get(STAMINA)
    if line is None or not line.left:
        raise NotAllowed("There are no Stamina Dice left.")
    (face,) = thrown(at.chance, 1, line.die, faces)
    vitality = sheet.value("modifier.vitality")
    rolled_up, healed = max(1, face + vitality), stamina_heals(face, vitality, body.wounds)
    health = min(body.maximum, body.health + healed)
    after = replace(heal(body, 1), health=health) if body.health == 0 else replace(body, health=health)
    rolled = Rolled(
        "heal", STAMINA, line.name, (face,), healed, die=line.die, by_hand=bool(faces),
        modifiers=((("Vitality", vitality),) if vitality else ()) + by_wounds(rolled_up, healed),
    )  # fmt: skip
    gained = health - body.health
    halved = halved_by_wounds(rolled_up, healed)
    sentence = f"{name_of(build)} spends a Stamina Die: {face}, and regains {gained} health{halved}."
    outcome = becoming(build, sheet, after, sentence)
    return replace(outcome, spends={**outcome.spends, STAMINA: 1}, rest_dice=1, rolls=(rolled,))


def treat_wounds(at: At, *, medic: bool | None, by: str) -> Outcome:
    """Treat wounds in a rest, once per helper: 1 wound; a Medic treats as many as Stamina Dice were spent (ruling 80).
    In Rally there is time for only one wound (ruling 82).

    medic: whether the helper is a Medic; None if the character is the helper.
    """
    build, sheet = at.build, at.sheet
    kind = needs_short_rest(at)
    body = resting_body(build, sheet)
    helpers = [str(asked["by"]).casefold() for asked in at.log.asked("treat_wounds", THIS_REST)]
    if helpers and kind.brief:
        raise NotAllowed("There is time to treat one wound, and you have treated it.")
    if not body.wounds:
        raise NotAllowed("There are no wounds to treat.")
    if by.casefold() in helpers:
        who, instead = (by, "each helper treats only once") if by else ("The character", "name someone else")
        raise NotAllowed(f"{who} has treated wounds in this rest already: {instead}.", "by")
    skilled = is_medic(at.bundle, build, sheet) if medic is None else medic
    number = wounds_treated(body.wounds, build.rest_dice, medic=skilled)
    after = replace(body, wounds=body.wounds - number)
    helper = f" by {by}" if by else ""
    sentence = f"{name_of(build)} is treated{helper} and loses {counted(number, 'wound')}."
    return becoming(build, sheet, after, sentence)


def is_medic(bundle: Bundle, build: Build, sheet: Sheet) -> bool:
    """True if this character treats wounds as a Medic: it has the talent, and a healing tool that is not used up
    (section 16)."""
    carried = (bundle.elements.get(item.ref) for item in build.items)
    return MEDIC in sheet.active and any(
        element and HEALING_TOOLS in element.groups and not any(none_left(sheet, one.slug) for one in element.resources)
        for element in carried
    )


def none_left(sheet: Sheet, slug: str) -> bool:
    """True if nothing is left of this resource."""
    return slug in sheet.resources and not sheet.resources[slug].left


def finish_rest(at: At) -> Outcome:
    """Finish a rest: features come back, and conditions that last until a rest end. The dying and the dead get nothing,
    and neither does a character that no longer has the action that began the rest."""
    build, sheet = at.build, at.sheet
    needs_rest(build)
    body = body_of(build, sheet)
    if body.dead or body.dying or build.rest not in rests_of(at.bundle, build, sheet):
        over = Outcome(f"{name_of(build)}: the rest is cut short and gives nothing.")
    else:
        over = over_with(at, build.rest)
    return replace(over, rest="", rest_dice=-build.rest_dice)


def over_with(at: At, rest: str) -> Outcome:
    """The outcome of finishing such a rest."""
    kind = rests_of(at.bundle, at.build, at.sheet)[rest]
    return brought_back(at.bundle, at.build, at.sheet, kind.event, brief=kind.brief, name=kind.name)


def long_rest(at: At, *, strenuous_minutes: int, day_passed: bool) -> Outcome:
    """Take a long rest, once a day: it restores health (half the loss while wounded), half the Stamina Dice, and
    features, but removes no wounds by itself. It needs at least 1 health, and an hour of exertion starts it over
    (ruling 23).

    day_passed: the answer to the question asked for a second rest within a day of real time, since only the table knows
    the time in its story.
    """
    if interrupted(strenuous_minutes):
        raise NotAllowed("An hour of exertion: the long rest starts over.", "strenuous_minutes")
    outcome = slept(at)
    if not day_passed and slept_lately(at.log):
        raise NotAllowed("The last long rest was less than a day ago. If a day has passed, tick that.", "day_passed")
    return outcome


def slept(at: At) -> Outcome:
    """The outcome of a long rest, which also ends a rest in progress."""
    if alive(body_of(at.build, at.sheet)).health == 0:
        raise NotAllowed("At 0 health a long rest gives nothing.")
    over = brought_back(at.bundle, at.build, at.sheet, LONG)
    return replace(over, rest="", rest_dice=-at.build.rest_dice)


def slept_lately(log: TableLog) -> bool:
    """True if a long rest was taken within a day of real time, and no downtime since."""
    last = log.last("long_rest", "spend_downtime")
    return last is not None and last[0] == "long_rest" and last[1] < timedelta(days=1)


def end_adventure(at: At) -> Outcome:
    """End an adventure, which restores all Resolve, and Resources that were lowered (sections 17 and 23.3)."""
    return brought_back(at.bundle, at.build, at.sheet, "adventure")


def ahead(bundle: Bundle, build: Build, sheet: Sheet) -> Mapping[str, Callable[[At], Outcome]]:
    """The outcomes that the page of rests previews: finishing the rest in progress or, without one, each rest that may
    begin; a long rest; the end of an adventure."""
    begun = {rest: partial(whole_rest, rest=rest) for rest in rests_of(bundle, build, sheet)}
    first = {"finish": finish_rest} if build.rest else begun
    return {**first, "long_rest": slept, "adventure": end_adventure}


def brought_back(
    bundle: Bundle, build: Build, sheet: Sheet, event: str, *, brief: bool = False, name: str = ""
) -> Outcome:
    """The resources that an event restores by its rows, with healing halved by wounds, and the conditions that end.

    brief: conditions counted in rounds continue. name: for the sentence, in place of the event's name.
    """
    if event not in bundle.events:
        raise NotAllowed("There is no such time in the rules.", "event")
    back = recovered(sheet, event)
    back.pop(HEALTH, None)
    body = body_of(build, sheet)
    wounds = body.wounds
    # Wounds halve the healing, not the missing health (ruling 80).
    gained = min(body.maximum - body.health, healing(due(sheet, event).get(HEALTH, 0), wounds))
    after = replace(body, health=body.health + gained, wounds=wounds - back.pop(WOUNDS, 0))
    outcome = becoming(build, sheet, after)
    spends = {**outcome.spends, **{slug: -amount for slug, amount in back.items()}}
    over = ended_by_event(bundle, build, event, brief=brief)
    time = name or bundle.events[event].name
    nothing = "" if any(spends.values()) else "Nothing changes."
    return replace(
        outcome,
        sentence=sentences(f"{name_of(build)}: {time}.", news_of(bundle, build, sheet, spends, over) or nothing),
        spends=spends,
        ends=(*outcome.ends, *over),
    )


def news_of(
    bundle: Bundle,
    build: Build,
    sheet: Sheet,
    spends: Mapping[str, int],
    over: Over,
    lasting: tuple[Held, ...] = (),
) -> str:
    """A sentence on the resources that came back, the conditions that end, and the rounds left of the others; "" if
    there are none. Parts of a turn that come back are not mentioned."""
    words = []
    for slug, amount in sorted(spends.items()):
        line = sheet.resources.get(slug)
        if line is not None and amount < 0 and line.style != "turn":
            words.append(f"{line.name} −{-amount}" if line.counts_up else f"{line.name} +{-amount}")
    words += [f"{name} ends" for name in dict.fromkeys(called(bundle, build, ref, source) for ref, source in over)]
    for held in lasting:
        words.append(f"{called(bundle, build, held.ref, held.source)} for {counted(held.rounds, 'more round')}")
    return f"{listed(words)}." if words else ""


def sentences(*parts: str) -> str:
    """The sentences joined, without empty ones."""
    return " ".join(filter(None, parts))


def next_round(at: At) -> Outcome:
    """Start a turn: counted rounds go down by one, conditions that have run out end, and each-turn features come back
    (ruling 98)."""
    bundle, build, sheet = at.bundle, at.build, at.sheet
    outcome = brought_back(bundle, build, sheet, TURN, brief=True)
    gone = {*outcome.ends}
    over, lasting = ticked(held for held in build.conditions if (held.ref, held.source) not in gone)
    dying = "A death saving throw is due." if held_as(build, DYING) else ""
    back = {slug: n for slug, n in outcome.spends.items() if n}
    news = news_of(bundle, build, sheet, back, (*outcome.ends, *over), lasting)
    return replace(
        outcome,
        sentence=sentences(f"{name_of(build)} starts a turn.", news, dying),
        begins=(*outcome.begins, *lasting),
        ends=(*outcome.ends, *over),
    )


def resting_body(build: Build, sheet: Sheet) -> Body:
    """The body that rests. Raises NotAllowed for the dead and the dying (ruling 81)."""
    body = alive(body_of(build, sheet))
    if body.dying:
        raise NotAllowed("The dying cannot rest. They need help first.")
    return body


def needs_rest(build: Build) -> None:
    if not build.rest:
        raise NotAllowed("Begin a rest first.")


def needs_short_rest(at: At) -> RestKind:
    """The rest in progress. Raises NotAllowed unless a short rest happens with it."""
    needs_rest(at.build)
    kind = rests_of(at.bundle, at.build, at.sheet).get(at.build.rest)
    if kind is None or not kind.short:
        raise NotAllowed("You can spend Stamina Dice and treat wounds only in a short rest.")
    return kind


ACTIONS = (
    TableAction("begin_rest", begin_rest, RESTS, "rest", {"rest": Word(60, otherwise=SHORT)}, by=("rest",)),
    TableAction("spend_rest_die", spend_rest_die, RESTS, "rest", {"faces": FACES}, form="rest-die"),
    TableAction("treat_wounds", treat_wounds, RESTS, "rest", {"medic": Tick(otherwise=None), "by": Text(80)}),
    TableAction("finish_rest", finish_rest, RESTS, "rest"),
    TableAction(
        "long_rest",
        long_rest,
        RESTS,
        "rest",
        {"strenuous_minutes": Number(0, 10_000, otherwise=0), "day_passed": Tick()},
    ),
    TableAction("end_adventure", end_adventure, RESTS, "rest"),
)
