"""Sections that any game may show unchanged: parts of the sheet, grouped and named."""

from collections.abc import Collection, Iterable, Mapping

from rules.engine.build import PLACES, Build, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Element, PropertyUse, Ref, Stat
from rules.engine.phrases import setting_words
from rules.engine.sheet import ActionLine, Active, Proficiency, ResourceLine, Sheet, Step

from .rows import (
    ActionGroup,
    ConditionRow,
    ExceptionRow,
    FeatureRow,
    HouseRule,
    Identity,
    ItemRow,
    NamedElement,
    UsesRow,
)

type ProficiencyGroup = tuple[str, tuple[Proficiency, ...]]

ORIGIN_KINDS = ("lineage", "culture", "background")
FEATURE_KINDS = {"feature", "talent"}
ASPECT_KINDS = (("trait", "Personality"), ("ideal", "Ideal"), ("bond", "Bond"), ("flaw", "Flaw"))
DEFENSE_GROUPS = (("resist", "Resists"), ("immune", "Immune to"), ("vulnerable", "Vulnerable to"))


def properties(bundle: Bundle, weapon: Element | None) -> tuple[str, ...]:
    if weapon is None:
        return ()
    known: tuple[str, ...] | None = bundle.memo.get(("properties", weapon.ref))
    if known is None:
        known = bundle.memo["properties", weapon.ref] = every_property(bundle, weapon)
    return known


def every_property(bundle: Bundle, weapon: Element) -> tuple[str, ...]:
    def text(use: PropertyUse) -> str:
        name, details = bundle.called(use.property).lower(), use.details()
        return f"{name} ({details})" if details else name

    return tuple(text(use) for use in weapon.properties)


def back_after(bundle: Bundle, line: ResourceLine) -> str:
    event = bundle.events.get(line.recovers[0]) if line.recovers else None
    if event is None:
        return "back with a new one"
    name, some = event.name.lower(), "some " if line.in_part and line.max > 1 else ""
    return f"{some}back after {with_article(name)}"


def with_article(name: str) -> str:
    """The name of an event in a sentence: a long rest, the end of an adventure."""
    if name.startswith(("a ", "an ", "the ")):
        return name
    return f"{'the' if ' of ' in name else 'an' if name[0] in 'aeiou' else 'a'} {name}"


def actions(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ActionGroup, ...]:
    timings: dict[str, tuple[list[ActionLine], list[ActionLine]]] = {}
    for line in sheet.actions:
        action = line.action
        own, common = timings.setdefault(action.timing, ([], []))
        (common if action.owner.startswith("rules:") and not action.begins else own).append(line)
    return tuple(
        ActionGroup(timing.replace("-", " ").capitalize(), tuple(own), tuple(common))
        for timing, (own, common) in timings.items()
    )


def features(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[FeatureRow, ...]:
    def row(active: Active) -> FeatureRow:
        element = bundle.elements.get(active.ref)
        text = element.text or element.summary if element else ""
        return FeatureRow(active.ref, bundle.called(active.ref), text, ", ".join(active.path))

    known = tuple(row(active) for ref, active in sheet.active.items() if ref.partition(":")[0] in FEATURE_KINDS)
    own = tuple(
        FeatureRow("", word, "In your own words.", ", ".join(line.path))
        for line in sheet.choices
        if line.choice.write_in and line.choice.filter_kind in FEATURE_KINDS
        for word in line.chosen
        if word not in bundle.elements
    )
    return known + own


def defenses(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ProficiencyGroup, ...]:
    return named_groups(sheet.defenses, DEFENSE_GROUPS)


def named_groups(
    found: Mapping[str, tuple[Proficiency, ...]], groups: Iterable[tuple[str, str]]
) -> tuple[ProficiencyGroup, ...]:
    return tuple((label, found[key]) for key, label in groups if found.get(key))


def equipment(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, tuple[ItemRow, ...]], ...]:
    def row(item: Item) -> ItemRow:
        return ItemRow(item.custom or bundle.called(item.ref), item.ref, item.quantity, "")

    places = [
        (label, tuple(row(item) for item in build.items if item.state == place)) for place, label in PLACES.items()
    ]
    granted = tuple(
        ItemRow(bundle.called(ref), ref, quantity, ", ".join(path)) for ref, quantity, path in sheet.belongings
    )
    return tuple((label, rows) for label, rows in (*places, ("Belongings from the start", granted)) if rows)


def conditions(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ConditionRow, ...]:
    sources = {held.ref: held.source for held in build.conditions}

    def row(ref: Ref, stacks: int) -> ConditionRow:
        element = bundle.elements.get(ref)
        return ConditionRow(ref, bundle.called(ref), stacks, element.summary if element else "", sources.get(ref, ""))

    return tuple(row(ref, stacks) for ref, stacks in sheet.conditions.items())


def house_rules(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[HouseRule, ...]:
    return tuple(
        HouseRule(switch.name, setting_words(switch, value), setting_words(switch, switch.default))
        for key, value in sorted(build.switches.items())
        if (switch := bundle.switches.get(key)) and value != switch.default
    )


def exceptions(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ExceptionRow, ...]:
    return tuple(
        ExceptionRow(bundle.called(one.ref), one.level, one.override) for one in build.decisions if one.override
    )


def notes(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Step, ...]:
    return tuple(step for step in sheet.notes.get("", ()) if step.ref.partition(":")[0] not in FEATURE_KINDS)


def identity(bundle: Bundle, build: Build, sheet: Sheet) -> Identity:
    def of_kinds(*kinds: str) -> tuple[NamedElement, ...]:
        return tuple(
            NamedElement(element.ref, element.name, sheet.active[element.ref].rank)
            for kind in kinds
            for element in bundle.of_kind(kind)
            if element.ref in sheet.active
        )

    written = [d.write_in for d in build.decisions if d.write_in and d.choice.endswith(".disposition")]
    return Identity(
        name=build.name,
        level=sheet.level,
        xp=build.xp or (None if bundle.game.levels.by_milestone(bundle, build) else 0),
        origins=of_kinds(*ORIGIN_KINDS),
        jobs=of_kinds("job"),
        paths=of_kinds("path"),
        dispositions=(*(named.name for named in of_kinds("disposition")), *written),
    )


def uses(elsewhere: Collection[str], bundle: Bundle, build: Build, sheet: Sheet) -> tuple[UsesRow, ...]:
    """Everything with limited uses, except resources that are shown `elsewhere` on the sheet."""
    return tuple(
        UsesRow(
            bundle.resources[slug].max_stat,
            line,
            back_after(bundle, line),
            range(line.left),
            range(line.max - line.left),
        )
        for slug, line in sheet.resources.items()
        if slug not in elsewhere and line.style != "turn" and line.max > 0
    )


def numbers(elsewhere: Collection[str], bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[Stat, int], ...]:
    """The visible statistics that are not 0, except abilities, maxima, and those shown `elsewhere` on the sheet."""
    placed = set(elsewhere) | {resource.max_stat for resource in bundle.resources.values()}
    placed |= {key for _, one in bundle.abilities for key in (one.rank_stat, one.modifier_stat)}
    rest = [
        stat for stat in bundle.stats.values() if stat.visible and stat.key in sheet.values and stat.key not in placed
    ]
    rest = [stat for stat in rest if not (stat.created_of or stat.is_input)]
    rest = [stat for stat in rest if sheet.value(stat.key) or stat.format == "die_step"]  # step 0 is a die as well
    return tuple((stat, sheet.value(stat.key)) for stat in sorted(rest, key=lambda stat: (stat.sort, stat.name)))


def aspects(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, tuple[str, ...]], ...]:
    written = ((label, tuple(text for of, text in build.aspects if of == kind)) for kind, label in ASPECT_KINDS)
    return tuple((label, texts) for label, texts in written if texts)
