"""Rules, imported grades, answers and the report on tasks with two to five grades."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from evaluation.models import Criteria, Phase, Pool, Qrels
from evaluation.results.reports.actions import compute_report
from judges.models import Mapping
from tests.factories import (
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
)
from tests.judges.factories import (
    ScriptedGenerator,
    fitted,
    import_file,
    judged,
    make_generator,
    make_judge,
    publish_people,
    published,
)
from tests.judges.pages.setting import address, text_of
from tests.refusals import refused
from trackside.judging.answers import Outcome, Reading, read_answer
from trackside.judging.asking import Ask, Response
from trackside.judging.forms import answer_form
from trackside.judging.mappings.rules import AS_GIVEN, BY_PEOPLE, EXPECTED, FIXED, rules_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]

TOPICS, DOCUMENTS = 6, 10


@pytest.fixture(params=[2, 3, 4, 5], ids=lambda count: f"{count} grades")
def scale(request: pytest.FixtureRequest) -> tuple[int, ...]:
    return tuple(range(request.param))


@pytest.fixture
def pool(scale: tuple[int, ...]) -> Pool:
    return make_scaled_pool(scale)


def make_scaled_pool(scale: tuple[int, ...]) -> Pool:
    """A pool of pictures in a task of the scale, with three runs, and people's grades."""
    task = make_task(phase=Phase.JUDGING, topic_count=TOPICS)
    grades = [{"grade": grade, "name": f"Grade {grade}", "text": ""} for grade in scale]
    Criteria.objects.filter(task=task).update(grades=grades)
    docnos = [f"D{place}" for place in range(DOCUMENTS)]
    for docno in docnos:
        make_document(task.collection, docno=docno, image=make_image())
    topics = [f"T{place}" for place in range(1, TOPICS + 1)]
    pool = make_pool(task, pairs=[(topic, docno) for topic in topics for docno in docnos])
    for place in range(3):
        turned = docnos[place * 3 :] + docnos[: place * 3]
        make_run(task, team=make_team(task.track), results=dict.fromkeys(topics, turned))
    return pool


def people_of(pool: Pool, scale: tuple[int, ...]) -> Qrels:
    pairs = pool.items.order_by("position").values_list("topic", "docno")
    grades = {pair: scale[(place * 7 // 3 + place) % len(scale)] for place, pair in enumerate(pairs)}
    return publish_people(pool, grades)


def grades_in(qrels: Qrels) -> set[int | None]:
    return set(qrels.pairs.graded().values_list("grade", flat=True))


def test_every_rule_publishes_grades_of_the_scale_and_the_report_is_computed(
    pool: Pool, scale: tuple[int, ...], client: Client
) -> None:
    people, by = people_of(pool, scale), pool.created_by
    job = judged(make_judge(), pool)
    assert fitted(job).rule == rules_of(scale)[0]
    for rule in rules_of(scale):
        if rule in {AS_GIVEN, EXPECTED}:  # cosines are no grades
            continue
        cuts = [place / 10 for place in range(len(scale) - 1)] if rule == FIXED else []
        mapping = fitted(job, rule=rule, people=people, cuts=cuts)
        qrels = published(job, mapping)
        assert grades_in(qrels) <= set(scale)
        if rule not in BY_PEOPLE:
            assert grades_in(qrels) == set(scale)

    assert compute_report(task=pool.task)

    client.force_login(by)
    for name in ("job_detail", "mapping_preview"):
        assert rules_of(scale)[0] in text_of(client.get(address(name, pool.task, job)))


def test_imported_grades_are_taken_as_given(pool: Pool, scale: tuple[int, ...]) -> None:
    people_of(pool, scale)
    pairs = list(pool.items.order_by("position").values_list("topic", "docno"))
    for turn, name in enumerate("abc"):
        changed = turn // 2
        grades = (scale[(place + changed * (place % 4 == 0)) % len(scale)] for place in range(len(pairs)))
        given = dict(zip(pairs, grades, strict=True))
        lines = (f"{topic} 0 {docno} {grade}\n" for (topic, docno), grade in given.items())
        job = import_file(name, "".join(lines), pool)
        mapping = fitted(job)
        qrels = published(job, mapping)
        assert mapping.rule == AS_GIVEN
        assert {(t, d): g for t, d, g in qrels.pairs.values_list("topic", "docno", "grade")} == given
    assert compute_report(task=pool.task)


@pytest.mark.parametrize("ending", ["", "-json", "labels"])
def test_answers_on_the_scale_are_its_grades(pool: Pool, scale: tuple[int, ...], ending: str) -> None:
    labels = ", ".join(
        f"{word}={grade}" for word, grade in zip(("no", "a", "b", "c", "yes"), scale, strict=False)
    )
    answer = f"labels:{labels}" if ending == "labels" else f"grade-0-{scale[-1]}{ending}"
    form = answer_form(answer)
    turn = iter(range(TOPICS * DOCUMENTS))

    def respond(ask: Ask) -> Response:
        grade = scale[next(turn) % len(scale)]
        word = next((label for label, score in form.labels if score == grade), grade)
        text = f'{{"grade": {grade}}}' if ending == "-json" else f"Grade: {word}"
        return Response(ask.id, read_answer(text, "stop", form), text=text)

    ScriptedGenerator.script = staticmethod(respond)
    job = judged(make_generator(answer=answer), pool)
    mapping = fitted(job)
    qrels = published(job, mapping)
    assert mapping.rule == AS_GIVEN
    assert [*qrels.pairs.filter(grade=None)] == []
    assert all(grade == score for grade, score in qrels.pairs.values_list("grade", "raw_score"))
    assert grades_in(qrels) == set(scale)


def test_no_grade_off_the_scale_is_published() -> None:
    pool = make_scaled_pool((0, 1))
    with refused("grade-off-scale", match="are not on the scale 0, 1"):
        people_of(pool, (0, 1, 2))
    assert not Qrels.objects.exists()


def test_scores_that_are_no_grades_are_not_published_as_given() -> None:
    pool = make_scaled_pool((0, 1, 2, 3))
    later = make_pool(pool.task, pairs=[("T1", "D1"), ("T1", "D2")])
    scores = iter([1.5, 1.0, *[2.0] * TOPICS * DOCUMENTS])
    script = staticmethod(lambda ask: Response(ask.id, Reading(Outcome.OK, next(scores))))
    ScriptedGenerator.script = script
    judge = make_generator(answer="grade-0-3")
    first, job = judged(judge, later), judged(judge, pool)
    mapping = fitted(first, rule="fixed-cuts", cuts=(0.5, 1.2, 2.5))
    assert grades_in(published(first, mapping)) == {1, 2}
    given = Mapping.objects.create(
        judge=judge,
        pool=later,
        rule=AS_GIVEN,
        version=1,
        scale=[0, 1, 2, 3],
        score_count=1,
        created_by=pool.created_by,
    )
    with refused("score-off-scale", match="1 of 60 scores"):
        published(job, given)


def test_cuts_of_a_mapping_fit_its_scale() -> None:
    pool = make_scaled_pool((0, 1, 2))
    mapping = {"pool": pool, "judge": make_judge(), "version": 1, "score_count": 1}
    by = make_organizer(pool.task.track)
    for thresholds in ([0.5], [0.7, 0.5], []):
        with pytest.raises(IntegrityError, match="rising cut"), transaction.atomic():
            Mapping.objects.create(**mapping, rule="fixed-cuts", thresholds=thresholds, created_by=by)
