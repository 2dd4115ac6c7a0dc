"""Runs and rankings: constraints of the database, who sees them, and their first docnos."""

from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext

from evaluation.models import (
    Blob,
    MeasureValue,
    Phase,
    Qrels,
    QrelsPair,
    Ranking,
    Run,
    RunState,
    Track,
    User,
)
from tests.evaluation.readers import seen_by
from tests.factories import (
    make_assessor,
    make_blob,
    make_organizer,
    make_qrels,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_tag_names_one_accepted_run_of_a_task() -> None:
    task = make_task()
    make_run(task, tag="kestrel")
    make_run(task, tag="kestrel", state=RunState.WITHDRAWN)
    make_run(tag="kestrel")
    with pytest.raises(IntegrityError, match="run_tag_once_a_task"), transaction.atomic():
        make_run(task, tag="kestrel")


@pytest.mark.parametrize("tag", ["", ".hidden", "two words", "ümlaut", "a/b", "a\n"])
def test_accepted_run_has_a_tag_of_plain_characters(tag: str) -> None:
    run = make_run()
    with pytest.raises(IntegrityError, match="run_tag_iff_accepted"), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(tag=tag)


def test_verdict_comes_with_the_check() -> None:
    run = make_run(state=RunState.RECEIVED)
    with pytest.raises(IntegrityError, match="run_verdict_once_checked"), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(state=RunState.REJECTED)


def test_upload_is_never_changed_nor_deleted() -> None:
    run = make_run()
    with pytest.raises(ProgrammingError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(upload=make_blob(b"other"))
    with pytest.raises(ProgrammingError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(received_at=run.task.opens_at)
    with pytest.raises(ProgrammingError), transaction.atomic():
        Ranking.objects.filter(run=run).delete()
    with pytest.raises(ProgrammingError), transaction.atomic():
        Blob.objects.filter(pk=run.upload_id).update(size=0)


def test_ranking_packs_and_unpacks_without_a_bit_of_loss() -> None:
    docnos, scores = ["é", "a#b", "c"], np.array([np.nextafter(1, 2), -0.0, -1e-310])
    run = make_run(results={})
    Ranking.objects.create(run=run, topic="T1", **Ranking.pack(docnos, scores))
    found, values = Ranking.objects.get(run=run).unpack()
    assert found == docnos
    assert values.tobytes() == scores.tobytes()


def test_ranking_has_one_score_a_docno() -> None:
    run = make_run(results={})
    with pytest.raises(IntegrityError, match="ranking_one_score_a_docno"), transaction.atomic():
        Ranking.objects.create(run=run, topic="T1", **Ranking.pack(["a", "b"], np.array([1.0])))


def test_run_is_seen_by_its_team_and_organizers_until_the_release() -> None:
    task = make_task(phase=Phase.JUDGING)
    team = make_team(task.track)
    run = make_run(task, team)
    rows: list[Any] = [run, run.upload, run.rankings.earliest("pk")]
    for row in rows:
        assert seen_by(row, team) == {"organizer", "member"}
        assert not type(row)._default_manager.visible_to(make_user()).contains(row)
        assert type(row)._default_manager.visible_to(make_staff()).contains(row)


def test_released_runs_are_the_accepted_ones_and_not_for_assessors() -> None:
    task = make_task(phase=Phase.RELEASED)
    accepted = make_run(task)
    for state in (RunState.REJECTED, RunState.WITHDRAWN, RunState.REPLACED, RunState.RECEIVED):
        make_run(task, state=state)
    assert list(Run.objects.visible_to(AnonymousUser())) == [accepted]
    assert not Run.objects.visible_to(make_assessor(task.track)).exists()


def test_values_of_a_withdrawn_run_are_its_team_s_and_the_organizers() -> None:
    task = make_task(phase=Phase.RELEASED)
    team = make_team(task.track)
    run, qrels = make_run(task, team, state=RunState.WITHDRAWN), make_qrels(task)
    value = MeasureValue.objects.create(
        run=run, qrels=qrels, measure="AP", values=[1.0], mean=1.0, code_version="1"
    )
    for person in (make_team_member(team), make_organizer(task.track)):
        assert MeasureValue.objects.visible_to(person).get() == value
    assert not MeasureValue.objects.visible_to(make_user()).exists()


def test_file_of_a_run_is_everybody_s_if_the_track_publishes_runs_and_its_verdict_never() -> None:
    task = make_task(phase=Phase.JUDGING)
    team = make_team(task.track)
    make_run(task, team)
    make_run(make_task(task.track, phase=Phase.RELEASED), team, state=RunState.WITHDRAWN)

    def opened(person: User | AnonymousUser) -> list[tuple[bool, bool]]:
        runs = Run.objects.with_opened_to(person).order_by("pk")
        return [(run.is_opened, run.has_file) for run in runs]

    member, organizer, outsider = make_team_member(team), make_organizer(task.track), make_user()
    for is_public in (False, True):
        Track.objects.update(has_public_runs=is_public)
        assert opened(member) == opened(organizer) == [(True, True)] * 2
        assert opened(outsider) == [(False, False)] * 2
    released = make_task(task.track, phase=Phase.RELEASED)
    run = make_run(released, team)
    assert opened(outsider)[2:] == [(False, True)]
    assert list(Run.objects.published_to(outsider)) == [run]
    assert not Run.objects.published_to(make_assessor(task.track)).exists()
    Track.objects.update(has_public_runs=False)
    assert opened(outsider)[2:] == [(False, False)]


def test_qrels_are_immutable_and_a_gap_has_a_reason() -> None:
    qrels = make_qrels(make_task(), grades={("T1", "D1"): 1, ("T1", "D2"): None})
    changes: list[dict[str, Any]] = [{"version": 9}, {"provenance": {}}]
    for change in changes:
        with pytest.raises(ProgrammingError), transaction.atomic():
            Qrels.objects.filter(pk=qrels.pk).update(**change)
    with pytest.raises(ProgrammingError), transaction.atomic():
        QrelsPair.objects.filter(qrels=qrels).update(grade=0)
    with pytest.raises(IntegrityError, match="qrels_gap_has_a_reason"), transaction.atomic():
        QrelsPair.objects.create(qrels=qrels, topic="T9", docno="D9", grade=None, outcome="ok")
    with pytest.raises(IntegrityError, match="qrels_grade_needs_ok"), transaction.atomic():
        QrelsPair.objects.create(qrels=qrels, topic="T9", docno="D9", grade=0, outcome="refusal")


def test_current_qrels_are_the_latest_version_of_each_name() -> None:
    task = make_task()
    make_qrels(task, name="people")
    second, other = make_qrels(task, name="people", version=2), make_qrels(task, name="clip")
    elsewhere = make_qrels(make_task(), name="people")
    assert set(Qrels.objects.current()) == {second, other, elsewhere}
    assert str(second) == "people (version 2)"


LONG = [f"{'ä' * 120}{place}" for place in range(5)]


SHORT = [f"d{place}" for place in range(1000)]


@pytest.mark.parametrize("depth", [1, 3, 5, 20, 100, 1004, 5000])
def test_top_docnos_are_the_first_docnos_whatever_their_lengths(depth: int) -> None:
    results = {
        "even": SHORT,
        "long-first": LONG + SHORT,  # longer than the average: read a second time
        "long-last": SHORT + LONG,
        "few": SHORT[:3],
        "one": ["東京"],
    }
    run = make_run(make_task(), results=results)
    found = {(key, topic): docnos for key, topic, docnos in Ranking.objects.all().top_docnos(depth)}
    assert found == {(run.pk, topic): docnos[:depth] for topic, docnos in results.items()}


def test_top_docnos_fetch_little_more_than_the_docnos_asked_for() -> None:
    docnos = [f"projected-{place:08d}-000" for place in range(1000)]  # as in AToMiC, 22 characters
    make_run(make_task(), results={"T1": docnos})
    with CaptureQueriesContext(connection) as asked:
        ((_, _, found),) = Ranking.objects.all().top_docnos(20)
    assert found == docnos[:20]
    statement = asked.captured_queries[0]["sql"]
    with connection.cursor() as cursor:
        cursor.execute(statement[statement.index("SELECT") :])
        (row,) = cursor.fetchall()
    # 20 docnos with line feeds have 460 characters; by 8 each the row may be longer.
    assert max(len(str(cell)) for cell in row) <= 460 + 20 * 8
