"""The page that asks before a deletion: what it lists, in few queries, and what may be deleted."""

import pytest
from django.contrib import admin
from django.contrib.admin import utils
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules import copies, models
from rules.admin.deletion import deleted_with
from rules.models.vocabulary import Kind
from rules.patterns.lines import write
from rules.patterns.words import Words
from tests.factories import SpellFactory
from tests.support.rows_of_lines import understood

pytestmark = pytest.mark.django_db
MOST = 39


def page_of(row):
    return reverse(f"admin:rules_{row._meta.model_name}_delete", args=[row.pk])


def asked(editor, row):
    with CaptureQueriesContext(connection) as queries:
        assert editor.get(page_of(row)).status_code == 200
    return len(queries)


def test_more_rows_that_point_at_an_element_cost_no_more_queries(editor, talent):
    columns = {"ruleset": talent.ruleset, "source": talent.source}
    counts = []
    for number in range(4):
        owner = models.Talent.objects.create(slug=f"owner-{number}", name=f"Owner {number}", **columns)
        models.Grant.objects.create(owner=owner, element=talent, grant_as="gain")
        models.Prerequisite.objects.create(owner=owner, test="has", element=talent)
        counts.append(asked(editor, talent))
    assert len(set(counts[1:])) == 1  # the first page also reads what is published
    assert counts[0] <= 12


KINDS = [kind for kind in Kind if kind not in copies.COPIED_NEVER]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_draft_of_each_kind_can_be_deleted_in_few_queries(editor, kind):
    cls = models.ELEMENT_CLASSES[kind]
    first = cls.objects.order_by("-effects__order", "pk").first()
    draft = copies.copied(first or SpellFactory(source=models.Source.objects.get(is_core=True)))
    assert asked(editor, draft) <= MOST
    assert editor.post(page_of(draft), {"post": "yes"}).status_code == 302
    assert not cls.objects.filter(pk=draft.pk).exists()


@pytest.mark.slow
def test_the_page_lists_the_same_rows_as_django(editor):
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="ada")
    for cls in models.ELEMENT_CLASSES.values():
        for row in cls.objects.order_by("pk")[:3]:
            nested, counts, _, protected = deleted_with([row], request, admin.site)
            collector = utils.NestedObjects(using="default")
            collector.collect([row])
            assert counts == {
                model._meta.verbose_name_plural: len(found) for model, found in collector.model_objs.items()
            }
            own = [one for one in collector.protected if isinstance(one, models.Action) and one.owner_id == row.pk]
            assert len(protected) == len(collector.protected) - len(own)
            assert shape(nested) == shape(collector.nested())


def shape(nested):
    return [shape(one) if isinstance(one, list) else "" for one in nested]


def test_a_talent_cannot_be_deleted_without_permission_to_delete_its_rows(client, talent, django_user_model):
    rae = django_user_model.objects.create_user("rae", is_staff=True)
    rae.user_permissions.set(Permission.objects.filter(codename__in=["delete_talent", "view_talent"]))
    client.force_login(rae)
    models.Choice.objects.create(owner=talent, slug="pick", prompt="Pick one")
    assert client.post(page_of(talent), {"post": "yes"}).status_code == 403
    assert "choice" in client.get(page_of(talent)).content.decode()
    models.Choice.objects.all().filter(owner=talent).delete()
    assert client.post(page_of(talent), {"post": "yes"}).status_code == 302


def test_deleting_rows_that_are_already_gone_is_no_error(editor, talent):
    pk = talent.pk
    talent.delete()
    sent = {"action": "delete_selected", "_selected_action": [pk]}
    assert editor.post(reverse("admin:rules_talent_changelist"), sent).status_code in (200, 302)


def test_a_talent_is_deleted_with_the_statistic_of_the_uses_of_its_action(editor, talent):
    stats = models.Stat.objects.count()
    line = "Bonus action: Harden your skin, 1 use, back after a short rest"
    write(understood([line], Words(talent.source, talent.name)), talent)
    assert models.Stat.objects.count() == stats + 1
    page = editor.get(page_of(talent))
    assert not page.context["protected"]
    assert ("statistics", 1) in page.context["model_count"]
    assert "Statistic: " in page.content.decode()
    assert "Uses of Harden your skin" in page.content.decode()
    assert editor.post(page_of(talent), {"post": "yes"}).status_code == 302
    assert not models.Talent.objects.filter(slug="wary").exists()
    assert models.Stat.objects.count() == stats


def test_a_talent_cannot_be_deleted_while_another_uses_its_resource(editor, talent):
    line = "1 use, back after a short rest"
    write(understood([line], Words(talent.source, talent.name)), talent)
    other = models.Talent.objects.create(ruleset=talent.ruleset, source=talent.source, slug="hard", name="Hard")
    timing = models.ActionTiming.objects.first()
    resource = talent.resources.get()
    models.Action.objects.create(owner=other, slug="sing", name="Sing", timing=timing, resource=resource)
    assert "Sing" in editor.get(page_of(talent)).content.decode()
    assert editor.post(page_of(talent), {"post": "yes"}).status_code == 200
    assert models.Talent.objects.filter(slug="wary").exists()


def test_the_page_for_several_talents_lists_what_goes_with_each_of_them_and_why_one_stays(editor, talent):
    columns = {"ruleset": talent.ruleset, "source": talent.source}
    others = [models.Talent.objects.create(slug=slug, name=slug.title(), **columns) for slug in ("hard", "keen")]
    for one in (talent, *others):
        models.Note.objects.create(owner=one, text="A note.")
    needs = models.Talent.objects.create(slug="needs", name="Needs", **columns)
    models.Prerequisite.objects.create(owner=needs, test="has", element=others[1])
    page = deletion(editor, talent, *others)
    shown = str(page.context["deletable_objects"])
    assert [shown.count(f"{one}: note for the table") for one in (talent, *others)] == [1, 1, 1]
    assert dict(page.context["model_count"])["effects"] == 3
    assert "Needs" in str(page.context["protected"])
    assert deletion(editor, talent, *others, post="yes").status_code == 200
    assert models.Talent.objects.filter(pk__in=[one.pk for one in (talent, *others)]).count() == 3


def deletion(editor, *rows, **more):
    """The answer to the deletion of these talents from the list; with `post`, confirmed."""
    sent = {"action": "delete_selected", "_selected_action": [one.pk for one in rows], **more}
    return editor.post(reverse("admin:rules_talent_changelist"), sent)


@pytest.mark.parametrize("together", [False, True])
def test_a_talent_is_deleted_with_actions_that_spend_its_own_counter_but_not_with_a_statistic_that_others_use(
    editor, talent, together
):
    write(understood(["1 use, back after a short rest"], Words(talent.source, talent.name)), talent)
    uses, timing = talent.resources.get(), models.ActionTiming.objects.first()
    models.Action.objects.create(owner=talent, slug="sing", name="Sing", timing=timing, resource=uses, text="Aloud.")
    other = models.Talent.objects.create(ruleset=talent.ruleset, source=talent.source, slug="hard", name="Hard")
    models.StatModifier.objects.create(owner=other, stat=uses.max_stat, op="add", amount=1)
    models.Source.objects.update(edited=None)
    shown = deletion(editor, talent) if together else editor.get(page_of(talent))
    assert "statistics" not in dict(shown.context["model_count"])  # it stays
    gone = [talent, models.Talent.objects.create(ruleset=talent.ruleset, source=talent.source, slug="x", name="X")]
    sent = deletion(editor, *gone, post="yes") if together else editor.post(page_of(talent), {"post": "yes"})
    assert sent.status_code == 302
    assert not models.Talent.objects.filter(slug="wary").exists()
    assert not models.Action.objects.filter(slug="sing").exists()
    assert other.effects.get().stat == uses.max_stat
    talent.source.refresh_from_db()
    assert talent.source.edited
