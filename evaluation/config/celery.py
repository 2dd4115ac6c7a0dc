"""The Celery app: `celery -A evaluation.config.celery worker` and `... beat` start from here."""

import os

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")

app = Celery("trackside")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()


@signals.setup_logging.connect
def keep_logging(**_: object) -> None:
    """Leave the log as Django's settings made it: Celery sets up its own only while nobody listens here."""
