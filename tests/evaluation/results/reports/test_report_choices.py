import pytest
from django.test import Client

from evaluation.models import ReportProgress, Run, Task
from evaluation.tasks import run_reports
from tests.factories import (
    make_family,
    make_user,
)

pytestmark = pytest.mark.django_db


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/"


def test_report_page_offers_groups_and_single_runs_and_topics(client: Client, running: Task) -> None:
    form = client.get(_address(running)).context["form"]
    assert [(group.words, group.members) for group in form.run_groups] == [
        ("all (3)", ("a", "b", "c")),
        ("best of each team (2)", ("b", "c")),
        ("participants only (2)", ("a", "b")),
    ]
    assert form.topic_groups[0].members == ("T1", "T2")
    assert [(box.words, box.is_chosen) for box in form.runs] == [("a", False), ("b", False), ("c", False)]


def _ask(task: Task, query: str = "") -> str:
    return f"{_address(task)}ask/?{query}"


def test_report_page_of_a_choice_shows_how_far_it_is_and_then_shows_it(client: Client, running: Task) -> None:
    client.force_login(make_user())
    given = {"runs": "participants", "topic": "T2"}
    page = client.get(_address(running), given).content.decode()
    assert "There is no report of this choice" in page
    assert not ReportProgress.objects.exclude(choice={}).exists()  # opening the page queues nothing
    asked = client.post(_ask(running, "runs=participants&topic=T2"))
    assert asked.headers["Location"] == f"{_address(running)}?runs=participants&topic=T2"
    page = client.get(_address(running), given).content.decode()
    assert "This choice is being computed" in page
    assert "Waiting for a worker" in page
    part = client.get(_address(running), given, headers={"HX-Request": "true"})
    assert part.content.decode().startswith('<div id="progress"')
    run_reports()
    assert client.get(_address(running), given, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    answer = client.get(_address(running), given)
    assert [row.tag for row in answer.context["shown"].runs] == ["b", "a"]
    assert "Chosen: 2 of 3 runs, 1 of 2 topics." in answer.content.decode()
    of = f"?of={answer.context['report'].pk}"
    assert of in answer.content.decode()
    assert "On 2 runs" in answer.context["shown"].page.paragraph


def test_report_page_computes_a_choice_for_the_signed_in_alone(client: Client, running: Task) -> None:
    page = client.get(_address(running), {"runs": "participants"}).content.decode()
    assert "Sign in</a> to have it computed" in page
    assert client.post(_ask(running, "runs=participants")).headers["Location"].startswith("/account/login/")
    assert not ReportProgress.objects.exclude(choice={}).exists()


def test_report_page_of_an_empty_choice_is_the_whole_report(client: Client, running: Task) -> None:
    answer = client.get(_address(running), {"runs": "participants", "run": str(running.runs.get(tag="c").pk)})
    assert answer.context["form"].is_empty
    assert len(answer.context["shown"].runs) == 3


def test_report_page_recomputes_an_outdated_report(client: Client, running: Task) -> None:
    changed = "have changed since this report was computed"
    assert changed not in client.get(_address(running)).content.decode()
    added = {"run": running.runs.get(tag="a"), "family": make_family(running)}
    Run.families.through.objects.create(**added)  # a change that queues nothing, as new code does
    assert changed in client.get(_address(running)).content.decode()
    assert not ReportProgress.objects.waiting().exists()
    client.force_login(make_user())
    assert "Compute it again" in client.get(_address(running)).content.decode()
    client.post(_ask(running))
    page = client.get(_address(running)).content.decode()
    assert "Runs, families or qrels have changed since this report. Waiting for a worker." in page
    assert ReportProgress.objects.waiting().filter(task=running, choice={}).exists()


def test_person_has_one_choice_computed_at_a_time(client: Client, running: Task) -> None:
    first, second = make_user(), make_user()
    client.force_login(first)
    for topic in ("T1", "T2"):
        client.post(_ask(running, f"topic={topic}"))
    assert ReportProgress.objects.exclude(choice={}).count() == 1
    assert "Another choice of yours is being computed" in client.get(_address(running)).content.decode()
    client.force_login(second)
    client.post(_ask(running, "topic=T2"))
    assert ReportProgress.objects.exclude(choice={}).count() == 2


def test_report_is_asked_for_by_those_who_may_see_it(client: Client, running: Task) -> None:
    Task.objects.filter(pk=running.pk).update(releases_at=None)
    client.force_login(make_user())
    assert client.post(_ask(running, "topic=T2")).status_code == 404
    assert client.get(_ask(running, "topic=T2")).status_code == 405
    assert not ReportProgress.objects.waiting().exists()
