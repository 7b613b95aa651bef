"""SQL prepared once from a query does the same as the query, with other values each time."""

import pytest
from django.core.exceptions import FieldDoesNotExist
from django.db import IntegrityError, transaction
from django.db.models import Count, Value

from rules.fast_sql.prepared import (
    NO_ROW,
    PLACEHOLDERS,
    Prepared,
    PreparedDelete,
    PreparedInsert,
    PreparedObjects,
    PreparedUpdate,
    new_model,
)
from rules.models import Action, Source, Stat, Switch
from tests.factories import ActionFactory, ResourceFactory, RulesetFactory, SourceFactory, SwitchFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_rules")]


@pytest.fixture
def sources():
    ruleset = RulesetFactory(name="Small")
    return {slug: SourceFactory(ruleset=ruleset, slug=slug, title=slug.upper()) for slug in ("a", "b", "c")}


def columns(one):
    return {field.attname: getattr(one, field.attname) for field in one._meta.concrete_fields}


def test_a_prepared_query_returns_the_same_object_as_the_query(sources, django_assert_num_queries):
    for number, source in enumerate(sources.values()):
        SwitchFactory(source=source, key=f"key{number}", allowed=["x", number], minimum=number or None)
    by_key = PreparedObjects(lambda key: Switch.objects.filter(key=key).select_related("source__ruleset"), "a key")
    for key in ("key0", "key1", "key0"):
        with django_assert_num_queries(1):
            found = by_key.first(key)
            assert found.source.ruleset.name == "Small"
        plain = Switch.objects.get(key=key)
        assert columns(found) == columns(plain)
        assert columns(found.source) == columns(plain.source)
        assert (found._state.adding, found._state.db) == (False, "default")
    assert by_key.first("nothing") is None


def test_new_model_makes_the_same_row_as_the_model(sources, django_assert_num_queries):
    source = sources["a"]
    given = {"ruleset_id": source.ruleset_id, "key": "key", "name": "A switch", "type": "number", "default": "1"}
    made = new_model(Switch, source=source, **given)
    plain = Switch(source=source, **given)
    assert columns(made) == columns(plain)
    assert made.pk is None
    assert made._state.adding
    made.save()
    with django_assert_num_queries(0):
        assert made.source is source
    assert columns(Switch.objects.get(pk=made.pk)) == columns(made)
    assert columns(new_model(Switch, source_id=source.pk, key="key")) == columns(Switch(source_id=source.pk, key="key"))
    with pytest.raises(FieldDoesNotExist):
        new_model(Switch, source=source, kee="key")


def test_values_that_never_change_are_part_of_the_statement(sources):
    of_ruleset = Prepared(
        lambda pk: (
            Source.objects.filter(ruleset=pk, slug__in=["a", "b"])
            .order_by("slug")
            .values_list("slug", Value(7), Value(-7), Value("plain"), Value(True), Value("it's 100%"), Value(""))
        ),
        PLACEHOLDERS[0],
    )
    ruleset, constants = sources["a"].ruleset.pk, (7, -7, "plain", True, "it's 100%", "")
    assert of_ruleset.rows(ruleset) == [("a", *constants), ("b", *constants)]
    assert of_ruleset.rows(NO_ROW) == []
    assert set(of_ruleset.compiled[1].values()) == {PLACEHOLDERS[0], True, -7, "it's 100%"}


def test_all_returns_the_objects_in_the_order_of_the_query(sources):
    of_ruleset = PreparedObjects(lambda pk: Source.objects.filter(ruleset=pk).order_by("-slug"), PLACEHOLDERS[0])
    assert of_ruleset.all(sources["a"].ruleset.pk) == [sources["c"], sources["b"], sources["a"]]
    assert of_ruleset.all(NO_ROW) == []


def test_annotations_come_with_the_objects(sources):
    SwitchFactory.create_batch(2, source=sources["b"])
    counting = Source.objects.annotate(many=Count("switches")).select_related("ruleset")
    counted = PreparedObjects(lambda pk: counting.filter(ruleset=pk).order_by("slug"), PLACEHOLDERS[0])
    found = counted.all(sources["a"].ruleset.pk)
    assert [(one.slug, one.many, one.ruleset.name) for one in found] == [
        ("a", 0, "Small"),
        ("b", 2, "Small"),
        ("c", 0, "Small"),
    ]


def test_a_missing_related_object_is_none(django_assert_num_queries):
    plain, costly = ActionFactory(), ActionFactory(resource=ResourceFactory(name="Grit"))
    by_id = PreparedObjects(lambda pk: Action.objects.filter(pk=pk).select_related("resource"), PLACEHOLDERS[0])
    with django_assert_num_queries(2):
        assert by_id.first(plain.pk).resource is None
        assert by_id.first(costly.pk).resource.name == "Grit"


def test_a_row_is_inserted_with_and_without_an_id(sources):
    insert = PreparedInsert(Stat)
    for key in ("one", "two"):
        row = Stat(source=sources["a"], ruleset=sources["a"].ruleset, key=key, name=key.title())
        insert.put(row)
        assert columns(Stat.objects.get(key=key)) == columns(row)
    Stat.objects.filter(pk=row.pk).delete()
    insert.put(row)
    assert Stat.objects.get(key="two").pk == row.pk


def test_an_existing_row_is_updated_only_in_the_columns_asked_for(sources):
    put = PreparedInsert(Source, unique=("ruleset", "slug"), update=("title",))
    ruleset = sources["a"].ruleset
    for slug, title in (("a", "New"), ("d", "D")):
        put.put(Source(ruleset=ruleset, slug=slug, title=title, license="Free"))
    assert list(Source.objects.order_by("slug").values_list("slug", "title", "license")) == [
        ("a", "New", ""), ("b", "B", ""), ("c", "C", ""), ("d", "D", "Free"),
    ]  # fmt: skip


def test_an_update_changes_its_columns_and_no_other_row(sources):
    update = PreparedUpdate(Source)
    ruleset = sources["a"].ruleset.pk
    update.put({"title": "First", "is_core": True}, slug="a", ruleset=ruleset)
    update.put({"title": "Second", "is_core": False}, ruleset=ruleset, slug="b")
    update.put({"title": "Nobody"}, slug="a", ruleset=ruleset + 1)
    assert list(Source.objects.order_by("slug").values_list("title", "is_core")) == [
        ("First", True), ("Second", False), ("C", False),
    ]  # fmt: skip


def test_an_update_may_set_and_clear_a_nullable_column():
    update = PreparedUpdate(Switch)
    switch = SwitchFactory()
    for minimum in (None, 3, None, 5):
        update.put({"minimum": minimum}, id=switch.pk)
        switch.refresh_from_db()
        assert switch.minimum == minimum


def test_the_constraints_of_the_database_apply(sources):
    ruleset = sources["a"].ruleset
    for write in (
        lambda: PreparedInsert(Source).put(Source(ruleset=ruleset, slug="a", title="Again")),
        lambda: PreparedUpdate(Source).put({"slug": "a"}, id=sources["b"].pk),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            write()


def test_a_delete_removes_the_rows_of_its_query(sources):
    other = SourceFactory(slug="a")
    delete = PreparedDelete(lambda pk, slug: Source.objects.filter(ruleset=pk, slug=slug), PLACEHOLDERS[0], "a slug")
    for slug in ("a", "z", "b"):
        delete.run(sources["a"].ruleset.pk, slug)
    assert set(Source.objects.all()) == {sources["c"], other}


def test_a_delete_follows_relations(sources):
    for source in sources.values():
        SwitchFactory(source=source)
    delete = PreparedDelete(lambda slug: Switch.objects.filter(source__slug=slug), "a slug")
    delete.run("b")
    assert {switch.source.slug for switch in Switch.objects.all()} == {"a", "c"}
