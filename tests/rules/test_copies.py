"""Copies of an entry: a copy reads like the original, and shares no row and no counter with it."""

import pytest
from django.urls import reverse

from rules import copies, models, reading
from rules.homebrew import begun
from rules.publications import publish
from tests.factories import SpellFactory

pytestmark = [pytest.mark.django_db, pytest.mark.full]
OWNED = ("effects", "choices", "prerequisites", "resources", "recoveries", "actions", "property_uses", "suggestions")


def core(kind, slug):
    return models.ELEMENT_CLASSES[kind].objects.get(slug=slug, source__is_core=True)


def sentences(entry):
    rows = [
        row for owned in ("effects", "choices", "recoveries", "actions") for row in getattr(entry, owned).order_by("pk")
    ]
    return [reading.sentence_of(row) for row in rows]


@pytest.mark.parametrize("kind", sorted(set(models.ELEMENT_CLASSES) - copies.COPIED_NEVER))
def test_entries_of_every_kind_are_copied_whole(kind):
    cls = models.ELEMENT_CLASSES[kind]
    own = {column.attname for column in cls._meta.local_concrete_fields} - {"element_ptr_id", "resource_id"}
    if kind == "spell":  # the shipped rules have none
        source, mind = models.Source.objects.get(is_core=True), core("ability", "mind")
        SpellFactory(source=source, time="reaction", range="60 ft", cantrip=True, saving_throw=mind, damage="1d4")
    for entry in list(cls.objects.filter(source__is_core=True)[:12]):
        made = copies.copied(entry)
        assert (made.status, made.pk != entry.pk) == ("draft", True)
        if cls._meta.concrete_model is cls:
            assert {name: getattr(made, name) for name in own} == {name: getattr(entry, name) for name in own}
        for owned in OWNED:
            assert getattr(made, owned).count() == getattr(entry, owned).count(), (entry, owned)
        assert set(made.groups.all()) == set(entry.groups.all())
        assert sentences(made) == sentences(entry)


def test_a_copy_of_the_longest_name_has_room_for_its_mark():
    first = core("talent", "tough")
    first.name = "x" * 120
    first.save(update_fields=["name"])
    assert copies.copied(first).name == f"{'x' * 113} (copy)"


def test_a_copy_counts_its_own_uses():
    first = core("feature", "second-wind")
    made = copies.copied(first)
    mine, theirs = made.resources.get(), first.resources.get()
    assert (mine.slug, mine.max_stat.key) == ("second-wind-2", "second-wind.max-2")
    assert mine.max_stat != theirs.max_stat
    assert made.effects.get().stat == mine.max_stat
    assert made.actions.get().resource == made.recoveries.get().resource == mine
    assert first.actions.get().resource == theirs


def test_an_editor_copies_from_the_list(editor):
    first = core("talent", "tough")
    before = first.source.edited
    answer = editor.post(
        reverse("admin:rules_talent_changelist"), {"action": "copy", "_selected_action": [first.pk]}, follow=True
    )
    made = models.Talent.objects.get(slug="tough-2")
    assert reverse("admin:rules_talent_change", args=[made.pk]) in answer.content.decode()
    assert made.status == "draft"
    assert models.Source.objects.get(pk=first.source_id).edited != before


@pytest.fixture
def guest(db):
    """A published talent of a source that requires another; it adds to a statistic of its own source."""
    ruleset = models.Ruleset.objects.get(slug="polyhedral")
    far, house = (models.Source.objects.create(ruleset=ruleset, slug=slug, title=slug) for slug in ("far", "house"))
    far.requires.add(house, models.Source.objects.get(is_core=True))
    charm = models.Stat.objects.create(ruleset=ruleset, source=far, key="charm", name="Charm")
    made = models.Talent.objects.create(ruleset=ruleset, source=far, slug="guest", name="Guest", text="Wipe your feet.")
    models.StatModifier.objects.create(owner=made, stat=charm, op="add", amount=1)
    publish(far)
    return made


def test_homebrew_requires_the_source_of_a_copy_and_all_that_it_requires(guest):
    made = copies.copied_into(guest, begun(guest.ruleset, "Mine"))
    assert set(made.source.requires.values_list("slug", flat=True)) == {"far", "house"}


def test_a_copy_in_homebrew_stands_on_no_page_of_a_book():
    first = core("talent", "tough")
    models.Talent.objects.filter(pk=first.pk).update(page_ref="The book, page 12")
    publish(first.source)
    assert copies.copied(first).page_ref == "The book, page 12"
    assert copies.copied_into(first, begun(first.ruleset, "Mine")).page_ref == ""


def test_homebrew_copies_the_published_version(guest):
    models.Talent.objects.filter(pk=guest.pk).update(name="Secret", text="Secret", status="draft")
    guest.effects.update(amount=9)
    made = copies.copied_into(models.Element.objects.get(pk=guest.pk), begun(guest.ruleset, "Mine"))
    assert (made.name, made.text, made.status) == ("Guest (copy)", "Wipe your feet.", "published")
    assert made.effects.get().amount == 1


def test_an_entry_that_is_no_longer_published_is_not_copied(guest):
    guest.delete()
    publish(guest.source)
    with pytest.raises(copies.NotCopied, match="The rules no longer have Guest"):
        copies.copied_into(guest, begun(guest.ruleset, "Mine"))


def test_a_copy_in_homebrew_counts_its_own_uses():
    first = core("feature", "second-wind")
    made = copies.copied_into(first, begun(first.ruleset, "Mine"))
    mine, tag = made.resources.get(), made.source.homebrew.tag
    assert (mine.slug, mine.max_stat.key) == (f"second-wind-{tag}", f"second-wind.max-{tag}")
    assert made.effects.get().stat == mine.max_stat
    assert made.actions.get().resource == made.recoveries.get().resource == mine
    assert sentences(made) == sentences(first)


def test_an_entry_that_names_a_deleted_row_is_copied_only_after_a_publication(guest):
    guest.effects.all().delete()
    models.Stat.objects.filter(key="charm").delete()
    with pytest.raises(copies.NotCopied, match="Guest refers to something that is being changed"):
        copies.copied_into(guest, begun(guest.ruleset, "Mine"))
    publish(guest.source)
    assert copies.copied_into(guest, begun(guest.ruleset, "Mine"))


def test_the_core_rules_are_not_copied(editor):
    first, count = models.CoreRules.objects.first(), models.CoreRules.objects.count()
    editor.post(reverse("admin:rules_corerules_changelist"), {"action": "copy", "_selected_action": [first.pk]})
    assert models.CoreRules.objects.count() == count
