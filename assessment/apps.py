"""The app in which people assess."""

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    """Adds the section on judging to the task page."""

    name = "assessment"
    label = "assessment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the panel."""
        from assessment.views.judging_panel import judging_panel
        from evaluation.panels import Panel, register_panel

        register_panel(Panel(place=10, template="assessment/judging_panel.html", context=judging_panel))
