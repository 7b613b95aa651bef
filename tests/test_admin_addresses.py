"""Addresses and forms of the admin that no link of it has: each list answers them without asking the database."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.urls import reverse

pytestmark = [pytest.mark.django_db, pytest.mark.full]

LISTS = sorted(f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry)
TOO_LARGE = "9" * 30
NO_IDS = ["x", "-1", "1 2", "\0", TOO_LARGE]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_refuses_a_filter_that_it_does_not_offer(admin_client, name):
    for lookup in (f"id__in=1,{TOO_LARGE}", "id__range=1", f"user={TOO_LARGE}", "username__regex=(",
                   f"date_joined__year={TOO_LARGE}"):  # fmt: skip
        assert admin_client.get(f"{reverse(f'admin:{name}_changelist')}?{lookup}").status_code == 400, lookup


@pytest.mark.parametrize("name", LISTS)
def test_a_page_or_a_ticked_row_that_is_no_id_is_not_found(admin_client, name):
    for wrong in NO_IDS:
        assert admin_client.get(reverse(f"admin:{name}_change", args=[wrong])).status_code == 302
        form = {"action": "delete_selected", "_selected_action": wrong}
        assert admin_client.post(reverse(f"admin:{name}_changelist"), form).status_code in (200, 302)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_searched_by_the_beginning_of_a_long_text(admin_client, name):
    for text in ("_" * 60_000, "a " * 5_000):
        assert admin_client.get(reverse(f"admin:{name}_changelist"), {"q": text}).status_code == 200


@pytest.mark.parametrize(
    "lookup", ["is_staff__exact=1", "is_active__exact=0", f"groups__id__exact={TOO_LARGE}", "groups__isnull=True"]
)
def test_the_list_of_users_is_filtered_by_each_of_its_filters(admin_client, lookup):
    Group.objects.create(name="Editors")
    listed = admin_client.get(f"{reverse('admin:auth_user_changelist')}?{lookup}")
    assert (listed.status_code, listed.context["cl"].has_active_filters) == (200, True)


def test_a_group_that_is_no_id_is_refused_at_its_field(admin_client):
    user = User.objects.create_user("ben", "ben@example.com", "a long password")
    for field in ("groups", "user_permissions"):
        page = admin_client.post(
            reverse("admin:auth_user_change", args=[user.pk]), {"username": "ben", field: TOO_LARGE}
        )
        assert field in page.context["adminform"].form.errors


def test_a_reference_that_is_no_id_is_refused_at_its_field(admin_client):
    for wrong in NO_IDS:
        page = admin_client.post(reverse("admin:rules_skill_add"), {"key_ability": wrong, "source": wrong})
        assert {"key_ability", "source"} <= page.context["adminform"].form.errors.keys(), wrong
