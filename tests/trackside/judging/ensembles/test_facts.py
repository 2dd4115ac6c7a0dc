import hashlib
import json
from dataclasses import replace

from tests.trackside.judging.ensembles.compositions import MAJORITY, VOTES
from trackside.judging.ensembles.ballots import CombinationRule, MemberAgreement
from trackside.judging.ensembles.facts import FinishedPair, ensemble_facts
from trackside.judging.inputs import Gap

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


def test_facts_of_a_mean_have_no_agreement() -> None:
    assert ensemble_facts(replace(MAJORITY, rule=CombinationRule.MEAN), ANSWERS).agreement == {}


def test_facts_of_an_older_rule_count_its_agreement() -> None:
    answers = [FinishedPair("T1", "D1", "ok", json.dumps({"a": 2, "b": 2, "c": 0}))]

    facts = ensemble_facts(VOTES, answers)

    assert facts.agreement[MemberAgreement.SPLIT] == 1
    assert facts.shares[0].member.by["f1"] == 0.8


def test_facts_of_nothing_are_empty() -> None:
    facts = ensemble_facts(MAJORITY, [])

    assert [share.graded_count for share in facts.shares] == [0, 0, 0]
    assert sum(facts.agreement.values()) == 0
