"""The rules' own words."""

from collections.abc import Iterable
from typing import Any

from characters.models import Character
from rules.models import Element


def texts_of(ruleset_id: int, refs: Iterable[str]) -> dict[str, str]:
    """The rules' own words on these elements, by ref. One query."""
    slugs = {ref.partition(":")[2] for ref in refs}
    rows = Element.objects.filter(ruleset=ruleset_id, slug__in=slugs).order_by().values_list("kind", "slug", "text")
    return {f"{kind}:{slug}": text for kind, slug, text in rows}


def feature_texts(character: Character, page: Any) -> dict[str, str]:
    """The texts of the features that a sheet's page lists."""
    return texts_of(character.ruleset_id, [feature.ref for feature in page.features])
