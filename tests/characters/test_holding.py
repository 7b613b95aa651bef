"""The number of characters that hold an entry, on its page and in its list."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from characters.admin import characters_holding
from characters.models import Award, CharacterCondition, Decision, InventoryItem, PlannedDecision
from rules.models import Choice, Element, Job, Talent
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db


def holders(element):
    return Element.objects.annotate(holders=characters_holding()).get(pk=element.pk).holders


def test_each_character_counts_once_however_it_holds_the_entry(ana):
    one, other = owned_by(ana, "ysolde-marrow"), owned_by(ana, "ysolde-marrow")
    entry = Talent.objects.get(slug="tough")
    Decision.objects.filter(element=entry).delete()
    choice = Choice.objects.get(slug="level-talent")
    assert holders(entry) == 0
    Decision.objects.create(character=one, choice=choice, level=7, element=entry)
    Decision.objects.create(character=one, choice=choice, level=8, element=entry)
    assert holders(entry) == 1
    Award.objects.create(character=one, element=entry)
    InventoryItem.objects.create(character=one, element=entry)
    assert holders(entry) == 1
    CharacterCondition.objects.create(character=other, element=entry)
    assert holders(entry) == 2
    PlannedDecision.objects.create(character=other, choice=choice, level=9, element=Talent.objects.get(slug="medic"))
    assert holders(Talent.objects.get(slug="medic")) == 0


def test_the_page_and_the_list_show_the_number_of_holders(editor, ana):
    job = Job.objects.get(slug="fighter")
    before = holders(job)
    owned_by(ana, "ysolde-marrow")
    page = editor.get(reverse("admin:rules_job_change", args=[job.pk])).content.decode()
    assert f"held by {before + 1} character" in page
    rows = editor.get(reverse("admin:rules_job_changelist"), {"o": "-6"})
    assert f'<td class="field-held_by">{before + 1}</td>' in rows.content.decode()


def test_more_characters_take_no_more_queries(editor, ana):
    url = reverse("admin:rules_talent_changelist")

    def asked():
        with CaptureQueriesContext(connection) as queries:
            editor.get(url)
        return len(queries)

    editor.get(url)
    before = asked()
    for _ in range(3):
        owned_by(ana, "ysolde-marrow")
    assert asked() == before <= 20
