"""The pool of the worker for long work: it grows by one child a second."""

from time import monotonic

from celery.worker.autoscale import Autoscaler
from kombu.asynchronous import get_event_loop

BETWEEN = 1.0  # seconds between the starts of two children


class SteadyAutoscaler(Autoscaler):
    """Starts children one after another: many that start together on a busy machine all take long."""

    _started_at = 0.0

    def scale_up(self, n: int) -> None:
        """Start one of ``n`` missing children, and the next one later."""
        is_time = monotonic() - self._started_at >= BETWEEN
        if is_time:
            self._started_at = monotonic()
            super().scale_up(1)
        loop = get_event_loop()
        if loop and n > is_time:
            loop.call_later(BETWEEN, self.maybe_scale)
