"""Fill a site with uploading teams: ``python -m tests.benchmarks.sites.uploading TEAMS DOCUMENTS SECONDS``.

Prints a JSON object: the address, when the task closes, and a cookie and team number for each team.
"""

import json
import sys
from datetime import timedelta
from typing import Any

import django
import pgtrigger

from tests.benchmarks.runs import docno_list, topic_name

TOPICS = 50


def fill(team_count: int, document_count: int, seconds: float) -> dict[str, Any]:
    """A task that is open for so many seconds from now."""
    from django.conf import settings
    from django.db import connection
    from django.test import Client, override_settings
    from django.urls import reverse
    from django.utils import timezone

    from tests.factories import make_task, make_team, make_team_member, make_topic

    task = make_task()
    for place in range(TOPICS):
        make_topic(task, number=topic_name(place))
    columns = "(collection_id, docno, fields)"
    insert = f"INSERT INTO evaluation_document {columns} SELECT %s, unnest(%s::text[]), %s"
    docnos, fields = docno_list(document_count).to_list(), '[["caption", "A picture."]]'
    # As an import does: with an event of each document this takes minutes.
    with pgtrigger.ignore("evaluation.Document:insert_insert"), connection.cursor() as cursor:
        cursor.execute(insert, [task.collection_id, docnos, fields])
        cursor.execute("ANALYZE")
    teams = []
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        for team in [make_team(task.track) for _ in range(team_count)]:
            client = Client()
            client.force_login(make_team_member(team))
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            teams.append({"team": team.pk, "cookie": f"{settings.SESSION_COOKIE_NAME}={session}"})
    task.closes_at = timezone.now() + timedelta(seconds=seconds)
    task.judging_at = task.releases_at = None
    task.save()
    return {
        "task": reverse("task_detail", args=[task.track.slug, task.slug]),
        "closes_at": task.closes_at.timestamp(),
        "teams": teams,
    }


if __name__ == "__main__":
    django.setup()
    teams_wanted, documents_wanted, open_seconds = sys.argv[1:]
    print(json.dumps(fill(int(teams_wanted), int(documents_wanted), float(open_seconds))))
