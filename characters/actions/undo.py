"""Undoing: which changes may be undone, which facts go back, and what must fit together afterwards.

The game itself settles the conditions that depend on its numbers.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404

from characters.change import fact_address, roll_log
from characters.change.draft import Draft
from characters.change.fact_address import choice_parts
from characters.change.fact_store import Facts
from characters.change.former_names import as_now, rules_knowing
from characters.change.journal import BY_SEQUENCE
from characters.change.refusals import MovedOn, Refused
from characters.models import Change, RollRecord
from characters.models.history import AGAIN, UNDONE
from characters.read.open_sources import lacking, optional_sources
from rules.games.outcome import Outcome
from rules.games.table_action import RowNumber, TableAction

from .action_context import ActionContext, write
from .conditions import contradicted
from .log import entries_of, entry_of, moved_by
from .story import MOST
from .things import MOST as MOST_ITEMS
from .things import element_of, name_of, pieces_away

REST_DICE = "field:rest_dice"
LEVELS = ("choice", "plan")  # the facts that say how a level is spent, or planned


def undo(at: ActionContext, *, change: int) -> Outcome:
    """Undo the change with this number, even if later ones exist; undoing an undo does the change again.

    Numbers move back by the amount they moved. Any other fact goes back only if it is still as the change left it, or
    follows from the numbers; else MovedOn names the change that is in the way. Refused for a character's beginning and
    for a change that is undone already.
    """
    draft = at.draft
    target = draft.inverts = found(draft, change)
    for address, after in target.after.items():
        put_back(draft, target, address, after)
    used = [address for address in target.after if address.startswith("used:") and draft.read(address)]
    if None in [draft.read(f"item:{fact_address.name(address)}") for address in used]:
        raise cannot(target, "the thing that it changed is gone.", named=True)
    check_after_undo(draft, target)
    stands, sentence = turned(target)
    draft.found["stands"] = stands
    return Outcome(sentence)


def found(draft: Draft, number: int) -> Change:
    """The change of this number, with its facts under the names of today. Do not save it."""
    target = BY_SEQUENCE.first(draft.character.pk, number)
    if target is None:
        raise Http404("No such change.")
    if target.sequence == 1:
        raise Refused("The first step of a character cannot be undone. Delete the character instead.")
    if not target.may_be_undone:
        raise Refused("Restoring a character cannot be undone. Delete the character again instead.")
    if hasattr(target, "inverted_by"):
        raise Refused("That is undone already. Press Redo in the history to do it again.")
    rules = rules_knowing(draft.character, draft.before.bundle, (target.before, target.after))
    target.before, target.after = as_now(target.before, rules), as_now(target.after, rules)
    return target


def put_back(draft: Draft, target: Change, address: str, after: Any) -> None:
    before = target.before[address]
    if fact_address.is_number(address):
        draft.add(address, before - after)
        if address == REST_DICE and draft.read(address) < 0:
            draft.put(address, 0)  # the rest that the die was spent in is over
        if not 0 <= draft.read(address) <= fact_address.highest(address):
            made_up = named_since(draft, target, address, back=True)
            raise cannot(target, f"{made_up} has made up for it since. Undo that first.", named=True)
    elif draft.read(address) == fact_address.as_stored(address, after):
        draft.put(address, before)
    elif not follows(draft, target, address):
        again = named_since(draft, target, address)
        raise cannot(target, f"{again} has changed the same thing since. Undo that first.", named=True)


def cannot(target: Change, reason: str, *, named: bool = False) -> MovedOn:
    """The refusal to undo this change or, if it is itself an undoing, to do the first one again; with `named`, by the
    sentence of that one."""
    subject = f"“{(target.root or target).sentence}”" if named else "That"
    return MovedOn(f"{subject} cannot be {'done again' if target.takes_back else 'undone'}: {reason}")


def named_since(draft: Draft, target: Change, address: str, *, back: bool = False) -> str:
    """The sentence of the newest change after `target` that is in force and moved the same fact; with `back`, moved it
    the other way.

    "something" if there is none, for example after a fact was renamed.
    """
    later = draft.character.changes.filter(sequence__gt=target.sequence, after__has_key=address, inverted_by=None)
    done = Q(root=None) | Q(root__sequence__lt=target.sequence) | Q(what__stands=True)
    for one in later.filter(done).order_by("-sequence").iterator():
        if not back or (one.after[address] > one.before[address]) != (target.after[address] > target.before[address]):
            return f"“{one.sentence}”"
    return "something"


def turned(target: Change) -> tuple[bool, str]:
    """True if the original change is in force once `target` is undone; and the sentence that says so."""
    if target.root is None:
        return False, f"{UNDONE}{target.sentence}"
    stands = not target.what["stands"]
    return stands, f"{AGAIN if stands else UNDONE}{target.root.sentence}"


def was_beyond(draft: Draft, target: Change, address: str) -> int:
    """The number of used pieces in excess of those in the pile, before this undo or when the pile was removed. An
    imported file may contain such a pile."""
    was = draft.stored if draft.stored.get(address) else target.before
    pile = was.get(address)
    return was.get(f"used:{fact_address.name(address)}", 0) - pile["quantity"] if pile else 0


def follows(draft: Draft, change: Change, address: str) -> bool:
    """True for facts that need not be as the change left them: conditions that follow from numbers and, if the
    character fell, its condition of having fallen and the items it dropped."""
    game = draft.bundle.game.play
    states = {fact_address.condition(ref) for ref in game.STATES}
    fell = any(change.after.get(state) for state in states)
    fallen = fact_address.condition(game.FALLEN.ref, game.FALLEN.source)
    return address in states or (fell and (address == fallen or fact_address.namespace(address) == "item"))


@dataclass(frozen=True)
class RollPart:
    """One row of a roll's log, and the numbers of the changes that undid it and did it again, in turn."""

    record: RollRecord
    turned: list[int]

    @property
    def in_force(self) -> bool:
        return len(self.turned) % 2 == 0

    def is_as_it_was(self, sequence: int) -> bool:
        """True if it is in force now if and only if it was at the change of this number."""
        return sum(one > sequence for one in self.turned) % 2 == 0


def parts_of(change: Change) -> list[RollPart]:
    """The roll that this change made or added to, oldest part first."""
    records = list(roll_log.ALL.all(change.pk))
    turned: dict[int, list[int]] = {record.change_id: [] for record in records}
    if len(records) > 1:
        for root, sequence in Change.objects.filter(root__in=turned).values_list("root", "sequence"):
            turned[root].append(sequence)
    return [RollPart(record, turned[record.change_id]) for record in records]


def whole_rolls(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a part of a roll would be removed or restored while other parts build on it: each row holds the
    whole roll so far.

    A roll may be undone with all that was added to it, except a roll that decides over a life: its effects are counted
    change by change.
    """
    if not target.rolled:
        return
    root: Change = target.root or target
    parts = parts_of(root)
    if len(parts) < 2:
        return
    at = next(n for n, part in enumerate(parts) if part.record.change_id == root.pk)
    this, earlier, later = parts[at], parts[:at], parts[at + 1 :]
    game = draft.bundle.game.play
    over_a_life = this.record.kind == game.DECISIVE
    with_what_was_added = not earlier and not over_a_life
    if not with_what_was_added and any(part.in_force for part in later):
        raise cannot(target, "more was added to this roll since. Undo that first.")
    if target.takes_back:  # it would be done again, upon the parts before it
        same_before = all(part.is_as_it_was(root.sequence) for part in earlier)
        moved_a_life = bool(earlier) and over_a_life and game.moves_life(entry_of(this.record, root))
        if not same_before or (moved_a_life and not decides(draft, parts[0].record)):
            raise cannot(target, "the roll has changed since.")


def decides(draft: Draft, save: RollRecord) -> bool:
    """True if the character's life still hangs on this roll as it is now."""
    at, records = ActionContext(draft), roll_log.chain(draft.character, save.pk)
    return at.game.decides(at.log, draft.before.build, entries_of(records))


def count(facts: Facts, word: str) -> int:
    return sum(fact_address.namespace(address) == word for address in facts)


def not_too_many(draft: Draft, target: Change, words: Iterable[str]) -> None:
    """Raise MovedOn if there would be more things, texts or spells than are allowed."""
    at_most = {**MOST, "item": MOST_ITEMS}
    for word in sorted(words):
        if at_most[word] < (many := len(draft.all(word))) > count(draft.stored, word):
            raise cannot(target, f"there would be {many}, and only {at_most[word]} are allowed.")


def items_have_room(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a thing would be back in a hand, or on the body, and another is there by now."""
    in_the_way = draft.bundle.game.places.in_the_way
    items = draft.all("item")
    for address, before in target.before.items():
        value = items.get(address)
        if value is None or value != before:
            continue
        element = element_of(draft, value)
        others = [held for other, held in items.items() if other != address]
        if any(in_the_way(element, value["state"], element_of(draft, held), held["state"]) for held in others):
            thing = name_of(draft, value)
            raise cannot(target, f"something else is where {thing} was. Put that away first.")


def toggles_agree(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a circumstance would be on again beside one that contradicts it."""
    toggles = draft.all("toggle")
    on = {fact_address.name(address) for address in toggles}
    for address in [one for one in target.before if one in toggles]:
        found = draft.bundle.circumstances.get(fact_address.name(address))
        if found and (against := contradicted(draft.bundle, on, found)):
            raise cannot(target, f"{against[0].name} is on now. Switch that off first.")


def spent_once(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a level would be spent or planned twice: the undo restores one pick, and the level has another
    by now. Each way to spend a level is a fact of its own."""
    own = draft.bundle.way_keys
    picks = {word: Counter(at for key, at in map(choice_parts, draft.all(word)) if key in own) for word in LEVELS}
    for address in target.after:
        word = fact_address.namespace(address)
        if word in LEVELS and draft.read(address):
            key, level = choice_parts(address)
            if key in own and picks[word][level] > 1:
                raise cannot(target, f"level {level} has something else by now. Undo that first.")


def sources_together(draft: Draft) -> None:
    """Raise MovedOn if a source would be in play without one that it builds on."""
    offered = optional_sources(draft.character.ruleset_id, besides=draft.build.sources)
    for sentence in lacking(offered, draft.build.sources & offered.keys()).values():
        raise MovedOn(sentence)


def check_after_undo(draft: Draft, target: Change) -> None:
    """Check that the character fits together after facts went back, and let the game settle its conditions. MovedOn if
    it does not fit."""
    if "source" in draft.touched:
        sources_together(draft)
    if draft.touched & {*LEVELS}:
        spent_once(draft, target)
    whole_rolls(draft, target)
    context = ActionContext(draft)
    nothing_overspent(context, target)
    if words := draft.touched & {*MOST, "item"}:
        not_too_many(draft, target, words)
    if "item" in draft.touched:
        items_have_room(draft, target)
    if "toggle" in draft.touched:
        toggles_agree(draft, target)
    if draft.touched & {"item", "used"}:
        piles_have_their_pieces(draft, target)
    if draft.read(REST_DICE) and not context.build.rest:
        draft.put(REST_DICE, 0)
    undone: Change = target.root or target
    again = target.takes_back
    write(context, context.game.after_undo(context, draft.before.build, lambda: moved_by(undone), again=again))


def nothing_overspent(context: ActionContext, target: Change) -> None:
    """Raise MovedOn if more of a resource would be spent than there is, unless that was so before."""
    draft = context.draft
    for address, spent in draft.all("spent").items():
        line = context.sheet.resources.get(fact_address.name(address))
        had = max(draft.stored.get(address, 0), target.before.get(address, 0))
        if line and line.max and spent > max(line.max, had):
            raise cannot(target, f"{line.name} has been used since.")


def piles_have_their_pieces(draft: Draft, target: Change) -> None:
    """Raise MovedOn if more pieces of a pile would be used than it has, unless that was so before."""
    for address, value in draft.all("item").items():
        beyond = pieces_away(draft, address, value) - value["quantity"]
        if beyond > max(0, was_beyond(draft, target, address)):
            name = name_of(draft, value)
            raise cannot(target, f"{name} has been used since.")


ACTIONS = (TableAction("undo", undo, None, "tray", {"change": RowNumber("There is no such change.")}, by=("change",)),)
