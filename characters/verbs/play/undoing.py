from dataclasses import dataclass

from characters import addresses, journal, rolls
from characters.journal import MovedOn
from characters.models import Change, RollRecord
from characters.verbs.items import MOST as MOST_ITEMS
from characters.verbs.items import name_of, pieces_away

from .conditions import contradicted
from .points import decides as save_decides
from .points import moves_life
from .prose import MOST
from .table import Table, apply


def undo(pk, person, key, change):
    """Take back any one change, also when later ones exist; what hangs on the numbers follows (section 28).

    Raises MovedOn with the reason where that cannot be: see `characters.journal.undo`.
    """
    return journal.undo(pk, person, key, change, settle, follows)


def was_beyond(draft, address) -> int:
    """By how much more of a pile was used than there was, before this undo or when it went: a file may say so."""
    was = draft.stored if draft.stored.get(address) else draft.inverts.before
    pile = was.get(address)
    return was.get(f"used:{addresses.name(address)}", 0) - pile["quantity"] if pile else 0


def follows(draft, change, address) -> bool:
    """What need not stand as the change left it: states that settle themselves, and after a fall what fell with it."""
    game = Table(draft).game
    states = {addresses.condition(ref) for ref in game.STATES}
    fell = any(change.after.get(state) for state in states)
    fallen = addresses.condition(game.FALLEN.ref, game.FALLEN.source)
    return address in states or (fell and (address == fallen or addresses.namespace(address) == "item"))


@dataclass(frozen=True)
class Part:
    """A row of a roll's log, and the numbers of the changes that undid it or did it again, by turns."""

    record: RollRecord
    turned: list[int]

    @property
    def stands(self) -> bool:
        return len(self.turned) % 2 == 0

    def is_as_it_was(self, sequence) -> bool:
        """Whether it stands where it stood at the change of this number, and did not where it did not."""
        return sum(one > sequence for one in self.turned) % 2 == 0


def parts_of(change) -> list[Part]:
    """The roll that this change made or added to, oldest part first."""
    records = list(rolls.ALL.all(change.pk))
    turned: dict[int, list[int]] = {record.change_id: [] for record in records}
    if len(records) > 1:
        for root, sequence in Change.objects.filter(root__in=turned).values_list("root", "sequence"):
            turned[root].append(sequence)
    return [Part(record, turned[record.change_id]) for record in records]


def whole_rolls(draft) -> None:
    """MovedOn where what comes or goes is part of a roll that has become another one: a row tells of all before it.

    A roll as a whole may go with what was added to it, but for a death save: what that did is counted change by change.
    What is left of the roll is what the change follows.
    """
    began = draft.inverts.root or draft.inverts
    parts = parts_of(began)
    if len(parts) < 2:
        return
    at = next(n for n, part in enumerate(parts) if part.record.change_id == began.pk)
    this, earlier, later = parts[at], parts[:at], parts[at + 1 :]
    decided = this.record.kind == "death"
    if (earlier or decided) and any(part.stands for part in later):
        raise MovedOn("That cannot be undone: more was added to this roll since. Undo that first.")
    if not this.stands:
        as_it_was = all(part.is_as_it_was(began.sequence) for part in earlier)
        turns = earlier and decided and moves_life(Table(draft).game, began)
        if not as_it_was or (turns and not decides(draft, parts[0].record)):
            raise MovedOn("That cannot be done again: what it was added to is not as it was.")
    this.turned.append(draft.inverts.sequence)  # by this undoing, whose own number is not known yet
    stands = [part.record for part in parts if part.stands]
    draft.follows = stands if parts[0].stands else []


def decides(draft, save) -> bool:
    """Whether a death save as it stands is still what the character's life hangs on."""
    records = rolls.chain(draft.character, save.pk)
    return save_decides(draft.character, Table(draft).game, draft.begun.build, records)


def count(facts, word) -> int:
    return sum(addresses.namespace(address) == word for address in facts)


def in_place(draft, bundle) -> None:
    """MovedOn where what is put back has no room left: there are as many as there may be, a hand or the body by now
    holds something else, or what contradicts it is switched on."""
    for word, most in {**MOST, "item": MOST_ITEMS}.items():
        if word in draft.moved and most < (many := len(draft.all(word))) > count(draft.stored, word):
            raise MovedOn(f"That cannot be undone: there would be {many}, and {most} is the most.")
    for address, before in draft.inverts.before.items():
        word, name = addresses.namespace(address), addresses.name(address)
        if word == "item" and (value := draft.read(address)) and value == before:
            element = bundle.elements.get(value.get("ref"))
            others = {other: held for other, held in draft.all("item").items() if other != address}
            in_the_way = bundle.game.places.in_the_way
            if any(
                in_the_way(element, value["state"], bundle.elements.get(held.get("ref")), held["state"])
                for held in others.values()
            ):
                thing = name_of(bundle, value)
                raise MovedOn(f"That cannot be undone: {thing} was where something else is now. Put that away first.")
        if word == "toggle" and draft.read(address) and (found := bundle.circumstances.get(name)):
            on = {addresses.name(other) for other in draft.all("toggle")}
            if others := contradicted(bundle, on, found):
                raise MovedOn(f"That cannot be undone: {others[0].name} stands now. Switch that off first.")


def settle(draft) -> None:
    """After numbers went back: none beyond what there is, and dying, stable and dead as the numbers say."""
    whole_rolls(draft)
    table = Table(draft)
    in_place(draft, table.bundle)
    for address, spent in draft.all("spent").items():
        line = table.sheet.resources.get(addresses.name(address))
        had = max(facts.get(address, 0) for facts in (draft.stored, draft.inverts.before))
        if line and line.max and spent > max(line.max, had):
            raise MovedOn(f"That cannot be undone: {line.name} has been used since.")
    if draft.moved & {"item", "used"}:
        for address, value in draft.all("item").items():
            beyond = pieces_away(draft, table.bundle, address, value) - value["quantity"]
            if beyond > max(0, was_beyond(draft, address)):
                name = name_of(table.bundle, value)
                raise MovedOn(f"That cannot be undone: {name} has been used since.")
    if draft.read("field:rest_dice") and not table.resting:
        draft.put("field:rest_dice", 0)
    apply(table, table.game.settled(table.build, table.sheet, woken=wakes(draft, table.game)))


def wakes(draft, game) -> bool:
    """Whether the dead live again where the numbers let them: numbers had killed them, and this undo takes some back.

    Whom one blow had killed, or the storyteller called dead, stays so. What is done again wakes nobody, as it had not.
    """
    dead = addresses.condition(game.DEAD)
    if draft.read(dead) is None:
        return False
    said = draft.inverts.root or draft.inverts
    if dead in draft.stored:
        if draft.inverts.takes_back or not game.deadly(draft.begun.build.spent):
            return False
        said = draft.character.changes.filter(after__has_key=dead).order_by("-sequence")[0]
    counted = {addresses.name(at): value for at, value in said.after.items() if addresses.namespace(at) == "spent"}
    return dead not in said.after or game.deadly(counted)
