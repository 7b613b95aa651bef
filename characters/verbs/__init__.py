"""The verbs: everything that may happen to a character, one function each: `verb(pk, person, key, **what) -> Change`.

A verb checks, changes a draft and returns the sentence for the history; the journal locks and writes. If the rules or
the state forbid the change, the verb raises `Refused` with a sentence, and the form's field if there is one.
"""

from .abilities import roll_abilities, set_abilities
from .aspects import drop_aspect, roll_aspect, roll_missing_aspects
from .begin import copy, copy_sample, copy_shared, import_file, start, surprise
from .bin import bin_unreachable, empty_bin, restore, throw_away
from .choose import choose, unchoose
from .experience import add_xp, set_level
from .face import forget_pictures, set_face, set_picture
from .leveling import change_level, drop_answer, level_up, take_back_level
from .name import rename
from .plan import forget_plan, plan_level, take_planned
from .purchase import buy_outfit, purchase
from .sources import set_sources
from .switches import set_switches

__all__ = [
    "add_xp",
    "bin_unreachable",
    "buy_outfit",
    "change_level",
    "choose",
    "copy",
    "copy_sample",
    "copy_shared",
    "drop_answer",
    "drop_aspect",
    "empty_bin",
    "forget_pictures",
    "forget_plan",
    "import_file",
    "level_up",
    "plan_level",
    "purchase",
    "rename",
    "restore",
    "roll_abilities",
    "roll_aspect",
    "roll_missing_aspects",
    "set_abilities",
    "set_face",
    "set_level",
    "set_picture",
    "set_sources",
    "set_switches",
    "start",
    "surprise",
    "take_back_level",
    "take_planned",
    "throw_away",
    "unchoose",
]
