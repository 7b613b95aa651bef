"""An author in the admin can write each column that the files of a pack can."""

import pytest
from django.contrib.admin.utils import flatten

from rules.admin import inlines
from rules.packs import columns as cols

INLINES = {
    "modify": inlines.StatModifierInline,
    "roll": inlines.RollModifierInline,
    "grant": inlines.GrantInline,
    "note": inlines.NoteInline,
    "requires": inlines.PrerequisiteInline,
    "resources": inlines.ResourceInline,
    "recoveries": inlines.RecoveryInline,
    "actions": inlines.ActionInline,
    "properties": inlines.PropertyUseInline,
}


@pytest.mark.parametrize("part", INLINES)
def test_a_row_has_a_field_for_each_column_of_a_pack(part):
    in_packs = {column.field.name for column in cols.PARTS[part]}
    assert in_packs <= {*flatten(INLINES[part].fields)}
