"""Django app with all models of the test collection."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """The base app; the apps ``assessment`` and ``judges`` build on it."""

    name = "evaluation"
    label = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register operations on pools, steps of setting up, parts of a track file, receivers of events."""
        from evaluation.access import account_events  # noqa: F401 - registers receivers
        from evaluation.pools.operations import (
            register_operations,  # imports models, which are not ready earlier
        )
        from evaluation.recomputing.inputs import connect_inputs
        from evaluation.setup.file_exceptions import register_exceptions
        from evaluation.setup.file_imports import register_imports_part
        from evaluation.setup.file_parts import register_parts
        from evaluation.setup.statuses import register_steps

        register_operations()
        register_steps()
        register_parts()
        register_imports_part()
        register_exceptions()
        connect_inputs()
