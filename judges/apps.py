"""The app in which models judge."""

from django.apps import AppConfig


class JudgesConfig(AppConfig):
    """Adds the section on model jobs to the task page."""

    name = "judges"
    label = "judges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the panel, operations, a step of setting up, likeness and the judges of track files."""
        from evaluation.panels import Panel, register_guards, register_likeness, register_panel
        from judges.grades import publishing, scores
        from judges.jobs import rows
        from judges.jobs.embeddings import pool_likeness
        from judges.jobs.pages import job_panel, release_guards  # import models, which are not ready earlier
        from judges.track_files import entries
        from judges.trials import pages as trials

        trials.register()
        rows.register()
        entries.register()
        publishing.register_operations()
        scores.register_operations()
        register_guards(release_guards)
        register_likeness(pool_likeness)
        register_panel(Panel(place=20, template="judges/jobs/job_panel.html", context=job_panel))
