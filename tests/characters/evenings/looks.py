"""The page between two actions, as lines of text: `? vitals attacks` are these parts of the page, `? defense speed`
numbers with their reasons, `? facts` all that is stored, `? before roll=skill.athletics target=12` a roll about to be
made, `? after` the newest one.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from characters.actions.action_context import ActionContext
from characters.actions.form_values import answers_of
from characters.actions.registry import actions_of
from characters.change.draft import Draft
from rules.engine.build import Spell
from rules.engine.content import Stat
from rules.engine.sheet import ActionLine, Attack, ResourceLine, Roll, Step


def look(seat, asked, what):
    at = ActionContext(Draft(seat.fresh))
    if asked[:1] == ["before"]:
        return [f"  {line}" for line in before(at, what)]
    if asked[:1] == ["after"]:
        return [f"  {line}" for line in after(at)]
    game, shown = at.bundle.game, (at.bundle, at.build, at.sheet)
    lines = []
    for name in asked:
        if name in at.sheet.values and name != "attacks":
            lines.append(f"{name} {at.sheet.value(name)}: {reasons(at.sheet.values[name].because)}")
        elif name in at.sheet.rolls:
            lines.append(f"{told(at.sheet.rolls[name])}: {reasons(at.sheet.rolls[name].because)}")
        elif name == "chances":
            chances = game.chances(at.bundle, at.build.switches, at.sheet.rolls[what["roll"]])
            lines += [*map(told, chances.columns), *map(told, chances.rows), f"apart {chances.apart}"]
        elif name == "damage":
            lines += [f"{told(attack)}: {reasons(attack.because)}" for attack in at.sheet.attacks]
        elif name == "roster":
            lines += map(told, game.roster(*shown))
        else:
            view = (game.page if hasattr(game.page, name) else game.table)(*shown)
            part = getattr(view, name)
            lines.append(f"{name}: {told(len(part) if name == 'to_reload' else part)}")  # it holds ids of rows
    return [f"  {line}" for line in lines]


def before(at, what):
    """A roll about to be made: its dice, and how likely it is to succeed."""
    made = at.bundle.game.play.ready_for(at, **answers_of(actions_of(at.bundle.game.name)["roll"].fields, what))
    if made is None:
        return ["nothing to roll"]
    lines = [f"{made.name}: {made.dice} dice {told(made.dice_because)}, {told(made.modifiers)}"]
    if hasattr(made, "least"):
        return [*lines, f"from {made.least} to {made.most}, {made.mean} on average"]
    return [*lines, f"chance {made.chance}, with one Resolve {made.with_resolve}"]


def after(at):
    """The ways to change the newest roll."""
    number = at.draft.character.rolls.filter(follows=None).latest("pk").pk
    rolled = at.log.roll(number)[-1].rolled
    rules = at.bundle, at.build, rolled
    words = ["a tie"] * at.bundle.game.play.is_tie(*rules) + ["a fumble"] * at.bundle.game.play.is_fumble(*rules)
    words += [found] if (found := at.bundle.game.play.how_far(*rules)) else []
    offers = at.bundle.game.play.offers(at.bundle, at.build, at.sheet, rolled)
    return [*words, f"one Resolve: {told(at.bundle.game.play.might_become(*rules))}", f"offers: {told(offers)}"]


def reasons(steps):
    def one(step):
        part = f" to {step.part}" if step.part else ""
        why = "" if step.applied else f" not counted: {step.why}"
        return f"{step.source} {step.op} {step.amount}{part}{why} (“{step.text}”, {' > '.join(step.path)})"

    return "; ".join(map(one, steps)) or "nothing"


def row(name, part):
    """True for the id of a row, which differs from database to database."""
    return name == "key" and str(part).isdigit()


def told(value):
    """A value of the rules in one line."""
    if isinstance(value, Step):
        return reasons([value])
    if isinstance(value, Roll):
        sure = f" {value.certain} without a roll" if value.certain else ""
        return (
            f"{value.key} “{value.name}” {value.dice} dice {value.modifier:+}, passive {value.passive}, "
            f"proficient {value.proficient}, critical on {value.criticals_on}{sure} {told(value.situations)}"
        )
    if isinstance(value, Attack):
        damage = f"damage {value.damage} {value.type}, at least {value.minimum}"
        return f"{value.name} {value.grip}: {told(value.roll)} {damage}"
    if isinstance(value, ResourceLine):
        return f"{value.name} {value.left} of {value.max}"
    if isinstance(value, ActionLine):
        return f"{value.action.name} {value.dice} dice {value.modifier:+} ({' > '.join(value.path)})"
    if isinstance(value, Spell | Stat):
        return value.name
    if is_dataclass(value):
        parts = {one.name: getattr(value, one.name) for one in fields(value)}
        return f"({'; '.join(f'{name} {told(part)}' for name, part in parts.items() if not row(name, part))})"
    if isinstance(value, Mapping):
        return f"[{', '.join(f'{key}: {told(one)}' for key, one in value.items())}]"
    if isinstance(value, tuple | list | frozenset):
        if hasattr(value, "_fields"):
            return f"({'; '.join(f'{name} {told(one)}' for name, one in zip(value._fields, value, strict=True))})"
        return f"[{', '.join(map(told, sorted(value) if isinstance(value, frozenset) else value))}]"
    return "nothing" if value is None or value == "" else str(value)
