"""People as assessors."""

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    name = "assessment"
    label = "assessment"
    default_auto_field = "django.db.models.BigAutoField"
