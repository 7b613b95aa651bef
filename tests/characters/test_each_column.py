"""Each column of each kind of row is edited, and the sheets of generated characters are compared: before publication no
sheet changes, and afterwards exactly those that the preview named."""

import os
from collections import Counter
from random import Random

import pytest
from django.db import models, transaction

from characters.models import Character
from characters.pages.publications.moved_characters import moved_by_publishing
from characters.verbs import surprise
from rules.engine import difference
from rules.models import ELEMENT_CLASSES, CircumstanceTest, LookupRow, Source, Suggestion
from rules.packs import columns as cols
from rules.packs.check import PART_MODELS
from rules.publications import publish
from tests.characters.cast import new_key, person
from tests.support.characters import sheets

pytestmark = pytest.mark.django_db
SOAK = bool(os.environ.get("SOAK"))  # each column with 300 characters, which takes two processors half an hour
HEROES, PARTS = (300, 2) if SOAK else (8, 18)
NAMES = ("slug", "key")  # published rows keep their names


def every_column():
    """(in words, the rows, the column) of every column that is edited."""
    tables = {str(model._meta.verbose_name): (model.objects, columns) for model, columns in cols.TABLES.values()}
    tables["source"] = Source.objects.filter(slug="polyhedral-core"), cols.SOURCE
    tables["test"] = CircumstanceTest.objects, cols.CIRCUMSTANCE_TEST
    tables["step"] = LookupRow.objects, cols.LOOKUP_ROW
    tables["suggestion"] = Suggestion.objects, cols.SUGGESTION
    for kind in cols.FILES.values():
        rows = ELEMENT_CLASSES[kind].objects.filter(kind=kind)
        tables[f"{kind}, as every entry"] = rows, cols.ELEMENT
        if kind in cols.OF_KIND:
            tables[f"{kind}"] = rows, cols.OF_KIND[kind]
    for part, columns in cols.PARTS.items():
        rows = PART_MODELS[part].objects
        tables[f"row of {part}"] = rows.filter(kind=part) if part in cols.EFFECTS else rows, columns
    return [
        (f"{column.field.name} of {name}", rows, column.field)
        for name, (rows, columns) in tables.items()
        for column in columns
        if column.key not in NAMES
    ]


def another(field: models.Field, now: object, chance: Random) -> object:
    """A value that the column does not have now."""
    if field.is_relation:
        rows = field.related_model._default_manager.exclude(pk=now).values_list("pk", flat=True)
        return chance.choice(sorted(rows)[:400])
    if field.flatchoices:
        return chance.choice([value for value, _ in field.flatchoices if value != now])
    if isinstance(field, models.BooleanField):
        return not now
    if isinstance(field, models.IntegerField):
        return chance.choice([value for value in (1, 2, 3, 7, 12) if value != now])
    return ["another"] if isinstance(field, models.JSONField) else "another"


def edits(rows, field, chance):
    """Ways to edit the column: in all rows alike, or else in one of them."""
    there = sorted(rows.values_list("pk", field.attname), key=lambda row: row[0])
    if not there:
        return
    yield rows.all(), another(field, there[0][1], chance)
    for pk, now in chance.sample(there, min(8, len(there))):
        yield rows.filter(pk=pk), another(field, now, chance)


class Trial:
    def __init__(self):
        self.core = Source.objects.select_related("ruleset").get(slug="polyhedral-core")
        for seed in range(HEROES):
            surprise(person(f"player-{seed // 40}"), new_key(), chance=Random(seed))
        self.heroes = list(Character.objects.select_related("ruleset"))
        self.before = sheets(self.heroes)

    def edit(self, what, rows, field, chance):
        """The result of the first edit that the database takes and that sheets can be made from. It is rolled back."""
        for some, value in edits(rows, field, chance):
            with transaction.atomic():
                try:
                    with transaction.atomic():
                        some.update(**{field.attname: value})
                    named = {one.character.pk for one in moved_by_publishing(self.core, self.heroes)}
                except Exception:  # refused by the database, or the page says that no sheet can be made
                    named = None
                if named is not None:
                    self.compare(what, named)
                transaction.set_rollback(True)
            if named is not None:
                return "moved some" if named else "moved none"
        return "could not be edited"

    def compare(self, what, named):
        assert sheets(self.heroes) == self.before, what
        publish(self.core)
        after = sheets(self.heroes)
        assert named == {pk for pk, sheet in after.items() if difference(self.before[pk], sheet)}, what


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS) if SOAK else [0])
def test_publication_changes_exactly_the_sheets_that_the_preview_named(part):
    trial, found = Trial(), {}
    asked = every_column()
    assert len(asked) > 300
    for what, rows, field in Random(3).sample(asked, len(asked))[part::PARTS]:
        found[what] = trial.edit(what, rows, field, Random(what))
    counts = Counter(found.values())
    print(counts, sorted(what for what, how in found.items() if how == "could not be edited"))
    assert counts["moved some"]
    assert counts["could not be edited"] < len(found) / 4
