"""Places beyond a topic's items return 404. permissions.txt lists who reaches which page."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.assessment.factories import make_assignment

pytestmark = pytest.mark.django_db

ABSENT = 404


@pytest.mark.parametrize("place", [0, 4, 999])
def test_place_beyond_the_topic_is_absent(client: Client, place: int) -> None:
    assignment = make_assignment()  # three items
    client.force_login(assignment.assessor)
    for name in ["judging_item", "judging_content"]:
        assert client.get(reverse(name, args=[assignment.pk, place])).status_code == ABSENT
    for name in ["judgment_record", "judgment_undo"]:
        assert client.post(reverse(name, args=[assignment.pk, place])).status_code == ABSENT
