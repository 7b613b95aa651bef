"""Undoing: the changes that may be undone, the facts that go back, and the checks that the result is consistent.

The game itself settles the conditions that depend on its numbers.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404

from characters.change import fact_address, roll_log
from characters.change.draft import Draft
from characters.change.fact_address import choice_parts
from characters.change.fact_store import Facts
from characters.change.former_names import as_now, rules_knowing
from characters.change.journal import BY_SEQUENCE
from characters.change.refusals import MovedOn, Refused
from characters.change.text_input import one_level
from characters.models import Change, RollRecord, not_undone
from characters.models.history import AGAIN, UNDONE
from characters.read.open_sources import lacking, optional_sources
from rules.games.outcome import NotAllowed, Outcome
from rules.games.table_action import ChangeMoves, RowNumber, TableAction

from .action_context import MOST_AWARDS, ActionContext, write
from .carrying import MOST as MOST_ITEMS
from .carrying import element_of, name_of, pieces_away
from .conditions import contradicted
from .log import logged, logged_roll, moved_by
from .story import MOST

REST, REST_DICE = "field:rest", "field:rest_dice"
LEVELS = ("choice", "plan")  # the facts that say how a level is spent, or planned


def undo(at: ActionContext, *, change: int) -> Outcome:
    """Undo the change with this number, even if later ones exist; undoing an undo does the change again.

    Numbers move back by the amount they moved, and what `told_anew` lists is as the other changes leave it. Any other
    fact goes back only if it is still as the change left it; else MovedOn names the change that is in the way. Refused
    for a character's beginning and for a change that is undone already.
    """
    draft = at.draft
    target = draft.inverts = change_to_undo(draft, change)
    anew = told_anew(draft, target)
    for address, after in target.after.items():
        if address not in anew:
            put_back(draft, target, address, after)
    if anew:
        for address, value in last_left(draft, target, anew).items():
            draft.put(address, value)
    used = [address for address in target.after if address.startswith("used:") and draft.read(address)]
    if None in [draft.read(f"item:{fact_address.name(address)}") for address in used]:
        raise refusal(target, "the thing that it changed is gone.")
    check_after_undo(draft, target)
    stands, sentence = result_of_undo(target)
    draft.found["stands"] = stands
    return Outcome(sentence)


def change_to_undo(draft: Draft, number: int) -> Change:
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
    if address in [REST_DICE, *[f"spent:{slug}" for slug in draft.bundle.game.consequences.COUNTS]]:
        return  # counted anew by `check_after_undo`
    if fact_address.is_number(address):
        draft.add(address, before - after)
        if not 0 <= draft.read(address) <= fact_address.highest(address):
            made_up = named_since(draft, target, address, up=before > after)
            raise refusal(target, f"{made_up} has changed the same number since. Undo that first.")
    elif draft.read(address) == fact_address.as_stored(address, after):
        draft.put(address, before)
    else:
        again = named_since(draft, target, address)
        raise refusal(target, f"{again} has changed the same thing since. Undo that first.")


def refusal(target: Change, reason: str) -> MovedOn:
    """The refusal to undo this change or, if it is itself an undoing, to do the original change again. It quotes the
    sentence of the original change, which says whose it is where several are undone at once."""
    word = "redone" if target.takes_back else "undone"
    return MovedOn(f"“{(target.root or target).sentence}” cannot be {word}: {reason}")


def named_since(draft: Draft, target: Change, address: str, *, up: bool | None = None) -> str:
    """The sentence of the newest change after `target` that is in force and moved this fact; with `up`, moved this
    number up (True) or down (False).

    "something" if there is none, for example after a fact was renamed.
    """
    later = draft.character.changes.filter(sequence__gt=target.sequence, after__has_key=address, inverted_by=None)
    done = Q(root=None) | Q(root__sequence__lt=target.sequence) | Q(what__stands=True)
    for one in later.filter(done).order_by("-sequence").iterator():
        if up is None or (one.after[address] > one.before[address]) == up:
            return f"“{one.sentence}”"
    return "something"


def result_of_undo(target: Change) -> tuple[bool, str]:
    """True if the original change is in force once `target` is undone; and the sentence that says so."""
    if target.root is None:
        return False, f"{UNDONE}{target.sentence}"
    stands = not target.what["stands"]
    return stands, f"{AGAIN if stands else UNDONE}{target.root.sentence}"


def was_beyond(draft: Draft, target: Change, address: str) -> int:
    """The number of used pieces beyond the size of the pile, before this undo or when the pile was removed. It is more
    than 0 only for a pile from an imported file."""
    was = draft.stored if draft.stored.get(address) else target.before
    pile = was.get(address)
    return was.get(f"used:{fact_address.name(address)}", 0) - pile["quantity"] if pile else 0


def told_anew(draft: Draft, target: Change) -> set[str]:
    """The facts of this change that need not be as it left them, because other changes begin or end them as a side
    effect: conditions that follow from numbers, the condition of having fallen, and the items that a fall dropped.
    Other items belong to them, too, if nothing has changed them since."""
    rules = draft.bundle.game.consequences
    states = {fact_address.condition(ref) for ref in rules.STATES}
    fallen = fact_address.condition(rules.FALLEN.ref, rules.FALLEN.source)
    began, after = (target.root or target).after, target.after
    fell = {state for state in states if began.get(state)}
    moved = {*began, *after}
    items = {address for address in moved if fact_address.namespace(address) == "item"}
    changed = {one for one in items & after.keys() if draft.read(one) != fact_address.as_stored(one, after[one])}
    conditions = {address for address in moved if fact_address.namespace(address) == "condition"}
    lapse = {address for address in conditions if fact_address.condition_parts(address)[0] in rules.LAPSE}
    return moved & {*states, fallen} | lapse | (items if fell else items - changed)


def last_left(draft: Draft, target: Change, facts: Collection[str]) -> Facts:
    """These facts as the changes in force leave them. That may differ from what `target` found, since changes before it
    may be undone by now."""
    left: Facts = dict.fromkeys(facts)
    for one in changes_in_force(draft, target, facts):
        left |= {address: value for address, value in one.after.items() if address in facts}
    return as_now(left, rules_knowing(draft.character, draft.before.bundle, [left]))


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


def check_whole_rolls(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a part of a roll would be removed or restored while other parts build on it: each row holds the
    whole roll so far.

    A roll may be undone with all that was added to it, except a roll that decides over a life: its effects are counted
    change by change.
    """
    if not target.rolled:
        return
    root: Change = target.root or target
    parts = parts_of(root)
    at = next(n for n, part in enumerate(parts) if part.record.change_id == root.pk)
    this, earlier, later = parts[at], parts[:at], parts[at + 1 :]
    rules = draft.bundle.game.consequences
    over_a_life = this.record.kind == rules.DECISIVE
    with_what_was_added = not earlier and not over_a_life
    added = [part for part in later if part.in_force]
    if added and not with_what_was_added:
        newest = added[-1].record.change.sentence
        raise refusal(target, f"more has been added to this roll. Undo “{newest}” first.")
    if target.takes_back:  # it would be done again, upon the parts before it
        differ = [part for part in earlier if not part.is_as_it_was(root.sequence)]
        if differ:
            one = differ[-1 if differ[-1].in_force else 0]  # additions go last first, and come back in their order
            press = "Undo" if one.in_force else "Redo"
            raise refusal(target, f"the roll has changed since. {press} “{one.record.change.sentence}” first.")
        moved_a_life = bool(earlier) and over_a_life and rules.moves_life(logged_roll(this.record, root))
        if moved_a_life and not decides(draft, parts[0].record):
            raise refusal(target, "that roll no longer decides whether the character lives.")


def decides(draft: Draft, save: RollRecord) -> bool:
    """True if the character's life still hangs on this roll as it is now."""
    at, records = ActionContext(draft), roll_log.chain(draft.character, save.pk)
    return at.bundle.game.consequences.decides(at.log, draft.before.build, logged(records))


def check_not_too_many(draft: Draft, target: Change, words: Iterable[str]) -> None:
    """Raise MovedOn if there would be more things, texts, spells or awards than are allowed."""
    at_most, had = {**MOST, "item": MOST_ITEMS, "award": MOST_AWARDS}, fact_address.by_namespace(draft.stored)
    for word in sorted(words):
        many = len(draft.all_of(word))
        if many > max(at_most[word], len(had[word])):
            raise refusal(target, f"there would be {many}, and only {at_most[word]} are allowed.")


def check_items_have_room(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a thing would be back in a hand, or on the body, and another is there by now."""
    in_the_way = draft.bundle.game.places.in_the_way
    items = draft.all_of("item")
    for address in target.before:
        value = items.get(address)
        if value is None or value == draft.stored.get(address):
            continue
        element = element_of(draft, value)
        for other, held in items.items():
            if other != address and in_the_way(element, value["state"], element_of(draft, held), held["state"]):
                there, thing = name_of(draft, held), name_of(draft, value)
                if there == thing:
                    raise refusal(target, f"another {there} is in its place. Put that away first.")
                raise refusal(target, f"{there} is where {thing} was. Put {there} away first.")


def check_toggles_agree(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a circumstance would be on again beside one that contradicts it."""
    toggles = draft.all_of("toggle")
    on = {fact_address.name(address) for address in toggles}
    for address in [one for one in target.before if one in toggles]:
        found = draft.bundle.circumstances.get(fact_address.name(address))
        if found and (against := contradicted(draft.bundle, on, found)):
            raise refusal(target, f"{against[0].name} is on now. Switch that off first.")


def check_spent_once(draft: Draft, target: Change) -> None:
    """Raise MovedOn if a level would be spent or planned twice: the undo restores one pick, and the level has another
    by now. The picks are separate facts, so no other check notices."""
    own = draft.bundle.way_keys
    picks = {word: Counter(at for key, at in map(choice_parts, draft.all_of(word)) if key in own) for word in LEVELS}
    for address in target.after:
        word = fact_address.namespace(address)
        if word in LEVELS and draft.read(address):
            key, level = choice_parts(address)
            if key in own and picks[word][level] > 1:
                raise refusal(target, f"{one_level(draft, level)} has something else by now. Undo that first.")


def check_sources_together(draft: Draft) -> None:
    """Raise MovedOn if a source would be in play without one that it builds on."""
    offered = optional_sources(draft.character.ruleset_id, besides=draft.build.sources)
    for sentence in lacking(offered, draft.build.sources & offered.keys()).values():
        raise MovedOn(sentence)


def check_after_undo(draft: Draft, target: Change) -> None:
    """Check that the character fits together after facts went back, and let the game settle its conditions. MovedOn if
    it does not fit."""
    if "source" in draft.touched:
        check_sources_together(draft)
    if draft.touched & {*LEVELS}:
        check_spent_once(draft, target)
    check_whole_rolls(draft, target)
    context = ActionContext(draft)
    check_nothing_overspent(context, target)
    if words := draft.touched & {*MOST, "item", "award"}:
        check_not_too_many(draft, target, words)
    if "item" in draft.touched:
        check_items_have_room(draft, target)
    if "toggle" in draft.touched:
        check_toggles_agree(draft, target)
    if draft.touched & {"item", "used"}:
        check_piles_have_their_pieces(draft, target)
    root: Change = target.root or target
    if {*root.after, *target.after} & {REST, REST_DICE}:
        draft.put(
            REST_DICE, dice_of_rest(changes_in_force(draft, target, (REST, REST_DICE))) if context.build.rest else 0
        )

    def moves(resources: Collection[str], conditions: Collection[str]) -> list[ChangeMoves]:
        facts = [*[f"spent:{slug}" for slug in resources], *map(fact_address.condition, conditions)]
        return [
            moved_by(one)._replace(sentence=one.sentence, again=one == root)
            for one in changes_in_force(draft, target, facts)
        ]

    try:
        write(context, context.bundle.game.consequences.after_undo(context, draft.before.build, moves))
    except NotAllowed as no:
        raise refusal(target, no.sentence) from no


def changes_in_force(draft: Draft, target: Change, facts: Collection[str]) -> QuerySet:
    """The changes that are in force once `target` is undone and moved one of these facts, oldest first."""
    root: Change = target.root or target
    stand = not_undone() | Q(pk=root.pk) if target.takes_back else not_undone() & ~Q(pk=root.pk)
    moved = draft.character.changes.filter(stand, inverts=None, after__has_any_keys=facts)
    return moved.order_by("sequence").only("sentence", "before", "after")


def dice_of_rest(changes: Iterable[Change]) -> int:
    """The dice that these changes have spent in the present rest."""
    dice = 0
    for one in changes:
        before, after = (facts.get(REST_DICE, 0) for facts in (one.before, one.after))
        dice = (0 if REST in one.after else dice) + after - before
    return dice


def check_nothing_overspent(context: ActionContext, target: Change) -> None:
    """Raise MovedOn if more of a resource would be spent than there is, unless that was so before."""
    draft = context.draft
    for address, spent in draft.all_of("spent").items():
        line = context.sheet.resources.get(fact_address.name(address))
        had = max(draft.stored.get(address, 0), target.before.get(address, 0))
        if line and line.max and spent > max(line.max, had):
            since = named_since(draft, target, address, up=True)
            raise refusal(target, f"{since} has used up {line.name} since. Undo that first.")


def check_piles_have_their_pieces(draft: Draft, target: Change) -> None:
    """Raise MovedOn if more pieces of a pile would be used than it has, unless that was so before."""
    for address, value in draft.all_of("item").items():
        beyond = pieces_away(draft, address, value) - value["quantity"]
        if beyond > max(0, was_beyond(draft, target, address)):
            since = named_since(draft, target, f"used:{fact_address.name(address)}", up=True)
            raise refusal(target, f"{since} has used up {name_of(draft, value)} since. Undo that first.")


ACTIONS = (TableAction("undo", undo, None, "tray", {"change": RowNumber("There is no such change.")}, by=("change",)),)
