"""The app of models as assessors."""

from django.apps import AppConfig


class JudgesConfig(AppConfig):
    """Adds the section on model jobs to the task page."""

    name = "judges"
    label = "judges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the panel."""
        from evaluation.panels import Panel, register_panel
        from judges.views.job_panel import job_panel  # reads models, ready only now

        register_panel(Panel(place=20, template="judges/job_panel.html", context=job_panel))
