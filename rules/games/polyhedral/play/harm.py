"""Damage, healing and wounds at the table (section 28, rulings 4, 5, 20, 62 and 80 to 83)."""

from collections.abc import Sequence
from dataclasses import replace

from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.house_rules import switched_on
from rules.games.outcome import NotAllowed, Outcome, counted, listed, name_of
from rules.games.table_action import MOST, At, Field, Number, TableAction, Tick, Word

from ..health import DEADLY_WOUNDS, Body, heal, healing, hurt, resisted, stabilized
from .body import COUNTERS, becoming, body_of, status_suffix

# Hits from within 5 ft are critical on a character in one of these conditions (section 30).
HELPLESS = ("condition:paralyzed", "condition:unconscious")
A_NUMBER = "Type an amount such as 7."
KIND_OF_HIT: dict[str, Field] = {
    "type": Word(),
    "also": Number(0, MOST),
    "also_type": Word(),
    "firearm": Tick(),
    "critical": Tick(),
    "near": Tick(),
}


def take_damage(
    at: At, *, amount: int, type: str = "", also: int | None = None, also_type: str = "", **how: bool
) -> Outcome:
    """One hit, of one type of damage or two."""
    return hit(at, [(amount, type), *([(also, also_type)] if also else [])], **how)


def hit(
    at: At, amounts: Sequence[tuple[int, str]], *, firearm: bool = False, critical: bool = False, near: bool = False
) -> Outcome:
    """One hit. amounts: pairs of damage and the slug of its type ("" for none). Each is resisted by itself; then they
    are added up.

    The hit adds a wound at the threshold or from a firearm. Falling and death follow ruling 81. near: hit from within 5
    ft.
    """
    bundle, build, sheet = at.bundle, at.build, at.sheet
    body = alive(body_of(build, sheet))
    critical = critical or (near and any(ref in sheet.conditions for ref in HELPLESS))
    taken, parts = 0, []
    for amount, kind in amounts:
        left, words = after_defenses(bundle, sheet, amount, kind)
        taken += left
        parts.append(words)
    after = hurt(
        body,
        taken,
        sheet.value("wound-threshold"),
        firearm=firearm and switched_on(bundle, build, "firearmWounds"),
        critical=critical,
        massive=switched_on(bundle, build, "massiveDamage"),
    )
    wounds = after.wounds - body.wounds
    also = f" and {counted(wounds, 'wound')}" if wounds else ""
    plain = len(amounts) == 1 and not amounts[0][1] and taken == amounts[0][0]
    details = "" if plain else f" ({listed(parts)})"
    sentence = f"{name_of(build)} takes {taken} damage{details}{also}{status_suffix(after)}."
    return becoming(build, sheet, after, sentence)


def after_defenses(bundle: Bundle, sheet: Sheet, amount: int, kind: str) -> tuple[int, str]:
    """Damage of one type after resistance, immunity and vulnerability, in words as well (ruling 83). For damage without
    a type, only defenses against all damage count."""
    ref = f"damage-type:{kind}"
    if kind and ref not in bundle.elements:
        raise NotAllowed("There is no such type of damage.", "type")
    meant = {ref} if kind else {element.ref for element in bundle.of_kind("damage-type")}
    has = {word: bool(meant) and meant <= {row.ref for row in rows} for word, rows in sheet.defenses.items()}
    left = resisted(amount, resist=has["resist"], immune=has["immune"], vulnerable=has["vulnerable"])
    word = " and ".join(word for word in ("resist", "immune", "vulnerable") if has[word])
    why = {"resist": "halved", "immune": "immune", "vulnerable": "doubled"}.get(word, word)
    name = f" {bundle.elements[ref].name.lower()}" if kind else ""
    return left, f"{amount}{name}{', ' + why if why else ''}"


def by_wounds(amount: int, healed: int) -> tuple[tuple[str, int], ...]:
    """The healing that is lost to wounds, as a modifier of the roll; empty if none is."""
    return (("halved by wounds", healed - amount),) if healed != amount else ()


def halved_by_wounds(amount: int, healed: int) -> str:
    """The same for a sentence."""
    return " (halved by wounds)" if healed != amount else ""


def cured(at: At, amount: int) -> Outcome:
    """Healing from any source. It is halved while wounded, and wakes a character at 0 health (rulings 80 and 81)."""
    body = alive(body_of(at.build, at.sheet))
    after = heal(body, amount)
    gained = after.health - body.health
    if not gained:
        raise NotAllowed("Health is full already.", "amount")
    halved = f" (halved from {amount} by wounds)" if body.wounds and healing(amount, body.wounds) != amount else ""
    wakes = " and wakes" if body.health == 0 else ""
    return becoming(at.build, at.sheet, after, f"{name_of(at.build)} regains {gained} health{halved}{wakes}.")


def wounded(at: At, wounds: int) -> Outcome:
    """Wounds added or, if negative, removed. The tenth kills (section 28)."""
    body = body_of(at.build, at.sheet)
    number = max(0, min(DEADLY_WOUNDS, body.wounds + wounds))
    if number == body.wounds:
        raise NotAllowed("There are no wounds to remove." if wounds < 0 else "No more than ten wounds.", "amount")
    after = replace(body, wounds=number, dead=body.dead or number >= DEADLY_WOUNDS)
    change = number - body.wounds
    verb = "takes" if change > 0 else "loses"
    end = " and is dead" if after.dead and not body.dead else ""
    return becoming(at.build, at.sheet, after, f"{name_of(at.build)} {verb} {counted(abs(change), 'wound')}{end}.")


def set_health(at: At, health: int) -> Outcome:
    """Health corrected to a number: neither a hit nor healing, so nothing is halved and no wound is added."""
    body = alive(body_of(at.build, at.sheet))
    if not 0 <= health <= body.maximum:
        raise NotAllowed(f"Health goes from 0 to {body.maximum}.", "amount")
    after = replace(body, health=health, stable=body.stable and health == 0)
    return becoming(at.build, at.sheet, after, f"{name_of(at.build)} has {health} health{status_suffix(after)}.")


def steadied(at: At, *, medic: bool) -> Outcome:
    """Stabilize by a check (ruling 81) or a healing kit. A Medic's healing tools also restore 1 health (section 16)."""
    body = alive(body_of(at.build, at.sheet))
    if not body.dying:
        raise NotAllowed("Only the dying can be stabilized.")
    after = stabilized(body, medic=medic)
    words = "is stabilized and wakes with 1 health" if medic else "is stable"
    return becoming(at.build, at.sheet, after, f"{name_of(at.build)} {words}.")


def alive(body: Body) -> Body:
    if body.dead:
        raise NotAllowed("The character is dead. If this is a mistake, undo what led here.")
    return body


ACTIONS = (
    TableAction(
        "take_damage",
        take_damage,
        COUNTERS,
        "vitals",
        {
            "amount": Number(0, MOST, empty=A_NUMBER, wrong=A_NUMBER, signs="-−–"),
            **KIND_OF_HIT,
        },
        form="hit",
    ),
    TableAction(
        "heal",
        cured,
        COUNTERS,
        "vitals",
        {"amount": Number(1, MOST, empty=A_NUMBER, wrong=A_NUMBER, signs="+")},
        form="hit",
    ),
    TableAction("stabilize", steadied, COUNTERS, "down", {"medic": Tick()}),
)
