"""Pairs that people graded as examples in the prompt of a judge, and of a version that is compared."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from evaluation.models import Qrels, Task
from judges.grades.publishing import read_scored_pairs
from judges.jobs.estimates import any_pair, estimate_job, show_pair
from judges.jobs.probing import draw_probe
from judges.models import Comparison, JobState, Judge, Price
from judges.prompts.actions import create_prompt
from judges.track_files.entries import JudgePart, apply_judge, read_judges
from judges.trials.actions import ask_trial, run_trial
from judges.trials.comparing import ask_comparison, run_comparison, shown_comparison
from judges.trials.examples import filled_settings
from tests.factories import make_organizer, make_staff, make_task
from tests.judges.endpoint import Act, Request, running
from tests.judges.factories import judged, make_endpoint_judge, make_image_pool, publish_people, published
from tests.refusals import refused
from trackside.judging.prompts import PromptTemplate
from trackside.judging.settings import Settings

pytestmark = pytest.mark.django_db

SHOTS, BARE = "{examples}\n{fields}\n{image}", "{fields}\n{image}"
LINES = "T1 0 D1 2\nT2 0 D1 0\n"
BARE_SETTINGS = Settings(
    backend="openai_chat",
    revision=6,
    model="m-2026-01-31",
    model_revision="",
    prompt=BARE,
    answer="grade-0-2",
)


@pytest.fixture
def task() -> Task:
    return make_image_pool(topic_count=5, image_count=3).task


@pytest.fixture
def people(task: Task) -> Qrels:
    pool = task.pools.get()
    pairs = pool.items.values_list("topic", "docno")
    return publish_people(
        pool, {(topic, docno): (int(topic[1:]) + int(docno[1:])) % 3 for topic, docno in pairs}
    )


def filled(task: Task, lines: str = LINES, url: str = "https://host/v1", template: str = SHOTS) -> Settings:
    settings = replace(BARE_SETTINGS, endpoint=url, prompt=template)
    return filled_settings(settings, task=task, lines=lines, by=make_organizer(task.track))


def with_shots(task: Task, url: str) -> Judge:
    settings = filled(task, url=url)
    return make_endpoint_judge(
        url, prompt=settings.prompt, answer="grade-0-2", model="shots-2026-01-31", decoding={"max_tokens": 9}
    )


@pytest.mark.usefixtures("people")
def test_grades_of_the_topics_of_examples_are_in_no_qrels_and_no_comparison(task: Task) -> None:
    pool = task.pools.get()
    with running(lambda _: Act(text="Grade: 1")) as endpoint:
        judge = with_shots(task, endpoint.url)
        job = judged(judge, pool)
        asked = endpoint.asked[: pool.items.count()]
    assert job.calls.scored().of_pool().count() == 15  # the whole pool is judged
    shown = [sum(isinstance(part, bytes) for part in request.parts) for request in endpoint.asked]
    assert sorted(set(shown)) == [2, 3]  # pairs of T1 and T2 are shown one example, others two
    assert asked
    qrels = published(job)
    assert set(qrels.pairs.values_list("topic", flat=True)) == {"T3", "T4", "T5"}
    assert qrels.provenance["left_out_topics"] == ["T1", "T2"]
    assert any("T1, T2" in warning for warning in qrels.provenance["warnings"])
    scored = read_scored_pairs(job=job, people=Qrels.objects.get(name="people"))
    assert {pair.topic for pair in scored if pair.people is not None} == {"T3", "T4", "T5"}
    _, pairs = draw_probe(judge=judge, task=task)
    assert {topic for topic, _ in pairs if "probe" not in topic} & {"T1", "T2"} == set()


@pytest.mark.usefixtures("people")
def test_examples_are_part_of_identity_estimates_and_previews(task: Task) -> None:
    Price.objects.create(model="shots-2026-01-31", input_price=2, output_price=10)
    pool = task.pools.get()
    shots = with_shots(task, "https://host/v1")
    one = make_endpoint_judge(
        "https://host/v1", prompt=BARE, answer="grade-0-2", model=shots.model, decoding={"max_tokens": 9}
    )
    more, less = (estimate_job(judge=judge, pool=pool) for judge in (shots, one))
    assert (more.token_count or 0) > (less.token_count or 0) + 15 * 2 * 1000  # two more pictures each
    assert filled(task, "T1 0 D1 2\n").identity_sha256 != filled(task).identity_sha256
    pair = any_pair(task)
    assert pair is not None
    pictures = [image for _, image in show_pair(task, shots, *pair).parts if image]
    assert len(pictures) == (2 if pair[0].number in {"T1", "T2"} else 3)


def test_only_grades_of_people_that_the_person_sees_are_examples(task: Task, people: Qrels) -> None:
    for lines in ("T1 0 D1 0\n", "T1 0 D9 2\n"):
        with refused("examples-refused", match="people's latest published qrels"):
            filled(task, lines)
    stranger = make_organizer(make_task().track)
    with refused("examples-refused"):
        filled_settings(replace(BARE_SETTINGS, prompt=SHOTS), task=task, lines=LINES, by=stranger)
    for lines, template in (("", SHOTS), (LINES, BARE)):
        with refused("examples-refused", match="need each other"):
            filled(task, lines, template=template)
    assert people.pairs.count() == 15


@pytest.mark.usefixtures("people")
def test_versions_are_compared_on_other_topics_by_the_difference_of_kappa(task: Task, client: Client) -> None:
    versions = {
        name: PromptTemplate(name=name, version=1, template=template, answer="grade-0-2")
        for name, template in (("shots", SHOTS), ("bare", BARE))
    }

    def act(request: Request) -> Act:
        if int(request.id[3:], 16) == 0:
            return Act(text="I cannot say.")
        return Act(text=f"Grade: {int(request.id[3:], 16) % 3 if 'Example' in request.shown else 1}")

    with running(act) as endpoint:
        judge = make_endpoint_judge(endpoint.url, prompt=BARE, answer="grade-0-2")
        by = make_organizer(task.track)
        asked = ask_comparison(judge=judge, task=task, versions=versions, by=by, examples=LINES)
        run_comparison(comparison_id=asked.pk)
    comparison = Comparison.objects.get()
    assert {row["topic"] for row in comparison.rows} == {"T3", "T4", "T5"}
    shown = shown_comparison(comparison, by)
    # Of T3 to T5 with D1 to D3, less the first: people 2 0 2 0 1 0 1 2 by (topic + document) modulo 3.
    assert shown["gaps"] == [1, 1]
    assert shown["difference"].pair_count == 8
    assert shown["difference"].after == 0  # always the same grade
    assert [name for name, _ in shown["left_out"]] == ["shots"]
    assert {document.docno for _, document, *_ in shown["table"]} == {"D1", "D2", "D3"}
    client.force_login(by)
    page = client.get(reverse("prompts_compare", args=[task.track.slug, task.slug])).content.decode()
    assert page.count("<img") == 9


@pytest.mark.usefixtures("people")
def test_a_judge_with_examples_is_of_the_track(task: Task, client: Client) -> None:
    create_prompt(name="shots", template=SHOTS, answer="grade-0-2", by=make_staff(), track=task.track)
    client.force_login(make_staff())
    form = {"name": "few", "preset": "shots (version 1) of " + str(task.track), "model": "m-2026-01-31"}
    form |= {"endpoint": "https://host/v1", "examples": LINES}
    sent = client.post(reverse("setup_judges", args=[task.track.slug, task.slug]), form)
    assert sent.status_code == 302, sent.content.decode()
    judge = Judge.objects.get(name="few")
    assert judge.track == task.track
    assert judge.example_topics == ("T1", "T2")
    assert read_judges(task.track) == []  # a file would show people's grades
    values = {"name": "copy", "backend": "openai_chat", "model": "m-2026-01-31", "prompt": judge.prompt}
    part = JudgePart.model_validate(values)
    with pytest.raises(ValidationError, match="Examples are pairs of a task"):
        apply_judge(task.track, part, make_staff())


MOST_PICTURES = b'{"error": {"message": "At most 2 image(s) may be provided in one prompt."}}'


def two_pictures_at_most(request: Request) -> Act:
    """A server whose model takes fewer pictures than two examples and a pair have."""
    if request.method == "POST" and sum(isinstance(part, bytes) for part in request.parts) > 2:
        return Act(status=400, body=MOST_PICTURES)
    return Act(text="Grade: 1")


@pytest.mark.usefixtures("people")
def test_trial_shows_all_examples_and_says_that_they_are_too_many(task: Task) -> None:
    with running(two_pictures_at_most) as endpoint:
        judge = with_shots(task, endpoint.url)
        trial = ask_trial(judge=judge, task=task, by=make_organizer(task.track))
        run_trial(trial_id=trial.pk)
    trial.refresh_from_db()
    assert trial.topic not in judge.example_topics
    assert "At most 2 image(s)" in trial.error


@pytest.mark.usefixtures("people")
def test_job_of_examples_that_a_model_refuses_pauses_with_the_reason_and_no_gap(task: Task) -> None:
    with running(two_pictures_at_most) as endpoint:
        judge = with_shots(task, endpoint.url)
        job = judged(judge, task.pools.get())
        refused_count = len(endpoint.asked) - len(endpoint.answered)
    assert job.state == JobState.PAUSED
    assert "At most 2 image(s)" in job.note
    assert refused_count == job.calls.filter(outcome="request_refused").count() == 1
    assert job.calls.waiting().of_pool().filter(topic__in=["T3", "T4", "T5"]).count() == 8


@pytest.mark.usefixtures("people")
def test_comparison_of_examples_that_a_model_refuses_says_so_once(task: Task) -> None:
    versions = {
        name: PromptTemplate(name=name, version=1, template=template, answer="grade-0-2")
        for name, template in (("shots", SHOTS), ("bare", BARE))
    }
    with running(two_pictures_at_most) as endpoint:
        judge = make_endpoint_judge(endpoint.url, prompt=BARE, answer="grade-0-2")
        by = make_organizer(task.track)
        asked = ask_comparison(judge=judge, task=task, versions=versions, by=by, examples=LINES)
        run_comparison(comparison_id=asked.pk)
    comparison = Comparison.objects.get()
    assert "shots" in comparison.error
    assert "At most 2 image(s)" in comparison.error
