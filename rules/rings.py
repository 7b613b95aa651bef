"""Finds statistics that would depend on themselves, before their rows are stored."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from graphlib import TopologicalSorter

type Edge = tuple[str, str]  # a stat, and one it is computed from


def find_ring(edges: Iterable[Edge]) -> list[str]:
    """The path of a ring, with its first stat repeated at the end (["a", "b", "a"]); empty if there is none."""
    needs = needed_by(edges)
    done: set[str] = set()
    for start in sorted(needs):
        # Depth first without recursion: each stat on the path, with those still to visit from it.
        path = {start: iter(sorted(needs[start]))}
        while path:
            stat, rest = next(reversed(path.items()))
            following = next(rest, None)
            if following is None:
                path.popitem()
                done.add(stat)
            elif following in path:
                stats = list(path)
                return [*stats[stats.index(following) :], following]
            elif following not in done:
                path[following] = iter(sorted(needs.get(following, ())))
    return []


def depths(edges: Iterable[Edge]) -> dict[str, int]:
    """For each stat, the length of the longest chain of stats it is computed from. There must be no ring."""
    needs = needed_by(edges)
    found: dict[str, int] = {}
    for stat in TopologicalSorter(needs).static_order():
        found[stat] = 1 + max((found[needed] for needed in needs.get(stat, ())), default=0)
    return found


def longest_chain(edges: Collection[Edge]) -> list[str]:
    """The longest chain of stats, each computed from the next; empty without edges. There must be no ring."""
    needs, deep = needed_by(edges), depths(edges)
    chain: list[str] = []
    following: Collection[str] = deep
    while following:
        chain.append(max(following, key=lambda stat: (deep[stat], stat)))
        following = needs.get(chain[-1], ())
    return chain


def needed_by(edges: Iterable[Edge]) -> dict[str, set[str]]:
    needs: dict[str, set[str]] = defaultdict(set)
    for stat, needed in edges:
        needs[stat].add(needed)
    return needs
