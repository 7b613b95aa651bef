from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class RulesConfig(AppConfig):
    default = True
    name = "rules"
    verbose_name = "Rules"


class AdminConfig(admin_apps.AdminConfig):
    """The stock admin with our index."""

    default = False
    default_site = "rules.admin_site.AdminSite"
