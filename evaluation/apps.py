"""Django app with all models of the test collection."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """The base app; the apps ``assessment`` and ``judges`` build on it."""

    name = "evaluation"
    label = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"
