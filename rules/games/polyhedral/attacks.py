"""The attack lines: one for each weapon in each grip, with its damage (sections 18 to 20, rulings 34 to 38 and 59 to
64)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rules.engine.active_effects import ActiveEffect, Printed, property_rows
from rules.engine.build import HANDS, Item
from rules.engine.content import Effect, Element, Ref, Weapon
from rules.engine.gather import thrown
from rules.engine.phrases import number, signed
from rules.engine.requirements import RowContext
from rules.engine.sheet import Attack, Step
from rules.engine.solve import Solver
from rules.games.dice_text import MOST_DICE, MOST_SIDES

from .rolls import RollQuery, bonuses, put_together, subject_groups

MELEE = "ability:strength"
OFFHAND = "offhand.ability"
ATTACK = ("attack",)

# The attack rows of an item and its properties, each with its step and the numbers printed on the item.
type JudgedOnWeapon = list[tuple[Effect, Step, tuple[int, ...]]]


@dataclass(slots=True)
class DamageSum:
    """The damage of an attack, added up row by row."""

    dice: int
    die: int
    type: Ref
    times: int = 1
    bonus: int = 0
    least: int = 0
    floors: list[tuple[ActiveEffect, int]] = field(default_factory=list)
    bonuses: list[tuple[Effect, Step]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


def build_attacks(solver: Solver) -> tuple[Attack, ...]:
    """Attack lines for every weapon in hand in each grip, and for bare hands, sorted by weapon and grip."""
    found = solver.found
    elements = found.bundle.elements
    lines: list[Attack] = []
    in_hand = [item for item in found.build.items if item.state in HANDS and weapon_of(solver, item)]
    # The weapon in the main hand may have been thrown: a light one in the off hand still has its attack (ruling 36).
    armed = {item.state for item in in_hand}
    full = {item.state for item in found.build.items if not thrown(found.bundle, item)}
    shield = found.wears("shield", "")
    for item in in_hand:
        element = elements[item.ref]
        for grip in grips(solver, element, item.state, armed, full, shield):
            lines.append(line(solver, element, grip, item.key))
    for element in found.bundle.of_kind("weapon"):
        if element.weapon and element.weapon.hands == 0:
            lines.append(line(solver, element, "unarmed", ""))
    return tuple(sorted(lines, key=lambda a: (a.item, a.grip, a.item_key)))


def weapon_of(solver: Solver, item: Item) -> Element | None:
    """The weapon, if the item is one; None for one that needs no hand, which always has a line."""
    element = solver.found.bundle.elements.get(item.ref)
    return element if element is not None and element.weapon is not None and element.weapon.hands else None


def grips(solver: Solver, element: Element, state: str, armed: set[str], full: set[str], shield: bool) -> list[str]:
    """The grips in which the weapon can be used where it is held: one-hand, two-hands, off-hand, thrown. armed: the
    hands with a weapon, thrown or not. full: the places that hold anything."""
    weapon = element.weapon
    assert weapon is not None
    other_hand_free = not shield and not {"main", "off"} - {state} & full
    aspects = {row.effect.aspect for row, _ in property_rows(solver.found, element, "attack")}
    two_handed = weapon.hands == 2
    versatile = any(of_two_hands(solver, row.effect) for row, _ in property_rows(solver.found, element, "damage"))
    found = []
    only_thrown = weapon.ranged and "range" not in aspects  # a dart can only be thrown
    if not two_handed and not only_thrown:
        found.append("one-hand")
    if two_handed and (state == "two-hands" or other_hand_free):
        found.append("two-hands")
    if versatile and not two_handed and other_hand_free:
        found.append("two-hands")
    if state == "off" and "main" in armed and is_light(element):
        found.append("off-hand")
    if "thrown" in aspects:
        found.append("thrown")
    return found


def of_two_hands(solver: Solver, effect: Effect) -> bool:
    """True if a row sets the damage die for a two-handed grip. Rows that set it under other circumstances add no
    grip."""
    when = solver.found.bundle.circumstances.get(effect.when)
    return (
        effect.aspect == "damage_die_set"
        and when is not None
        and any(test.test == "wields" and test.word == "two-hands" and not test.negate for test in when.tests)
    )


def is_light(element: Element) -> bool:
    """True for a light weapon. With two weapons, only the one in the off hand must be light (ruling 36)."""
    return any(use.property == "property:light" for use in element.properties)


def line(solver: Solver, element: Element, grip: str, key: str) -> Attack:
    """One attack line. The best ability that the weapon allows counts for both attack and damage."""
    found, weapon = solver.found, element.weapon
    assert weapon is not None
    words = grip_tags(weapon, grip)
    proficient = found.skilled(element.ref) or found.skilled(weapon.category)
    context = RowContext(trained=proficient, grip=words)
    own = property_rows(found, element, "attack")
    judged = [(row.effect, solver.judge(row, context, numbers), numbers) for row, numbers in own]
    ability, weighed = best_ability(solver, judged)
    query = RollQuery(
        f"attack.{element.slug}.{grip}", element.name, ATTACK, ability, subject_groups(element), proficient, context
    )
    extra = tuple([(row, numbers) for row, numbers in own if row.effect.ability in ("", ability)])
    roll = put_together(solver, query, extra)
    reach, attacks = solver.value("reach"), solver.value("attacks")
    for effect, step, _ in judged:
        if effect.aspect == "reach" and not step.why:
            reach += step.amount
        elif effect.aspect == "attacks_at_most" and not step.why:
            attacks = min(attacks, step.amount)
    damage = damage_of(solver, element, weapon, ability, grip, context)
    modifier = damage.bonus
    # In homebrew, both may depend on any statistic, and a die could even fall below 1.
    dice, die = min(damage.dice, MOST_DICE), min(damage.die, MOST_SIDES)
    die = max(die, 1) if dice else die
    if die == 1:  # a fixed number, not a die: the bare fist
        modifier, dice = modifier + dice, 0
    return Attack(
        item=element.slug,
        ref=element.ref,
        name=element.name,
        grip=grip,
        roll=roll,
        damage_dice=dice,
        damage_die=die if dice else 0,
        damage_modifier=modifier,
        damage=written(dice, die, modifier, damage.least),
        type=damage.type.split(":")[1],
        reach=reach,
        range=range_of(judged, grip),
        minimum=damage.least,
        attacks=attacks,
        because=(*roll.because, *weighed, *damage.steps),
        notes=notes_of(solver, element),
        item_key=key,
    )


def grip_tags(weapon: Weapon, grip: str) -> frozenset[str]:
    """The words of this attack that rows may test. A thrown melee weapon makes a ranged attack but is no ranged
    weapon."""
    words = {grip}
    if grip == "off-hand":
        words.add("one-hand")
    if grip == "unarmed":
        words.add("melee")
    elif weapon.ranged:
        words.add("ranged")
    elif grip != "thrown":
        words.add("melee")
    return frozenset(words)


def best_ability(solver: Solver, judged: JudgedOnWeapon) -> tuple[Ref, list[Step]]:
    """Strength, or the ability that a property names; given a choice, the one with the better modifier (finesse, ruling
    59). Also returns steps for the rows that decide it, which add nothing themselves, and for Strength if another
    ability is better."""
    options = [MELEE]
    for effect, step, _ in judged:
        if effect.aspect == "uses_ability" and not step.why:
            options = [effect.ability]
    for effect, step, _ in judged:
        if effect.aspect == "may_use_ability" and not step.why:
            options.append(effect.ability)
    best = max(options, key=lambda ref: (modifier(solver, ref), ref == options[0]))
    return best, list(reasons(solver, judged, options, best))


def reasons(solver: Solver, judged: JudgedOnWeapon, options: Sequence[Ref], best: Ref) -> Iterator[Step]:
    elements = solver.found.bundle.elements
    for effect, step, _ in judged:
        if effect.aspect in ("uses_ability", "may_use_ability"):
            name = elements[effect.ability].name
            why = step.why or ("" if effect.ability == best else f"{name} is no better")
            yield step._replace(text=f"with {name}", amount=0, applied=not why, why=why, part="ability")
    if MELEE in options and best != MELEE:
        why = f"{elements[best].name} is better"
        yield Step(
            elements[MELEE].name, "modifier", modifier(solver, MELEE), False, why, "ability", "ability", (), MELEE
        )


def modifier(solver: Solver, ability: Ref) -> int:
    detail = solver.found.bundle.elements[ability].ability
    return solver.value(detail.modifier_stat) if detail else 0


def damage_of(
    solver: Solver, element: Element, weapon: Weapon, ability: Ref, grip: str, context: RowContext
) -> DamageSum:
    damage = DamageSum(weapon.dice, weapon.die, weapon.damage_type)
    shown = f"{weapon.dice}d{weapon.die}" if weapon.die > 1 else str(weapon.dice)
    damage.steps.append(Step(element.name, shown, weapon.dice, part="damage-dice", op="base", ref=element.ref))
    rows = [*property_rows(solver.found, element, "damage"), *general_rows(solver, subject_groups(element))]
    for row, numbers in rows:
        apply(solver, damage, row, *solver.weigh(row, context, numbers), ability)
    damage.bonus += bonuses(damage.bonuses, damage.steps)
    ability_part(solver, damage, ability, grip)
    floors(solver, damage)
    return damage


def floors(solver: Solver, damage: DamageSum) -> None:
    """Add a step for each row that sets a least damage, with the amount by which it raises the least damage."""
    lowest = damage.dice + damage.bonus
    for row, amount in damage.floors:
        if amount <= lowest:
            damage.steps.append(solver.step(row, amount, "the damage is never less", "damage"))
            continue
        added = amount - lowest if damage.die == 1 else 0  # with dice, the amount depends on the roll
        damage.steps.append(solver.step(row, added, "", "damage"))
        lowest = amount


def general_rows(solver: Solver, subjects: frozenset[Ref]) -> Printed:
    """The character's damage rows that apply to items with any of these refs."""
    rows = solver.rows.roll.get("damage", ())
    return tuple([(row, ()) for row in rows if not row.effect.subject or row.effect.subject in subjects])


def apply(solver: Solver, damage: DamageSum, row: ActiveEffect, amount: int, why: str, ability: Ref) -> None:
    """Apply one damage row to the die, the number of dice, the type or the ability's share, or collect its flat
    bonus."""
    aspect = row.effect.aspect
    if not why and row.effect.ability and row.effect.ability != ability:
        why = f"only when {solver.found.bundle.elements[row.effect.ability].name} is used"
    part = "damage" if aspect == "bonus" else "damage-dice"
    if not why:
        match aspect:
            case "damage_die" | "damage_die_set":
                if aspect == "damage_die" and amount <= damage.die:
                    why = "the die is that large already"
                elif aspect == "damage_die_set" and damage.die > amount and weapon_grew(damage):
                    why = "a larger die counts"
                else:
                    damage.die = amount
            case "damage_die_step":
                damage.die += amount
            case "damage_dice":
                damage.dice *= amount
            case "damage_type":
                damage.type = row.effect.subject
            case "damage_at_least":
                damage.least = max(damage.least, amount)
                damage.floors.append((row, amount))
                return  # its amount is computed at the end (`floors`)
            case "ability_times":
                damage.times = max(damage.times, amount)
    step = solver.step(row, amount, why, part)
    if aspect == "bonus":
        damage.bonuses.append((row.effect, step))  # added at the end, since some do not stack
    else:
        damage.steps.append(step)


def weapon_grew(damage: DamageSum) -> bool:
    """True if an earlier row has set the die. Of two such rows, the larger die counts."""
    return any(step.op == "damage_die_set" and step.applied for step in damage.steps)


def ability_part(solver: Solver, damage: DamageSum, ability: Ref, grip: str) -> None:
    """Add the ability modifier. Only a positive one is multiplied (ruling 34), and in the off hand a positive one is
    left out unless a feature adds it (ruling 36)."""
    element = solver.found.bundle.elements[ability]
    amount = modifier(solver, ability)
    share = Step(element.name, "modifier", amount, part="damage", op="ability", ref=ability)
    if grip == "off-hand" and amount > 0:
        damage.steps.append(share._replace(applied=False, why="a second weapon does not add it"))
        if solver.value(OFFHAND) < 1:
            return
        adds = next(step for step in solver.values[OFFHAND].because if step.applied)
        words = f"adds the {element.name} modifier to a second weapon"
        share = adds._replace(text=words, amount=amount, part="damage", op="ability")
    damage.steps.append(share)
    damage.bonus += amount
    if damage.times > 1 and amount > 0:
        extra = amount * (damage.times - 1)
        damage.steps.append(
            Step(element.name, f"counted {damage.times} times", extra, part="damage", op="ability", ref=ability)
        )
        damage.bonus += extra


def range_of(judged: JudgedOnWeapon, grip: str) -> tuple[int, int] | None:
    """The printed range of a thrown or shot attack: (normal, long)."""
    wanted = "thrown" if grip == "thrown" else "range"
    for effect, _, numbers in judged:
        if effect.aspect == wanted and len(numbers) == 2:
            return numbers[0], numbers[1]
    return None


def notes_of(solver: Solver, element: Element) -> tuple[str, ...]:
    """The notes of the weapon and of its properties."""
    carriers = [solver.found.bundle.elements[use.property] for use in element.properties]
    return tuple(effect.text for carrier in (*carriers, element) for effect in carrier.effects if effect.kind == "note")


def written(dice: int, die: int, modifier: int, least: int) -> str:
    """Damage as on a sheet: 1d8+4, 2d6, 1d4−1, or a plain number."""
    if not dice:
        return number(max(least, modifier))
    return f"{dice}d{die}{signed(modifier) if modifier else ''}"
