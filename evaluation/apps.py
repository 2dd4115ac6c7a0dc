"""Django app with all models of the test collection."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """The base app; the apps ``assessment`` and ``judges`` build on it."""

    name = "evaluation"
    label = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register operations on pools, steps and rows of setting up, parts of a track file, receivers."""
        from evaluation.organizing.auditing.actions import register_audit
        from evaluation.organizing.setup.row_tables import register_tables
        from evaluation.organizing.setup.statuses import register_steps
        from evaluation.organizing.track_files.task_parts import register_parts
        from evaluation.platform.access import account_events  # noqa: F401 - registers receivers
        from evaluation.submissions.pools.operations import (
            register_operations,  # imports models, which are not ready earlier
        )
        from evaluation.tracks.work.recomputing.actions import connect_inputs

        register_operations()
        register_audit()
        register_steps()
        register_tables()
        register_parts()
        connect_inputs()
