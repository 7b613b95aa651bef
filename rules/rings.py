"""Statistics that would need themselves: found among rows before they are stored."""

from collections import defaultdict
from collections.abc import Iterable

type Edge = tuple[str, str]  # a stat, and a stat it is worked out from


def find_ring(edges: Iterable[Edge]) -> list[str]:
    """The path of a ring, first stat repeated at the end (["a", "b", "a"]); empty when there is none."""
    needs: dict[str, set[str]] = defaultdict(set)
    for stat, needed in edges:
        needs[stat].add(needed)
    done: set[str] = set()
    for start in sorted(needs):
        path: list[str] = []
        # Depth first without recursion: each entry is a stat and what is left to look at from it.
        waiting = [(start, iter(sorted(needs[start])))]
        path.append(start)
        while waiting:
            stat, rest = waiting[-1]
            following = next(rest, None)
            if following is None:
                waiting.pop()
                path.pop()
                done.add(stat)
            elif following in path:
                return [*path[path.index(following) :], following]
            elif following not in done:
                path.append(following)
                waiting.append((following, iter(sorted(needs.get(following, ())))))
    return []
