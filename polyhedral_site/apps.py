from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "polyhedral_site"
    verbose_name = "Polyhedral site"

    def ready(self) -> None:
        from . import checks  # noqa: F401  (registers the system checks)
