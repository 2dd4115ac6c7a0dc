from collections.abc import Iterator

import pytest

from judges.models import Job
from tests.judges.batch_endpoint import BatchScript
from tests.judges.endpoint import Endpoint, running
from tests.judges.jobs.files.scripted import start


@pytest.fixture
def script() -> BatchScript:
    """The endpoint: it accepts batches and has not ended one yet."""
    return BatchScript()


@pytest.fixture
def endpoint(script: BatchScript) -> Iterator[Endpoint]:
    with running(script) as found:
        yield found


@pytest.fixture
def job(endpoint: Endpoint) -> Job:
    return start(endpoint)
