"""The five questions on small tracks with known answers of scipy, statsmodels, linearmodels, clubSandwich."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.shared import shared_folder
from trackside.files import Qrels, Rankings
from trackside.findings.results import FamilyFinding, JudgeFindings
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.questions import judge_findings
from trackside.reporting.study import Study, study_of
from trackside.statistics.estimate import Reason

MEASURES = ("nDCG@10", "AP(rel=1)", "P(rel=1)@10")
SEEDS = 8


def graded_set(grades: dict[str, dict[str, int]], name: str, kind: str) -> GradedSet:
    qrels = Qrels.from_dict(grades, name=name)
    return GradedSet(SetFacts.of(qrels, kind), qrels)


@dataclass(frozen=True)
class Case:
    track: dict[str, Any]

    @property
    def expected(self) -> dict[str, Any]:
        expected: dict[str, Any] = self.track["expected"]
        return expected

    def study(self, seed: int) -> Study:
        runs = self.track["runs"]
        sets = [graded_set(self.track["people"], "people", "human")]
        if self.track["second"]:
            sets.append(graded_set(self.track["second"], "second", "second"))
        sets.append(graded_set(self.track["judge"], "judge", "model"))
        described = [ReportRun(tag, run["team"], tuple(run["families"])) for tag, run in runs.items()]
        rankings = [
            Rankings.from_dict(
                {
                    topic: {docno: float(-rank) for rank, docno in enumerate(docnos)}
                    for topic, docnos in run["results"].items()
                },
                tag=tag,
            )
            for tag, run in runs.items()
        ]
        design = Design(
            scale=tuple(self.track["scale"]), level=self.track["level"], measures=MEASURES, seed=seed
        )
        return study_of(design, described, rankings, sets)


@cache
def findings(path: Path, seed: int) -> JudgeFindings:
    study = Case(json.loads(path.read_text())).study(seed)
    return judge_findings(study, study.judges[0], hardly_graded(study))


def check(value: float | None, expected: float | None, tolerance: float = 1e-9) -> None:
    """Equal, both undefined, or within the tolerance; large values relatively."""
    if expected is None:
        assert value is None
    else:
        assert value == pytest.approx(expected, abs=tolerance, rel=tolerance)


def check_orders(judge: JudgeFindings, expected: dict[str, Any], resampled: list[JudgeFindings]) -> None:
    for measure, order in expected.items():
        finding = judge.order(measure)
        check(finding.tau, order["tau"])
        assert (finding.verdict, finding.reason) == (order["verdict"], order.get("reason"))
        for name in ("told", "kept", "reversed", "missed", "added"):
            assert (finding.pairs and getattr(finding.pairs, name)) == order[f"pairs_{name}"]
        for end in ("low", "high"):
            values = [getattr(each.order(measure), end) for each in resampled]
            mean = None if None in values else sum(values) / len(values)
            check(mean, order[end], order.get("mc_tolerance") or 1e-9)


def check_grades(judge: JudgeFindings, expected: dict[str, Any]) -> None:
    """Kappa of both, and their difference on the pairs that all graded; undefined for a constant judge."""
    check(judge.grades.kappa, expected["kappa"])
    label = judge.uses.label
    if label.reason is Reason.CONSTANT_GRADES:
        return
    for name in ("second_kappa", "difference", "low_difference", "high_difference"):
        check(getattr(label, name), expected.get(name))
    check(label.judge_kappa, expected.get("kappa_on_these_pairs"))


def check_families(judge: JudgeFindings, expected: dict[str, Any]) -> None:
    for measure, families in expected.items():
        for family, excess in families.items():
            finding = judge.family(measure, family)
            assert finding is not None
            assert (finding.verdict, finding.reason) == (excess["verdict"], excess.get("reason"))
            for name in ("excess", "low", "high", "p", "p_holm"):
                check(getattr(finding, name), excess.get(name))
            general = excess["in_general"]
            assert (finding.general.verdict, finding.general.reason) == (
                general["verdict"],
                general.get("reason"),
            )
            for name in ("error", "freedom", "p"):
                check(getattr(finding.general, name), general.get(name))
            if "visible_share" in excess:
                check(finding.visible_share, excess["visible_share"])
            if "favour" in excess:
                check_takes(finding, excess)


def check_takes(finding: FamilyFinding, expected: dict[str, Any]) -> None:
    takes, answer = finding.takes, expected["favour"]
    assert takes is not None
    numbers = ("corrected", "corrected_low", "corrected_high")
    found = takes.people and (takes.people.corrected, takes.people.low, takes.people.high)
    for value, name in zip(found or (None,) * 3, numbers, strict=True):
        check(value, answer.get(name))
    stages = answer.get("first_stage")
    check(takes.people.first_stage if takes.people else None, min(stages) if stages else None)
    if finding.tipping is not None:
        check(finding.tipping.candidate_count, expected["tipping"]["items"])
        check(finding.tipping.fewest, expected["tipping"]["fewest"])
        check(finding.tipping.share, expected["tipping"]["tipping_point"])


def test_the_five_questions_have_their_known_answers() -> None:
    paths = sorted(shared_folder("cases", "statistics3").glob("*.json"))
    assert len(paths) >= 8
    for path in paths:
        expected = json.loads(path.read_text())["expected"]
        resampled = [findings(path, seed) for seed in range(1, SEEDS + 1)]
        check_orders(resampled[0], expected["order"], resampled)
        check_grades(resampled[0], expected["grades"])
        check_families(resampled[0], expected["families"])
