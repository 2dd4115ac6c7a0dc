import pytest
from django.test import Client

from evaluation.models import Pool
from tests.factories import make_staff
from tests.judges.factories import make_image_pool


@pytest.fixture
def pool() -> Pool:
    return make_image_pool()


@pytest.fixture
def organizer(client: Client, pool: Pool) -> Client:
    client.force_login(pool.created_by)
    return client


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_staff())
    return client
