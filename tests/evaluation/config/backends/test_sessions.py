"""Session cookies that the site never sets."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "cookie",
    ['"\\000aaaaaaaaaaaa"', '"aaaaaaaaaaaa\\000"', "\xff" * 12, "x" * 8000],
    ids=["first", "last", "latin-1", "long"],
)
def test_cookie_that_is_no_key_of_a_session_is_ignored(client: Client, cookie: str) -> None:
    for path in ("/", "/account/login/"):
        assert client.get(path, headers={"cookie": f"sessionid={cookie}"}).status_code == 200
