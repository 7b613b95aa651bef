"""Rests, turns, the end of an adventure and downtime (sections 25 and 26, rulings 19, 23, 80, 82, 91 and 98)."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from rules.engine.build import Build, Held
from rules.engine.bundle import Bundle
from rules.engine.recover import recovered
from rules.engine.sheet import Sheet
from rules.games.outcome import NotAllowed, Outcome, Rolled, counted, listed, name_of

from ..health import Body, heal, healing
from ..rest import interrupted, stamina_heals, wounds_treated
from .body import DYING, HEALTH, STAMINA, WOUNDS, becoming, body_of, needs_turn, takes
from .ends import Over, ended_by_event, ticked
from .harm import alive, by_wounds
from .pool import thrown

SHORT, LONG, TURN = "short-rest", "long-rest", "turn"
# Rests that begin, take their time and are finished: the event that finishing brings, and what beginning costs.
BEGUN: Mapping[str, tuple[str, Mapping[str, int]]] = {SHORT: (SHORT, {}), "rally": (SHORT, {"rally": 1})}
DYING_REST = "The dying cannot rest. They need help first."
MEDIC, HEALING_TOOLS = "talent:medic", "category:healing"


def begun(build: Build, sheet: Sheet, resting: str, rest: str) -> Outcome:
    """A short rest, or Rally, which is one in the middle of a fight once per long rest (ruling 82)."""
    if rest not in BEGUN:
        raise NotAllowed("There is no such rest.", "rest")
    if resting:
        raise NotAllowed("A rest has begun already. Finish it first.")
    body = alive(body_of(build, sheet))
    if body.dying:
        raise NotAllowed(DYING_REST)
    costs = BEGUN[rest][1]
    for slug, amount in costs.items():
        if slug not in sheet.resources or sheet.resources[slug].left < amount:
            raise NotAllowed("Rally is spent until the next long rest.")
        needs_turn(sheet, "action")
    word = "rallies" if costs else "begins a short rest"
    return Outcome(f"{name_of(build)} {word}.", {**costs, **(takes(sheet, "action") if costs else {})}, rest=rest)


def foreseen(bundle: Bundle, build: Build, sheet: Sheet, resting: str, rest: str) -> Outcome:
    """What a rest changes of itself from its beginning to its end, before any die or care. Raises NotAllowed as `begun`
    does."""
    costs = begun(build, sheet, resting, rest).spends
    over = over_with(bundle, build, sheet, rest)
    return replace(over, spends={**over.spends, **costs})


def die_spent(build: Build, sheet: Sheet, resting: str, chance: Random, faces: tuple[int, ...] = ()) -> Outcome:
    """One Stamina Die in a rest: D6 + Vitality modifier, at least 1, halved while wounded (section 25.1)."""
    body = resting_body(build, sheet, resting)
    line = sheet.resources.get(STAMINA)
    if line is None or not line.left:
        raise NotAllowed("There are no Stamina Dice left.")
    (face,) = thrown(chance, 1, line.die, faces)
    vitality = sheet.value("modifier.vitality")
    rolled_up, healed = max(1, face + vitality), stamina_heals(face, vitality, body.wounds)
    health = min(body.maximum, body.health + healed)
    after = replace(heal(body, 1), health=health) if body.health == 0 else replace(body, health=health)
    rolled = Rolled(
        "heal", STAMINA, line.name, (face,), healed, die=line.die, by_hand=bool(faces),
        modifiers=((("Vitality", vitality),) if vitality else ()) + by_wounds(rolled_up, healed),
    )  # fmt: skip
    gained = health - body.health
    halved = " (halved by wounds)" if by_wounds(rolled_up, healed) else ""
    sentence = f"{name_of(build)} spends a Stamina Die: {face}, and regains {gained} health{halved}."
    outcome = becoming(build, sheet, after, sentence)
    return replace(outcome, spends={**outcome.spends, STAMINA: 1}, rest_dice=1, rolls=(rolled,))


def treated(
    build: Build, sheet: Sheet, resting: str, dice_spent: int, *, treatments: int, medic: bool = False, by: str = ""
) -> Outcome:
    """One carer treats wounds in a rest: 1, or by a Medic as many as Stamina Dice were spent (ruling 80).

    treatments: how many there were in this rest. In Rally there is time for one (ruling 82).
    """
    body = resting_body(build, sheet, resting)
    if treatments and BEGUN[resting][1]:
        raise NotAllowed("There is time to treat one wound, and it has been treated.")
    if not body.wounds:
        raise NotAllowed("There are no wounds to treat.")
    number = wounds_treated(body.wounds, dice_spent, medic=medic)
    after = replace(body, wounds=body.wounds - number)
    carer = f" ({by})" if by else ""
    return becoming(build, sheet, after, f"{name_of(build)} is treated{carer}: {counted(number, 'wound')} less.")


def is_medic(bundle: Bundle, build: Build, sheet: Sheet) -> bool:
    """Whether this character treats wounds as a Medic: the talent, and a healing tool at hand that is not used up
    (section 16)."""
    carried = (bundle.elements.get(item.ref) for item in build.items)
    return MEDIC in sheet.active and any(
        element and HEALING_TOOLS in element.groups and not any(spent(sheet, one.slug) for one in element.resources)
        for element in carried
    )


def spent(sheet: Sheet, slug: str) -> bool:
    """Whether nothing is left of it."""
    return slug in sheet.resources and not sheet.resources[slug].left


def finished(bundle: Bundle, build: Build, sheet: Sheet, resting: str, dice_spent: int) -> Outcome:
    """The end of a begun rest: features return, and what lasts until a rest ends; nothing to the dying and the dead."""
    needs_rest(resting)
    body = body_of(build, sheet)
    if body.dead or body.dying:
        over = Outcome(f"{name_of(build)}: the rest is broken off and gives nothing.")
    else:
        over = over_with(bundle, build, sheet, resting)
    return replace(over, rest="", rest_dice=-dice_spent)


def over_with(bundle: Bundle, build: Build, sheet: Sheet, rest: str) -> Outcome:
    """What the end of such a rest gives."""
    event, costs = BEGUN[rest]
    called = next((bundle.resources[slug].name for slug in costs), "")
    return brought_back(bundle, build, sheet, event, called)


def rested_long(bundle: Bundle, build: Build, sheet: Sheet, *, strenuous_minutes: int = 0) -> Outcome:
    """A long rest: health (half of the loss while wounded), half the Stamina Dice, features; never wounds of
    themselves. An hour of exertion starts it over (ruling 23); it takes at least 1 health."""
    if interrupted(strenuous_minutes):
        raise NotAllowed("An hour of exertion: the long rest starts over.", "strenuous_minutes")
    body = alive(body_of(build, sheet))
    if body.health == 0:
        raise NotAllowed("At 0 health a long rest gives nothing.")
    return brought_back(bundle, build, sheet, LONG)


def brought_back(bundle: Bundle, build: Build, sheet: Sheet, event: str, called: str = "") -> Outcome:
    """What an event gives back by its rows, with healing halved by wounds, and the conditions that end with it.

    `called` is its name in the sentence, where it comes by another.
    """
    if event not in bundle.events:
        raise NotAllowed("The rules know no such time.", "event")
    back = recovered(sheet, event)
    body = body_of(build, sheet)
    wounds = body.wounds
    gained = min(body.maximum - body.health, healing(back.pop(HEALTH, 0), wounds))
    after = replace(body, health=body.health + gained, wounds=wounds - back.pop(WOUNDS, 0))
    outcome = becoming(build, sheet, after)
    spends = {**outcome.spends, **{slug: -amount for slug, amount in back.items()}}
    over = ended_by_event(bundle, build, event, brief=bool(called) or event == TURN)
    time = called or bundle.events[event].name
    return replace(
        outcome,
        sentence=sentences(f"{name_of(build)}: {time}.", told(bundle, sheet, spends, over)),
        spends=spends,
        ends=(*outcome.ends, *over),
    )


def told(
    bundle: Bundle,
    sheet: Sheet,
    spends: Mapping[str, int],
    over: Over,
    lasting: tuple[Held, ...] = (),
) -> str:
    """What came back, what ends, and how many rounds are left of what goes on, in words.

    "" where only parts of a turn came back, which goes without saying.
    """
    words = []
    for slug, amount in sorted(spends.items()):
        line = sheet.resources.get(slug)
        if line is not None and amount < 0 and line.style != "turn":
            words.append(f"{line.name} −{-amount}" if line.counts_up else f"{line.name} +{-amount}")
    words += [f"{bundle.elements[ref].name} ends" for ref in dict.fromkeys(ref for ref, _ in over)]
    words += [f"{bundle.elements[held.ref].name} for {counted(held.rounds, 'more round')}" for held in lasting]
    return f"{listed(words)}." if words else "" if any(spends.values()) else "Nothing changes."


def sentences(*parts: str) -> str:
    """One after the other, without those that say nothing."""
    return " ".join(filter(None, parts))


def next_round(bundle: Bundle, build: Build, sheet: Sheet) -> Outcome:
    """The start of a turn: counted rounds tick down, what has run out ends, and each-turn features come back."""
    outcome = brought_back(bundle, build, sheet, TURN)
    gone = {*outcome.ends}
    over, lasting = ticked(held for held in build.conditions if (held.ref, held.source) not in gone)
    dying = "A death saving throw is due." if any(held.ref == DYING for held in build.conditions) else ""
    back = {slug: n for slug, n in outcome.spends.items() if n}
    news = told(bundle, sheet, back, (*outcome.ends, *over), lasting)
    return replace(
        outcome,
        sentence=sentences(f"{name_of(build)}: next turn.", news, dying),
        begins=(*outcome.begins, *lasting),
        ends=(*outcome.ends, *over),
    )


def resting_body(build: Build, sheet: Sheet, resting: str) -> Body:
    """Who takes a rest. NotAllowed for the dead, and for whoever was struck down in it (ruling 81)."""
    needs_rest(resting)
    body = alive(body_of(build, sheet))
    if body.dying:
        raise NotAllowed(DYING_REST)
    return body


def needs_rest(resting: str) -> None:
    if not resting:
        raise NotAllowed("Begin a rest first.")
