"""Sentences that an author completes, and the rows that each stands for: "+1 to Defense while wearing no armor".

The statistic, resource and recovery that uses need are made with them and named after them. Words of a
game come from its rows; here stand only those of the vocabulary. See decision 061.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from django.utils.text import slugify

from rules import models
from rules.free_slug import free_slug
from rules.models.vocabulary import Aspect, GrantWord, Kind, Op, Per, RollWord, Status

MOST_LINES = 20
PROFICIENT = {Kind.SKILL, Kind.KNOWLEDGE, Kind.TOOL, Kind.WEAPON, Kind.ARMOR, Kind.CATEGORY}
ROLLS = {
    "checks": RollWord.CHECK,
    "saving throws": RollWord.SAVE,
    "attack rolls": RollWord.ATTACK,
    "damage": RollWord.DAMAGE,
    "initiative": RollWord.INITIATIVE,
}
GRANTS = {
    "gains": GrantWord.GAIN,
    "is proficient with": GrantWord.SKILLED,
    "knows": GrantWord.KNOWS,
    "resists": GrantWord.RESIST,
    "is immune to": GrantWord.IMMUNE,
    "is vulnerable to": GrantWord.VULNERABLE,
}

PER = {" per rank": Per.RANK, " per level": Per.LEVEL}


class NotUnderstood(ValueError):
    """A line that fits no pattern, or names what is not there. Its text is the sentence for the author."""


@dataclass
class Words:
    """The names that lines may use: those of one ruleset. `entry` is the name of what the lines are about."""

    ruleset: int
    entry: str
    taken: set[str] = field(default_factory=set)

    def stat(self, name: str) -> models.Stat:
        return self._named("statistic", models.Stat.objects.filter(ruleset=self.ruleset), name, "key")

    def event(self, name: str) -> models.RestEvent:
        return self._named("rest", models.RestEvent.objects.filter(ruleset=self.ruleset), name, "slug")

    def timing(self, name: str) -> models.ActionTiming:
        return self._named("timing", models.ActionTiming.objects.filter(ruleset=self.ruleset), name, "slug")

    def element(self, name: str, kinds: Iterable[str] = ()) -> models.Element:
        found = models.Element.objects.filter(ruleset=self.ruleset).exclude(status=Status.RETIRED)
        return self._named("entry", found.filter(kind__in=kinds) if kinds else found, name, "ref")

    def split(self, text: str) -> tuple[str, models.Circumstance | None]:
        """The text before a circumstance that it ends with, and that circumstance: the one with the longest name."""
        ends = [
            (len(one.name), one)
            for one in models.Circumstance.objects.filter(ruleset=self.ruleset)
            if text.casefold().endswith(f" {one.name.casefold()}")
        ]
        if not ends:
            return text, None
        length, circumstance = max(ends, key=lambda end: end[0])
        return text[:-length].strip(), circumstance

    def new_slug(self, name: str) -> str:
        """A slug that no resource and no statistic of its uses has yet."""
        resources = models.Resource.objects.filter(owner__ruleset=self.ruleset).values_list("slug", flat=True)
        keys = models.Stat.objects.filter(ruleset=self.ruleset).values_list("key", flat=True)
        taken = {*resources, *(key.removesuffix(".max") for key in keys), *self.taken}
        first = slugify(name)[:50].strip("-")
        if not first or not first[0].isalpha():
            first = f"uses-{first}".strip("-")
        slug = free_slug(first, taken, 56)
        self.taken.add(slug)
        return slug

    def _named(self, what, rows, name, key):
        wanted = name.strip().casefold()
        rows = list(rows)
        found = [row for row in rows if wanted in (row.name.casefold(), getattr(row, key).casefold())]
        if len(found) == 1:
            return found[0]
        if found:
            keys = ", ".join(getattr(row, key) for row in found)
            raise NotUnderstood(f"More than one {what} is called “{name}”. Write which: {keys}.")
        near = get_close_matches(wanted, [row.name.casefold() for row in rows], 1)
        meant = next((f" Do you mean {row.name}?" for row in rows if near and row.name.casefold() == near[0]), "")
        raise NotUnderstood(f"No {what} is called “{name}”.{meant}")


@dataclass(frozen=True)
class Pattern:
    """A sentence to complete. `rows` makes its rows, unsaved and without an owner, in the order to save them."""

    sentence: str
    shape: re.Pattern
    rows: Callable[..., list]


def number_of(words, amount, stat, rank=None):
    stat, when = words.split(stat)
    rank = int(rank or 0)
    stat, per = next(
        ((stat[: -len(end)], per) for end, per in PER.items() if stat.lower().endswith(end)), (stat, Per.ONCE)
    )
    return [
        models.StatModifier(
            stat=words.stat(stat), op=Op.ADD, amount=int(amount.replace("−", "-")), when=when, per=per, from_rank=rank
        )
    ]


def number_begun(words, stat, amount, rank=None):
    row = models.StatModifier(stat=words.stat(stat), op=Op.BASE, amount=int(amount), from_rank=int(rank or 0))
    return [row]


def roll_changed(words, change, roll, scope, rank=None):
    scope, when = words.split(f" {scope or ''}")
    row = models.RollModifier(roll=ROLLS[roll.lower()], when=when, from_rank=int(rank or 0))
    change = change.lower()
    if change in (Aspect.ADVANTAGE, Aspect.DISADVANTAGE):
        row.aspect = change
    else:
        row.aspect, row.amount = Aspect.BONUS, int(change.replace("−", "-"))
    scope = scope.strip()
    if scope and not scope.lower().startswith("of "):
        raise NotUnderstood(f"No circumstance is called “{scope}”.")
    if scope:
        subject = words.element(scope[3:], {*PROFICIENT, Kind.ABILITY, Kind.DAMAGE_TYPE, Kind.PROPERTY})
        if subject.kind == Kind.ABILITY:
            row.ability = subject
        else:
            row.subject = subject
    return [row]


def granted(words, grant, element, rank=None):
    return [models.Grant(element=words.element(element), grant_as=GRANTS[grant.lower()], from_rank=int(rank or 0))]


def chosen(words, count, kind, rank=None):
    kinds = {name: one for one in Kind for name in (one.label, f"{one.label}s", f"{one.label[:-1]}ies")}
    kind_word = kinds.get(kind.lower())
    if kind_word is None:
        near = get_close_matches(kind.lower(), kinds, 1)
        raise NotUnderstood(f"No kind is called “{kind}”.{f' Do you mean {near[0]}?' if near else ''}")
    as_word = GrantWord.GAIN
    if kind_word in PROFICIENT:
        as_word = GrantWord.SKILLED
    elif kind_word == Kind.LANGUAGE:
        as_word = GrantWord.KNOWS
    prompt = f"Choose {count} {kind_word.label if int(count) == 1 else kind.lower()}"
    slug = words.new_slug(f"{words.entry} {kind_word}")
    rank = int(rank or 0)
    return [
        models.Choice(
            slug=slug, prompt=prompt, count=int(count), filter_kind=kind_word, grant_as=as_word, from_rank=rank
        )
    ]


def uses(words, count, event, name=None):
    name = name or words.entry
    slug = words.new_slug(name)
    event = words.event(event)
    stat = models.Stat(key=f"{slug}.max", name=f"Uses of {name}"[:120])
    resource = models.Resource(slug=slug, name=name[:120], max_stat=stat)
    return [
        stat,
        models.StatModifier(stat=stat, op=Op.BASE, amount=int(count)),
        resource,
        models.Recovery(resource=resource, event=event, full=True),
    ]


def action(words, timing, name, count=None, event=None, rank=None):
    before = uses(words, count, event, name) if count else []
    resource = before[2] if before else None
    slug = resource.slug if resource else words.new_slug(name)
    return [
        *before,
        models.Action(slug=slug, name=name, timing=words.timing(timing), resource=resource, from_rank=int(rank or 0)),
    ]


FROM_RANK = r"(?:from rank (?P<rank>\d{1,2}): )?"
BACK = r"(?P<count>[1-9]\d?) uses?, back after (?:an? )?(?P<event>.+)"


def pattern(sentence, shape, rows):
    return Pattern(sentence, re.compile(shape, re.IGNORECASE), rows)


PATTERNS = (
    pattern(
        "advantage on checks of [skill] [circumstance]",
        rf"{FROM_RANK}(?P<change>advantage|disadvantage|[+−-]\d{{1,3}})"
        rf" on (?P<roll>{'|'.join(ROLLS)})(?: (?P<scope>.+))?",
        roll_changed,
    ),
    pattern(
        "+1 to [statistic] per level [circumstance]",
        rf"{FROM_RANK}(?P<amount>[+−-]\d{{1,3}}) (?:to )?(?P<stat>.+)",
        number_of,
    ),
    pattern("[statistic] starts at 30", rf"{FROM_RANK}(?P<stat>[^:]+) starts at (?P<amount>\d{{1,3}})", number_begun),
    pattern(
        "[timing]: [name of the action], 1 use, back after [rest]",
        rf"(?P<timing>[^:,]+): (?P<name>[^,:]{{1,60}}), {BACK}",
        action,
    ),
    pattern("1 use, back after [rest]", BACK, uses),
    pattern(
        f"{', '.join(GRANTS)}: one of these, and [entry]",
        rf"{FROM_RANK}(?P<grant>{'|'.join(GRANTS)}) (?P<element>.+)",
        granted,
    ),
    pattern("choose 2 of [kind]", rf"{FROM_RANK}choose (?P<count>[1-9]\d?) (?:of )?(?P<kind>[a-z ]+)", chosen),
    pattern("[timing]: [name of the action]", r"(?P<timing>[^:,]+): (?P<name>[^,:]{1,60})", action),
)


def understood(lines: Iterable[str], words: Words) -> list:
    """The rows of these lines, unsaved. Raises `NotUnderstood` with the first line that cannot be read, and why."""
    lines = [line.strip().rstrip(".") for line in lines if line.strip()]
    if len(lines) > MOST_LINES:
        raise NotUnderstood(f"Write at most {MOST_LINES} lines at once.")
    return [row for line in lines for row in _rows_of(line, words)]


def _rows_of(line, words):
    for one in PATTERNS:
        if match := one.shape.fullmatch(line):
            try:
                return one.rows(words, **match.groupdict())
            except NotUnderstood as refusal:
                raise NotUnderstood(f"“{line}”: {refusal}") from refusal
    raise NotUnderstood(f"“{line}” is none of the sentences below. Complete one of them, or fill in the row itself.")


def write(rows: list, entry: models.Element) -> None:
    """Store the rows as those of `entry`, after the ones that it has. Attacks that a weapon changes are its own."""
    order = max(entry.effects.values_list("order", flat=True), default=0)
    for row in rows:
        if isinstance(row, models.Stat):
            row.ruleset, row.source = entry.ruleset, entry.source
        else:
            row.owner_id = entry.pk
        if isinstance(row, models.Effect):
            order += 1
            row.order = order
            row.this_item_only = entry.kind in (Kind.PROPERTY, Kind.WEAPON) and row.roll in (
                RollWord.ATTACK,
                RollWord.DAMAGE,
            )
        row.save()
