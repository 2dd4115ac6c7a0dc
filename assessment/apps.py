"""The app in which people assess."""

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    """Adds the section on judging to task pages, the workload to pool pages and the progress to reports."""

    name = "assessment"
    label = "assessment"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register panel, workload, share of items judged, operations and steps of setting up."""
        from assessment.assigning import actions as assigning
        from assessment.dashboard.panel import judging_facts, judging_panel
        from assessment.dashboard.progress import counted_share, measured_workload
        from assessment.preparing import steps
        from assessment.publishing import actions as publishing
        from assessment.quality.guards import RELEASE_GUARDS
        from evaluation.results.qrels.shares import register_judged_share
        from evaluation.tracks.panels import Panel, register_guards, register_panel, register_workload

        steps.register()
        assigning.register_operations()
        publishing.register_operations()
        register_workload(measured_workload)
        register_guards(RELEASE_GUARDS)
        register_judged_share(counted_share)
        register_panel(
            Panel(
                place=10,
                template="assessment/dashboard/judging_panel.html",
                context=judging_panel,
                front="assessment/dashboard/judging_front.html",
                facts=judging_facts,
            )
        )
