"""The app that owns every noun of the test collection."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """Trackside's first room; its twins build on it."""

    name = "evaluation"
    label = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"
