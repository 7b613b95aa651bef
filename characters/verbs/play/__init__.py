"""What happens at the table. Each verb asks the game's own procedures what an event does, and journals it."""

from .conditions import add_condition, next_round, remove_condition, toggle
from .features import change_roll, use
from .gear import gather_ammunition, purchase_together, reload
from .points import cheat_death, compel, declare, extra_die, extra_turn, nudge, regain, turn_critical
from .prose import Conflict, Gone, add_aspect, add_note, add_relationship, agree, edit, link, remove
from .rests import begin_rest, end_adventure, finish_rest, long_rest, preview_rest, spend_rest_die, treat_wounds
from .rolls import death_save, roll, roll_attack, roll_damage
from .spells import add_spell, cast, edit_spell, remove_spell
from .times import mark, preview_downtime, spend_downtime
from .undoing import undo

__all__ = [
    "Conflict",
    "Gone",
    "add_aspect",
    "add_condition",
    "add_note",
    "add_relationship",
    "add_spell",
    "agree",
    "begin_rest",
    "cast",
    "change_roll",
    "cheat_death",
    "compel",
    "death_save",
    "declare",
    "edit",
    "edit_spell",
    "end_adventure",
    "extra_die",
    "extra_turn",
    "finish_rest",
    "gather_ammunition",
    "link",
    "long_rest",
    "mark",
    "next_round",
    "nudge",
    "preview_downtime",
    "preview_rest",
    "purchase_together",
    "regain",
    "reload",
    "remove",
    "remove_condition",
    "remove_spell",
    "roll",
    "roll_attack",
    "roll_damage",
    "spend_downtime",
    "spend_rest_die",
    "toggle",
    "treat_wounds",
    "turn_critical",
    "undo",
    "use",
]
