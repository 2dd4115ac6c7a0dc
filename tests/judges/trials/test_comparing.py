"""Two versions of a prompt or of the criteria on the same pairs, by one judge."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.models import Criteria, Qrels, Task
from judges.models import Budget, Comparison, Judge, Price
from judges.prompts.actions import create_prompt
from judges.prompts.forms import filled_prompts
from judges.tasks import sweep
from judges.trials.actions import NothingToTry
from judges.trials.comparing import PAIRS, ask_comparison, run_comparison, shown_comparison
from judges.trials.models import FORGOTTEN
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_staff, make_task
from tests.judges.endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, Act, Request, running
from tests.judges.factories import (
    judged,
    make_endpoint_judge,
    make_image_pool,
    make_judge,
    publish_people,
    published,
)
from tests.refusals import refused
from trackside.judging.prompts import PromptTemplate

pytestmark = pytest.mark.django_db

GRADED = "{fields} strictly\n{image}", "{fields} kindly\n{image}"
CRITERIA = "{criteria}\n{fields}\n{image}"


@pytest.fixture
def task() -> Task:
    return make_image_pool().task  # two topics, three pictures


def judge_at(endpoint: str, template: str = GRADED[0]) -> Judge:
    return make_endpoint_judge(endpoint, model="m-2026-01-31", prompt=template, answer="grade-0-2")


def two() -> dict[str, PromptTemplate]:
    return {
        word: PromptTemplate(name=word, version=1, template=template, answer="grade-0-2")
        for word, template in zip(("strict", "kind"), GRADED, strict=True)
    }


def grades(strict: list[int], kind: list[int]) -> Callable[[Request], Act]:
    """Answer the pairs of each version with these grades, in their order."""
    return lambda request: Act(
        text=f"Grade: {(strict if 'strictly' in request.shown else kind)[int(request.id[3:], 16)]}"
    )


def compared(judge: Judge, task: Task) -> Comparison:
    comparison = ask_comparison(judge=judge, task=task, versions=two(), by=make_organizer(task.track))
    run_comparison(comparison_id=comparison.pk)
    run_comparison(comparison_id=comparison.pk)  # a second message sends nothing again
    return Comparison.objects.get(pk=comparison.pk)


def people_of(task: Task, given: list[int]) -> Qrels:
    pairs = sorted(task.pools.get().items.values_list("topic", "docno"))
    return publish_people(task.pools.get(), dict(zip(pairs, given, strict=True)))


def test_both_versions_have_answers_grades_costs_and_their_agreement(task: Task, client: Client) -> None:
    Price.objects.create(model="m-2026-01-31", input_price=2, output_price=10)
    people_of(task, [0, 0, 1, 1, 2, 2])
    with running(grades([0, 0, 0, 1, 1, 2], [0, 1, 1, 1, 2, 2])) as endpoint:
        comparison = compared(judge_at(endpoint.url), task)
        assert len(endpoint.asked) == 12
    organizer = comparison.asked_by
    both, strict, kind = shown_comparison(comparison, organizer)["agreements"]
    # Strict: 3, 2, 1 of the grades; kind: 1, 3, 2; people: 2 each. By chance (3 + 6 + 2) / 6, 12 / 6, 12 / 6.
    # Kappa: (3 - 11/6) / (6 - 11/6) = 7/25, (4 - 2) / (6 - 2), (5 - 2) / (6 - 2).
    assert (both.pair_count, both.same, both.kappa) == (6, 3, "0.28")
    assert [round(each.chance, 3) for each in (both, strict, kind)] == [1.833, 2, 2]
    assert [(each.same, each.kappa) for each in (strict, kind)] == [(4, "0.50"), (5, "0.75")]
    cost = 12 * (2 * PROMPT_TOKENS + 10 * COMPLETION_TOKENS)
    assert comparison.cost_micros == Budget.objects.of_track(task.track).spent_micros == cost
    client.force_login(organizer)
    page = client.get(reverse("prompts_compare", args=[task.track.slug, task.slug])).content.decode()
    assert "“Grade: 2”" in page
    assert "people and kind" in page
    assert f"{cost / 2e6:.4f}" in page
    # Grades that the reader may not see are not in it.
    assert len(shown_comparison(comparison, make_organizer(make_task().track))["agreements"]) == 1


def test_a_program_compares_and_reads_the_answers(task: Task) -> None:
    person = make_organizer(task.track)
    program, rest = program_of(person), "/judges/comparisons"
    sent = {"first": "own-words-text-first (version 1)", "second": "own-words-json (version 1)"}
    with running() as endpoint:
        judge = judge_at(endpoint.url)
        made = program.post(address_of(task, "/judges/compare"), sent | {"judge": judge.name})
        assert made.status_code == 202, made.json()
        run_comparison(comparison_id=Comparison.objects.get().pk)
    (listed,) = program.get(address_of(task, rest)).json()
    assert listed["judge"] == judge.name
    assert [len(row["answers"]) for row in listed["rows"]] == [2] * 6


def test_pairs_that_fail_are_gaps_with_their_reason(task: Task) -> None:
    def act(request: Request) -> Act:
        number = int(request.id[3:], 16)
        return (
            Act(text="I cannot say")
            if number == 1
            else Act(status=400 if number == 2 else 200, text="Grade: 1")
        )

    with running(act) as endpoint:
        comparison = compared(judge_at(endpoint.url), task)
    answers = [row["answers"][0] for row in comparison.rows]
    assert "no score (refusal): “I cannot say”" in answers[1]["error"]
    assert "planned 400" in answers[2]["error"]
    assert [each["score"] for each in answers] == [1, None, None, 1, 1, 1]
    (agreement,) = shown_comparison(comparison, comparison.asked_by)["agreements"]
    assert (agreement.pair_count, agreement.same) == (4, 4)


def test_a_rejected_key_is_the_reason_of_every_gap(task: Task) -> None:
    with running(lambda _: Act(status=401)) as endpoint:
        comparison = compared(judge_at(endpoint.url), task)
    assert {"401" in answer["error"] for row in comparison.rows for answer in row["answers"]} == {True}
    assert comparison.cost_micros == 0


def test_the_budget_ends_a_comparison_with_gaps(task: Task) -> None:
    Price.objects.create(model="m-2026-01-31", input_price=2, output_price=10)
    Budget.objects.of_track(task.track)
    Budget.objects.update(cap_micros=10_000)  # the bound of a pair is some thousands
    with running() as endpoint:
        comparison = compared(judge_at(endpoint.url), task)
        sent = len(endpoint.asked)
    errors = [answer["error"] for row in comparison.rows for answer in row["answers"]]
    assert 0 < sent < 12
    assert sum("no room for a trial" in error for error in errors) == 12 - sent
    assert Budget.objects.of_track(task.track).spent_micros <= 10_000


def test_versions_of_the_criteria_fill_in_a_prompt_which_provenance_names(task: Task) -> None:
    staff = make_staff()
    words = [{"grade": grade, "name": f"New {grade}", "text": "of {fields}"} for grade in (0, 1, 2)]
    Criteria.objects.create(task=task, version=2, grades=words)
    create_prompt(name="ours", template=CRITERIA, answer="grade-0-2", source="a book", by=staff)
    versions = {name: prompt for name, prompt in filled_prompts(task).items() if name.startswith("ours")}
    assert list(versions) == ["ours (version 1), criteria 2", "ours (version 1), criteria 1"]
    with running(lambda _: Act(text="Grade: 1")) as endpoint:
        new = versions["ours (version 1), criteria 2"]
        judge = judge_at(endpoint.url, new.template)
        ask = ask_comparison(judge=judge, task=task, versions=versions, by=make_organizer(task.track))
        run_comparison(comparison_id=ask.pk)
        assert sum("1: New 1. of (fields)" in request.shown for request in endpoint.asked) == 6
        pool = task.pools.get()
        job = judged(judge, pool)
    qrels = published(job)
    assert (qrels.provenance["prompt_name"], qrels.provenance["prompt_source"]) == ("ours", "a book")


def test_a_judge_has_no_open_place_for_criteria() -> None:
    with refused("prompt-refused", match="Make the judge there"):
        judge_at("https://host/v1", CRITERIA)


@pytest.mark.usefixtures("counting")
def test_what_cannot_be_compared_is_refused(task: Task) -> None:
    with running() as endpoint:
        judge, by = judge_at(endpoint.url), make_organizer(task.track)
        with refused("versions-equal"):
            ask_comparison(judge=judge, task=task, versions=dict.fromkeys("ab", two()["kind"]), by=by)
        with pytest.raises(NothingToTry, match="answers in words"):
            ask_comparison(judge=make_judge(), task=task, versions=two(), by=by)
        with pytest.raises(NothingToTry, match="Freeze a pool"):
            ask_comparison(judge=judge, task=make_task(), versions=two(), by=by)


def test_twenty_pairs_are_the_same_each_time_and_those_that_people_graded(
    queued: list[tuple[str, int]],
) -> None:
    pool = make_image_pool(topic_count=6, image_count=8)
    with running() as endpoint:
        order: dict[str, Any] = {
            "judge": judge_at(endpoint.url),
            "task": pool.task,
            "versions": two(),
            "by": pool.created_by,
        }
        first, again = (ask_comparison(**order).rows for _ in range(2))
        assert first == again
        assert len(first) == PAIRS
        graded = sorted(pool.items.values_list("topic", "docno"))[:PAIRS]
        publish_people(pool, dict.fromkeys(graded, 1))
        third = ask_comparison(**order)
    assert [(row["topic"], row["docno"]) for row in third.rows] == graded
    queued.clear()
    Comparison.objects.filter(pk=third.pk).update(asked_at=Now() - FORGOTTEN)
    sweep()  # its message was lost
    assert ("judges.try_prompts", third.pk) in queued
