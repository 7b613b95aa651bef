"""A new version of a pack is loaded where someone has edited rows in the admin since the last version."""

import shutil

import pytest

from rules.models import Element, Source, Talent
from rules.packs.load import PACKS, load_rules
from rules.packs.source_rows import read_source
from rules.publications import in_force, publish

from .small_pack import FILES, write_pack

pytestmark = pytest.mark.django_db
NEWER = "[{slug: mail, name: Ring mail}, {slug: clubs, name: Clubs}, {slug: knacks, name: Knacks}]"


class Site:
    """A site with the small pack, and what its admin and its next version do to it."""

    def __init__(self, folder):
        self.folder = folder
        load_rules(write_pack(folder))

    @property
    def source(self):
        return Source.objects.get(slug="small-core")

    @property
    def live(self):
        return {ref: row["name"] for ref, row in in_force(self.source).elements.items()}

    @property
    def rows(self):
        return {ref: row["name"] for ref, row in read_source(self.source).elements.items()}

    def rename(self, slug, name):
        Element.objects.filter(slug=slug).update(name=name)

    def add(self, slug, name):
        Talent.objects.create(ruleset=self.source.ruleset, source=self.source, slug=slug, name=name, summary="Ours.")

    def publish(self):
        publish(self.source)

    def upgrade(self, **files):
        return load_rules(write_pack(self.folder, categories=NEWER, **files))


def notes(site):
    return list(site.source.publications.order_by("number").values_list("note", flat=True))


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path / "small")


def test_edits_stay_where_the_new_version_is_as_the_old_one(site):
    site.rename("tough", "Tough as nails")
    site.add("own", "Our own")
    site.publish()
    report = site.upgrade()
    assert site.live["talent:tough"] == "Tough as nails"
    assert site.live["talent:own"] == "Our own"
    assert site.live["category:mail"] == "Ring mail"
    assert site.live == site.rows
    assert site.source.edited is None
    assert (report.kept, report.replaced) == (["talent “Our own”", "talent “Tough as nails”"], [])
    assert notes(site) == ["Loaded from files.", "", "Loaded from files.", "The edits of this site, kept."]


def test_a_new_version_over_no_edits_is_one_publication(site):
    assert site.upgrade().kept == []
    assert notes(site) == ["Loaded from files."] * 2


def test_what_the_new_version_adds_comes_beside_the_edits(site):
    site.rename("tough", "Tough as nails")
    site.publish()
    site.upgrade(languages="- {slug: sign, name: Sign}")
    assert (site.live["talent:tough"], site.live["language:sign"]) == ("Tough as nails", "Sign")


def test_what_was_removed_here_stays_away(site):
    Element.objects.get(slug="lucky").delete()
    site.publish()
    site.upgrade()
    assert "talent:lucky" not in site.live
    assert site.live["talent:tough"] == "Tough"


def test_an_edit_that_is_not_published_stays_so(site):
    site.rename("tough", "Tough as nails")
    site.publish()
    site.rename("lucky", "Luckier")
    site.add("own", "Our own")
    report = site.upgrade()
    assert (site.live["talent:tough"], site.live["talent:lucky"]) == ("Tough as nails", "Lucky")
    assert "talent:own" not in site.live
    assert (site.rows["talent:lucky"], site.rows["talent:own"]) == ("Luckier", "Our own")
    assert site.rows["category:mail"] == site.live["category:mail"] == "Ring mail"
    assert site.source.edited is not None
    assert len(report.kept) == 3


def test_an_unpublished_edit_stays_over_a_published_one_of_the_same_row(site):
    site.rename("tough", "Tough as nails")
    site.publish()
    site.rename("tough", "Tougher")
    site.upgrade()
    assert (site.live["talent:tough"], site.rows["talent:tough"]) == ("Tough as nails", "Tougher")


def test_of_a_row_that_both_have_changed_that_of_the_new_version_counts(site):
    site.rename("mail", "Scale mail")
    site.rename("tough", "Tough as nails")
    site.publish()
    report = site.upgrade()
    assert (site.live["category:mail"], site.live["talent:tough"]) == ("Ring mail", "Tough as nails")
    assert (report.kept, report.replaced) == (["talent “Tough as nails”"], ["category “Ring mail”"])


def test_the_row_of_the_source_counts_as_one(site):
    Source.objects.filter(slug="small-core").update(title="Our core")
    site.publish()
    report = site.upgrade(source=FILES["source.yaml"].replace('version: "1"', 'version: "2"'))
    assert (site.source.title, site.source.version) == ("Small core", "2")
    assert report.replaced == ["source “Small core”"]


def test_edits_that_do_not_fit_the_new_version_are_replaced(site):
    """The new version drops a thing that an edit names; the site must start anyway."""
    site.add("own", "Our own")
    Talent.objects.get(slug="own").prerequisites.create(test="has", element=Element.objects.get(slug="odd"))
    site.publish()
    report = site.upgrade(talents="- {slug: tough, name: Tough}", paths=None, features=None, jobs=None)
    assert "talent:own" not in site.live
    assert site.live["category:mail"] == "Ring mail"
    assert (report.kept, report.replaced) == ([], ["talent “Our own”"])


RENAMED = {
    "talents": FILES["talents.yaml"].replace("{slug: odd, name: Odd}", "{slug: strange, was: odd, name: Odd}"),
    "paths": FILES["paths.yaml"].replace("talent:odd", "talent:strange"),
}


def test_an_edit_that_names_an_entry_which_the_new_version_renames_stays(site):
    site.add("own", "Our own")
    Talent.objects.get(slug="own").prerequisites.create(test="has", element=Element.objects.get(slug="odd"))
    site.publish()
    talents = RENAMED["talents"].replace("name: Odd}", "name: Strange}")
    report = site.upgrade(**RENAMED | {"talents": talents})
    assert in_force(site.source).elements["talent:own"]["requires"][0]["element"] == "talent:strange"
    assert "talent:odd" not in site.rows
    assert (report.kept, report.replaced) == (["talent “Our own”"], [])


def test_an_edit_of_an_entry_stays_where_the_new_version_changes_only_its_slug(site):
    odd = Element.objects.get(slug="odd")
    site.rename("odd", "Odder")
    site.publish()
    report = site.upgrade(**RENAMED)
    assert site.live["talent:strange"] == site.rows["talent:strange"] == "Odder"
    assert Element.objects.get(slug="strange").pk == odd.pk
    assert (report.kept, report.replaced) == (["talent “Odder”"], [])


def test_an_edit_follows_its_entry_where_the_new_version_gives_the_old_slug_to_another(site):
    odd = Element.objects.get(slug="odd")
    site.rename("odd", "Odder")
    site.publish()
    talents = RENAMED["talents"].replace("name: Odd}", "name: Odd}\n        - {slug: odd, name: New}")
    report = site.upgrade(**RENAMED | {"talents": talents})
    assert (site.live["talent:strange"], site.live["talent:odd"]) == ("Odder", "New")
    assert Element.objects.get(slug="strange").pk == odd.pk
    assert (report.kept, report.replaced) == (["talent “Odder”"], [])


def test_the_next_version_keeps_the_same_edits_again(site):
    site.rename("tough", "Tough as nails")
    site.publish()
    site.upgrade()
    assert site.upgrade().lines == ["small-core: these files are loaded already"]
    report = load_rules(write_pack(site.folder, categories=NEWER.replace("Ring", "Plate")))
    assert (site.live["talent:tough"], site.live["category:mail"]) == ("Tough as nails", "Plate mail")
    assert report.kept == ["talent “Tough as nails”"]


def test_a_core_pack_without_edits_becomes_what_its_new_version_says(tmp_path):
    folder = shutil.copytree(PACKS / "polyhedral-core", tmp_path / "core", ignore=shutil.ignore_patterns("*.py"))
    load_rules(folder)
    talents = folder / "talents.yaml"
    talents.write_text(talents.read_text("utf-8").replace("name: Tough\n", "name: Tougher\n"), "utf-8")
    report = load_rules(folder)
    assert (report.added, report.changed, report.deleted, report.kept, report.replaced) == (0, 1, 0, [], [])
    source = Source.objects.get(slug="polyhedral-core")
    assert (in_force(source), source.edited) == (read_source(source), None)
