"""Who reaches which page of judging; to everybody else it is absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from assessment.models import Kind
from evaluation.models import Phase, Task
from tests.assessment.factories import make_assignment
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_staff,
    make_team,
    make_team_member,
    make_user,
)

if TYPE_CHECKING:
    from django.test import Client

    from assessment.models import Assignment
    from evaluation.models import User

pytestmark = pytest.mark.django_db

ITEM_PAGES = ["judging_resume", "judging_items", "judging_item", "judging_content"]
ITEM_POSTS = ["judgment_record", "judgment_undo"]
TASK_PAGES = ["judging_progress", "topics_assign"]
ABSENT = 404


def address(name: str, assignment: Assignment) -> str:
    task = assignment.pool.task
    if name in [*TASK_PAGES, "judgments_publish"]:
        return reverse(name, args=[task.track.slug, task.slug])
    place = [] if name in ["judging_resume", "judging_items"] else [1]
    return reverse(name, args=[assignment.pk, *place])


def strangers_to(assignment: Assignment) -> list[User]:
    """Everybody but the assignment's assessor: the task's organizers too are no assessors."""
    track = assignment.pool.task.track
    other = make_assignment(assignment.pool, kind=Kind.SECOND)
    team = make_team_member(make_team(track))
    return [other.assessor, make_assessor(track), make_organizer(track), make_staff(), team, make_user()]


@pytest.mark.parametrize("name", [*ITEM_PAGES, *ITEM_POSTS, *TASK_PAGES, "judgments_publish", "judging_list"])
def test_signed_out_reader_is_sent_to_the_sign_in_page(client: Client, name: str) -> None:
    url = reverse(name) if name == "judging_list" else address(name, make_assignment())
    answer = client.post(url) if name in [*ITEM_POSTS, "judgments_publish"] else client.get(url)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("login"))


@pytest.mark.parametrize("name", ITEM_PAGES)
def test_items_are_there_for_their_assessor_alone(client: Client, name: str) -> None:
    assignment = make_assignment()
    url = address(name, assignment)
    for person in strangers_to(assignment):
        client.force_login(person)
        assert client.get(url).status_code == ABSENT
    client.force_login(assignment.assessor)
    assert client.get(url).status_code in {200, 302}


@pytest.mark.parametrize("name", ITEM_POSTS)
def test_judgments_are_taken_from_the_assignments_assessor_alone(client: Client, name: str) -> None:
    assignment = make_assignment()
    url = address(name, assignment)
    for person in strangers_to(assignment):
        client.force_login(person)
        assert client.post(url).status_code == ABSENT
    client.force_login(assignment.assessor)
    assert client.post(url).status_code == 302
    assert client.get(url).status_code == 405


@pytest.mark.parametrize("name", ITEM_PAGES)
@pytest.mark.parametrize("phase", [phase for phase in Phase if phase != Phase.JUDGING])
def test_items_are_absent_outside_the_judging_phase(client: Client, name: str, phase: Phase) -> None:
    assignment = make_assignment()
    Task.objects.update(**dates_of(phase))
    client.force_login(assignment.assessor)
    assert client.get(address(name, assignment)).status_code == ABSENT


@pytest.mark.parametrize("name", TASK_PAGES)
def test_progress_and_assigning_are_for_organizers_alone(client: Client, name: str) -> None:
    assignment = make_assignment()
    track = assignment.pool.task.track
    url = address(name, assignment)
    for person in [assignment.assessor, make_team_member(make_team(track)), make_user()]:
        client.force_login(person)
        assert client.get(url).status_code == ABSENT
    for person in [make_organizer(track), make_staff()]:
        client.force_login(person)
        assert client.get(url).status_code == 200


def test_publishing_is_for_organizers_alone(client: Client) -> None:
    assignment = make_assignment()
    url = address("judgments_publish", assignment)
    for person in [assignment.assessor, make_team_member(make_team(assignment.pool.task.track)), make_user()]:
        client.force_login(person)
        assert client.post(url).status_code == ABSENT
    client.force_login(assignment.pool.created_by)
    assert client.get(url).status_code == 405
    assert client.post(url).status_code == 302


@pytest.mark.parametrize("place", [0, 4, 999])
def test_place_beyond_the_topic_is_absent(client: Client, place: int) -> None:
    assignment = make_assignment()  # three items
    client.force_login(assignment.assessor)
    for name in ["judging_item", "judging_content"]:
        assert client.get(reverse(name, args=[assignment.pk, place])).status_code == ABSENT
    for name in ITEM_POSTS:
        assert client.post(reverse(name, args=[assignment.pk, place])).status_code == ABSENT
