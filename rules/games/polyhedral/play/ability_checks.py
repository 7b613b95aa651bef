"""Checks and saving throws from the sheet, with any ability and subject (sections 2 and 12 to 15)."""

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Roll, Sheet
from rules.games.outcome import NotAllowed, Outcome, name_of
from rules.games.table_action import At

from ..rolls import check, kind_of
from .body import conscious, living
from .ends import ended_by_roll, no_longer
from .points import came_to, paid
from .pool import Ready, RollOptions, fell, ready
from .turn import fresh

NOT_OWN = ("against",)
INITIATIVE = "initiative"  # this roll begins a fight
WITH_ANY_ABILITY = ("skill", "knowledge", "tool")


def roll_of(bundle: Bundle, sheet: Sheet, key: str, ability: str = "") -> Roll:
    """The sheet's roll with this key (`skill.athletics`, `tool.cooks-tools`), or the same with another ability."""
    if key in sheet.rolls and not ability and key not in NOT_OWN:
        return sheet.rolls[key]
    kind, _, slug = key.partition(".")
    subject = f"{kind}:{slug}"
    ref = f"ability:{ability or 'mind'}"
    if ability and (kind not in WITH_ANY_ABILITY or ref not in bundle.elements):
        raise NotAllowed("Only skills, knowledges and tools can use another ability.", "ability")
    if kind not in WITH_ANY_ABILITY or subject not in bundle.elements:
        raise NotAllowed("The sheet has no such roll.", "roll")
    return check(sheet.solver, ref, subject)


def check_ready(bundle: Bundle, build: Build, roll: Roll, asked: RollOptions) -> Ready:
    return ready(bundle, build, roll, asked, kind_of(roll.key))


def checked(at: At, roll: Roll, asked: RollOptions) -> Outcome:
    """Roll a check, a saving throw or initiative. At 0 health, saves and initiative may still be rolled."""
    bundle, build, sheet = at.bundle, at.build, at.sheet
    (living if kind_of(roll.key) == "save" or roll.key == INITIATIVE else conscious)(build)
    spends = paid(sheet, asked.resolve)
    if roll.key == INITIATIVE:
        spends = {**spends, **fresh(sheet)}
    rolled = fell(check_ready(bundle, build, roll, asked), at.chance)
    word = "in secret" if asked.secret else came_to(bundle, build, rolled)
    over = ended_by_roll(bundle, build, rolled.kind)
    sentence = f"{name_of(build)} rolls {roll.name}: {word}.{no_longer(bundle, over)}"
    return Outcome(sentence, spends, ends=over, rolls=(rolled,))
