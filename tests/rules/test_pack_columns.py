"""Packs carry every column of the content: one that is left out would be lost by each export, copy and publication."""

import pytest

from rules.models import Element
from rules.packs import columns as cols

# A file says these by the place of a row, or the site keeps them for itself.
ELSEWHERE = {"id", "ruleset", "source", "element_ptr", "owner", "item", "kind", "order", "sort", "created", "updated"}
MODELS = {Element: {*cols.ELEMENT}} | {model: {*columns} for model, columns in cols.TABLES.values()}
for row in (*cols.OF_KIND.values(), *cols.PARTS.values()):
    MODELS.setdefault(row[0].field.model, set()).update(row)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_pack_has_every_column(model):
    own = {field.name for field in model._meta.local_concrete_fields}
    assert own - ELSEWHERE == {column.field.name for column in MODELS[model]} - ELSEWHERE
