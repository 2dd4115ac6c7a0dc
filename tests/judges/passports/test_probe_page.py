"""The button that probes a judge: its page, its results in the passport, and the API."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Pool
from judges.models import Budget, Job, JobState, Judge
from tests.evaluation.platform.web.api.conftest import program_of
from tests.factories import make_organizer
from tests.judges.factories import Scripted, judged, make_endpoint_judge, run_to_end
from tests.judges.jobs.asking.scripted import COST, priced
from tests.judges.jobs.controlled import CAPTIONED, script
from tests.judges.pages.setting import text_of
from tests.judges.probed import (
    A_TOPIC,
    TOPICS,
    captions_only,
    make_captioned,
    make_probed_pool,
    probed,
    publish_fits,
    started_probe,
)

pytestmark = pytest.mark.django_db
REQUESTS = 4 * TOPICS * A_TOPIC


@pytest.fixture
def pool() -> Pool:
    pool = make_probed_pool()
    publish_fits(pool)
    return pool


@pytest.fixture
def organizer(client: Client, pool: Pool) -> Client:
    client.force_login(pool.created_by)
    return client


def address(name: str, judge: Judge, pool: Pool) -> str:
    task = pool.task
    return reverse(name, args=[task.track.slug, task.slug, judge.pk])


def test_page_says_what_a_probe_costs_and_starts_it(
    organizer: Client, pool: Pool, scripted: Scripted
) -> None:
    scripted.script = script(captions_only)
    judge = priced(make_captioned())
    passport = text_of(organizer.get(address("judge_passport", judge, pool)))
    assert "Not probed. Start a probe." in passport
    page = address("judge_probe", judge, pool)
    assert f'href="{page}"' in passport
    before = text_of(organizer.get(page))
    for words in ("<dd>60</dd>", "people (version 1)", f"<dd>{REQUESTS} at most; one that fails", "<dd>0.0"):
        assert words in before
    assert not Job.objects.exists()

    started = organizer.post(page, {"budget": "2", "seed": "3"})
    job = Job.objects.get()
    assert started["Location"] == reverse("job_detail", args=[pool.task.track.slug, pool.task.slug, job.pk])
    assert (job.probe["seed"], Budget.objects.get(job=job).cap_micros) == (3, 2_000_000)
    assert "Its probe</a> is planned" in text_of(organizer.get(address("judge_passport", judge, pool)))
    assert "is not over" in text_of(organizer.post(page, {"seed": "3"}))

    run_to_end(job)
    passport = text_of(organizer.get(address("judge_passport", judge, pool)))
    row = 'data-l="Loss">0.00 no interval, 0 of 60 grades change</td>'
    assert row in passport.partition("Pictures exchanged</th>")[2].partition("Texts exchanged</th>")[0]
    known = organizer.get(address("judge_passport_file", judge, pool)).json()["probes"]
    assert [result["word"] for result in known["results"]] == ["no loss", "a loss", "no loss"]
    # Two exchanged pairs of different names may be one request: all pictures differ, and all captions.
    assert (known["request_count"], known["cost_micros"]) == (REQUESTS, REQUESTS * COST)
    page_of_job = text_of(organizer.get(started["Location"]))
    assert "What this shows is in" in page_of_job
    assert "Publish" not in page_of_job


def test_ticked_probes_are_counted_started_and_refused(
    organizer: Client, pool: Pool, scripted: Scripted
) -> None:
    scripted.script = script(captions_only)
    judge = priced(make_captioned())
    page = address("judge_probe", judge, pool)
    assert "does not list each answer once, in lines or in a row." in text_of(organizer.get(page))
    counted = text_of(organizer.post(page, {"probes": ["grey", "half"], "count": "1", "seed": "0"}))
    assert f"<dd>{3 * TOPICS * A_TOPIC} at most; one that fails" in counted
    assert not Job.objects.exists()
    assert "does not list each answer once" in text_of(organizer.post(page, {"probes": ["options"]}))
    organizer.post(page, {"probes": ["grey", "topic.page_title"]})
    run_to_end(Job.objects.get())
    passport = text_of(organizer.get(address("judge_passport", judge, pool)))
    assert "Without topic.page_title, none of its grades changes." in passport
    program, place = program_of(pool.created_by), address("api:probe_list", judge, pool)
    assert program.post(place, {"probes": ["options"]}).json()["type"].endswith("probe-not-possible")
    assert program.post(place, {"probes": ["grey", "half"]}).status_code == 201


def test_judge_s_row_has_the_verdicts_and_lists_of_jobs_have_no_probe(
    organizer: Client, pool: Pool, scripted: Scripted
) -> None:
    scripted.script = script(captions_only)
    job = probed(make_captioned(name="reader"), pool)
    names = [pool.task.track.slug, pool.task.slug]
    judges = text_of(organizer.get(reverse("setup_judges", args=names)))
    assert "Probe: pictures exchanged: no loss; texts exchanged: a loss; same pair again: no loss." in judges
    assert f"jobs/{job.pk}/" not in text_of(organizer.get(reverse("task_detail", args=names)))
    assert judged(job.judge, pool).state == JobState.COMPLETED
    passport = organizer.get(address("judge_passport_file", job.judge, pool)).json()
    assert passport["pool"] == pool.name


@pytest.mark.usefixtures("scripted")
def test_page_says_why_a_judge_cannot_be_probed(organizer: Client, pool: Pool) -> None:
    judge = make_captioned()
    Judge.objects.filter(pk=judge.pk).update(retired_at="2026-01-01T00:00:00Z")
    page = address("judge_probe", judge, pool)
    assert "is retired" in text_of(organizer.get(page))
    assert "is retired" in text_of(organizer.post(page, {}))
    assert not Job.objects.exists()


def test_organizers_of_another_track_find_no_page(client: Client, pool: Pool) -> None:
    theirs = make_probed_pool()
    judge = make_endpoint_judge("http://127.0.0.1:9/v1", prompt=CAPTIONED, answer="grade-0-2")
    client.force_login(make_organizer(theirs.task.track))
    assert client.get(address("judge_probe", judge, pool)).status_code == 404
    assert client.post(address("judge_probe", judge, pool)).status_code == 404
    assert client.get(address("judge_probe", judge, theirs)).status_code == 200


def test_api_starts_and_reads_a_probe(pool: Pool, scripted: Scripted) -> None:
    scripted.script = script(captions_only)
    judge = make_captioned()
    program, place = program_of(pool.created_by), address("api:probe_list", judge, pool)
    answer = program.post(place, {"seed": 5})
    assert answer.status_code == 201, answer.content
    assert (answer.json()["state"], answer.json()["seed"], answer.json()["results"]) == ("planned", 5, [])
    run_to_end(Job.objects.get())
    (probe,) = program.get(place).json()
    assert (probe["state"], probe["people"], probe["error"]) == ("completed", "people (version 1)", "")
    assert [row["word"] for row in probe["results"]] == ["no loss", "a loss", "no loss"]
    assert probe["request_count"] == REQUESTS
    started_probe(judge, pool)
    assert len(program.get(place).json()) == 2
