"""Answer the questions of a study: the findings of each judge, and of the second assessors."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.findings.excess import delta_of, excesses_of, family_verdict, general_finding
from trackside.findings.favour import exposure_of, takes_finding, tipping_finding, visible_share
from trackside.findings.grades import grade_finding
from trackside.findings.order import order_finding
from trackside.findings.results import (
    DifferFinding,
    FamilyFinding,
    JudgeFindings,
    OrderFinding,
    TakesFinding,
    TwiceGraded,
    YardstickFinding,
)
from trackside.findings.retrieved import run_means
from trackside.findings.run_blind import expected_values
from trackside.findings.third import deciding_pairs, third_finding
from trackside.findings.use_results import HardlyGraded
from trackside.findings.uses.pairs import ComparedPairs
from trackside.measuring import parse_measure
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.uses import compared_pairs, uses_of
from trackside.statistics.agreement import confusions_by_topic
from trackside.statistics.comparison.multiplicity import adjust
from trackside.statistics.estimate import Reason

MOST_PAIRS = 24  # on which people and a judge differ most


def judge_findings(study: Study, judge: int, hardly: HardlyGraded) -> JudgeFindings:
    """Answer the questions for one judge. Raises InputError."""
    second = second_assessor(study, judge)
    return JudgeFindings(
        name=study.name(judge),
        orders=orders_of(study, judge),
        grades=grade_finding(confusions(study, PEOPLE, judge), study.design.scale),
        uses=uses_of(study, judge, hardly),
        families=family_findings(study, judge, second),
        differs=_differ_finding(study, judge),
    )


def yardstick_finding(study: Study, second: int, hardly: HardlyGraded) -> YardstickFinding:
    """Compare a second assessor with people, as a judge is compared."""
    matrices = confusions(study, PEOPLE, second)
    return YardstickFinding(
        name=study.name(second),
        orders=orders_of(study, second),
        grades=grade_finding(matrices, study.design.scale),
        uses=uses_of(study, second, hardly),
    )


def second_assessor(study: Study, judge: int) -> int | None:
    """The second assessor with the most pairs that people and the judge graded, too; None without any.

    Of two with as many it is the first by name, whatever the order of the files.
    """
    counts = {second: study.shared_pairs(PEOPLE, judge, second).size for second in study.seconds}
    by_name = sorted(counts, key=study.name)
    return max(by_name, key=lambda second: counts[second], default=None)


def orders_of(study: Study, judge: int) -> tuple[OrderFinding, ...]:
    """Compare the orders of the runs by each measure."""
    findings = []
    for index, measure in enumerate(study.measures):
        shared = study.shared_values(index, PEOPLE, judge)
        counts = study.counts(shared.topics.size) if shared.topics.size else np.empty((0, 0), np.int64)
        runs = shared.runs if shared.topics.size else range(len(study.runs))
        teams = study.teams_of(runs)
        finding = order_finding(
            measure, *shared.values, teams=teams, counts=counts, margins=study.design.margins
        )
        by_people, by_judge = (run_means(shared, set_index, len(study.runs)) for set_index in (0, 1))
        findings.append(replace(finding, people_means=by_people, judge_means=by_judge))
    return tuple(findings)


def confusions(study: Study, one: int, two: int) -> Ints:
    """Matrices [topic, grade of one, grade of two] of the pairs that both graded."""
    pairs = study.shared_pairs(one, two)
    grades = study.grades[one][pairs], study.grades[two][pairs]
    return confusions_by_topic(*grades, study.topic_of_pair[pairs], study.design.scale)


@dataclass(frozen=True)
class _Compared:
    """The pairs that people and a judge graded, as indices of the study's, with their grades and results."""

    study: Study
    judge: int
    pairs: Ints
    graded: ComparedPairs

    def blind(self, measure: str, runs: Ints) -> Floats:
        """Values [run, topic] of these runs expected under run-blind judges."""
        results = [self.graded.results[run] for run in runs]
        return expected_values(parse_measure(measure), self.graded.cells, results, seed=self.graded.seed)


def family_findings(study: Study, judge: int, second: int | None) -> tuple[FamilyFinding, ...]:
    """Compare the judge's grades of each declared family with people's, by each measure."""
    pairs = study.shared_pairs(PEOPLE, judge)
    compared = _Compared(study, judge, pairs, compared_pairs(study, judge, pairs))
    members = {family: study.in_family(family) for family in study.declared_families}
    exposures = {
        family: exposure_of(compared.graded.results, is_in, pairs.size) for family, is_in in members.items()
    }
    findings = []
    for index in range(len(study.measures)):
        findings += _families_by(compared, index, members, exposures)
    first = study.measures[0]
    return tuple(
        _with_takes(compared, finding, exposures[finding.family], second)
        if finding.measure == first
        else finding
        for finding in findings
    )


def _families_by(
    compared: _Compared, index: int, members: Mapping[str, Flags], exposures: Mapping[str, Floats]
) -> list[FamilyFinding]:
    """The findings of all families by one measure; their intervals share the level of error."""
    study = compared.study
    shared = study.shared_values(index, PEOPLE, compared.judge)
    people, judge = shared.values
    blind = compared.blind(study.measures[index], shared.runs)
    cells = compared.graded.cells
    families = {family: is_in[shared.runs] for family, is_in in members.items()}
    excesses, level = excesses_of(judge, blind, families, is_constant=cells.is_constant)
    holm = adjust([excess.p for excess in excesses.values()], "holm")
    findings = []
    for (family, excess), p_holm in zip(excesses.items(), holm, strict=True):
        is_in = families[family]
        visible = visible_share(cells, exposures[family])
        low, high = excess.ends(level)
        verdict, reason = family_verdict(low, high, margin=study.design.margins.points, visible=visible)
        teams = study.teams_of(shared.runs)
        general = general_finding(judge, blind, is_in, teams=teams, excess=excess, verdict=verdict)
        finding = FamilyFinding(
            measure=study.measures[index],
            family=family,
            excess=excess.value,
            low=low,
            high=high,
            level=level,
            p=excess.p,
            p_holm=p_holm,
            people_delta=delta_of(people, is_in),
            judge_delta=delta_of(judge, is_in),
            visible_share=visible,
            verdict=verdict,
            general=general,
            reason=excess.reason or reason,
        )
        findings.append(finding)
    return findings


def _with_takes(
    compared: _Compared, finding: FamilyFinding, exposure: Floats, second: int | None
) -> FamilyFinding:
    """Add how far people would have to err, or where the second assessor cannot tell, the tipping point."""
    takes = TakesFinding(reason=Reason.NO_SECOND_ASSESSOR)
    if second is not None:
        untested = None if finding.p is not None else finding.reason
        grades = compared.study.grades[second][compared.pairs]
        takes = takes_finding(
            compared.graded.cells, grades, exposure, verdict=finding.verdict, reason=untested
        )
    order = compared.study.pair_order[compared.pairs]
    tipping = None if takes.too_low is not None else tipping_finding(compared.graded.cells, exposure, order)
    finding = replace(finding, takes=takes, tipping=tipping)
    is_sided = finding.verdict.is_above or finding.verdict.is_below
    return _with_third(compared, finding, exposure, second) if is_sided else finding


def _with_third(
    compared: _Compared, finding: FamilyFinding, exposure: Floats, second: int | None
) -> FamilyFinding:
    """Add the results that decide most, and what a third person's grades of them say."""
    study, cells = compared.study, compared.graded.cells
    sign = 1 if finding.verdict.is_above else -1
    order = study.pair_order[compared.pairs]
    chosen = deciding_pairs(cells.people, cells.judge, exposure, order, sign=sign)
    pairs = compared.pairs[chosen]
    deciding = tuple(
        TwiceGraded(
            topic=study.topics[study.topic_of_pair[pair]],
            docno=study.docnos[pair],
            people=int(study.grades[PEOPLE][pair]),
            judge=int(study.grades[compared.judge][pair]),
        )
        for pair in pairs.tolist()
    )
    finding = replace(finding, deciding=deciding)
    third = np.array([study.design.third.get(pair.topic, {}).get(pair.docno, -1) for pair in deciding])
    if finding.takes is None or not (third >= 0).any():
        return finding
    graders = [study.grades[index][pairs] for index in (PEOPLE, *([] if second is None else [second]))]
    said = third_finding(
        cells.topics[chosen], graders, cells.judge[chosen], third, exposure[chosen], finding.takes
    )
    return replace(finding, third=said)


def _differ_finding(study: Study, judge: int) -> DifferFinding:
    """Count the pairs with the largest difference between the grades; keep MOST_PAIRS, topic after topic."""
    pairs = study.in_pair_order(study.shared_pairs(PEOPLE, judge))
    people, model = study.grades[[PEOPLE, judge]][:, pairs].astype(int)
    gaps = np.abs(people - model)
    gap = int(gaps.max(initial=0))
    if gap == 0:
        return DifferFinding()
    of_topics: dict[str, list[TwiceGraded]] = {}
    farthest = np.flatnonzero(gaps == gap)
    for row in farthest.tolist():
        pair = int(pairs[row])
        topic = study.topics[study.topic_of_pair[pair]]
        of_topics.setdefault(topic, []).append(
            TwiceGraded(topic=topic, docno=study.docnos[pair], people=int(people[row]), judge=int(model[row]))
        )
    in_turn = chain.from_iterable(zip_longest(*of_topics.values()))
    examples = tuple(pair for pair in in_turn if pair)[:MOST_PAIRS]
    return DifferFinding(gap=gap, pair_count=farthest.size, pairs=examples)
