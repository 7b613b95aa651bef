"""Finding a loop in what depends on what."""

from collections.abc import Iterable, Mapping


def find_loop[Name: (str, int)](needs: Mapping[Name, Iterable[Name]]) -> tuple[Name, ...]:
    """The first loop in `needs` (name -> the names it is worked out from), closed: ("a", "b", "a"); () without one.

    The answer depends on the names alone, not on the order of rows.
    """
    done: set[Name] = set()
    for start in sorted(needs):
        path: list[Name] = [start]
        waiting = [iter(sorted(set(needs[start])))]
        while waiting:
            following = next(waiting[-1], None)
            if following is None:
                done.add(path.pop())
                waiting.pop()
            elif following in path:
                return (*path[path.index(following) :], following)
            elif following not in done:
                path.append(following)
                waiting.append(iter(sorted(set(needs.get(following, ())))))
    return ()
