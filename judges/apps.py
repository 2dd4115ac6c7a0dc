"""The app of models as assessors."""

from django.apps import AppConfig


class JudgesConfig(AppConfig):
    """Adds the model jobs to evaluation's task page."""

    name = "judges"
    label = "judges"
    default_auto_field = "django.db.models.BigAutoField"
