"""The rank table of a job: all that each rank brings, the same in the admin and on the rules' page."""

import pytest
from django.urls import reverse

from rules import models
from rules.admin.ranks import ranks_of
from rules.element_page import ElementPage
from rules.library import libraries
from rules.patterns.lines import write
from rules.patterns.words import Words
from rules.publications import publish
from tests.support.rows_of_lines import understood

pytestmark = pytest.mark.django_db
LINES = [
    "+8 to Health per rank",
    "from rank 1: is proficient with Survival",
    "from rank 2: +1 to Defense while wearing no armor",
    "from rank 3: advantage on saving throws of Vitality",
    "from rank 3: Reaction: Turn aside",
    "from rank 2: choose 1 language",
]


@pytest.fixture
def warden(db):
    """A job of three ranks."""
    source = models.Source.objects.get(is_core=True)
    job = models.Job.objects.create(ruleset=source.ruleset, source=source, slug="warden", name="Warden", max_rank=3)
    write(understood(LINES, Words(source, "Warden", "job")), job)
    return job


def words(ranks):
    return {rank: [line for line, _ in brought] for rank, brought in ranks}


def test_each_rank_says_what_it_brings(warden):
    assert words(ranks_of(warden)) == {
        1: ["Is proficient with Survival"],
        2: ["+1 Defense while wearing no armor", "Choose 1 language"],
        3: ["Advantage on Vitality saving throws", "Reaction: Turn aside"],
    }


@pytest.mark.parametrize("slug", ["warden", "fighter"])
def test_the_page_of_the_rules_shows_the_same_table(warden, slug):
    publish(warden.source)
    library = next(one for one in libraries() if one.ruleset == warden.ruleset)
    page = ElementPage(library, library.bundle.elements[f"job:{slug}"])
    shown = [(rank, ["".join(text for text, _ in line) for line in brought]) for rank, brought in page.ranks()]
    assert dict(shown) == words(ranks_of(models.Job.objects.get(slug=slug)))
    if slug == "warden":
        assert ["".join(text for text, _ in line) for line in page.effects()] == ["+8 Health at each rank"]


def test_the_table_links_to_the_forms_of_its_parts(editor, warden):
    page = editor.get(reverse("admin:rules_job_change", args=[warden.pk])).content.decode()
    table = page.partition('id="ranks"')[2].partition("</table>")[0]
    survival, choice = models.Skill.objects.get(slug="survival"), warden.choices.get()
    pages = (("element", survival), ("choice", choice))
    for url in [reverse(f"admin:rules_{name}_change", args=[row.pk]) for name, row in pages]:
        assert f'href="{url}"' in table
        assert editor.get(url).status_code in (200, 302)


def test_an_element_without_ranks_has_no_table(editor, warden):
    talent = models.Talent.objects.get(slug="tough")
    assert ranks_of(talent) == []
    assert 'id="ranks"' not in editor.get(reverse("admin:rules_talent_change", args=[talent.pk])).content.decode()
    assert 'id="ranks"' not in editor.get(reverse("admin:rules_job_add")).content.decode()
