"""Ensembles of judges."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.refusals import refused
from trackside.judging.ensembles import (
    CombinationRule,
    Composition,
    EnsembleMember,
    FinishedPair,
    MemberAgreement,
    agreement,
    combine,
    composition_of,
    ensemble_facts,
)
from trackside.judging.inputs import Gap

BY = {"id": 1, "rule": "paper-2024", "version": 1, "pool": "first", "thresholds": [0.25, 0.5]}

GRADED = tuple(EnsembleMember(name, name * 64, BY) for name in "abc")

MAJORITY = Composition(CombinationRule.MAJORITY, GRADED, 2, "b")

# As older releases stored an ensemble of thresholds fitted on people's grades.
VOTES = Composition(
    "votes",
    tuple(
        EnsembleMember(name, name * 64, {"score": 0.5, "f1": 0.8, "pair_count": 10, "relevant_count": 4})
        for name in "abc"
    ),
    2,
    "c",
    {"qrels": "people (version 1)", "sha256": "f" * 64, "task": 3, "level": 2, "topics": ["T1", "T9"]},
)

NAN = float("nan")


# Three judges on six pairs. By hand: two 1s beat a 2; 0, 1, 2 are even and the first judge decides; 2, 2
# without the first; one grade alone is below a quorum of two; 0 against 1 is a tie of two that the first
# decides; 1 against 2 is one that nobody decides, since the first has no grade.
BALLOTS = np.array([[1, 1, 2], [0, 1, 2], [NAN, 2, 2], [NAN, NAN, 1], [0, 1, NAN], [NAN, 1, 2]])


def test_majority_is_the_most_common_grade_and_the_tie_breaker_decides() -> None:
    found = combine(BALLOTS, is_mean=False, quorum=2, tie_breaker=0)

    np.testing.assert_array_equal(found.scores, [1, 0, 2, NAN, 0, NAN])
    assert found.gaps == (None, None, None, Gap.TOO_FEW_MEMBERS, None, Gap.TIED)
    assert found.agreeing.tolist() == [2, 1, 2, 1, 1, 1]
    assert found.present.tolist() == [3, 3, 2, 1, 2, 2]


def test_tie_breaker_decides_only_between_the_grades_that_lead() -> None:
    # 0, 0, 2, 2 and the tie-breaker's 1: it is none of those that lead.
    found = combine(np.array([[1, 0, 0, 2, 2.0]]), is_mean=False, quorum=1, tie_breaker=0)

    assert np.isnan(found.scores).all()
    assert found.gaps == (Gap.TIED,)


def test_mean_is_over_the_members_that_have_a_grade() -> None:
    found = combine(BALLOTS, is_mean=True, quorum=2, tie_breaker=0)

    np.testing.assert_allclose(found.scores, [4 / 3, 1, 2, NAN, 0.5, 1.5])
    assert found.gaps == (None, None, None, Gap.TOO_FEW_MEMBERS, None, None)
    np.testing.assert_allclose(found.means, [4 / 3, 1, 2, 1, 0.5, 1.5])
    nothing = combine(np.full((2, 3), NAN), is_mean=True, quorum=1, tie_breaker=0)
    assert nothing.gaps == (Gap.TOO_FEW_MEMBERS, Gap.TOO_FEW_MEMBERS)
    assert np.isnan(nothing.scores).all()


@pytest.mark.parametrize(
    ("agreeing", "present", "expected"),
    [
        (5, 5, MemberAgreement.UNANIMOUS),
        (4, 5, MemberAgreement.MAJORITY),
        (3, 5, MemberAgreement.SPLIT),
        (3, 3, MemberAgreement.UNANIMOUS),
        (2, 3, MemberAgreement.SPLIT),
        (3, 4, MemberAgreement.MAJORITY),
        (2, 4, MemberAgreement.SPLIT),
        (1, 2, MemberAgreement.SPLIT),
    ],
)
def test_agreement_follows_from_the_number_of_equal_ballots(
    agreeing: int, present: int, expected: MemberAgreement
) -> None:
    assert agreement(agreeing, present) is expected


@pytest.mark.parametrize("composition", [MAJORITY, VOTES])
def test_composition_survives_json(composition: Composition) -> None:
    assert composition_of(json.loads(json.dumps(composition.decoding))) == composition


def test_tie_breaker_is_a_column_of_the_ballots() -> None:
    assert (MAJORITY.tie_breaker_place, VOTES.tie_breaker_place) == (1, 2)


def test_stored_ensemble_by_an_older_rule_can_be_read_but_not_used() -> None:
    with refused("composition-refused", match='"votes" keep their grades'):
        composition_of(VOTES.decoding).checked()


@pytest.mark.parametrize(
    "changes",
    [
        {"members": GRADED[:1], "quorum": 1, "tie_breaker": "a"},
        {"members": GRADED + GRADED[:1]},
        {"members": tuple(EnsembleMember(str(n), "", BY) for n in range(9)), "tie_breaker": "1"},
        {"quorum": 0},
        {"quorum": 4},
        {"tie_breaker": "d"},
    ],
)
def test_invalid_composition_is_refused(changes: dict[str, Any]) -> None:
    with refused("composition-refused"):
        replace(MAJORITY, **changes).checked()


@pytest.mark.parametrize("decoding", [{}, {"rule": "mean"}, MAJORITY.decoding | {"members": [{}]}])
def test_settings_without_a_composition_are_refused(decoding: dict[str, Any]) -> None:
    with refused("composition-refused", match="on the page of its task"):
        composition_of(decoding)


SAID: dict[tuple[str, str], tuple[str, list[int | None]]] = {
    ("T2", "D1"): ("ok", [2, 2, 2]),
    ("T1", "D2"): ("ok", [0, 1, 1]),
    ("T1", "D1"): ("ok", [0, None, 0]),
    ("T1", "D3"): (Gap.TOO_FEW_MEMBERS, [1, None, None]),
    ("T9", "D1"): (Gap.HELD_OUT, [1, 2, 0]),
}
ANSWERS = [
    FinishedPair(*pair, outcome, json.dumps(dict(zip("abc", ballots, strict=True))))
    for pair, (outcome, ballots) in SAID.items()
]


def test_facts_hash_what_each_member_gave_as_a_qrels_file() -> None:
    first, second, _ = ensemble_facts(MAJORITY, ANSWERS).shares

    lines = "T1 0 D1 0\nT1 0 D2 0\nT1 0 D3 1\nT2 0 D1 2\nT9 0 D1 1\n"
    assert (first.graded_count, first.sha256) == (5, hashlib.sha256(lines.encode()).hexdigest())
    lines = "T1 0 D2 1\nT2 0 D1 2\nT9 0 D1 2\n"
    assert (second.graded_count, second.sha256) == (3, hashlib.sha256(lines.encode()).hexdigest())


def test_facts_count_the_scored_pairs_by_agreement_without_those_held_out() -> None:
    facts = ensemble_facts(MAJORITY, ANSWERS)

    # 2 2 2 and 0 - 0 agree wholly; 0 1 1 is two of three.
    assert facts.agreement == {
        MemberAgreement.UNANIMOUS: 2,
        MemberAgreement.MAJORITY: 0,
        MemberAgreement.SPLIT: 1,
    }
    assert ensemble_facts(replace(MAJORITY, rule=CombinationRule.MEAN), ANSWERS).agreement == {}
    nothing = ensemble_facts(MAJORITY, [])
    assert [share.graded_count for share in nothing.shares] == [0, 0, 0]
    assert sum(nothing.agreement.values()) == 0


def test_facts_of_an_older_rule_count_its_agreement() -> None:
    answers = [FinishedPair("T1", "D1", "ok", json.dumps({"a": 2, "b": 2, "c": 0}))]

    facts = ensemble_facts(VOTES, answers)

    assert facts.agreement[MemberAgreement.SPLIT] == 1
    assert facts.shares[0].member.by["f1"] == 0.8
