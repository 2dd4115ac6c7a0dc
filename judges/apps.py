"""The app in which models judge."""

from django.apps import AppConfig


class JudgesConfig(AppConfig):
    """Adds the section on model jobs to the task page."""

    name = "judges"
    label = "judges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what judges add to pages, operations, reports and track files."""
        # Import models, which are not ready earlier.
        from judges.grades import publishing, scores
        from judges.jobs import pages as jobs
        from judges.passports import pages as passports
        from judges.track_files import entries
        from judges.trials import pages as trials

        for room in (jobs, trials, passports, entries):
            room.register()
        publishing.register_operations()
        scores.register_operations()
