"""The admin's pages run a bounded number of queries, whatever they show."""

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules import models

MOST = 39


def pages():
    """The list and the empty form of each kind; the form, history and deletion page of its row with most rows below."""
    for model, page in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        yield reverse(f"{name}_add")
        rows = model._default_manager.order_by("pk")
        if issubclass(model, models.Element):
            below = Count("effects", distinct=True) + Count("actions", distinct=True)
            rows = rows.annotate(below=below).order_by("-below")
        if (row := rows.first()) and page:
            yield reverse(f"{name}_change", args=[row.pk])
            yield reverse(f"{name}_history", args=[row.pk])
            yield reverse(f"{name}_delete", args=[row.pk])


@pytest.mark.slow
def test_every_page_runs_few_queries(editor):
    asked = {}
    apps = editor.get(reverse("admin:index")).context["app_list"]
    open_to_her = {model[kind] for app in apps for model in app["models"] for kind in ("admin_url", "add_url")}
    for url in [
        reverse("admin:index"),
        *(reverse("admin:app_list", args=[app]) for app in ("rules", "auth")),
        *pages(),
    ]:
        with CaptureQueriesContext(connection) as queries:
            status = editor.get(url).status_code
        assert status in ({200} if url in open_to_her else {200, 302, 403}), f"{url} answers {status}"
        asked[url] = len(queries)
    assert len(asked) > 100
    assert open_to_her - {None} <= asked.keys()
    assert {url: count for url, count in asked.items() if count > MOST} == {}


def test_the_form_without_script_fetches_each_list_once(editor):
    fighter = models.Job.objects.get(slug="fighter")
    with CaptureQueriesContext(connection) as queries:
        page = editor.get(f"{reverse('admin:rules_job_change', args=[fighter.pk])}?noscript=1")
    assert page.content.count(b"<select") > 100
    assert len(queries) < 60
