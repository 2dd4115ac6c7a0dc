"""The passport of a judge: the same numbers and words as the report, and what is not known in words."""

import json
import zipfile
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Pool, Task
from evaluation.results.reports.actions import compute_report
from evaluation.results.reports.models import Report
from evaluation.results.reports.packing import bundle_report
from judges.models import Job, Judge
from tests.factories import dates_of, make_run, make_team
from tests.judges.factories import (
    Scripted,
    import_file,
    judged,
    make_endpoint_judge,
    make_generator,
    make_human_qrels,
    make_image_pool,
    make_judge,
    published,
)
from trackside.judging.canaries import CANARIES, Place
from trackside.reporting.views.first_page import first_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]
PARTS = {
    "reads",
    "cut",
    "self_test",
    "probes",
    "controls",
    "uses",
    "repeats",
    "canaries",
    "calibration",
    "rate",
}


def text(client: Client, address: str) -> str:
    return unescape(" ".join(client.get(address).content.decode().split()))


def page_of(judge: Judge, task: Task) -> str:
    return reverse("judge_passport", args=[task.track.slug, task.slug, judge.pk])


def stored(client: Client, judge: Judge, task: Task) -> Any:
    return client.get(f"{page_of(judge, task)}passport.json").json()


@pytest.fixture
def pool() -> Pool:
    return make_image_pool(topic_count=12)


@pytest.fixture
def organizer(client: Client, pool: Pool) -> Client:
    client.force_login(pool.created_by)
    return client


def reported(pool: Pool, judge: Judge) -> Report:
    """A report on three runs, by people and the judge."""
    job = judged(judge, pool)
    published(job)
    make_human_qrels(job)
    team = make_team(pool.task.track)
    for tag, order in (("a", "D1 D2 D3"), ("b", "D2 D3 D1"), ("c", "D3 D1 D2")):
        make_run(pool.task, tag=tag, team=team, results={f"T{n}": order.split() for n in range(1, 13)})
    report = compute_report(task=pool.task)
    assert report
    return report


def test_passport_page_json_and_bundle_say_what_the_report_says(organizer: Client, pool: Pool) -> None:
    judge = make_judge(name="clip")
    report = reported(pool, judge)
    (row,) = first_page(report.summary).judges
    page, passport = text(organizer, page_of(judge, pool.task)), stored(organizer, judge, pool.task)

    assert [use["says"] for use in passport["uses"]["uses"]] == [cell.says for cell in row.cells]
    assert [use["word"] for use in passport["uses"]["uses"]] == [cell.word for cell in row.cells]
    for cell in row.cells:
        assert cell.says in page
    assert passport["uses"]["numbers"]["rank"]["tau"] == report.summary.judges[0].uses.rank.tau
    # The twelve texts fit: "Page of T1 Section of T1" are six words.
    assert (passport["cut"]["count"], passport["cut"]["cut_count"]) == (12, 0)
    known = passport["calibration"]
    assert (known["pair_count"], known["topic_count"], known["is_own"]) == (36, 12, False)
    assert passport["rate"]["work"]["pair_count"] == 36
    assert set(passport["unknown"]) == {name for name in PARTS if passport[name] is None}
    with BytesIO() as target:
        bundle_report(report=report, target=target)
        with zipfile.ZipFile(target) as archive:
            assert json.loads(archive.read("passports/clip.json"))["uses"] == passport["uses"]


def test_invisible_instructions_are_explained_only_where_the_job_has_them(
    organizer: Client, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = make_judge(name="clip")
    judged(judge, pool)
    for places, is_said in ((set(Place), True), (set(Place) - {Place.INVISIBLE}, False)):
        scores = {canary: 1.0 for canary in CANARIES if canary.place in places}
        monkeypatch.setattr(Job, "canary_scores", lambda _job, found=scores: found)
        page = text(organizer, page_of(judge, pool.task))
        assert "one higher grade may be chance" in page
        assert ("People see no invisible instruction" in page) == is_said


def test_report_s_row_links_the_passport_for_organizers_alone(
    organizer: Client, pool: Pool, client: Client
) -> None:
    judge = make_judge(name="clip")
    reported(pool, judge)
    report = reverse("report_detail", args=[pool.task.track.slug, pool.task.slug])
    assert f'href="{page_of(judge, pool.task)}"' in text(organizer, report)

    Task.objects.filter(pk=pool.task_id).update(**dates_of(Phase.RELEASED))
    client.logout()
    public = text(client, report)
    assert "clip" in public
    assert "Passport" not in public


def test_a_judge_without_a_job_has_a_passport_that_says_how_to_fill_it(organizer: Client, pool: Pool) -> None:
    judge = make_endpoint_judge("http://127.0.0.1:9/v1")
    page, passport = text(organizer, page_of(judge, pool.task)), stored(organizer, judge, pool.task)

    assert set(passport["unknown"]) == PARTS - {"reads"}
    for words in passport["unknown"].values():
        assert f"Not known.</span> {words}" in page
    assert (passport["reads"]["texts"], passport["reads"]["pictures"]) == (["topics"], ["documents"])


def test_imported_scores_have_a_passport_without_a_model(organizer: Client, pool: Pool) -> None:
    lines = "".join(f"T{topic} 0 D1 {topic % 2}\n" for topic in range(1, 13))
    job = import_file("files", lines, pool)
    passport = stored(organizer, job.judge, pool.task)
    assert "come from a file" in passport["unknown"]["reads"]
    assert "come from a file" in text(organizer, page_of(job.judge, pool.task))


def test_judges_that_differ_in_the_seed_alone_are_compared(
    organizer: Client, pool: Pool, scripted: Scripted
) -> None:
    # The scripted answers do not depend on the seed: all 36 pairs have the same grade, kappa is 1.
    first, second = make_generator(name="first", model="m"), make_generator(name="second", model="m", seed=7)
    make_generator(name="other", model="another", seed=7)
    for judge in (first, second):
        published(judged(judge, pool))
    (repeat,) = stored(organizer, first, pool.task)["repeats"]
    assert repeat == {"judge": "second", "seed": 7, "pair_count": 36, "same_count": 36, "kappa": 1.0}


def test_passport_is_absent_under_another_track_s_task(organizer: Client, pool: Pool) -> None:
    theirs = make_image_pool()
    judge = import_file("files", "T1 0 D1 1\n", theirs).judge
    assert organizer.get(page_of(judge, pool.task)).status_code == 404
    assert organizer.get(page_of(judge, theirs.task)).status_code == 404
