"""Fills a site for a mixed load: ``python -m tests.benchmarks.sites.mixed ITEMS SECONDS full|tenth``.

Prints a JSON object: assessors' work, teams that upload, and organizers with the pages of a filled task.
"""

import json
import sys
from typing import Any

import django
from django.db import connection

from tests.benchmarks.sites.uploading import fill as fill_uploading
from tests.faults.judging_site import fill as fill_judging

ASSESSORS = 200
TEAMS = 50
ORGANIZERS = 3
DOCUMENTS = 200_000


def fill(items: int, seconds: float, *, is_full: bool) -> dict[str, Any]:
    """Three tracks: one to judge, one to upload to, and one of a real size for the organizers."""
    from django.conf import settings
    from django.test import Client, override_settings

    from evaluation.running.hosting.database_roles import as_owner
    from tests.factories import make_organizer
    from tests.filled_track import FULL, TENTH, addresses, fill_track

    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with as_owner(), override_settings(PASSWORD_HASHERS=hashers):
        works = fill_judging(ASSESSORS, items, has_pictures=False)
        track = fill_track(FULL if is_full else TENTH)
        people = [make_organizer(track.task.track) for _ in range(ORGANIZERS)]
        uploads = fill_uploading(TEAMS, DOCUMENTS, seconds)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # as autovacuum does on a real site of this size
    cookies = []
    for person in people:
        client = Client(SERVER_NAME="localhost")  # one of the site's hosts
        client.force_login(person)
        name = settings.SESSION_COOKIE_NAME
        cookies.append(f"{name}={client.cookies[name].value}")
    # The filled track has not everything that a page may need, such as a report; such pages answer 404.
    pages = {name: page for name, page in addresses(track).items() if client.get(page).status_code == 200}
    assert pages
    return {"works": works, "uploads": uploads, "organizers": cookies, "pages": pages}


if __name__ == "__main__":
    django.setup()
    item_count, open_seconds, size = sys.argv[1:]
    print(json.dumps(fill(int(item_count), float(open_seconds), is_full=size == "full")))
