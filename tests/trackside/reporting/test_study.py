"""The arrays of a study against evaluate(), which agrees with trec_eval."""

import io

import numpy as np
import pytest

from tests.refusals import refused
from tests.trackside.reporting.study import graded_set, ranking, run_list, small_study, true_grades
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate
from trackside.measuring.lookup import ABSENT
from trackside.reporting.design import Design
from trackside.reporting.study import study_of


def test_study_has_the_values_that_evaluate_gives() -> None:
    study, truth = small_study(), true_grades()
    expected = evaluate(
        [ranking(number, truth) for number in range(6)], [each.qrels for each in study.sets], study.measures
    )
    assert study.values == pytest.approx(expected.values.transpose(1, 3, 0, 2), nan_ok=True)
    assert study.means(2, 1) == pytest.approx(expected.means()[:, 2, 1])


def test_study_values_under_fewer_judgments_are_those_of_a_shorter_file() -> None:
    study, truth = small_study(), true_grades()
    is_kept = np.array([docno < "d06" for docno in study.docnos])
    kept = {
        topic: {docno: grade for docno, grade in own.items() if docno < "d06"} for topic, own in truth.items()
    }
    expected = evaluate([ranking(3, truth)], Qrels.from_dict(kept), study.measures)
    found = study.judgments(np.where(is_kept, study.grades[0], ABSENT)).values(
        study.retrieved[3], study.measures
    )
    assert found == pytest.approx(expected.values[0, 0].T)


def test_study_shares_topics_and_pairs() -> None:
    study = small_study()
    assert study.shared_topics(0, 1).tolist() == [0, 1, 2, 3]
    assert study.shared_pairs(0, 1).size == 4 * 12


def test_study_refuses_a_docno_named_twice_as_evaluate_does() -> None:
    lines = "".join(
        f"T0 Q0 {docno} 1 {score} twice\n" for docno, score in (("d00", 9), ("d01", 8), ("d00", 7))
    )
    twice = Rankings.from_file(io.BytesIO(lines.encode()))
    people = graded_set("people", true_grades(), "human")
    with refused("duplicate-docno", match="run twice: topic T0 names d00 twice"):
        study_of(Design((0, 1, 2), 1, ("AP",)), None, [twice], [people])


def test_study_wants_runs_that_are_listed() -> None:
    truth = true_grades()
    design = Design((0, 1, 2), 1, ("AP",))
    people = [graded_set("people", truth, "human")]
    with pytest.raises(InputError, match="no runs"):
        study_of(design, run_list(), [], people)
    with pytest.raises(InputError, match="run5"):
        study_of(design, run_list()[:5], [ranking(5, truth)], people)


def test_runs_are_compared_by_the_pairs_that_both_grade() -> None:
    truth = true_grades()
    some = {topic: dict(list(own.items())[::5]) for topic, own in truth.items()}  # the same grades of fewer
    sets = [graded_set("people", truth, "human"), graded_set("again", some, "second")]
    design = Design((0, 1, 2), 1, ("nDCG@10", "AP"))
    study = study_of(design, run_list(), (ranking(number, truth) for number in range(6)), sets)
    expected = evaluate(
        [ranking(number, truth) for number in range(6)], Qrels.from_dict(some), study.measures
    )
    for at in range(2):
        peoples, again = study.shared_values(at, 0, 1).values
        assert peoples == pytest.approx(expected.values[:, 0, :, at])
        assert again == pytest.approx(peoples)


def test_topics_without_a_pair_of_both_are_not_shared() -> None:
    truth = true_grades()
    other = {topic: {f"e{topic}": 1} for topic in list(truth)[:3]} | {"T3": truth["T3"]}
    sets = [graded_set("people", truth, "human"), graded_set("other", other)]
    design = Design((0, 1, 2), 1, ("AP",))
    study = study_of(design, run_list(), (ranking(number, truth) for number in range(6)), sets)
    assert study.shared_topics(0, 1).tolist() == [3]
    assert study.shared_values(0, 0, 1).topics.tolist() == [3]
