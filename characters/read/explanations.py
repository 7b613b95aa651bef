"""Explains a number: the rows behind it in order, what each adds, and those that did not count."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rules.engine import phrases
from rules.engine.bundle import Bundle
from rules.engine.content import Element, Ref
from rules.engine.difference import AGAINST
from rules.engine.sheet import ActionLine, Attack, Roll, Sheet, Step

from . import number_format

# The engine's mark on a row that counts only if the table says so.
WHEN = "when: "
SIDES = {"advantage", "disadvantage"}
CERTAIN = {"fails", "succeeds"}  # rows that decide a roll without dice, and add nothing to it
# The word for a roll in notes, by the first word of its key.
ROLL_WORDS = {"skill": "check", "knowledge": "check", "tool": "check", "spell-attack": "attack"}
# The amount of a row that does not add up with the others, such as the size of a die. Other such rows have none.
UNSUMMED: dict[str, Callable[[int], str]] = {
    "damage_die": "d{}".format,
    "damage_die_set": "d{}".format,
    "damage_die_step": lambda sides: f"{phrases.signed(sides)} sides",
    "damage_dice": "dice \N{MULTIPLICATION SIGN} {}".format,
    "ability_times": "ability \N{MULTIPLICATION SIGN} {}".format,
    "criticals_on": "{} or more".format,
    "criticals_from_pool": "{}D or more".format,
}


@dataclass(frozen=True, slots=True)
class ExplanationLine:
    """One row: its source, its text, what it adds, and the sum so far (empty if it does not count)."""

    source: str
    text: str
    amount: str
    running: str
    ref: Ref
    path: str
    why: str
    waits: str  # the circumstance that would make it count


@dataclass(frozen=True, slots=True)
class ExplanationPart:
    """A number made of rows: the dice of a roll, its modifier, a value."""

    title: str
    total: str
    lines: tuple[ExplanationLine, ...]
    ignored: tuple[ExplanationLine, ...]
    waiting: tuple[ExplanationLine, ...]  # rows that count once the table says so


@dataclass(frozen=True, slots=True)
class Explanation:
    key: str
    name: str
    total: str
    parts: tuple[ExplanationPart, ...]
    remarks: tuple[str, ...] = ()
    has_odds: bool = False
    text: str = ""  # of an action: what it does
    ref: Ref = ""  # of an action: whose it is
    meaning: Element | None = None  # the term that says what it is


def attack_key(attack: Attack) -> str:
    return f"attack.{attack.item}.{attack.grip}"


def action_key(line: ActionLine) -> str:
    return f"action.{line.action.owner.partition(':')[2]}.{line.action.slug}"


def explain(bundle: Bundle, sheet: Sheet, key: str) -> Explanation | None:
    """The explanation of a value, roll, attack or action by its key; None when this character has no such number."""
    if key in sheet.values:
        return _value(bundle, sheet, key)
    if key in sheet.rolls:
        return _roll(bundle, sheet, key, sheet.rolls[key])
    for attack in sheet.attacks:
        if attack_key(attack) == key:
            return _attack(bundle, sheet, key, attack)
    for line in sheet.actions:
        if action_key(line) == key:
            return _action(key, line)
    return None


def meaning(key: str, bundle: Bundle) -> Element | None:
    """The term that explains the statistic of this key; for a roll its own term, or the one for every roll."""
    stat = bundle.stats.get(key)
    refs = [stat.term] if stat else [f"term:{key}", "term:roll"]
    return next((bundle.elements[ref] for ref in refs if ref in bundle.elements), None)


def roll_of(sheet: Sheet, key: str) -> Roll | None:
    """The character's own roll behind a key: a check, save, knowledge, initiative or attack. Attacks against the
    character are not: nobody knows their modifiers."""
    if key in sheet.rolls and key != AGAINST:
        return sheet.rolls[key]
    return next((attack.roll for attack in sheet.attacks if attack_key(attack) == key), None)


def _value(bundle: Bundle, sheet: Sheet, key: str) -> Explanation:
    stat = bundle.stats.get(key)
    value = sheet.values[key]
    total = number_format.of_stat(stat, value.value, bundle)
    part = _part("", total, value.because, phrases.signed, phrases.number)
    about = meaning(key, bundle)
    return Explanation(key, stat.name if stat else key, total, (part,), _remarks(sheet, key), meaning=about)


def _roll(bundle: Bundle, sheet: Sheet, key: str, roll: Roll) -> Explanation:
    return Explanation(
        key,
        roll.name,
        number_format.of_roll(roll),
        _roll_parts(roll),
        _roll_remarks(bundle, sheet, key, roll),
        key != AGAINST,
        meaning=meaning(key, bundle),
    )


def _attack(bundle: Bundle, sheet: Sheet, key: str, attack: Attack) -> Explanation:
    damage = [step for step in attack.because if step.part == "damage"]
    dice = [step for step in attack.because if step.part == "damage-dice"]
    ability = [step for step in attack.because if step.part == "ability"]
    parts = (
        *_roll_parts(attack.roll),
        *([_unsummed("Ability", ability)] if ability else []),
        _unsummed("Damage dice", dice),
        _part("Damage", attack.damage, damage, phrases.signed, phrases.signed),
    )
    remarks = (*_roll_remarks(bundle, sheet, key, attack.roll), *attack.notes)
    total = f"{number_format.of_roll(attack.roll)}, {attack.damage}"
    name, about = f"{attack.name}, {grip_words(attack.grip)}", meaning(key, bundle)
    return Explanation(key, name, total, parts, remarks, True, meaning=about)


def _action(key: str, line: ActionLine) -> Explanation:
    action = line.action
    details = (f"Range: {action.range}.", action.range), (f"When: {action.trigger}.", action.trigger)
    remarks = tuple(sentence for sentence, given in details if given)
    if not (line.dice or line.modifier):
        return Explanation(key, action.name, "", (), remarks, text=action.text, ref=action.owner)
    total = line.in_words
    part = _part("", total, line.because, phrases.signed, phrases.signed)
    return Explanation(key, action.name, total, (part,), remarks, text=action.text, ref=action.owner)


def grip_words(grip: str) -> str:
    return {"one-hand": "one hand", "two-hands": "both hands", "off-hand": "off hand"}.get(grip, grip)


def with_grip(name: str, grip: str) -> str:
    """The name of an attack, with the grip if the weapon can be held in more than one way."""
    return name if grip == "unarmed" else f"{name} ({grip_words(grip)})"


def _roll_parts(roll: Roll) -> tuple[ExplanationPart, ...]:
    dice = [step for step in roll.because if step.part == "dice"]
    flat = [step for step in roll.because if step.part == "modifier"]
    critical = [step for step in roll.because if step.part == "critical"]
    unit = "" if roll.words else "D"
    parts = [
        _part(
            "Dice",
            roll.words or f"{roll.dice}D",
            dice,
            lambda n: f"{phrases.signed(n)}{unit}",
            lambda n: f"{phrases.number(n)}{unit}",
        )
    ]
    if flat or not roll.words:
        parts.append(_part("Modifier", phrases.signed(roll.modifier), flat, phrases.signed, phrases.signed))
    return (*parts, _unsummed("Critical", critical)) if critical else tuple(parts)


def _roll_remarks(bundle: Bundle, sheet: Sheet, key: str, roll: Roll) -> tuple[str, ...]:
    """Remarks about a roll: the game's own, and notes for the table."""
    word = key.partition(".")[0]
    kind = ROLL_WORDS.get(word, word)
    return (*bundle.game.remarks(roll), *_remarks(sheet, kind))


def _remarks(sheet: Sheet, key: str) -> tuple[str, ...]:
    return tuple(f"{step.source}: {step.text}" for step in sheet.notes.get(key, ()) if step.applied)


def _part(
    title: str,
    total: str,
    steps: Iterable[Step],
    amount: Callable[[int], str],
    running: Callable[[int], str],
) -> ExplanationPart:
    """The rows that add up to `total`. `running` writes the first amount and each sum, `amount` the other amounts."""
    lines = []
    so_far, written = 0, running
    for step in steps:
        so_far += step.amount if step.applied else 0
        if step.op in CERTAIN:
            lines.append(_line(step, "", ""))
            continue
        lines.append(_line(step, _written(step, written if step.applied else amount), running(so_far)))
        written = amount if step.applied else written
    return _sorted(title, total, lines)


def _written(step: Step, amount: Callable[[int], str]) -> str:
    """The amount of a row; in words if it would limit, set or multiply the number, and does not. Empty if its text is
    just that."""
    if step.applied or step.op not in phrases.NOT_ADDED:
        return amount(step.amount)
    words = f"{phrases.NOT_ADDED[step.op]} {phrases.number(step.amount)}"
    return "" if step.text == words else words


def _unsummed(title: str, steps: Iterable[Step]) -> ExplanationPart:
    lines = [_line(step, UNSUMMED[step.op](step.amount) if step.op in UNSUMMED else "", "") for step in steps]
    return _sorted(title, "", lines)


def _line(step: Step, amount: str, running: str) -> ExplanationLine:
    path = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} ".join(step.path)
    waits = step.why.removeprefix(WHEN) if step.why.startswith(WHEN) else ""
    return ExplanationLine(
        source=step.source,
        text=step.op if step.why.endswith(step.text) and step.op in SIDES else step.text,
        amount=amount,
        running=running if step.applied else "",
        ref=step.ref,
        path="" if path == step.source else path,
        why="" if waits else step.why,
        waits=waits,
    )


def _sorted(title: str, total: str, lines: Sequence[ExplanationLine]) -> ExplanationPart:
    return ExplanationPart(
        title,
        total,
        lines=tuple(line for line in lines if not line.why and not line.waits),
        ignored=tuple(line for line in lines if line.why),
        waiting=tuple(line for line in lines if line.waits),
    )
