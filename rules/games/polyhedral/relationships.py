"""Relationships between the characters of a group (section 7.2)."""

from collections.abc import Sequence


def ring[T](people: Sequence[T]) -> list[tuple[T, T]]:
    """Ties everybody to the neighbors on both sides: as many pairs as people, from three on.

    Of two there is one pair, and nobody is tied to themselves.
    """
    pairs = [(people[at - 1], person) for at, person in enumerate(people)]
    return pairs if len(people) > 2 else pairs[1:]
