"""Ability ranks as the page shows them: by points, from the array, from the dice, written in; and what each rank
does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse

from characters.pages.element_sign import sign
from characters.read.number_format import of_stat
from characters.verbs.abilities import dealt_from
from rules.engine import derive, difference
from rules.engine.content import Ability
from rules.engine.phrases import number as plain
from rules.engine.phrases import signed
from rules.games.contract import Creation

from .builder_character import BuilderCharacter
from .diff_text import diff_texts
from .step_refusal import StepRefusal

TYPED = ("points", "manual")  # methods by which the ranks themselves are typed


@dataclass(frozen=True)
class AbilityRow:
    """One ability: the rank before bonuses, the whole rank and modifier, and the numbers that depend on it."""

    stat: str
    name: str
    value: int | str
    was: int | str  # the stored value; "" if the page proposes another in its place
    rank: str
    modifier: str
    affects: str
    up: str = ""  # the price of one rank more; "" if there is none
    down: str = ""
    beyond: bool = False  # one rank more costs more points than are left
    places: tuple[tuple[int, str, bool], ...] = ()  # of results to hand out: number, label, selected
    invalid: bool = False
    sign: str = ""


def context(opened: BuilderCharacter, refusal: StepRefusal, query: Mapping[str, str]) -> dict[str, Any]:
    creation, build = opened.game.creation, opened.build
    allowed = methods_open(opened)
    refused = refusal.at("ranks")
    posted = refused.posted
    wanted = posted.get("method") or query.get("method") or build.method
    method = wanted if wanted in allowed else allowed[0]
    to_place = results(opened, method)
    rows = _rows(opened, method, to_place, posted, refused.field)
    spent = _spent(opened, rows) if method == "points" else 0
    manual = creation.MANUAL
    budget = creation.budget(opened.bundle, build)
    left = 0
    if spent is not None:
        left = max(0, budget - spent)
        rows = [replace(row, beyond=bool(row.up) and int(row.up) > left) for row in rows]
    return {
        "method": method,
        "methods": [
            (slug, creation.METHODS.get(slug, ""), f"{opened.url('abilities')}?method={slug}", slug == method)
            for slug in allowed
        ],
        "rows": rows,
        "kept": kept(opened) and build.method == method,
        "dice": [_thrown(creation, faces) for faces in build.dice],
        "replaces": all_chosen(opened),
        "final": not opened.bundle.game.rolling.may_roll_again(opened.bundle, build),
        "dice_of": dealt_from(opened.character, build.dice) if method == "rolled" and build.dice else "",
        "spent": spent,
        "budget": budget,
        "left": left,
        "over": max(0, (spent or 0) - budget),
        "lowest": manual.start if method == "manual" else creation.LOWEST,
        "highest": manual.stop - 1 if method == "manual" else creation.highest(opened.bundle, build),
        "places": {"ranks"},
        "ranks_url": reverse("characters:ranks", args=[opened.character.pk]),
        # Another answer on this step must not change the open tab.
        "choose_url": f"{reverse('characters:choose', args=[opened.character.pk])}?method={method}",
        "dice_url": reverse("characters:dice", args=[opened.character.pk]),
        "ranks_error": refused.sentence,
        "at_row": any(row.invalid for row in rows),
    }


def methods_open(opened: BuilderCharacter) -> list[str]:
    """The methods to choose from; ranks are written in if the rules have no numbers for the method they ask for."""
    return opened.game.creation.methods_allowed(opened.bundle, opened.build) or ["manual"]


def kept(opened: BuilderCharacter) -> bool:
    """True if all ranks are chosen and fit the method that gave them."""
    return all_chosen(opened) and not opened.game.creation.rank_problems(opened.bundle, opened.build)


def all_chosen(opened: BuilderCharacter) -> bool:
    return opened.build.inputs.keys() >= opened.game.creation.rank_stats(opened.bundle).keys()


def results(opened: BuilderCharacter, method: str) -> list[int]:
    """The numbers to hand out, in the order they are shown. None where ranks are typed."""
    creation = opened.game.creation
    if method == "array":
        return creation.array(opened.bundle)
    return [creation.result(faces) for faces in opened.build.dice] if method == "rolled" else []


def _thrown(creation: Creation, faces: Sequence[int]) -> dict[str, Any]:
    """One roll of dice: each die with whether it counts, and the result."""
    left_out = creation.left_out(faces)
    return {
        "dice": [(face, position not in left_out) for position, face in enumerate(faces)],
        "result": plain(creation.result(faces)),
    }


def _rows(
    opened: BuilderCharacter, method: str, to_place: list[int], posted: dict[str, Any], wrong: str
) -> list[AbilityRow]:
    build = opened.build
    stored = build.inputs if build.method == method else {}
    placed = _placed(to_place, [stored.get(ability.rank_stat) for _, ability in opened.bundle.abilities])
    rows = []
    for number, (element, ability) in enumerate(opened.bundle.abilities):
        stat = ability.rank_stat
        place = placed[number]
        was = stored.get(stat, opened.steps.START if method in TYPED else "") if place is None else place
        value = posted.get(stat, was)
        if place is not None and stored.get(stat, to_place[place]) != to_place[place]:
            was = ""  # the page only proposes this result: another is stored, or none
        up, down = _prices(opened, value) if method == "points" else ("", "")
        rows.append(
            AbilityRow(
                stat=stat,
                name=element.name,
                value=value,
                was=was,
                rank=of_stat(opened.bundle.stats.get(stat), opened.sheet.value(stat), opened.bundle),
                modifier=signed(opened.sheet.value(ability.modifier_stat)),
                affects=affected(opened, ability),
                up=up,
                down=down,
                places=tuple((n, plain(result), str(n) == str(value)) for n, result in enumerate(to_place)),
                invalid=stat == wrong,
                sign=sign(opened.bundle, element),
            )
        )
    return rows


def _placed(results: list[int], values: list[int | None]) -> list[int | None]:
    """For each ability, the position of its result. Abilities without a result get the best of the rest, in order."""
    free = list(range(len(results)))
    found: list[int | None] = []
    for value in values:
        number = next((n for n in free if results[n] == value), None)
        if number is not None:
            free.remove(number)
        found.append(number)
    free.sort(key=lambda n: (-results[n], n))
    return [free.pop(0) if number is None and free else number for number in found]


def _prices(opened: BuilderCharacter, value: int | str) -> tuple[str, str]:
    """The price of one rank up, and the refund of one down; "" if there is none."""
    creation = opened.game.creation

    def price(rank: int | str) -> int | None:
        try:
            return creation.cost(opened.bundle, int(rank))
        except ValueError:
            return None

    now = price(value)
    if now is None:
        return "", ""
    up, down = price(int(value) + 1), price(int(value) - 1)
    highest = creation.highest(opened.bundle, opened.build)
    return (
        str(up - now) if up is not None and int(value) < highest else "",
        str(now - down) if down is not None else "",
    )


def _spent(opened: BuilderCharacter, rows: list[AbilityRow]) -> int | None:
    """The points that these ranks cost; None if one of them is no number."""
    try:
        return opened.game.creation.total_cost(opened.bundle, [int(row.value) for row in rows])
    except ValueError:
        return None


def affected(opened: BuilderCharacter, ability: Ability) -> str:
    """The numbers that this ability moves on this character, found by deriving the sheet with the game's highest rank
    or, if the ability has that already, with its lowest. A step of one rank would not move a number that has a
    minimum."""
    stat, ranks = ability.rank_stat, opened.game.creation.MANUAL
    far = ranks[-1] if opened.build.inputs.get(stat, opened.steps.START) < ranks[-1] else ranks[0]
    raised = {**opened.build.inputs, stat: far}
    moves = difference(opened.sheet, derive(opened.bundle, replace(opened.build, inputs=raised)))
    own = {opened.bundle.stats[key].name for key in (stat, ability.modifier_stat)}
    own |= {f"{name} check" for name in own}
    kinds = {"value", "attack", "roll"}
    names = (move.name for move in diff_texts(opened.bundle, opened.steps, moves) if move.kind in kinds)
    return ", ".join(name for name in dict.fromkeys(names) if name not in own)
