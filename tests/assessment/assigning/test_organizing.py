"""What organizers see and do."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessment.dashboard import progress
from assessment.dashboard.panel import judging_facts, judging_panel
from assessment.dashboard.progress import progress_by_assessor, progress_by_topic
from assessment.models import Assignment, AssignmentKind, CannotJudge
from evaluation.models import Phase, Pool, Qrels, Task, User
from evaluation.tasks import run_operations
from evaluation.tracks.facts import read_facts
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import (
    dates_of,
    make_assessor,
    make_pool,
    make_task,
    make_team,
    make_team_member,
)

pytestmark = pytest.mark.django_db


def address(name: str, pool: Pool) -> str:
    return reverse(name, args=[pool.task.track.slug, pool.task.slug])


def sent(client: Client, name: str, of: Pool, **form: object) -> str:
    """The progress of judging, once a worker has run what the form asks for."""
    assert client.post(address(name, of), form)["Location"] == address("judging_progress", of)
    run_operations()
    return client.get(address("judging_progress", of)).content.decode()


def test_progress_counts_by_assessor() -> None:
    pool = make_judging_pool()
    ann, ben = (make_assessor(pool.task.track, name=name) for name in ("Ann", "Ben"))
    owned = make_assignment(pool, assessor=ann)
    make_assignment(pool, topic="T2", assessor=ann)
    second = make_assignment(pool, assessor=ben, kind=AssignmentKind.SECOND)
    judge(owned, "D1", 2, active_seconds=1.0)
    judge(owned, "D2", CannotJudge.IMAGE, active_seconds=9.0)
    judge(owned, "D1", 0, active_seconds=3.0)
    judge(second, "D3", 1, active_seconds=None)
    first_row, second_row = progress_by_assessor(pool.task)
    # Ann: two of T1's three items judged, T2's one not; the current judgments took 3 s and 9 s.
    assert (first_row.assessor, first_row.judged_count, first_row.left_count) == (ann, 2, 2)
    assert [part.count for part in first_row.distribution] == [1, 0, 0, 1]
    assert first_row.median_seconds == 6.0
    assert (second_row.assessor, second_row.judged_count, second_row.left_count) == (ben, 1, 2)
    assert second_row.median_seconds is None


def test_progress_is_paged_by_assessor_and_by_topic(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assessment.publishing.pages.PAGE_SIZE", 1)
    pool = make_judging_pool()
    for topic, name in (("T2", "Ann"), ("T1", "Ben")):
        make_assignment(pool, topic=topic, assessor=make_assessor(pool.task.track, name=name))
    client.force_login(pool.created_by)
    shown = []
    for number in (1, 2, 9):
        pages = {"assessors": number, "topics": number}
        context = client.get(address("judging_progress", pool), pages).context
        people = [row.assessor.name for row in context["assessors"]]
        shown.append((people, [topic for topic, _ in context["topics"]]))
    assert shown == [(["Ann"], ["T1"]), (["Ben"], ["T2"]), (["Ben"], ["T2"])]


def test_median_is_of_the_last_judgments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "RECENT", 2)
    pool = make_judging_pool()
    owned = make_assignment(pool)
    other = make_assignment(pool, topic="T2", assessor=owned.assessor)
    for assignment, docno, seconds in ((owned, "D1", 100.0), (other, "D1", 1.0), (owned, "D2", 4.0)):
        judge(assignment, docno, 2, active_seconds=seconds)
    (row,) = progress_by_assessor(pool.task)
    assert row.median_seconds == 2.5


def test_page_names_the_pool_of_each_assignment_if_there_are_several(client: Client) -> None:
    """A second pool may hold the same items: the sums of both are then more than there are judgments."""
    pool = make_judging_pool()
    make_assignment(pool)
    client.force_login(pool.created_by)
    page = client.get(address("judging_progress", pool)).content.decode()
    assert 'data-l="Pool"' not in page
    assert "counts in both" not in page
    make_pool(pool.task, name="second look", created_by=pool.created_by)
    page = client.get(address("judging_progress", pool)).content.decode()
    assert f'data-l="Pool">{pool.name}</td>' in page
    assert "counts in both" in page


def test_progress_lists_topics_with_owner_and_second() -> None:
    pool = make_judging_pool()
    third = make_assignment(pool, kind=AssignmentKind.ADJUDICATION)
    second = make_assignment(pool, kind=AssignmentKind.SECOND)
    owner = make_assignment(pool)
    assert progress_by_topic(pool.task) == [("T1", [owner, second, third])]


def test_progress_page_names_what_is_missing(client: Client) -> None:
    pool = make_judging_pool()
    client.force_login(pool.created_by)
    assert "no assessors yet" in client.get(address("judging_progress", pool)).content.decode()
    task = make_task(pool.task.track)
    page = client.get(reverse("judging_progress", args=[task.track.slug, task.slug]))
    assert "no pool yet" in page.content.decode()


def test_topics_are_assigned_by_the_form(client: Client) -> None:
    pool = make_judging_pool()
    for _ in range(3):
        make_assessor(pool.task.track)
    client.force_login(pool.created_by)
    page = sent(client, "topics_assign", pool, pool=pool.pk, second_percent=50, seed=5, assessor_count=3)
    assert "Assignments created: 4." in page  # two topics, one of them for three people
    assert Assignment.objects.filter(assigned_by=pool.created_by).count() == 4


def test_pool_is_opened_item_by_item_and_an_assessor_takes_items(client: Client) -> None:
    pool = make_judging_pool()
    person = make_assessor(pool.task.track)
    client.force_login(pool.created_by)
    page = sent(client, "topics_assign", pool, pool=pool.pk, way="items", second_percent=0, seed=5)
    assert "Judgments needed: 4" in page
    client.force_login(person)
    assert "Take the next items" in client.get(reverse("judging_list")).content.decode()
    answer = client.post(reverse("items_take"), {"pool": pool.pk})
    leased = Assignment.objects.get(assessor=person)
    assert answer["Location"] == reverse("judging_item", args=[leased.pk, 1])
    other = make_judging_pool()
    assert client.post(reverse("items_take"), {"pool": other.pk}).status_code == 404
    Task.objects.update(**dates_of(Phase.RELEASED))
    page = client.post(reverse("items_take"), {"pool": pool.pk}, follow=True).content.decode()
    assert "is not open for judging now" in page


def test_assignment_is_paused_reassigned_and_closed(client: Client) -> None:
    given = make_assignment()
    pool = given.pool
    other = make_assessor(pool.task.track)
    client.force_login(pool.created_by)

    def change(assignment: Assignment, **fields: object) -> str:
        task = pool.task
        url = reverse("assignment_change", args=[task.track.slug, task.slug, assignment.pk])
        return client.post(url, fields, follow=True).content.decode()

    assert "is paused" in change(given, what="pause")
    client.force_login(given.assessor)
    assert "paused by the organizers" in client.get(reverse("judging_list")).content.decode()
    client.force_login(pool.created_by)
    assert "is active" in change(given, what="go-on")
    assert "Choose the assessor who gets the topic." in change(given, what="reassign")
    assert f"goes to {other.name}" in change(given, what="reassign", to=other.pk)
    assert "has ended already" in change(given, what="end")
    made = Assignment.objects.get(assessor=other)
    assert "is closed" in change(made, what="end")


def test_refused_assignment_gives_the_reason(client: Client) -> None:
    pool = make_judging_pool()
    make_assessor(pool.task.track)
    client.force_login(pool.created_by)
    form = {"pool": pool.pk, "second_percent": 10, "seed": 5}
    page = client.post(address("topics_assign", pool), form)
    assert "A topic needs 2 assessors" in page.content.decode()
    assert not Assignment.objects.exists()


def test_pool_of_another_task_cannot_be_assigned(client: Client) -> None:
    pool, other = make_judging_pool(), make_judging_pool()
    make_assessor(other.task.track)
    client.force_login(pool.created_by)
    form = {"pool": other.pk, "second_percent": 0, "seed": 5}
    assert client.post(address("topics_assign", pool), form).status_code == 200
    assert not Assignment.objects.exists()


def test_publishing_shows_what_was_published(client: Client) -> None:
    assignment = make_assignment()
    judge(assignment, "D1", 1)
    client.force_login(assignment.pool.created_by)
    page = sent(client, "judgments_publish", assignment.pool)
    assert "Published people (version 1) with 1 graded." in page
    assert re.search(r"people \(version 1\)</dt><dd>1 of 4 pairs graded", page)
    assert Qrels.objects.get().created_by == assignment.pool.created_by


def test_publishing_nothing_gives_the_reason(client: Client) -> None:
    assignment = make_assignment()
    client.force_login(assignment.pool.created_by)
    assert "no pair has a grade yet" in sent(client, "judgments_publish", assignment.pool)


def shown_panel(task: Task, person: User) -> dict[str, Any] | None:
    return judging_panel(task, person, *read_facts(task, [judging_facts]))


def test_panel_is_progress_for_organizers_and_a_way_in_for_assessors() -> None:
    assignment = make_assignment()
    task = assignment.pool.task
    judge(assignment, "D1", 1)
    for_organizer = shown_panel(task, assignment.pool.created_by)
    assert for_organizer is not None
    assert [row.progress.judged_count for row in for_organizer["rows"]] == [1]
    assert (for_organizer["outlook"].given_count, for_organizer["outlook"].left_count) == (1, 2)
    for_assessor = shown_panel(task, assignment.assessor)
    assert for_assessor is not None
    assert (for_assessor["topic_count"], for_assessor["left_count"]) == (1, 2)
    assert "rows" not in for_assessor
    assert shown_panel(task, make_team_member(make_team(task.track))) is None


def test_panel_is_on_the_task_page(client: Client) -> None:
    assignment = make_assignment()
    url = reverse("task_detail", args=[assignment.pool.task.track.slug, assignment.pool.task.slug])
    client.force_login(assignment.assessor)
    assert reverse("judging_list") in client.get(url).content.decode()
    client.force_login(assignment.pool.created_by)
    assert address("judging_progress", assignment.pool) in client.get(url).content.decode()


def test_panel_names_late_assessors_first_wherever_their_names_sort() -> None:
    """Of 22 assessors the last three by name have not started; the others are done."""
    pool = make_judging_pool()
    track = pool.task.track
    for number in range(19):
        assignment = make_assignment(
            pool,
            topic="T2",
            assessor=make_assessor(track, name=f"Ben {number:02}"),
            kind=AssignmentKind.SECOND,
        )
        judge(assignment, "D1", 1)
    for name, topic in (("Xu", "T1"), ("Yan", "T2"), ("Zoe", "T1")):
        make_assignment(
            pool, topic=topic, assessor=make_assessor(track, name=name), kind=AssignmentKind.SECOND
        )
    panel = shown_panel(pool.task, pool.created_by)
    assert panel is not None
    assert [row.progress.assessor.name for row in panel["rows"][:4]] == ["Xu", "Zoe", "Yan", "Ben 00"]
    late = [need.text for need in panel["needs"] if need.address == "#by-assessor"]
    # T1 has three items, T2 one.
    assert late == ["Xu has 3 items left", "Zoe has 3 items left", "Yan has 1 item left"]


def test_panel_asks_for_assessors_of_topics_with_unjudged_items_only() -> None:
    pool = make_judging_pool()
    owned = make_assignment(pool)
    for docno in ("D1", "D2", "D3"):
        judge(owned, docno, 1)
    # Its pair of T1 is judged in the first pool; T2 is in both pools and assigned in neither.
    make_pool(pool.task, pairs=[("T1", "D1"), ("T2", "D1")])
    panel = shown_panel(pool.task, pool.created_by)
    assert panel is not None
    assert "1 topic is assigned to nobody" in [need.text for need in panel["needs"]]


def test_expected_end_says_that_late_assessors_items_must_be_shared_out(client: Client) -> None:
    pool = make_judging_pool(releases_at=timezone.now() + timedelta(days=3))
    judge(make_assignment(pool), "D1", 1)  # of three: at one a day all are judged in two days
    client.force_login(pool.created_by)
    assert "at this pace done on" in front(client, pool)
    assert "if others take" not in front(client, pool)
    make_assignment(pool, topic="T2", assessor=make_assessor(pool.task.track))
    assert "if others take the items of 1 late assessor" in front(client, pool)


def front(client: Client, pool: Pool) -> str:
    page = client.get(reverse("task_detail", args=[pool.task.track.slug, pool.task.slug]))
    return " ".join(page.content.decode().split())
