"""To import before a pool starts: its children need seconds to start, as on a busy machine."""

import sys
import time
from typing import Any

from celery import signals

START_SECONDS = 6.0  # more than the 4 after which Celery kills a child by default

STARTED = "A child has started."


@signals.worker_process_init.connect
def sleep(**_: Any) -> None:
    time.sleep(START_SECONDS)
    print(STARTED, file=sys.stderr, flush=True)
