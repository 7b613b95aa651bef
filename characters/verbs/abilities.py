from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from characters.actions.action_context import CHANCE
from characters.change.draft import Draft
from characters.change.journal import Act
from characters.change.refusals import Refused
from characters.change.text_input import who
from characters.models import Change, Character
from characters.models.character import Method
from characters.people import Person
from characters.read.number_format import of_stat
from rules.engine import Bundle
from rules.games.outcome import listed

from .building import rebuild

ROLLS = ("roll_abilities", "deal_abilities")


def set_abilities(
    pk: int, person: Person, key: str, *, method: str, ranks: Mapping[str, int], saw: Mapping[str, int] | None = None
) -> Change:
    """Set the ability ranks before bonuses (statistic's key -> rank) and the method that gave them; without ranks the
    character has none again.

    The game decides whether the method allows them: a budget, a fixed array, the dice that were rolled. saw: the ranks
    that the page showed. A rank left as shown keeps the value that it has now.
    """
    if method not in Method.values:
        raise Refused("Choose a method.", "method")

    def act(draft: Draft) -> str:
        build = draft.build
        bundle = draft.bundle
        creation = bundle.game.creation
        for stat, rank in ranks.items():
            if stat not in creation.rank_stats(bundle):
                raise Refused("There is no such number.", "ranks")
            if isinstance(rank, bool) or not isinstance(rank, int):
                raise Refused("Enter a whole number.", stat)
        present = build.inputs if build.method == method else {}
        to_store = merged(bundle, ranks, saw or {}, present)
        if problems := creation.rank_problems(bundle, replace(build, method=method, inputs=to_store)):
            raise Refused(" ".join(problem.text for problem in problems), "ranks")
        for address in draft.all_of("input"):
            draft.put(address, None)
        for stat, rank in to_store.items():
            draft.put(f"input:{stat}", rank)
        draft.put("field:method", method)
        moved = {stat: rank for stat, rank in to_store.items() if present.get(stat) != rank} or to_store
        given = [
            f"{bundle.stats[stat].name} {of_stat(bundle.stats[stat], rank, bundle)}" for stat, rank in moved.items()
        ]
        written_in = " They were written in." if given and method == "manual" else ""
        before = " before bonuses" if has_bonuses(bundle) else ""
        return f"{who(draft)} {creation.HAS} {listed(given) or 'nothing'}{before}.{written_in}"

    return rebuild(pk, person, "set_abilities", key, {"method": method, "ranks": ranks, "saw": saw}, act)


def has_bonuses(bundle: Bundle) -> bool:
    """True if something in the rules adds to ability ranks, and not only while a condition lasts."""
    ranks = bundle.game.creation.rank_stats(bundle)
    chosen = any(stat in ranks for choice in bundle.choices.values() for stat in choice.stats)
    effects = (effect for one in bundle.elements.values() if one.kind != "condition" for effect in one.effects)
    return chosen or any(effect.op == "add" and effect.stat in ranks for effect in effects)


def merged(
    bundle: Bundle, sent: Mapping[str, int], shown: Mapping[str, int], present: Mapping[str, int]
) -> dict[str, int]:
    """The ranks to store: the sent value if the page changed the rank, the present value if the page left it as shown.
    Raises Refused if someone else has changed the same rank meanwhile."""
    to_store = {}
    for stat, rank in sent.items():
        saw, now = shown.get(stat), present.get(stat)
        left_alone = rank == saw
        if not left_alone and saw is not None and now is not None and now not in (saw, rank):
            named = bundle.stats[stat]
            has = of_stat(named, now, bundle)
            raise Refused(f"{named.name} has changed to {has} in the meantime. Look again.", stat)
        to_store[stat] = now if left_alone and now is not None else rank
    return to_store


def roll_abilities(pk: int, person: Person, key: str, *, chance: Random = CHANCE) -> Change:
    """Roll for the ability ranks and keep the faces. A second roll is refused unless the house rules allow it.

    A roll that was undone is not forgotten: asking again brings the same faces back.
    """

    def act(draft: Draft) -> str:
        build = draft.build
        bundle = draft.bundle
        rolling = bundle.game.rolling
        if why_not := rolling.refused(bundle, build):
            raise Refused(why_not, "method")
        earlier = _newest_roll(draft.character)
        if earlier and not rolling.may_roll_again(bundle, build):
            faces = earlier.after["field:dice"]
        else:
            faces = rolling.roll(chance)
        _put_dice(draft, faces)
        for address in draft.all_of("input"):
            draft.put(address, None)
        return f"{who(draft)} rolls {listed(str(result) for result in rolling.results(faces))}."

    return rebuild(pk, person, "roll_abilities", key, {}, act)


def dealing(faces: Sequence[Sequence[int]], whose: str) -> Act:
    """An Act that gives the character dice that the server has rolled elsewhere; the history says `whose` they are.

    Ranks that are assigned stay until new ones are: the sheet can be played, and its problems name the ranks that do
    not fit.
    """

    def act(draft: Draft) -> str:
        if draft.read("field:dice") == _as_stored(faces) and draft.read("field:method") == "rolled":
            raise Refused("These dice are in use already.")
        _put_dice(draft, faces)
        game = draft.bundle.game
        results = listed(str(result) for result in game.rolling.results(faces))
        stay = f" The {game.creation.RANK}s stay as they are until these are assigned." if draft.build.inputs else ""
        return f"{who(draft)} has the dice of {whose}: {results}.{stay}"

    return act


def dealt_from(character: Character, faces: Sequence[Sequence[int]]) -> str:
    """The owner of these dice, in the words of the history; "" if the character rolled them itself."""
    newest = _newest_roll(character)
    if newest is None or newest.after["field:dice"] != _as_stored(faces):
        return ""
    return newest.what.get("whose", "")


def _newest_roll(character: Character) -> Change | None:
    """The newest change that brought dice. A change back to the same dice moved only the method, so it is not found."""
    rolls = character.changes.filter(verb__in=ROLLS, after__has_key="field:dice")
    return rolls.order_by("-sequence").first()


def _as_stored(faces: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(roll) for roll in faces]


def _put_dice(draft: Draft, faces: Sequence[Sequence[int]]) -> None:
    draft.put("field:dice", _as_stored(faces))
    draft.put("field:method", "rolled")
