"""Ability ranks at creation: point buy, the standard array and rolling (section 5.1, rulings 17, 18 and 24)."""

from collections.abc import Mapping, Sequence

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.engine.facts import number
from rules.engine.sheet import Problem
from rules.games.house_rules import setting

NAME = "Ability ranks"
RANK, HAS, CHOSEN = "rank", "starts with", "assigned at creation"
TERMS: tuple[str, ...] = ("abilityMethod", "pointBuyBudget", "pointBuyMax", "allowReroll")
# The quickest way first
METHODS: Mapping[str, str] = {
    "array": "Standard array",
    "points": "Point buy",
    "rolled": "Roll",
    "manual": "By hand",
}
# The names of the methods in the house rule. “manual” is not among them: a storyteller may always give such ranks.
IN_TERMS = {"array": "array", "points": "pointBuy", "rolled": "roll"}
TABLES = {"array": "array", "points": "point-buy"}  # the tables of content that these methods read
SETS, FACES_KEPT, FACES_ROLLED = 7, 3, 4
LOWEST = 8
MANUAL = range(1, 31)


def rank_stats(bundle: Bundle) -> dict[str, Ref]:
    """The statistic of each ability's rank -> the ability, in the order of the abilities."""
    return {ability.rank_stat: element.ref for element, ability in bundle.abilities}


def methods_allowed(bundle: Bundle, build: Build) -> list[str]:
    """The methods that the house rules allow and the content has numbers for."""
    wanted = setting(bundle, build, "abilityMethod")
    if wanted == "rollShared":
        return ["rolled"]
    possible = [method for method in METHODS if TABLES.get(method) in (None, *bundle.lookups)]
    return [method for method in possible if wanted in ("", "any", IN_TERMS.get(method))]


def budget(bundle: Bundle, build: Build) -> int:
    """The points to spend."""
    return number(setting(bundle, build, "pointBuyBudget") or "15")


def highest(bundle: Bundle, build: Build) -> int:
    """The highest rank that points may buy: that of the house rule, or 17 if the budget is over 15 (ruling 18)."""
    limit = number(setting(bundle, build, "pointBuyMax") or "15")
    return max(limit, 17) if budget(bundle, build) > 15 else limit


def cost(bundle: Bundle, rank: int) -> int:
    """The price in points of a rank, counted from 10; negative below 10. Raises ValueError for a rank that points
    cannot buy."""
    prices = bundle.lookups.get("point-buy", {})
    if rank not in prices:
        raise ValueError(f"You cannot buy a rank of {rank}.")
    return prices[rank]


def total_cost(bundle: Bundle, ranks: Sequence[int]) -> int:
    """The price of all ranks together; each step below 10 refunds one point (ruling 17)."""
    return sum(cost(bundle, rank) for rank in ranks)


def result(faces: Sequence[int]) -> int:
    """The sum of the best three of four dice (section 5.1)."""
    return sum(sorted(faces)[-FACES_KEPT:])


def left_out(faces: Sequence[int]) -> list[int]:
    """The position of the lowest die, the first of several."""
    return [list(faces).index(min(faces))]


def array(bundle: Bundle) -> list[int]:
    """The standard array, highest first."""
    return sorted(bundle.lookups.get("array", {}).values(), reverse=True)


def assignable(bundle: Bundle, build: Build) -> list[int]:
    """The results to assign to abilities, from the array or the rolls, highest first."""
    if build.method == "rolled":
        return sorted((result(faces) for faces in build.dice), reverse=True)
    return array(bundle) if build.method == "array" else []


def rank_problems(bundle: Bundle, build: Build) -> list[Problem]:
    """The problems of the chosen ability ranks, each with its place in a character file; empty if none is chosen
    yet."""
    stats = rank_stats(bundle)
    ranks = {key: build.inputs[key] for key in stats if key in build.inputs}
    if not ranks:
        return []
    problems = []
    if len(ranks) < len(stats):
        missing = [bundle.stats[key].name for key in stats if key not in ranks]
        problems.append(Problem("abilities.ranks", f"No rank is chosen for {', '.join(missing)}."))
    if build.method in IN_TERMS and build.method not in methods_allowed(bundle, build):
        sentence = "The house rules do not allow this way to find ability ranks."
        problems.append(Problem("abilities.method", sentence))
    if build.method == "rolled" and len(build.dice) != SETS:
        return [*problems, Problem("abilities.rolls", "Roll four dice, seven times, first.")]
    checks = {"points": point_problems, "array": array_problems, "rolled": rolled_problems}
    check = checks.get(build.method, manual_problems)
    return problems + [Problem("abilities.ranks", text) for text in check(bundle, build, ranks)]


def point_problems(bundle: Bundle, build: Build, ranks: Mapping[str, int]) -> list[str]:
    problems = []
    top = highest(bundle, build)
    for key, rank in ranks.items():
        name = bundle.stats[key].name
        if rank < LOWEST:
            problems.append(f"{name} is {rank}; points buy no rank below {LOWEST}.")
        elif rank > top:
            problems.append(f"{name} is {rank}; the highest rank that points buy is {top}.")
    if problems:
        return problems
    spent, have = total_cost(bundle, list(ranks.values())), budget(bundle, build)
    return [f"These ranks cost {spent} points, and there are {have}: lower one."] if spent > have else []


def array_problems(bundle: Bundle, build: Build, ranks: Mapping[str, int]) -> list[str]:
    return _not_among(array(bundle), ranks, "is not in the array", "is in the array only once")


def rolled_problems(bundle: Bundle, build: Build, ranks: Mapping[str, int]) -> list[str]:
    return _not_among([result(faces) for faces in build.dice], ranks, "was not rolled", "was not rolled that often")


def _not_among(offered: list[int], ranks: Mapping[str, int], never: str, too_often: str) -> list[str]:
    remaining, problems = list(offered), []
    for rank in ranks.values():
        if rank in remaining:
            remaining.remove(rank)
        else:
            problems.append(f"{rank} {too_often if rank in offered else never}.")
    return problems


def manual_problems(bundle: Bundle, build: Build, ranks: Mapping[str, int]) -> list[str]:
    return [
        f"{bundle.stats[key].name} must be from {MANUAL[0]} to {MANUAL[-1]}."
        for key, rank in ranks.items()
        if rank not in MANUAL
    ]
