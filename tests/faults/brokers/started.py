"""Brokers of every kind."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from kombu import pools

from evaluation.config.celery import app
from tests.faults.brokers.kinds import broker
from tests.faults.brokers.parts import Parts

KINDS = ["valkey", "redis", "rabbitmq"]


def send_to(address: str) -> None:
    """Make this process send its messages to the broker."""
    sender: Any = app
    pools.reset()  # kombu keeps a pool for each address, and a pool that is closed stays closed
    app.conf.update(broker_url=address)
    sender._pool = sender.amqp._producer_pool = None


@contextmanager
def parts_on(kind: str, environment: dict[str, str], folder: Path) -> Iterator[Parts]:
    """Parts that are not started yet, on a broker of the kind; this process sends its messages there, too."""
    with ExitStack() as stack:
        server = stack.enter_context(broker(kind, folder))
        before = app.conf.broker_url
        send_to(server.address)
        stack.callback(send_to, before)
        parts = Parts(environment | {"BROKER_URL": server.address}, folder / "parts.log")
        parts.broker = server
        stack.callback(parts.kill_all)
        yield parts
