"""The patterns: for each, the form of its sentence, the rows that it makes, and the way back from such rows to the
sentence."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from django.db.models import Model

from rules import models
from rules.engine.phrases import signed
from rules.models.vocabulary import EffectKind, GrantWord, Kind, Op, Per, RollAspect, RollWord, StatFormat

from .amounts import END_OF, amount_of, amount_words, per_of
from .entry_rows import Rows, RowSentence, is_plain
from .needs import needed, sentences_of_needs
from .words import GIVEN, PROFICIENT, NotUnderstood, Words, article

ROLLED: set[str] = {Kind.SKILL, Kind.KNOWLEDGE, Kind.TOOL}  # these have rolls, and no number of their own
SCOPES = {*PROFICIENT, Kind.DAMAGE_TYPE, Kind.PROPERTY}
ROLLS = {
    "ability checks": RollWord.CHECK,  # as pages say it; read back as “checks”
    "checks": RollWord.CHECK,
    "saving throws": RollWord.SAVE,
    "attack rolls against this character": RollWord.AGAINST,
    "attack rolls": RollWord.ATTACK,
    "damage": RollWord.DAMAGE,
    "initiative": RollWord.INITIATIVE,
}
GRANTS = {
    "gains": GrantWord.GAIN,
    "is proficient with": GrantWord.SKILLED,
    "knows": GrantWord.KNOWS,
    "owns": GrantWord.OWN,
    "resists": GrantWord.RESIST,
    "is immune to": GrantWord.IMMUNE,
    "is vulnerable to": GrantWord.VULNERABLE,
}
ROLL_NAMES = {word: name for name, word in ROLLS.items()}
MADE_ROLLS = [name for name, roll in ROLLS.items() if roll not in (RollWord.DAMAGE, RollWord.INITIATIVE)]
CERTAIN = {"fail": RollAspect.FAILS, "succeed": RollAspect.SUCCEEDS}
SETS = {"starts at": Op.BASE, "becomes": Op.SET, "is at least": Op.AT_LEAST, "is at most": Op.AT_MOST}
KINDS = {name: one for one in Kind for name in (one.label, f"{one.label}s", f"{one.label[:-1]}ies")}


@dataclass(frozen=True)
class Pattern:
    """A sentence to complete.

    `rows` makes its rows, unsaved and without an owner, in the order to save them. `sentences` finds such rows among
    those of an entry, except rows that hold more than the sentence can say, and completes the sentence for them.
    """

    sentence: str
    shape: re.Pattern[str]
    rows: Callable[..., list[Model]]
    sentences: Callable[[Rows], Iterator[RowSentence]]


def number_of(words: Words, amount: str, stat: str, rank: str | None = None) -> list[Model]:
    stat, when = words.split(stat)
    stat, per = per_of(words, stat)
    return [
        models.StatModifier(
            stat=stat_of(words, amount, stat), op=Op.ADD, amount=int(amount), when=when, per=per,
            from_rank=int(rank or 0),
        )
    ]  # fmt: skip


def stat_of(words: Words, amount: str, name: str) -> models.Stat:
    """The statistic with this name. If the name means something that is rolled, such as a skill, raises NotUnderstood
    with the sentence that changes its rolls."""
    try:
        return words.stat(name)
    except NotUnderstood as refused:
        if name.lower() in ROLLS:
            raise NotUnderstood(f"Write “{amount} on {name.lower()}”.") from refused
        rolled = words.called(re.sub(" checks?$", "", name, flags=re.IGNORECASE), ROLLED)
        change = signed(int(amount))
        raise NotUnderstood(f"Write “{change} on checks of {rolled}”.") if rolled else refused from None


def sentences_of_numbers(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        if row.op == Op.ADD and row.per in END_OF and is_plain(row, "stat", "op", "amount", "when", "per", "from_rank"):
            words = f"{signed(row.amount)} to {rows.name(row.stat)}{END_OF[row.per]}{when(row)}"
            yield RowSentence(f"{rows.begun(row)}{words}", (row,))


def number_added(words: Words, amount: str, stat: str, rank: str | None = None) -> list[Model]:
    stat, when = words.split(stat)
    stat, per = per_of(words, stat)
    columns = amount_of(words, amount) | {"when": when, "per": per, "from_rank": int(rank or 0)}
    return [models.StatModifier(stat=words.stat(stat), op=Op.ADD, **columns)]


def number_set(words: Words, stat: str, op: str, amount: str, rank: str | None = None) -> list[Model]:
    changed = words.stat(stat)
    amount, when = words.split(amount)
    amount, per = per_of(words, amount)
    if changed.format == StatFormat.FEET:  # as pages say it
        amount = amount.removesuffix(" feet")
    columns = amount_of(words, amount) | {"when": when, "per": per, "from_rank": int(rank or 0)}
    return [models.StatModifier(stat=changed, op=SETS[op.lower()], **columns)]


def sentences_of_added(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        if row.op == Op.ADD and row.of_stat and " to " not in row.of_stat.name and (words := amount_in(rows, row)):
            added = f"adds {words} to {rows.name(row.stat)}{END_OF[row.per]}{when(row)}"
            yield RowSentence(f"{rows.begun(row)}{added}", (row,))


def sentences_of_sets(rows: Rows) -> Iterator[RowSentence]:
    names = {op: name for name, op in SETS.items()}
    for row in rows.effects:
        if row.op in names and (words := amount_in(rows, row)):
            number = f"{rows.name(row.stat)} {names[row.op]} {words}{END_OF[row.per]}{when(row)}"
            yield RowSentence(f"{rows.begun(row)}{number}", (row,))


def amount_in(rows: Rows, row: models.Effect) -> str:
    """The amount of a row of a statistic in words; "" if the row says more than a line can."""
    said = ("stat", "op", "of_stat", "times", "divided_by", "round_up", "at_least", "at_most", "when", "from_rank")
    plain = is_plain(row, *said, "per", *(["amount"] if row.amount is not None else []))
    return amount_words(row, rows.name(row.of_stat) if row.of_stat else "") if plain and row.per in END_OF else ""


def number_in_steps(words: Words, step: str, each: str, amount: str, stat: str) -> list[Model]:
    """A number that grows every so many ranks: a statistic counts the ranks, and is divided."""
    each = each.lower()
    if stat.lower().startswith("on "):
        line = f"from {each} {step}: {amount} {stat}"
        raise NotUnderstood(f"Only a statistic grows in steps. Write a line for each step, such as “{line}”.")
    stat, when = words.split(stat)
    if not 1 <= int(step) <= 99:
        raise NotUnderstood(f"Write from 1 to 99 {each}s, such as “each 3 {each}s”.")
    if not 1 <= int(amount[1:]) <= 9:
        raise NotUnderstood("Write from +1 to +9, or from −1 to −9.")
    slug = words.new_slug(f"{words.entry} {each}s")
    ranks = models.Stat(key=slug, name=f"{each.capitalize()}s for {words.entry}"[:120], visible=False)
    down = not amount.startswith("+")
    return [
        ranks,
        models.StatModifier(stat=ranks, op=Op.BASE, amount=1, per=each),
        *(
            models.StatModifier(
                stat=words.stat(stat), op=Op.ADD, of_stat=ranks, divided_by=int(step), when=when,
                times=-1 if down else 1, round_up=down,
            )
            for _ in range(int(amount[1:]))
        ),
    ]  # fmt: skip


def sentences_of_steps(rows: Rows) -> Iterator[RowSentence]:
    for base in rows.effects:
        if not (base.op == Op.BASE and base.per in (Per.RANK, Per.LEVEL) and base.amount == 1):
            continue
        steps = [row for row in rows.effects if row.of_stat_id == base.stat_id]
        said = ("stat", "op", "of_stat", "divided_by", "when", "times", "round_up")
        alike = {tuple(getattr(row, models.Effect._meta.get_field(name).attname) for name in said) for row in steps}
        if len(alike) != 1 or not is_plain(base, "stat", "op", "amount", "per") or not is_plain(steps[0], *said):
            continue
        first = steps[0]
        if first.op == Op.ADD and (first.times, first.round_up) in ((1, False), (-1, True)):
            amount = signed(first.times * len(steps))
            words = f"each {first.divided_by} {base.per}s: {amount} to {rows.name(first.stat)}{when(first)}"
            yield RowSentence(words, (base.stat, base, *steps))


def roll_changed(
    words: Words, change: str, roll: str, scope: str | None, about: str | None, rank: str | None = None
) -> list[Model]:
    """The change of a roll, about which `scope` says what and when: “checks of Stealth in dim light”, or with `about`
    “Stealth checks in dim light”."""
    scope, when = words.split(f" {f'of {about} ' if about else ''}{scope or ''}".rstrip())
    row = models.RollModifier(roll=ROLLS[roll.lower()], when=when, from_rank=int(rank or 0))
    change = change.lower()
    if change in CERTAIN:
        row.aspect = CERTAIN[change]
    elif change in (RollAspect.ADVANTAGE, RollAspect.DISADVANTAGE):
        row.aspect = change
    else:
        row.aspect, row.amount = RollAspect.BONUS, int(change)
        scope, row.per = per_of(words, f" {scope.strip()}")
    scope = scope.strip()
    if scope and not scope.lower().startswith("of "):
        raise words.no_circumstance(scope)
    if scope:
        subject = rolled_with(words, scope[3:])
        if subject.kind == Kind.ABILITY:
            row.ability = subject
        else:
            row.subject = subject
    return [row]


def roll_certain(
    words: Words,
    change: str,
    roll: str,
    scope: str | None,
    about: str | None,
    when: str | None,
    rank: str | None = None,
) -> list[Model]:
    return roll_changed(words, change, roll, " ".join(filter(None, (scope, when))), about, rank)


def rolled_with(words: Words, name: str) -> models.Element:
    """The skill, weapon or ability of a roll with this name. If further words follow it, they are a circumstance that
    is not there."""
    kinds = {*SCOPES, Kind.ABILITY}
    try:
        return words.element(name, kinds)
    except NotUnderstood:
        words.check_further(name, models.Element.objects.filter(kind__in=kinds))
        raise


def sentences_of_rolls(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        bonus = row.aspect == RollAspect.BONUS
        if not bonus and row.aspect not in (RollAspect.ADVANTAGE, RollAspect.DISADVANTAGE):
            continue
        if row.per in END_OF and (roll := roll_in(rows, row, *(["amount", "per"] if bonus else []))):
            change = signed(row.amount) if bonus else row.aspect
            yield RowSentence(f"{rows.begun(row)}{change} on {roll}{END_OF[row.per]}{when(row)}", (row,))


def sentences_of_certain(rows: Rows) -> Iterator[RowSentence]:
    verbs = {aspect: verb for verb, aspect in CERTAIN.items()}
    for row in rows.effects:
        if row.aspect in verbs and (roll := roll_in(rows, row)) and ROLL_NAMES[row.roll] in MADE_ROLLS:
            yield RowSentence(f"{rows.begun(row)}{roll} {verbs[row.aspect]} without a roll{when(row)}", (row,))


def roll_in(rows: Rows, row: models.Effect, *said: str) -> str:
    """The roll that a row changes in words, such as “checks of Stealth”; "" if the row says more than a line can."""
    said = ("roll", "aspect", "when", "from_rank", "this_item_only", "ability" if row.ability_id else "subject", *said)
    fits = row.roll in ROLL_NAMES and is_plain(row, *said) and row.this_item_only == for_its_own(row, rows.entry)
    if not fits or (row.subject_id and row.subject.kind not in SCOPES):
        return ""
    about = row.ability or row.subject
    return f"{ROLL_NAMES[row.roll]}{f' of {rows.name(about)}' if about else ''}"


def granted(words: Words, grant: str, element: str, rank: str | None = None) -> list[Model]:
    word = GRANTS[grant.lower()]
    given = words.fitting(element, GIVEN[word], {f"{said} {{}}": GIVEN[other] for said, other in GRANTS.items()})
    return [models.Grant(element=given, grant_as=word, from_rank=int(rank or 0))]


def sentences_of_grants(rows: Rows) -> Iterator[RowSentence]:
    names = {word: name for name, word in GRANTS.items()}
    for row in rows.effects:
        if row.grant_as in names and is_plain(row, "element", "grant_as", "from_rank"):
            yield RowSentence(f"{rows.begun(row)}{names[row.grant_as]} {rows.name(row.element)}", (row,))


def noted(words: Words, text: str, about: str | None = None, rank: str | None = None) -> list[Model]:
    note = full(text.rstrip())
    if len(note) > (most := models.Note._meta.get_field("text").max_length):
        raise NotUnderstood(f"A note has at most {most} characters.")
    row = models.Note(text=note, from_rank=int(rank or 0))
    if about and about.lower() in ROLLS:
        row.roll = ROLLS[about.lower()]
    elif about:
        row.stat = words.stat_alone(about)
    return [row]


def full(text: str) -> str:
    """The text as a sentence: a line is written without its full stop."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def sentences_of_notes(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        if (
            row.kind == EffectKind.NOTE
            and is_plain(row, "text", "from_rank", "this_item_only", "roll" if row.roll else "stat")
            and row.roll in {"", *ROLL_NAMES}
            and row.this_item_only == for_its_own(row, rows.entry)
            and [full(row.text.removesuffix("."))] == row.text.split("\n")
        ):
            about = ROLL_NAMES[row.roll] if row.roll else rows.name(row.stat) if row.stat else ""
            on = f" on {about}" if about else ""
            yield RowSentence(f"{rows.begun(row)}note{on}: {row.text.removesuffix('.')}", (row,))


def chosen(words: Words, count: str, kind: str, rank: str | None = None) -> list[Model]:
    kind_word = KINDS.get(kind.lower())
    if kind_word is None:
        near = get_close_matches(kind.lower(), KINDS, 1)
        raise NotUnderstood(f"No kind is called “{kind}”.{f' Do you mean {near[0]}?' if near else ''}")
    prompt = f"Choose {count} {kind_word.label if int(count) == 1 else kind.lower()}"
    return [
        models.Choice(
            slug=words.new_slug(f"{words.entry} {kind_word}"), prompt=prompt, count=int(count), filter_kind=kind_word,
            filter_parent=of_its_own(kind_word, words.kind), grant_as=held_as(kind_word), from_rank=int(rank or 0),
        )
    ]  # fmt: skip


def of_its_own(kind: str, owner: str) -> bool:
    """True if an entry of the kind `owner` offers only what is made for it: a job offers its own paths."""
    return kind == Kind.PATH and owner == Kind.JOB


def held_as(kind: str) -> str:
    """The word for having a chosen element of this kind."""
    if kind in PROFICIENT:
        return GrantWord.SKILLED
    return GrantWord.KNOWS if kind == Kind.LANGUAGE else GrantWord.GAIN


def sentences_of_choices(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.choices:
        kind = row.prompt.partition(" ")[2].partition(" ")[2]
        if (
            row.filter_kind
            and not row.listed
            and row.count > 0
            and KINDS.get(kind) == row.filter_kind
            and row.prompt == f"Choose {row.count} {kind}"
            and row.grant_as == held_as(row.filter_kind)
            and row.filter_parent == of_its_own(row.filter_kind, rows.entry.kind)
            and is_plain(row, "slug", "prompt", "count", "filter_kind", "filter_parent", "grant_as", "from_rank")
        ):
            words = f"choose {row.count} {'of ' if row.count > 1 else ''}{kind}"
            yield RowSentence(f"{rows.begun(row)}{words}", (row,))


def uses(words: Words, count: str, event: str, name: str | None = None, rank: int = 0) -> list[Model]:
    name = name or words.entry
    slug = words.new_slug(name)
    event = words.event(event)
    stat = models.Stat(key=f"{slug}.max", name=f"Uses of {name}"[:120])
    resource = models.Resource(slug=slug, name=name[:120], max_stat=stat)
    return [
        stat,
        models.StatModifier(stat=stat, op=Op.BASE, amount=int(count), from_rank=rank),
        resource,
        models.Recovery(resource=resource, event=event, full=True),
    ]


def sentences_of_uses(rows: Rows) -> Iterator[RowSentence]:
    for resource in rows.resources:
        if resource.name == rows.entry.name[:120] and (found := uses_of(rows, resource)):
            yield found


def uses_of(rows: Rows, resource: models.Resource, rank: int = 0) -> RowSentence | None:
    """“1 use, back after a short rest”, if one row gives the uses and one brings all of them back."""
    bases = [row for row in rows.effects if row.stat_id == resource.max_stat_id and row.op == Op.BASE]
    recoveries = [row for row in rows.recoveries if row.resource_id == resource.pk]
    if (
        len(bases) == len(recoveries) == 1
        and is_plain(resource, "slug", "name", "max_stat")
        and is_plain(bases[0], "stat", "op", "amount", "from_rank")
        and bases[0].from_rank == rank
        and 0 < bases[0].amount < 100
        and is_plain(recoveries[0], "resource", "event", "full")
        and recoveries[0].owner_id == rows.entry.pk
    ):
        count, event = bases[0].amount, recoveries[0].event
        words = f"{count} use{'' if count == 1 else 's'}, back after {article(event.name)}"
        return RowSentence(words, (resource.max_stat, bases[0], resource, recoveries[0]))
    return None


def action(
    words: Words, timing: str, name: str, count: str = "", event: str = "", rank: str | None = None
) -> list[Model]:
    from_rank = int(rank or 0)
    before = uses(words, count, event, name, from_rank) if count else []
    resource = before[2] if before else None
    slug = resource.slug if resource else words.new_slug(name)
    return [
        *before,
        models.Action(slug=slug, name=name, timing=words.timing(timing), resource=resource, from_rank=from_rank),
    ]


def sentences_of_actions(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.actions:
        if row.resource_id or not is_plain(row, "slug", "name", "timing", "from_rank") or not is_sayable(row.name):
            continue
        yield RowSentence(f"{rows.begun(row)}{row.timing.name}: {row.name}", (row,))


def sentences_of_actions_with_uses(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.actions:
        resource = next((one for one in rows.resources if one.pk == row.resource_id), None)
        alone = len([one for one in rows.actions if one.resource_id == row.resource_id]) == 1
        if (
            resource
            and alone
            and resource.name == row.name
            and is_sayable(row.name)
            and is_plain(row, "slug", "name", "timing", "resource", "from_rank")
            and (found := uses_of(rows, resource, row.from_rank))
        ):
            words = f"{row.timing.name}: {row.name}, {found.text}"
            yield RowSentence(f"{rows.begun(row)}{words}", (*found.rows, row))


def is_sayable(name: str) -> bool:
    """True if the name of an action fits into a sentence, whose parts are separated by commas and colons."""
    return len(name) <= 60 and not set(name) & set(",:")


def for_its_own(row: models.Effect, entry: models.Element) -> bool:
    """True if a weapon, or a property of one, changes attacks: it changes only those with that weapon."""
    return entry.kind in (Kind.PROPERTY, Kind.WEAPON) and row.roll in (RollWord.ATTACK, RollWord.DAMAGE)


def when(row: models.Effect) -> str:
    return f" {row.when.name}" if row.when_id else ""


FROM_RANK = r"(?:from (?:rank|level) (?P<rank>\d{1,2}): )?"
BACK = r"(?P<count>[1-9]\d?) uses?, back after (?:an? )?(?P<event>.+)"


def pattern(
    sentence: str, shape: str, rows: Callable[..., list[Model]], sentences: Callable[[Rows], Iterator[RowSentence]]
) -> Pattern:
    return Pattern(sentence, re.compile(shape, re.IGNORECASE), rows, sentences)


PATTERNS = (
    pattern(
        "advantage on checks of [skill] [circumstance]",
        rf"{FROM_RANK}(?P<change>advantage|disadvantage|[+-]\d{{1,3}})"
        rf" on (?:(?P<about>.+?) )??(?P<roll>{'|'.join(ROLLS)})(?:,? (?P<scope>.+))?",
        roll_changed,
        sentences_of_rolls,
    ),
    pattern(
        "saving throws of [ability] fail without a roll, or succeed [circumstance]",
        rf"{FROM_RANK}(?:(?P<about>.+?) )??(?P<roll>{'|'.join(MADE_ROLLS)})(?: (?P<scope>of .+?))?"
        r" (?P<change>fail|succeed) without a roll(?:,? (?P<when>.+))?",
        roll_certain,
        sentences_of_certain,
    ),
    pattern(
        "+1 to [statistic] per level [circumstance]",
        rf"{FROM_RANK}(?P<amount>[+-]\d{{1,3}}) (?:to )?(?P<stat>.+)",
        number_of,
        sentences_of_numbers,
    ),
    pattern(
        "adds half [statistic] rounded down to [statistic] [circumstance]",
        rf"{FROM_RANK}adds (?P<amount>.+?) to (?P<stat>.+)",
        number_added,
        sentences_of_added,
    ),
    pattern(
        "each 3 ranks: +1 to [statistic] [circumstance]",
        r"each (?P<step>\d{1,3}) (?P<each>rank|level)s?: (?P<amount>[+-]\d{1,3}) (?:to )?(?P<stat>.+)",
        number_in_steps,
        sentences_of_steps,
    ),
    pattern(
        "[statistic] starts at 30; or “becomes”, “is at least”, “is at most”; in place of 30 also half [statistic] "
        "rounded down, 3 + [statistic], 2 × [statistic] (at least 1)",
        rf"{FROM_RANK}(?P<stat>[^:]+?) (?P<op>{'|'.join(SETS)}) (?P<amount>.+)",
        number_set,
        sentences_of_sets,
    ),
    pattern(
        "[timing]: [name of the action], 1 use, back after [rest]",
        rf"{FROM_RANK}(?P<timing>(?!each |from )[^:,]+): (?P<name>[^,:]{{1,60}}), {BACK}",
        action,
        sentences_of_actions_with_uses,
    ),
    pattern(
        "note: [what the table must know]; “note on [statistic]: ” and “note on attack rolls: ” stand beside these",
        rf"{FROM_RANK}note(?: on (?P<about>[^:]+))?: (?P<text>\S.*)",
        noted,
        sentences_of_notes,
    ),
    pattern("1 use, back after [rest]", BACK, uses, sentences_of_uses),
    pattern(
        f"{', '.join(GRANTS)}: one of these, and [entry]",
        rf"{FROM_RANK}(?P<grant>{'|'.join(GRANTS)}) (?P<element>.+)",
        granted,
        sentences_of_grants,
    ),
    pattern(
        "choose 2 of [kind]",
        rf"{FROM_RANK}choose (?P<count>[1-9]\d?) (?:of )?(?P<kind>[a-z ]+)",
        chosen,
        sentences_of_choices,
    ),
    pattern(
        "[timing]: [name of the action]",
        rf"{FROM_RANK}(?P<timing>(?!each |from )[^:,]+): (?P<name>[^,:]{{1,60}})",
        action,
        sentences_of_actions,
    ),
    pattern(
        "needs [entry], level 5, [job] rank 3, [statistic] at least 13, proficiency with [skill]: one of these, or "
        "several with “or” between",
        r"needs (?P<tests>.+)",
        needed,
        sentences_of_needs,
    ),
)
