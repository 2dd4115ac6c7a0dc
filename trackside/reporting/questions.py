"""Answer the questions of a study: the findings of each judge, and of the second assessors."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, zip_longest

import numpy as np

from trackside.arrays import Flags, Floats, Ints, value_or_none
from trackside.findings.excess import (
    ALPHA,
    excess_of,
    family_verdict,
    general_finding,
    relative_delta,
)
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
from trackside.findings.retrieved import Retrieved, means_of, run_means
from trackside.findings.run_blind import Cells, expected_values
from trackside.findings.third import deciding_pairs, third_finding
from trackside.findings.use_results import HardlyGraded
from trackside.measuring import parse_measure
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.uses import uses_of
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
    """A judge's shared pairs and what each run retrieved of them."""

    study: Study
    judge: int

    @cached_property
    def pairs(self) -> Ints:
        """The pairs that people and the judge graded."""
        return self.study.shared_pairs(PEOPLE, self.judge)

    @cached_property
    def topics(self) -> Ints:
        """The topics of these pairs, as indices into the study's."""
        return np.unique(self.study.topic_of_pair[self.pairs])

    @cached_property
    def cells(self) -> Cells:
        """The pairs by topic and people's grade."""
        topics = np.searchsorted(self.topics, self.study.topic_of_pair[self.pairs])
        people, judge = (self.study.grades[set_index][self.pairs] for set_index in (PEOPLE, self.judge))
        return Cells(topics, people, judge, self.topics.size)

    @cached_property
    def results(self) -> list[Retrieved]:
        """The results of each run of the study."""
        index_of_pair = np.full(self.study.topic_of_pair.size, -1)
        index_of_pair[self.pairs] = np.arange(self.pairs.size)
        return [run.among(index_of_pair, self.topics) for run in self.study.retrieved]

    def blind(self, measure: str, runs: Ints) -> Floats:
        """Values [run, topic] of these runs expected under run-blind judges."""
        results = [self.results[run] for run in runs]
        return expected_values(parse_measure(measure), self.cells, results, seed=self.study.design.seed)


def family_findings(study: Study, judge: int, second: int | None) -> tuple[FamilyFinding, ...]:
    """Compare the judge's grades of each declared family with people's, by each measure."""
    compared = _Compared(study, judge)
    members = {family: study.in_family(family) for family in study.declared_families}
    exposures = {
        family: exposure_of(compared.results, is_in, compared.pairs.size) for family, is_in in members.items()
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
    excesses = {
        family: excess_of(judge, blind, is_in[shared.runs], is_constant=compared.cells.is_constant)
        for family, is_in in members.items()
    }
    holm = adjust([excess.p for excess in excesses.values()], "holm")
    level = 1 - ALPHA / max(sum(excess.p is not None for excess in excesses.values()), 1)
    findings = []
    for (family, excess), p_holm in zip(excesses.items(), holm, strict=True):
        is_in = members[family][shared.runs]
        visible = visible_share(compared.cells, exposures[family])
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
            people_delta=_delta(people, is_in),
            judge_delta=_delta(judge, is_in),
            visible_share=visible,
            verdict=verdict,
            general=general,
            reason=excess.reason or reason,
        )
        findings.append(finding)
    return findings


def _delta(values: Floats, is_in: Flags) -> float | None:
    """Relative Delta of the family by these values [run, topic]; None if it is undefined."""
    if is_in.all() or not is_in.any() or not values.shape[1]:
        return None
    return value_or_none(float(relative_delta(means_of(values), is_in)))


def _with_takes(
    compared: _Compared, finding: FamilyFinding, exposure: Floats, second: int | None
) -> FamilyFinding:
    """Add how far people would have to err, or where the second assessor cannot tell, the tipping point."""
    takes = TakesFinding(reason=Reason.NO_SECOND_ASSESSOR)
    if second is not None:
        untested = None if finding.p is not None else finding.reason
        grades = compared.study.grades[second][compared.pairs]
        takes = takes_finding(compared.cells, grades, exposure, verdict=finding.verdict, reason=untested)
    order = compared.study.pair_order[compared.pairs]
    tipping = None if takes.too_low is not None else tipping_finding(compared.cells, exposure, order)
    finding = replace(finding, takes=takes, tipping=tipping)
    is_sided = finding.verdict.is_above or finding.verdict.is_below
    return _with_third(compared, finding, exposure, second) if is_sided else finding


def _with_third(
    compared: _Compared, finding: FamilyFinding, exposure: Floats, second: int | None
) -> FamilyFinding:
    """Add the results that decide most, and what a third person's grades of them say."""
    study, cells = compared.study, compared.cells
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
