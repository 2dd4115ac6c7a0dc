"""Links in mails lead to the address that `manage.py up` serves, or to the public one."""

from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest

from evaluation.running.hosting import running_site
from evaluation.tracks.mail.actions import site_link


@pytest.mark.parametrize(
    ("host", "site_url", "linked"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000", "http://127.0.0.1:{port}"),
        ("127.0.0.2", "http://127.0.0.1:8000", "http://127.0.0.2:{port}"),
        ("0.0.0.0", "http://localhost:8000", "http://localhost:{port}"),
        ("127.0.0.1", "https://track.example", "https://track.example"),
    ],
)
def test_links_lead_to_the_served_address_or_to_the_public_one(
    settings: Any, host: str, site_url: str, linked: str
) -> None:
    settings.SITE_URL, settings.SITE_HOST = site_url, urlsplit(site_url).hostname
    with closing(running_site._listen(host, 0)) as listener:
        running_site._link_to(listener)
        wanted = linked.format(port=listener.getsockname()[1])
    assert site_link("home") == f"{wanted}/"
    assert urlsplit(wanted).hostname in settings.ALLOWED_HOSTS or "example" in wanted


def test_links_lead_to_the_proxy_where_there_is_one(settings: Any) -> None:
    settings.BEHIND_PROXY = True
    with closing(running_site._listen("127.0.0.1", 0)) as listener:
        running_site._link_to(listener)
    assert settings.SITE_URL == "http://127.0.0.1:8000"
