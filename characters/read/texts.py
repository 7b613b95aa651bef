"""The rules' own words."""

from collections.abc import Iterable
from typing import Any

from rules.engine.bundle import Bundle
from rules.engine.content import Ref


def texts_of(bundle: Bundle, refs: Iterable[Ref]) -> dict[Ref, str]:
    """The rules' own words on those of these elements that they have."""
    return {ref: bundle.elements[ref].text for ref in refs if ref in bundle.elements}


def feature_texts(bundle: Bundle, page: Any) -> dict[Ref, str]:
    """The texts of the features that a sheet's page lists."""
    return texts_of(bundle, [feature.ref for feature in page.features])
