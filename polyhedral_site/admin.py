"""The admin's pages about accounts, from Django and allauth, with checked addresses."""

from typing import Any

from allauth.account.admin import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import Group, User
from django.db.models import Model
from django.http import HttpRequest

from rules.admin.checked_addresses import CheckedAddresses


class ForSuperusers(CheckedAddresses):
    """Only superusers change accounts, groups and email addresses, whatever permissions other staff have, because
    anyone who can change these can become anyone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_superuser

    def get_actions(
        self, request: HttpRequest, action_location: admin.ActionLocation = admin.ActionLocation.CHANGE_LIST
    ) -> dict[str, Any]:
        """No actions at all for others, since some need no permission, such as confirming addresses."""
        return super().get_actions(request, action_location) if request.user.is_superuser else {}


for model in (User, Group, EmailAddress):
    page = type(admin.site.get_model_admin(model))
    admin.site.unregister(model)
    admin.site.register(model, type(f"Checked{page.__name__}", (ForSuperusers, page), {}))
