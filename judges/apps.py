"""The app in which models judge."""

from django.apps import AppConfig


class JudgesConfig(AppConfig):
    """Adds the section on model jobs to the task page."""

    name = "judges"
    label = "judges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the panel and a step of setting up."""
        from evaluation.panels import Panel, register_panel
        from judges.jobs.pages import job_panel  # imports models, which are not ready earlier
        from judges.trying import steps

        steps.register()
        register_panel(Panel(place=20, template="judges/jobs/job_panel.html", context=job_panel))
