"""The app that owns every noun of the test collection."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    label = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"
