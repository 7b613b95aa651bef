"""What each part of a sheet's page shows.

Every figure comes from the Sheet; here they are only picked out, grouped and put beside their names.
"""

from collections.abc import Iterable, Mapping

from rules.engine.build import PLACES, Build, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Ability, Element, PropertyUse, Ref, Stat
from rules.engine.sheet import ActionLine, Active, Attack, Proficiency, ResourceLine, Roll, Sheet, Step, make

from .page import (
    AbilityCell,
    ActionGroup,
    AttackRow,
    CheckRow,
    ConditionRow,
    ExceptionRow,
    FeatureRow,
    HouseRule,
    Identity,
    ItemRow,
    Named,
    SpellRow,
    UsesRow,
    Vitals,
)
from .rolls import BASE_POOL
from .situations import situations
from .spells import DIFFICULTY, has_magic, strike_of, test_of

ORIGIN_KINDS = ("lineage", "culture", "background")
FEATURE_KINDS = {"feature", "talent"}
PROFICIENCY_GROUPS = (("armor", "Armor"), ("weapons", "Weapons"), ("tools", "Tools"), ("languages", "Languages"))
DEFENSE_GROUPS = (("resist", "Resists"), ("immune", "Immune to"), ("vulnerable", "Vulnerable to"))
# Resources with a place of their own among the vital numbers.
VITAL_RESOURCES = {"health", "wounds", "stamina", "resolve", "resources-lowered"}
# Statistics with a place of their own on the page; the others are listed under "More numbers".
SHOWN = {
    "level", "skill-bonus", "health.max", "stamina.max", "resolve.max", "wounds.max", "wound-threshold", "defense",
    "speed", "resources.rank", "resources.lowered", "resources.lifestyle", "attacks",
}  # fmt: skip
type Group = tuple[str, tuple[Proficiency, ...]]

ASPECT_KINDS = (("trait", "Personality"), ("ideal", "Ideal"), ("bond", "Bond"), ("flaw", "Flaw"))


def _element(bundle: Bundle, ref: Ref) -> Element | None:
    return bundle.elements.get(ref)


def _name(bundle: Bundle, ref: Ref) -> str:
    element = _element(bundle, ref)
    return element.name if element else ref.partition(":")[2]


def identity(bundle: Bundle, build: Build, sheet: Sheet) -> Identity:
    def of_kinds(*kinds: str) -> tuple[Named, ...]:
        return tuple(
            Named(element.ref, element.name, sheet.active[element.ref].rank)
            for kind in kinds
            for element in bundle.of_kind(kind)
            if element.ref in sheet.active
        )

    written = [d.write_in for d in build.decisions if d.write_in and d.choice.endswith(".disposition")]
    return Identity(
        name=build.name,
        level=sheet.level,
        xp=build.xp,
        origins=of_kinds(*ORIGIN_KINDS),
        jobs=of_kinds("job"),
        paths=of_kinds("path"),
        dispositions=(*(named.name for named in of_kinds("disposition")), *written),
    )


def vitals(bundle: Bundle, build: Build, sheet: Sheet) -> Vitals:
    lowered = sheet.resources.get("resources-lowered")
    return Vitals(
        health=sheet.resources.get("health"),
        stamina=sheet.resources.get("stamina"),
        resolve=sheet.resources.get("resolve"),
        wounds=sheet.resources.get("wounds"),
        threshold=sheet.value("wound-threshold"),
        defense=sheet.value("defense"),
        speed=sheet.value("speed"),
        cannot_move=bool(sheet.value("blocked.movement")),
        attacks=sheet.value("attacks"),
        skill_bonus=sheet.value("skill-bonus"),
        resources=sheet.value("resources.rank"),
        resources_lowered=sheet.value("resources.lowered"),
        lowered=lowered,
        lowered_back=back_after(bundle, lowered) if lowered else "",
        lifestyle=bundle.lookup_labels.get("lifestyle", {}).get(sheet.value("resources.lifestyle"), ""),
    )


def initiative(bundle: Bundle, build: Build, sheet: Sheet) -> Roll | None:
    return sheet.rolls.get("initiative")


def attackers(bundle: Bundle, build: Build, sheet: Sheet) -> int:
    """Dice that whoever attacks rolls more, or less."""
    against = sheet.rolls.get("against")
    return against.dice - BASE_POOL if against else 0


def every_save(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[str, ...]:
    saves = [roll.situations for key, roll in sheet.rolls.items() if key.startswith("save.")]
    return tuple(text for text in saves[0] if all(text in others for others in saves)) if saves else ()


def abilities(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[AbilityCell, ...]:
    rolls = sheet.rolls

    def cell(element: Element, ability: Ability) -> AbilityCell:
        return AbilityCell(
            element.ref,
            element.name,
            ability.rank_stat,
            sheet.value(ability.rank_stat),
            ability.modifier_stat,
            sheet.value(ability.modifier_stat),
            rolls.get(f"check.{element.slug}"),
            rolls.get(f"save.{element.slug}"),
        )

    return tuple(cell(element, element.ability) for element in bundle.of_kind("ability") if element.ability)


def checks(kind: str, bundle: Bundle, build: Build, sheet: Sheet) -> tuple[CheckRow, ...]:
    rolls = [sheet.rolls[f"{kind}.{element.slug}"] for element in bundle.of_kind(kind)]
    return tuple([make(CheckRow, (roll, _name(bundle, roll.ability))) for roll in rolls])


def attacks(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[AttackRow, ...]:
    def row(attack: Attack) -> AttackRow:
        weapon = _element(bundle, attack.ref)
        roll, damage = attack.roll, attack.because[len(attack.roll.because) :]
        far = f"{attack.range[0]}/{attack.range[1]} ft" if attack.range else f"reach {attack.reach} ft"
        return AttackRow(
            attack=attack,
            type=_name(bundle, f"damage-type:{attack.type}").lower(),
            distance=far,
            properties=properties(bundle, weapon),
            situations=tuple(dict.fromkeys((*roll.situations, *situations(damage), *attack.notes))),
        )

    return tuple(row(attack) for attack in sorted(sheet.attacks, key=lambda attack: attack.grip == "unarmed"))


def spells(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[SpellRow, ...]:
    """The noted spells; none under house rules without magic, which leave them stored."""
    if not has_magic(bundle, build):
        return ()
    difficulty = sheet.value(DIFFICULTY)
    return tuple(
        SpellRow(spell, strike_of(sheet, spell), test_of(bundle, spell), difficulty if spell.saving_throw else 0)
        for spell in build.spells
    )


def properties(bundle: Bundle, weapon: Element | None) -> tuple[str, ...]:
    if weapon is None:
        return ()
    known: tuple[str, ...] | None = bundle.memo.get(("properties", weapon.ref))
    if known is None:
        known = bundle.memo["properties", weapon.ref] = every_property(bundle, weapon)
    return known


def every_property(bundle: Bundle, weapon: Element) -> tuple[str, ...]:
    def text(use: PropertyUse) -> str:
        numbers = "/".join(str(number) for number in (use.a, use.b) if number is not None)
        numbers = " ".join(word for word in (numbers, use.note) if word)
        name = _name(bundle, use.property).lower()
        return f"{name} ({numbers})" if numbers else name

    return tuple(text(use) for use in weapon.properties)


def back_after(bundle: Bundle, line: ResourceLine) -> str:
    event = bundle.events.get(line.recovers[0]) if line.recovers else None
    if event is None:
        return "back with a new one"
    name = event.name.lower()
    return f"back after {'the' if ' of ' in name else 'a'} {name}"


def uses(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[UsesRow, ...]:
    return tuple(
        UsesRow(
            bundle.resources[slug].max_stat,
            line,
            back_after(bundle, line),
            range(line.left),
            range(line.max - line.left),
        )
        for slug, line in sheet.resources.items()
        if slug not in VITAL_RESOURCES and line.max > 0
    )


def actions(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ActionGroup, ...]:
    timings: dict[str, list[ActionLine]] = {}
    for line in sorted(sheet.actions, key=lambda line: line.action.timing_sort):
        timings.setdefault(line.action.timing, []).append(line)

    def group(timing: str, lines: list[ActionLine]) -> ActionGroup:
        common = tuple(line for line in lines if line.action.owner.startswith("rules:"))
        own = tuple(line for line in lines if not line.action.owner.startswith("rules:"))
        return ActionGroup(timing.replace("-", " ").capitalize(), own, common)

    return tuple(group(timing, lines) for timing, lines in timings.items())


def features(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[FeatureRow, ...]:
    def row(active: Active) -> FeatureRow:
        element = _element(bundle, active.ref)
        return FeatureRow(
            active.ref, _name(bundle, active.ref), element.summary if element else "", ", ".join(active.path)
        )

    return tuple(row(active) for ref, active in sheet.active.items() if ref.partition(":")[0] in FEATURE_KINDS)


def proficiencies(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Group, ...]:
    return named_groups(sheet.proficiencies, PROFICIENCY_GROUPS)


def defenses(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Group, ...]:
    return named_groups(sheet.defenses, DEFENSE_GROUPS)


def named_groups(found: Mapping[str, tuple[Proficiency, ...]], groups: Iterable[tuple[str, str]]) -> tuple[Group, ...]:
    return tuple((label, found[key]) for key, label in groups if found.get(key))


def equipment(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, tuple[ItemRow, ...]], ...]:
    def row(item: Item) -> ItemRow:
        element = _element(bundle, item.ref) if item.ref else None
        return ItemRow(item.custom or _name(bundle, item.ref), item.ref, item.quantity, "", properties(bundle, element))

    places = [
        (label, tuple(row(item) for item in build.items if item.state == place)) for place, label in PLACES.items()
    ]
    granted = tuple(
        ItemRow(_name(bundle, ref), ref, quantity, ", ".join(path), ()) for ref, quantity, path in sheet.belongings
    )
    return tuple((label, rows) for label, rows in (*places, ("Belongings from the start", granted)) if rows)


def conditions(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ConditionRow, ...]:
    sources = {held.ref: held.source for held in build.conditions}

    def row(ref: Ref, stacks: int) -> ConditionRow:
        element = _element(bundle, ref)
        return ConditionRow(ref, _name(bundle, ref), stacks, element.summary if element else "", sources.get(ref, ""))

    return tuple(row(ref, stacks) for ref, stacks in sheet.conditions.items())


def numbers(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[Stat, int], ...]:
    placed = SHOWN | {f"{resource}.max" for resource in bundle.resources}
    for element in bundle.of_kind("ability"):
        if element.ability:
            placed |= {element.ability.rank_stat, element.ability.modifier_stat}
    rest = [
        stat for stat in bundle.stats.values() if stat.visible and stat.key in sheet.values and stat.key not in placed
    ]
    rest = [stat for stat in rest if sheet.value(stat.key) and not (stat.switch or stat.created_of or stat.is_input)]
    return tuple((stat, sheet.value(stat.key)) for stat in sorted(rest, key=lambda stat: (stat.sort, stat.name)))


def house_rules(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[HouseRule, ...]:
    return tuple(
        HouseRule(switch.name, value, switch.default)
        for key, value in sorted(build.switches.items())
        if (switch := bundle.switches.get(key)) and value != switch.default
    )


def exceptions(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ExceptionRow, ...]:
    return tuple(
        ExceptionRow(_name(bundle, one.ref), one.level, one.override) for one in build.decisions if one.override
    )


def aspects(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, tuple[str, ...]], ...]:
    written = ((label, tuple(text for of, text in build.aspects if of == kind)) for kind, label in ASPECT_KINDS)
    return tuple((label, texts) for label, texts in written if texts)


def notes(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Step, ...]:
    return tuple(step for step in sheet.notes.get("", ()) if step.ref.partition(":")[0] not in FEATURE_KINDS)
