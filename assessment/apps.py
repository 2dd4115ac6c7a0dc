"""The app in which people assess."""

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    """Adds the section on judging to the task page, and what judging takes to the preview of pools."""

    name = "assessment"
    label = "assessment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the panel and the workload."""
        from assessment.views.judging_panel import judging_panel
        from assessment.views.workload import measured_workload
        from evaluation.panels import Panel, register_panel, register_workload

        register_workload(measured_workload)
        register_panel(Panel(place=10, template="assessment/judging_panel.html", context=judging_panel))
