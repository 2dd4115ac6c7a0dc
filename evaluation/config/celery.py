"""The Celery app: `celery -A evaluation.config.celery worker` and `... beat` start from here."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")

app = Celery("trackside")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()
