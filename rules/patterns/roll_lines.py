"""Lines that change rolls: “advantage on checks of Stealth in dim light”."""

from collections.abc import Iterator

from django.db.models import Model

from rules import models
from rules.engine.phrases import signed
from rules.models.vocabulary import Kind, RollAspect, RollWord

from .amounts import END_OF, per_of
from .entry_rows import Rows, RowSentence, is_plain, when
from .words import PROFICIENT, NotUnderstood, Words

SCOPES = {*PROFICIENT, Kind.DAMAGE_TYPE, Kind.PROPERTY}
ROLLS = {
    "ability checks": RollWord.CHECK,  # as pages word it; read back as “checks”
    "checks": RollWord.CHECK,
    "saving throws": RollWord.SAVE,
    "attack rolls against this character": RollWord.AGAINST,
    "attack rolls": RollWord.ATTACK,
    "damage": RollWord.DAMAGE,
    "initiative": RollWord.INITIATIVE,
}
ROLL_NAMES = {word: name for name, word in ROLLS.items()}
MADE_ROLLS = [name for name, roll in ROLLS.items() if roll not in (RollWord.DAMAGE, RollWord.INITIATIVE)]
CERTAIN = {"fail": RollAspect.FAILS, "succeed": RollAspect.SUCCEEDS}


def roll_changed(words: Words, change: str, roll: str, scope: str | None, about: str | None) -> list[Model]:
    """The change of a roll. `scope` says which roll and when: “checks of Stealth in dim light” or, with `about`,
    “Stealth checks in dim light”."""
    scope, when = words.split(f" {f'of {about} ' if about else ''}{scope or ''}".rstrip())
    row = models.RollModifier(roll=ROLLS[roll.lower()], when=when)
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
    words: Words, change: str, roll: str, scope: str | None, about: str | None, when: str | None
) -> list[Model]:
    return roll_changed(words, change, roll, " ".join(filter(None, (scope, when))), about)


def rolled_with(words: Words, name: str) -> models.Element:
    """The skill, weapon or ability with this name, for a roll. Further words after the name are a circumstance that
    does not exist."""
    kinds = {*SCOPES, Kind.ABILITY}
    try:
        return words.element(name, kinds)
    except NotUnderstood:
        words.check_further("entry", name, models.Element.objects.filter(kind__in=kinds))
        raise


def sentences_of_rolls(rows: Rows) -> Iterator[RowSentence]:
    for row in rows.effects:
        bonus = row.aspect == RollAspect.BONUS
        if not bonus and row.aspect not in (RollAspect.ADVANTAGE, RollAspect.DISADVANTAGE):
            continue
        if row.per in END_OF and (roll := roll_in(rows, row, *(["amount", "per"] if bonus else []))):
            change = signed(row.amount) if bonus else row.aspect
            yield RowSentence(f"{rows.begun(row)}{change} on {roll}{rows.end_of(row)}{when(row)}", (row,))


def sentences_of_certain(rows: Rows) -> Iterator[RowSentence]:
    verbs = {aspect: verb for verb, aspect in CERTAIN.items()}
    for row in rows.effects:
        if row.aspect in verbs and (roll := roll_in(rows, row)) and ROLL_NAMES[row.roll] in MADE_ROLLS:
            yield RowSentence(f"{rows.begun(row)}{roll} {verbs[row.aspect]} without a roll{when(row)}", (row,))


def roll_in(rows: Rows, row: models.Effect, *said: str) -> str:
    """The roll that a row changes, in words such as “checks of Stealth”; "" if the row says more than a line can."""
    said = ("roll", "aspect", "when", "from_rank", "this_item_only", "ability" if row.ability_id else "subject", *said)
    fits = row.roll in ROLL_NAMES and is_plain(row, *said) and row.this_item_only == for_its_own(row, rows.entry)
    if not fits or (row.subject_id and row.subject.kind not in SCOPES):
        return ""
    about = row.ability or row.subject
    return f"{ROLL_NAMES[row.roll]}{f' of {rows.name(about)}' if about else ''}"


def for_its_own(row: models.Effect, entry: models.Element) -> bool:
    """True if a weapon, or a property of one, changes attacks: then the row changes only attacks with that weapon."""
    return entry.kind in (Kind.PROPERTY, Kind.WEAPON) and row.roll in (RollWord.ATTACK, RollWord.DAMAGE)
