"""The composition root as an installed app, for the commands and the Celery app."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig


class ConfigConfig(AppConfig):
    """Makes the site's Celery app the default of `send_task` and `shared_task`."""

    name = "evaluation.config"
    label = "config"

    def ready(self) -> None:
        """Load the Celery app; it sets itself as the default of every thread."""
        from evaluation.config import celery  # noqa: F401 - needs the settings, which are not ready earlier


class AdminConfig(DjangoAdminConfig):
    """Django's admin with our site object."""

    default_site = "evaluation.config.admin_site.TracksideSite"
