"""The Celery app: `celery -A evaluation.config.celery worker` and `... beat` start from here."""

import os
from typing import Any

from celery import Celery, Task, signals
from kombu.transport import redis
from redis.exceptions import ConnectionError as RedisConnectionError

from evaluation.running.hosting.children import share_memory
from evaluation.running.hosting.var_folder import PRIVATE_UMASK

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")
# Several workers share the processors; idle threads of numpy's linear algebra would waste processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class OutOfMemory(Exception):
    """A task needs more memory than the machine has."""


class AuditedTask(Task):  # type: ignore[type-arg]  # no subscript at run time
    """A task whose name the audit trail records with its changes."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it. Raises OutOfMemory for MemoryError, which would make Celery stop the whole worker."""
        import pghistory  # imports models, which need the app registry

        try:
            with pghistory.context(task=self.name):
                return super().__call__(*args, **kwargs)
        except MemoryError as error:
            raise OutOfMemory(str(error)) from error


class ClosableChannel(redis.Channel):
    """kombu's channel, which raises a connection error for late commands, as after a restart of the broker.

    Celery 5.7 closes a lost connection twice. kombu then reads the address of a connection without one and
    raises AttributeError, which ends the whole worker. Callers handle connection errors.
    """

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 - kombu's signature
        if getattr(self.connection, "client", None) is None:
            raise RedisConnectionError("The channel's connection is closed.")
        params: dict[str, Any] = super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]  # kombu has no types
        return params


redis.Transport.Channel = ClosableChannel
app: Celery[Any] = Celery("trackside", task_cls=AuditedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()


@signals.celeryd_init.connect
@signals.beat_init.connect
def keep_files_private(**_: object) -> None:
    """Make files of workers and beat unreadable for other accounts."""
    os.umask(PRIVATE_UMASK)


@signals.worker_init.connect
def share_with_pool(**_: object) -> None:
    """Share the loaded site with the processes of the pool, which are forked next."""
    share_memory()


@signals.setup_logging.connect
def keep_logging(**_: object) -> None:
    """Keep Django's logging: Celery configures its own only if this signal has no receiver."""
