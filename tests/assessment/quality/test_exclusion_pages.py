import json

import pytest
from django.test import Client

from assessment.models import (
    Exclusion,
)
from evaluation.models import User
from tests.assessment.factories import (
    address,
    make_two,
)
from tests.assessment.quality.test_exclusions import exclude
from tests.factories import make_organizer

pytestmark = pytest.mark.django_db


def test_page_excludes_and_undoes(client: Client) -> None:
    owner, _second = make_two()
    organizer: User = make_organizer(owner.pool.task.track)
    client.force_login(organizer)
    url = address("exclusion_list", owner)
    sent = {"assessor": owner.assessor_id, "reason": "random keys", "since": "2020-01-01T00:00"}
    assert client.post(url, sent | {"reason": ""}).status_code == 200
    assert not Exclusion.objects.exists()
    answer = client.post(url, sent, follow=True)
    assert "2 judgments of" in answer.content.decode()
    exclusion = Exclusion.objects.get()
    assert (exclusion.made_by, exclusion.reason, exclusion.until) == (organizer, "random keys", None)
    client.post(address("exclusion_undo", owner, str(exclusion.pk)))
    exclusion.refresh_from_db()
    assert exclusion.undone_by == organizer
    assert "count again" in client.get(url).content.decode()


def test_file_of_judgments_marks_those_that_do_not_count(client: Client) -> None:
    owner, _second = make_two()
    exclude(owner, topic="T1")
    client.force_login(make_organizer(owner.pool.task.track))
    answer = client.get(address("judgments_export", owner, "jsonl"))
    rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]  # type: ignore[attr-defined]
    assert [(row["assessor"], row["is_excluded"]) for row in rows] == [
        ("A1", True),
        ("A1", True),
        ("A2", False),
    ]
