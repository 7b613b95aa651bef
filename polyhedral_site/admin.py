"""The pages of the admin on accounts, which Django and allauth bring, with checked addresses."""

from allauth.account.admin import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import Group, User

from rules.admin.checked_addresses import CheckedAddresses

for model in (User, Group, EmailAddress):
    page = type(admin.site.get_model_admin(model))
    admin.site.unregister(model)
    admin.site.register(model, type(f"Checked{page.__name__}", (CheckedAddresses, page), {}))
