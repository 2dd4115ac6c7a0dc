"""What an assessor sees."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import Assignment, AssignmentKind, CannotJudge
from evaluation.models import Criteria, Document, Phase, Run, Task
from evaluation.submissions.pools.actions import build_pool
from tests.assessment.factories import judge, make_assignment, make_judging_pool, page
from tests.factories import (
    GRADES,
    dates_of,
    make_assessor,
    make_image,
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
    make_user,
)

pytestmark = pytest.mark.django_db


def my_topics(client: Client, assignment: Assignment) -> str:
    client.force_login(assignment.assessor)
    return html.unescape(client.get(reverse("judging_list")).content.decode())


def pressed(text: str) -> list[tuple[str, str]]:
    return re.findall(r'name="(grade|reason)" value="(\w+)"[^>]* aria-pressed="true"', text)


def test_list_without_assignments_shows_the_next_step(client: Client) -> None:
    client.force_login(make_user())
    assert "No topic is assigned to you yet." in client.get(reverse("judging_list")).content.decode()


def test_list_offers_to_start_continue_or_review(client: Client) -> None:
    assignment = make_assignment()
    assert ">Start<" in my_topics(client, assignment)
    judge(assignment, "D1", 0)
    assert ">Continue<" in my_topics(client, assignment)
    judge(assignment, "D2", 0)
    judge(assignment, "D3", 0)
    text = my_topics(client, assignment)
    assert ">All judged<" in text
    assert "3 of 3 items judged" in text
    assert "You have judged 3 items in 8 s of active time." in " ".join(text.split())  # 3 times 2.5 s
    assert "Today 3 judged in 0 min of active time, median 2 s an item." in text  # 2.5 s each, to the even


def test_list_says_how_long_the_items_left_take_while_the_task_is_judged(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=14)
    docnos = [f"D{number}" for number in range(1, 15)]
    assignment = make_assignment(make_pool(task, pairs=[("T1", docno) for docno in docnos]))
    words = "At your pace the items left take about"
    for docno in docnos[:9]:
        judge(assignment, docno, 0, active_seconds=30)
    assert words not in my_topics(client, assignment)  # nine items are too few to tell
    judge(assignment, docnos[9], 0, active_seconds=30)
    assert f"{words} 2 min." in my_topics(client, assignment)  # four items, 30 s each
    Task.objects.update(**dates_of(Phase.RELEASED))
    assert words not in my_topics(client, assignment)


@pytest.mark.parametrize(
    ("phase", "words"), [(Phase.CLOSED, "not open yet"), (Phase.RELEASED, "judging is over")]
)
def test_list_offers_nothing_outside_the_judging_phase(client: Client, phase: Phase, words: str) -> None:
    assignment = make_assignment()
    Task.objects.update(**dates_of(phase))
    text = my_topics(client, assignment)
    assert words in text
    assert reverse("judging_resume", args=[assignment.pk]) not in text


def test_resume_goes_to_the_first_item_without_a_judgment(client: Client) -> None:
    assignment = make_assignment()  # shown in the order D2, D1, D3
    client.force_login(assignment.assessor)
    resume = reverse("judging_resume", args=[assignment.pk])
    assert client.get(resume)["Location"] == reverse("judging_item", args=[assignment.pk, 1])
    judge(assignment, "D2", 1)
    judge(assignment, "D3", 1)
    assert client.get(resume)["Location"] == reverse("judging_item", args=[assignment.pk, 2])
    judge(assignment, "D1", CannotJudge.IMAGE)
    assert client.get(resume)["Location"] == reverse("judging_items", args=[assignment.pk])


def test_resume_skips_items_that_an_earlier_owner_has_judged(client: Client) -> None:
    early = make_assignment()
    later = make_assignment(make_pool(early.pool.task, pairs=[("T1", "D2"), ("T1", "D1")]))
    judge(early, "D2", 2)
    client.force_login(later.assessor)
    resume = client.get(reverse("judging_resume", args=[later.pk]))
    assert resume["Location"] == reverse("judging_item", args=[later.pk, 2])
    assert "not needed" in page(client, "judging_items", later)


def test_item_shows_the_assessors_mark_pressed_and_keeps_the_comment(client: Client) -> None:
    assignment = make_assignment()
    assert pressed(page(client, "judging_item", assignment, 1)) == []
    judge(assignment, "D2", 0)
    judge(assignment, "D2", 1, comment="the shore")
    judge(assignment, "D1", CannotJudge.TOPIC)
    text = page(client, "judging_item", assignment, 1)
    assert pressed(text) == [("grade", "1")]
    assert ">the shore</textarea>" in text
    assert pressed(page(client, "judging_item", assignment, 2)) == [("reason", "topic")]


def test_item_is_graded_by_the_latest_criteria(client: Client) -> None:
    assignment = make_assignment()
    four = [*GRADES, {"grade": 3, "name": "Perfect", "text": "The best there is."}]
    Criteria.objects.create(task=assignment.pool.task, version=2, grades=four)
    text = page(client, "judging_item", assignment, 1)
    assert 'name="grade" value="3"' in text
    assert 'name="criteria_version" value="2"' in text


def test_content_is_the_part_of_the_page_that_changes(client: Client) -> None:
    assignment = make_assignment()
    Document.objects.filter(docno="D1").update(image=make_image())
    for place in (1, 2):
        whole = page(client, "judging_item", assignment, place)
        stage, lens = page(client, "judging_content", assignment, place).split('<div class="lens" id=', 1)
        assert stage.strip() in whole
        assert lens.strip() in whole


def test_pages_are_never_cached(client: Client) -> None:
    assignment = make_assignment()
    client.force_login(assignment.assessor)
    for name, place in [("judging_item", [1]), ("judging_content", [1]), ("judging_items", [])]:
        answer = client.get(reverse(name, args=[assignment.pk, *place]))
        assert "no-store" in answer["Cache-Control"]


def test_pages_reveal_nothing_of_documents_runs_teams_and_other_people(client: Client) -> None:
    pool = make_judging_pool()
    team = make_team(pool.task.track, name="Sentinelteam")
    run = make_run(pool.task, team, tag="sentineltag", results={"T1": ["D2", "D1"]})
    assert Run.objects.get().tag == run.tag
    mine, other = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    judge(mine, "D1", 1)
    judge(other, "D2", 2, comment="sentinelcomment")
    text = (
        my_topics(client, mine)
        + page(client, "judging_items", mine)
        + "".join(page(client, "judging_item", mine, place) for place in (1, 2, 3))
        + "".join(page(client, "judging_content", mine, place) for place in (1, 2, 3))
    )
    for word in ("sentinel", other.assessor.name):
        assert word.lower() not in text.lower()
    assert not re.search(r"\bD[123]\b", text.replace("Caption of D", ""))
    assert pressed(page(client, "judging_item", mine, 1)) == []


def test_pages_are_byte_for_byte_the_same_whatever_runs_and_ranks_were(client: Client) -> None:
    """Two pools of the same documents: once as the runs had them, once with runs and ranks permuted."""
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=12)
    assessor, organizer = make_assessor(task.track), make_organizer(task.track)
    docnos = [f"D{number}" for number in range(1, 13)]
    pages = []
    for name, first, second in (("a", docnos, docnos[::-1]), ("b", docnos[5:] + docnos[:5], docnos[1:])):
        runs = [make_run(task, results={"T1": ranked}) for ranked in (first, second)]
        depths = {run.pk: 12 for run in runs}
        pool = build_pool(task=task, name=name, seed=11, by=organizer, depths=depths)
        given = make_assignment(pool, assessor=assessor, pk=777)
        whole = [page(client, "judging_items", given)]
        whole += [page(client, "judging_item", given, place) for place in range(1, 13)]
        whole += [page(client, "judging_content", given, place) for place in range(1, 13)]
        # Each response has its own CSRF token, UUID for the next judgment and time.
        pages.append([re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", each) for each in whole])
        moments = r'name="(client_uuid|shown_at)" value="[^"]+"|"as_of": "[^"]+"'
        pages[-1] = [re.sub(moments, "", each) for each in pages[-1]]
        given.delete()
    assert pages[0] == pages[1]
    assert len(set(pages[0])) == 25
