"""The app in which people assess."""

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    """Adds the section on judging to the task page, the workload to pools and the progress to reports."""

    name = "assessment"
    label = "assessment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the panel, the workload, the share of items judged, and steps of setting up."""
        from assessment.assigning.progress import counted_share, measured_workload
        from assessment.preparing import steps
        from assessment.publishing.dashboard import judging_panel
        from evaluation.panels import Panel, register_panel, register_workload
        from evaluation.qrels.shares import register_judged_share

        steps.register()
        register_workload(measured_workload)
        register_judged_share(counted_share)
        register_panel(
            Panel(
                place=10,
                template="assessment/publishing/judging_panel.html",
                context=judging_panel,
                front="assessment/publishing/judging_front.html",
            )
        )
