"""Staff who may edit accounts could become anyone, so only superusers edit them."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission, User
from django.urls import reverse

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def staff(client):
    """Signed in with every permission that there is, and no superuser."""
    user = User.objects.create_user("sol", "sol@example.com", "a long password", is_staff=True)
    user.user_permissions.set(Permission.objects.all())
    client.force_login(user)
    return user


def rows(user):
    address = EmailAddress.objects.create(user=user, email=user.email)
    return {"auth_user": user, "auth_group": Group.objects.create(name="Editors"), "account_emailaddress": address}


def test_staff_read_accounts_and_change_none(client, staff, admin_user):
    for name, row in rows(admin_user).items():
        page = reverse(f"admin:{name}_change", args=[row.pk])
        assert client.get(page).status_code == 200, name
        ticked = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
        client.post(reverse(f"admin:{name}_changelist"), ticked)
        refused = [
            client.post(page, {}),
            client.post(reverse(f"admin:{name}_delete", args=[row.pk]), {"post": "yes"}),
            client.post(reverse(f"admin:{name}_add"), {}),
        ]
        assert [answer.status_code for answer in refused] == [403, 403, 403], name
        row.refresh_from_db()
    addresses = reverse("admin:account_emailaddress_changelist")
    client.post(addresses, {"action": "make_verified", "_selected_action": EmailAddress.objects.get().pk})
    assert not EmailAddress.objects.get().verified
    password = reverse("admin:auth_user_password_change", args=[admin_user.pk])
    assert client.get(password).status_code == 403
    assert client.post(reverse("admin:auth_user_change", args=[staff.pk]), {"is_superuser": "on"}).status_code == 403
    staff.refresh_from_db()
    assert not staff.is_superuser


def test_a_superuser_changes_them(admin_client, admin_user):
    made = rows(admin_user)
    addresses = reverse("admin:account_emailaddress_changelist")
    admin_client.post(addresses, {"action": "make_verified", "_selected_action": made["account_emailaddress"].pk})
    assert EmailAddress.objects.get().verified
    for name, row in made.items():
        assert admin_client.get(reverse(f"admin:{name}_add")).status_code == 200
        assert admin_client.post(reverse(f"admin:{name}_change", args=[row.pk]), {}).status_code == 200
        assert admin_client.get(reverse(f"admin:{name}_delete", args=[row.pk])).status_code == 200
    assert admin_client.get(reverse("admin:auth_user_password_change", args=[admin_user.pk])).status_code == 200
