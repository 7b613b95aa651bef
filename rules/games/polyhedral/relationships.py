"""Relationships between the characters of a group (section 7.2)."""

from collections.abc import Sequence


def ring[T](people: Sequence[T]) -> list[tuple[T, T]]:
    """Pairs that give everyone a relationship with both neighbors: as many pairs as people, if there are three or more.

    Two people make one pair; one person makes none.
    """
    pairs = [(people[at - 1], person) for at, person in enumerate(people)]
    return pairs if len(people) > 2 else pairs[1:]
