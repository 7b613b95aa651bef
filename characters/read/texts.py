"""The texts that the rules have on elements."""

from collections.abc import Iterable

from rules.engine.bundle import Bundle
from rules.engine.content import Ref


def texts_of(bundle: Bundle, refs: Iterable[Ref]) -> dict[Ref, str]:
    """The text of each of these elements that the rules have."""
    return {ref: bundle.elements[ref].text for ref in refs if ref in bundle.elements}
