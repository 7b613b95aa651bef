"""Finds faults in the content of a ruleset whose rows are each well formed."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Model, Value

from rules.compile import bundle_of_packs
from rules.contradictions import IN_VAIN, STAT_TESTS, contradicting
from rules.engine import Award, Build, Held, Item, derive
from rules.engine.bundle import Bundle
from rules.engine.content import Choice, Requirement
from rules.engine.content import Element as PlainElement
from rules.games import spell_entries
from rules.games.house_rules import unfit
from rules.models import ChoiceOption, Element, Resource, Ruleset, Source
from rules.models.vocabulary import Detection, Kind, Op, Status, SwitchType, TestWord
from rules.packs import columns as cols
from rules.packs.named_things import NAMES, names_in, names_of
from rules.packs.names import label
from rules.packs.source_rows import Pack, read_source
from rules.patterns.words import out_of_place
from rules.rings import find_ring
from rules.stat_graph import StatGraph, is_ring, too_long

# Kinds that a character gets only by way of the core rules. Items, conditions and what they name are open to everyone.
REACHED = {
    Kind.LINEAGE, Kind.CULTURE, Kind.BACKGROUND, Kind.DISPOSITION, Kind.JOB, Kind.PATH, Kind.FEATURE, Kind.TALENT,
    Kind.SKILL, Kind.KNOWLEDGE, Kind.TOOL, Kind.LANGUAGE,
}  # fmt: skip
ALWAYS_THERE = {Kind.RULES, Kind.WEAPON, Kind.ARMOR, Kind.GEAR, Kind.PROPERTY, Kind.CONDITION, Kind.SIZE}

# Tests that a grant may depend on: no number changes their result, and once they hold, they keep holding.
SETTLED = {TestWord.LEVEL, TestWord.RANK, TestWord.FIRST_JOB, TestWord.HAS, TestWord.SWITCH}
SETTLED_ONLY = (
    "a grant may depend only on level, rank, starting job, house rules or something held, not on the lack of one"
)
UNPUBLISHED = {Status.DRAFT, Status.RETIRED}


@dataclass(frozen=True, order=True)
class Finding:
    where: str
    reason: str
    error: bool = True

    def __str__(self) -> str:
        return f"{'error' if self.error else 'note '}  {self.where}: {self.reason}"


def check_rules(ruleset: Ruleset) -> list[Finding]:
    """Every finding about the working copies of the ruleset's public sources, errors first."""
    sources = Source.objects.public().filter(ruleset=ruleset).order_by("-is_core", "slug")
    return check_packs(ruleset, [read_source(source) for source in sources])


def check_packs(ruleset: Ruleset, packs: list[Pack], tried: Collection[str] | None = None) -> list[Finding]:
    """Every finding about these packs together: errors, then notes on gaps that a later source may fill.

    tried: the elements to try by themselves; None for all.
    """
    if not packs:
        return [Finding(ruleset.slug, "has no source")]
    bundle = bundle_of_packs(packs)
    found = [*wrong_paths(packs), *rings_of_events(packs), *crossings(ruleset), *same_names(packs)]
    found += [*references(packs), *gained_in_vain(packs), *in_vain(packs), *unused(packs)]
    found += [*ungrouped(packs), *unlabeled(packs), *too_late(packs)]
    found += [*unreached(bundle), *short_choices(bundle), *unfit_settings(bundle), *unfit_spells(bundle)]
    found += [*unknown_resources(bundle), *rings_of_needs(packs), *ranks_of_nobody(bundle)]
    if not any(finding.error for finding in found):
        found += alone(bundle, bundle.elements if tried is None else tried)
    return sorted(set(found), key=lambda finding: (not finding.error, finding))


def wrong_paths(packs: list[Pack]) -> Iterator[Finding]:
    graph = StatGraph()
    for pack in packs:
        graph.add_pack(pack)
    path = graph.wrong_path()
    if path and is_ring(path):
        yield Finding(f"stat {path[0]}", f"would depend on itself: {' → '.join(path)}")
    elif path:
        yield Finding(f"stat {path[0]}", too_long())


def rings_of_events(packs: list[Pack]) -> Iterator[Finding]:
    events = [(slug, row) for pack in packs for slug, row in pack.events.items()]
    if ring := find_ring((slug, other) for slug, row in events for other in row["includes"]):
        yield Finding(f"rest event {ring[0]}", f"would include itself: {' → '.join(ring)}")


def crossings(ruleset: Ruleset) -> Iterator[Finding]:
    """References from a row of this ruleset to a row of another. Only code that bypasses the forms can make them. One
    query if there are none."""
    asked = [(model, of, column) for model, of, columns in OWNED for column in columns if column.target]
    numbered = []  # the rows that refer to another ruleset, each with the number of its column in `asked`
    for number, (model, of_ruleset, column) in enumerate(asked):
        target = "owner__ruleset" if column.target is Resource else "ruleset"
        rows = model.objects.filter(**{of_ruleset: ruleset, f"{column.field.name}__isnull": False}).order_by()
        rows = rows.exclude(**{f"{column.field.name}__{target}": F(of_ruleset)})
        numbered.append(rows.values_list(Value(number), "pk"))
    for number, pk in numbered[0].union(*numbered[1:], all=True).order_by():
        model, _, column = asked[number]
        other = getattr(model.objects.get(pk=pk), column.field.name)
        yield Finding(f"{model._meta.verbose_name} {pk}", f"{column.field.name} names {other} of another ruleset")


OF_AN_ELEMENT = (
    *cols.EFFECTS.values(), cols.CHOICE, cols.PREREQUISITE, cols.RESOURCE, cols.RECOVERY, cols.ACTION,
)  # fmt: skip
# Each model whose rows may refer to others, with the path from a row to its ruleset, and its columns.
OWNED = (
    *((column[0].field.model, "ruleset", column) for column in (cols.STAT, cols.ELEMENT, *cols.OF_KIND.values())),
    (cols.CIRCUMSTANCE_TEST[0].field.model, "circumstance__ruleset", cols.CIRCUMSTANCE_TEST),
    *((columns[0].field.model, "owner__ruleset", columns) for columns in OF_AN_ELEMENT),
    (cols.PROPERTY_USE[0].field.model, "item__ruleset", cols.PROPERTY_USE),
    (ChoiceOption, "choice__owner__ruleset", cols.columns(ChoiceOption, "element stat")),
)


def ranks_of_nobody(bundle: Bundle) -> Iterator[Finding]:
    for key, ref in bundle.game.creation.rank_stats(bundle).items():
        if key in bundle.stats and not bundle.stats[key].is_input:
            yield Finding(ref, f"players enter its rank, but not the statistic {key}: make that one that they enter")


def same_names(packs: list[Pack]) -> Iterator[Finding]:
    """Names that occur twice in the ruleset. A choice is named after its owner's slug and a resource by its own slug,
    so both slugs must be unique."""
    owners, resources = defaultdict(list), defaultdict(list)
    for ref, row in elements(packs):
        if row["choices"]:
            owners[row["slug"]].append(ref)
        for line in row["resources"]:
            resources[line["slug"]].append(ref)
    for slug, refs in owners.items():
        if len(refs) > 1:
            yield Finding(refs[1], f"owns choices, and so does {refs[0]} with the same slug {slug}")
    for slug, refs in resources.items():
        if len(refs) > 1:
            yield Finding(refs[1], f"has a resource {slug}, and so has {refs[0]}")


def elements(packs: Iterable[Pack]) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((ref, row) for pack in packs for ref, row in pack.elements.items())


def references(packs: list[Pack], of: list[Pack] | None = None) -> Iterator[Finding]:
    """References to content that does not exist, or is not published wherever the referring source is in play. of: the
    packs to check; None for all."""
    status = {ref: row["status"] for ref, row in elements(packs)}
    homes: dict[tuple[type[Model], str], Pack] = {}
    for pack in packs:
        homes |= dict.fromkeys(names_of(pack), pack)
    for pack in packs if of is None else of:
        for where, verb, model, name in names_in(pack):
            home = homes.get((model, name))
            said = f"{verb} {name}" if model is Element else f"{verb} {label(model)} {name}"
            if home is None:
                yield Finding(where, f"{said}, which is not published yet")
            elif home is not pack and not (home.source["is_core"] or home.source["slug"] in pack.requires):
                yield Finding(where, f"{said} of {home.source['slug']}, which it does not require")
            wrong = {Status.DRAFT} if verb == NAMES or status.get(where) == Status.RETIRED else UNPUBLISHED
            if model is Element and status.get(name) in wrong:
                yield Finding(where, f"{said}, which is {status[name]}")


def gained_in_vain(packs: list[Pack]) -> Iterator[Finding]:
    """Grants with a word that means nothing for the thing they name, and grants and choices under circumstances that
    they cannot depend on. Choices come before statistics are solved. So a choice under a circumstance that tests a
    statistic would never be asked, and a statistic that counts or limits answers must be a house rule, unchanged by any
    row."""
    circumstances = {slug: row for pack in packs for slug, row in pack.circumstances.items()}
    settings = {key for pack in packs for key, row in pack.stats.items() if row["switch"]}
    early = {line[word] for _, row in elements(packs) for line in row["choices"] for word in ("count_of", "ceiling")}
    for ref, row in elements(packs):
        for line in row["grant"]:
            if wrong := out_of_place(line["element"].partition(":")[0], line["as"]):
                yield Finding(ref, f"grants {line['element']}, which is {wrong}")
            when = circumstances.get(line["when"])
            if when and not is_settled(when["detection"], [(test["test"], test["negate"]) for test in when["tests"]]):
                yield Finding(ref, f"grants {line['element']} {when['name']}; {SETTLED_ONLY}")
        for line in row["choices"]:
            when = circumstances.get(line["when"])
            if when and any(test["test"] in STAT_TESTS for test in when["tests"]):
                yield Finding(ref, f"asks “{line['prompt']}” {when['name']}; a question cannot depend on a statistic")
            for key in {line["count_of"], line["ceiling"]} - settings - {""}:
                yield Finding(ref, f"asks “{line['prompt']}” by {key}; a question can depend only on a house rule")
        for line in row["modify"]:
            if line["stat"] in early:
                yield Finding(ref, f"changes {line['stat']}, which questions depend on; only its house rule changes it")


def in_vain(packs: list[Pack]) -> Iterator[Finding]:
    """Circumstances and requirements whose tests can never all hold."""
    lists = {key for pack in packs for key, row in pack.switches.items() if row["type"] == SwitchType.LIST}
    tests = [(f"circumstance {slug}", row["tests"]) for pack in packs for slug, row in pack.circumstances.items()]
    for where, rows in [*tests, *((ref, row["requires"]) for ref, row in elements(packs))]:
        at = contradicting(rows, lists)
        if at is not None:
            yield Finding(where, f"test {at + 1}: {IN_VAIN}")


def is_settled(detection: str, tests: Iterable[tuple[str, bool]]) -> bool:
    """True if a grant may depend on a circumstance with these (test, negate) pairs."""
    return detection == Detection.AUTO and all(
        test in SETTLED and (not negate or test == TestWord.SWITCH) for test, negate in tests
    )


def ungrouped(packs: list[Pack]) -> Iterator[Finding]:
    """Circumstances that are alone in a group. A group is for circumstances that switch each other off."""
    slugs = defaultdict(list)
    for pack in packs:
        for slug, row in pack.circumstances.items():
            slugs[row["group"]].append(slug)
    for group, members in slugs.items():
        if group and len(members) == 1:
            yield Finding(f"circumstance {members[0]}", f"is alone in the group {group}")


def unused(packs: list[Pack]) -> Iterator[Finding]:
    """Circumstances that no row names, and statistics that never get a value."""
    rows = [line for _, row in elements(packs) for part in cols.PARTS for line in row[part]]
    used = {line.get("when") for line in rows}
    valued = {line["stat"] for _, row in elements(packs) for line in row["modify"] if line["op"] != Op.MULTIPLY}
    armor_stats = {pack.ruleset["armor_stat"] for pack in packs}
    for pack in packs:
        for slug in pack.circumstances:
            if slug not in used:
                yield Finding(f"circumstance {slug}", "no row uses it")
        for key, row in pack.stats.items():
            has_value = row["is_input"] or row["switch"] or row["spent_of"] or row["created_of"]
            if not has_value and key not in valued and key not in armor_stats:
                yield Finding(f"stat {key}", "has no base, no row that adds to it and no input")


def unlabeled(packs: list[Pack]) -> Iterator[Finding]:
    """House rules whose values lack labels."""
    for pack in packs:
        for key, row in pack.switches.items():
            if row["labels"] and len(row["labels"]) != len(row["allowed"]):
                yield Finding(f"house rule {key}", f"has {len(row['allowed'])} values and {len(row['labels'])} labels")
            elif row["type"] == SwitchType.CHOICE and not row["labels"]:
                yield Finding(f"house rule {key}", "has no labels, so people read its values as they are", error=False)


def too_late(packs: list[Pack]) -> Iterator[Finding]:
    """Jobs, without limit break, with rows that begin after their last rank."""
    for ref, row in elements(packs):
        if "max_rank" in row and not row["limit_break"]:
            late = max((line.get("from_rank", 0) for part in cols.PARTS for line in row[part]), default=0)
            if late > row["max_rank"]:
                yield Finding(ref, f"brings something from rank {late}, but its last rank is {row['max_rank']}")


def unreached(bundle: Bundle) -> Iterator[Finding]:
    """Elements that no path of grants and choices reaches from the core rules, an item or a condition."""
    waiting = [ref for ref, element in bundle.elements.items() if element.kind in ALWAYS_THERE]
    reached = set(waiting)
    while waiting:
        element = bundle.elements.get(waiting.pop())
        for ref in leads_to(element) if element else ():
            if ref not in reached:
                reached.add(ref)
                waiting.append(ref)
    for ref, element in bundle.elements.items():
        if element.kind in REACHED and element.status == Status.PUBLISHED and ref not in reached:
            yield Finding(ref, "nothing grants it and no choice offers it")


def leads_to(element: PlainElement) -> Iterator[str]:
    yield from (effect.element for effect in element.effects if effect.kind == "grant")
    yield from (ref for choice in element.choices for ref in choice.options)


def short_choices(bundle: Bundle) -> Iterator[Finding]:
    """Choices that offer less than they ask for."""
    for choice in bundle.choices.values():
        offered = len(choice.options) + len(choice.stats)
        if choice.write_in or choice.for_duplicates or bundle.elements[choice.owner].status != Status.PUBLISHED:
            continue
        if not offered and is_open(choice):
            yield Finding(choice.key, "offers nothing until some source brings what it looks for", error=False)
        elif not offered:
            yield Finding(choice.key, "offers nothing")
        elif offered * times_each(choice) < choice.count:
            yield Finding(choice.key, f"asks for {choice.count} and offers {offered}")


def unfit_settings(bundle: Bundle) -> Iterator[Finding]:
    """Tests for a value that their house rule cannot have."""
    for where, test in tests_in(bundle):
        rule = bundle.switches.get(test.switch)
        for sentence in (unfit(rule, word) for word in test.word.split("|")) if rule else ():
            if sentence:
                yield Finding(where, f"house rule {test.switch}: {sentence.removesuffix('.')}")


def unknown_resources(bundle: Bundle) -> Iterator[Finding]:
    """Tests of a resource that no element has."""
    for where, test in tests_in(bundle):
        if test.test == TestWord.RESOURCE_EMPTY and test.word not in bundle.resources:
            yield Finding(where, f"asks whether {test.word} is used up, and no element has that resource")


def tests_in(bundle: Bundle) -> Iterator[tuple[str, Requirement]]:
    """Each test of a circumstance or for an element, with where it is."""
    for slug, circumstance in bundle.circumstances.items():
        yield from ((f"circumstance {slug}", test) for test in circumstance.tests)
    for ref, element in bundle.elements.items():
        yield from ((ref, test) for test in element.prerequisites)


def rings_of_needs(packs: list[Pack]) -> Iterator[Finding]:
    """Elements that need each other, so nobody can take the first of them. One that is also granted opens the ring."""
    given = {line["element"] for _, row in elements(packs) for line in row["grant"]}
    needs = [
        (ref, test["element"])
        for ref, row in elements(packs)
        for test in (row["requires"] if row["status"] == Status.PUBLISHED else ())
        if test["test"] == TestWord.HAS and not test["negate"] and not test["either"] and test["element"] not in given
    ]
    if ring := find_ring(needs):
        yield Finding(ring[0], f"would need itself: {' → '.join(ring)}")


def unfit_spells(bundle: Bundle) -> Iterator[Finding]:
    """Spells that no sheet could take over as they are."""
    for element in bundle.offered("spell"):
        for field, sentence in spell_entries.unfit_parts(bundle, spell_entries.as_noted(element)):
            yield Finding(element.ref, f"{field}: {sentence.removesuffix('.')}")


def is_open(choice: Choice) -> bool:
    return bool(choice.filter_kind or choice.filter_group or choice.filter_parent)


def times_each(choice: Choice) -> int:
    """The number of times that one option may be taken."""
    return choice.count if choice.distinct == "free" and choice.mode == "pick" else choice.per_option_max


def alone(bundle: Bundle, refs: Iterable[str]) -> Iterator[Finding]:
    """Tries each of these by itself on an empty character. Questions may be open, but nothing may be wrong."""
    usual = Counter(problem.text for problem in derive(bundle, Build()).problems)
    for ref in refs:
        if ref not in bundle.elements:  # a draft
            continue
        try:
            sheet = derive(bundle, holding(bundle.elements[ref]))
        except (LookupError, AttributeError) as missing:
            yield Finding(ref, f"alone on a character, a roll or an attack needs something missing: {missing!r}")
            continue
        for problem in sheet.problems:
            if problem.text not in usual:
                yield Finding(ref, f"alone on a character: {problem.text}")


IN_USE: dict[str, str] = {Kind.WEAPON: "main", Kind.ARMOR: "worn"}


def holding(element: PlainElement) -> Build:
    """A character with this element and nothing else. An item is in use."""
    if element.kind in (Kind.WEAPON, Kind.ARMOR, Kind.GEAR):
        state = IN_USE.get(element.kind, "carried")
        if element.weapon and element.weapon.hands != 1:
            state = "two-hands" if element.weapon.hands else "carried"
        return Build(items=(Item(ref=element.ref, state=state),))
    if element.kind == Kind.CONDITION:
        return Build(conditions=(Held(ref=element.ref),))
    return Build(awards=(Award(ref=element.ref, reason="to look at it alone"),))
