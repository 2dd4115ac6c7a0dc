"""The Celery app: `celery -A evaluation.config.celery worker` and `... beat` start from here."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, Task, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")


class AuditedTask(Task):  # type: ignore[type-arg]  # no subscript at run time
    """A task under whose name its changes are kept."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it."""
        import pghistory  # loads models, which have to wait for the apps

        with pghistory.context(task=self.name):
            return super().__call__(*args, **kwargs)


app: Celery[Any] = Celery("trackside", task_cls=AuditedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()


@signals.setup_logging.connect
def keep_logging(**_: object) -> None:
    """Leave the log as Django's settings made it: Celery sets up its own only while nobody listens here."""
