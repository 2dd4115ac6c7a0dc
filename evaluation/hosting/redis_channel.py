"""kombu's channel on Redis and Valkey, which can be closed after its connection is lost."""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as RedisConnectionError


class ClosableChannel(redis.Channel):
    """Raises a connection error for late commands, such as an acknowledgement after a restart of the broker.

    Celery 5.7 closes a lost connection twice. kombu then reads the address of a connection without one and
    raises AttributeError, which ends the whole worker. Callers handle connection errors.
    """

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 - kombu's signature
        if getattr(self.connection, "client", None) is None:
            raise RedisConnectionError("The channel's connection is closed.")
        params: dict[str, Any] = super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]  # kombu has no types
        return params


def use_closable_channels() -> None:
    """Make kombu use ClosableChannel."""
    redis.Transport.Channel = ClosableChannel
