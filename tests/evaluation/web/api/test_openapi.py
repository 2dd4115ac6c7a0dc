"""The schema of version 1 of the API, stored so that no change is accidental."""

import re

from django.test import Client
from django.urls import reverse

from evaluation.config.api import api
from tests.evaluation.web.api.schemas import STORED, live


def test_api_equals_its_stored_schema() -> None:
    """To accept a change: ``python -m tests.evaluation.web.api.store_openapi``, and read the difference."""
    assert STORED.read_text() == live()


def test_schema_is_built_once() -> None:
    """Anybody may ask for it, and building it takes a thread 0.2 s."""
    assert api.get_openapi_schema() is api.get_openapi_schema()


def test_page_of_the_api_links_to_each_schema_and_shows_code(client: Client) -> None:
    page = client.get(reverse("api_docs")).content.decode()
    links, targets = (set(re.findall(pattern, page)) for pattern in (r'href="#([^"]+)"', r' id="([^"]+)"'))
    assert {"TrackOut", "RunOut", "group-1"} <= links
    assert links <= targets
    assert "instead of <code>offset</code>" in page
    assert "`" not in page
    assert "Page_" not in page
