"""The app in which people assess."""

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    """Adds the section on judging to the task page; tells pools what it takes and reports how far it is."""

    name = "assessment"
    label = "assessment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the panel, the workload and the share of items judged."""
        from assessment.views.judged_share import counted_share
        from assessment.views.judging_panel import judging_panel
        from assessment.views.workload import measured_workload
        from evaluation.panels import Panel, register_judged_share, register_panel, register_workload

        register_workload(measured_workload)
        register_judged_share(counted_share)
        register_panel(Panel(place=10, template="assessment/judging_panel.html", context=judging_panel))
