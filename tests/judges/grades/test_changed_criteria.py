"""The criteria of a task change after a judge, a job, a mapping or published grades exist."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from evaluation.models import Criteria, Pool, Qrels, QrelsKind
from evaluation.results.reports.actions import compute_report
from evaluation.tracks.actions import save_criteria
from judges.models import Prompt
from judges.prompts.actions import create_prompt
from tests.factories import make_staff
from tests.judges.factories import (
    ScriptedGenerator,
    fitted,
    judged,
    make_generator,
    make_judge,
    published,
    run_to_end,
    started,
)
from tests.judges.grades.test_every_scale import grades_in, make_scaled_pool, people_of
from tests.marks import quick_only
from tests.refusals import refused
from trackside.errors import InputError
from trackside.judging.answers import read_answer
from trackside.judging.asking import Ask, Response
from trackside.judging.forms import answer_form
from trackside.judging.mappings.rules import AS_GIVEN, QUANTILES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]

LABELS = "labels:no=0, partly=1, yes=2"
STAGES = ["judge", "start", "run", "fit", "publish"]


def words_of(scale: Sequence[int], name: str = "Grade") -> list[dict[str, Any]]:
    return [{"grade": grade, "name": f"{name} {grade}", "text": ""} for grade in scale]


def change(pool: Pool, scale: Sequence[int], name: str = "Grade") -> Criteria:
    return save_criteria(task=pool.task, grades=words_of(scale, name), instructions="", level=scale[1])


def published_with(pool: Pool, prompt: Prompt, stage: str, edit: Callable[[], object]) -> Qrels:
    """Publish a judge's answers in labels; edit the criteria after the stage."""

    def after(done: str) -> None:
        if done == stage:
            edit()

    template = prompt.core.with_criteria(Criteria.objects.current(pool.task).words).template
    judge = make_generator(prompt=template, answer=LABELS)
    after("judge")
    job = started(judge, pool)
    after("start")
    job = run_to_end(job)
    after("run")
    mapping = fitted(job)
    assert mapping.rule == AS_GIVEN
    after("fit")
    qrels = published(job, mapping)
    after("publish")
    return Qrels.objects.get(pk=qrels.pk)


@pytest.mark.parametrize("stage", quick_only(STAGES, quick=["run", "publish"]))
@pytest.mark.parametrize("scale", [(0, 1, 2), (0, 1, 2, 3)], ids=["renamed", "one more grade"])
def test_a_judge_keeps_its_prompt_and_its_grades(stage: str, scale: tuple[int, ...]) -> None:
    labels = ("no", "partly", "yes")

    def respond(ask: Ask) -> Response:
        text = f"Grade: {labels[len(ScriptedGenerator.asked) % 3]}"
        return Response(ask.id, read_answer(text, "stop", answer_form(LABELS)), text=text)

    ScriptedGenerator.script = staticmethod(respond)
    pool = make_scaled_pool((0, 1, 2))
    prompt = create_prompt(
        name="by-criteria", template="{criteria}\n{fields}\n{image}", answer=LABELS, by=make_staff()
    )
    people_of(pool, (0, 1, 2))
    qrels = published_with(pool, prompt, stage, lambda: change(pool, scale, "Renamed"))
    assert "0: Grade 0.\n1: Grade 1.\n2: Grade 2." in qrels.provenance["prompt"]
    assert (qrels.provenance["prompt_name"], qrels.provenance["prompt_version"]) == ("by-criteria", 1)
    assert grades_in(qrels) <= {0, 1, 2}
    assert all(grade == score for grade, score in qrels.pairs.values_list("grade", "raw_score"))
    assert compute_report(task=pool.task) is not None


def test_a_scale_that_loses_a_grade_is_mapped_by_quantiles_and_refuses_older_mappings() -> None:
    pool = make_scaled_pool((0, 1, 2))
    judge = make_generator(answer="grade-0-2")
    job = started(judge, pool)
    change(pool, (0, 1))
    job = run_to_end(job)
    mapping = fitted(job)
    assert (mapping.rule, mapping.scale) == (QUANTILES, [0, 1])
    assert grades_in(published(job, mapping)) <= {0, 1}
    change(pool, (0, 2))
    with refused("mapping-of-another-scale"):
        published(job, mapping)


def test_a_judges_grades_can_be_published_again_on_another_scale() -> None:
    pool = make_scaled_pool((0, 1, 2))
    job = judged(make_judge(), pool)
    published(job)
    change(pool, (0, 1))
    people_of(pool, (0, 1))
    with pytest.raises(InputError, match=f"{job.judge.name}: .* not on people's scale .*publish again"):
        compute_report(task=pool.task)
    published(job)
    assert compute_report(task=pool.task) is not None


@pytest.mark.parametrize("scale", [(0, 1), (0, 1, 3)], ids=["lost", "another number"])
def test_a_grade_that_people_published_stays_on_the_scale(scale: tuple[int, ...]) -> None:
    pool = make_scaled_pool((0, 1, 2))
    qrels = people_of(pool, (0, 1, 2))
    kept = r"grade 2 in people \(version 1\), .*name and text"
    with refused("grade-published", match=kept):
        change(pool, scale)
    assert Criteria.objects.get(task=pool.task).scale == (0, 1, 2)
    assert grades_in(qrels) == {0, 1, 2}
    assert qrels.kind == QrelsKind.HUMAN
    assert change(pool, (0, 1, 2, 3), "Renamed").scale == (0, 1, 2, 3)
