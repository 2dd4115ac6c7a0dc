"""Findings made by hand: each function gives one that says what its arguments say."""

from collections.abc import Sequence
from dataclasses import replace

from tests.evaluation.made_uses import made_uses
from trackside.findings.results import (
    FamilyFinding,
    GeneralFinding,
    GradeFinding,
    JudgeFindings,
    OrderFinding,
    OtherRuns,
    RunPairs,
    TakesFinding,
    TippingFinding,
    YardstickFinding,
)
from trackside.findings.use_results import AssayFinding, HardlyGraded, Uses
from trackside.findings.verdicts import (
    FamilyVerdict,
    GeneralVerdict,
    Margins,
    OrderVerdict,
)
from trackside.reporting.design import ReportRun
from trackside.reporting.findings import Findings, LeaderFinding, ReportFacts
from trackside.statistics.estimate import Reason

MEASURE = "nDCG@10"
FAMILY = "CLIP-based"
ALONE = TakesFinding(reason=Reason.NO_SECOND_ASSESSOR)
PAIRS = RunPairs(told=81, kept=52, reversed=8, missed=21, added=3)
TAUS = {
    OrderVerdict.ALMOST: (0.93, 0.85, 0.97),
    OrderVerdict.DIFFERENCES: (0.47, 0.33, 0.58),
    OrderVerdict.NO_RELATION: (0.11, -0.12, 0.34),
    OrderVerdict.REVERSE: (-0.61, -0.74, -0.45),
}
POINTS = {
    FamilyVerdict.ABOVE: (24.2, 19.3, 30.1),
    FamilyVerdict.ABOVE_WITHIN: (2.5, 1.2, 3.8),
    FamilyVerdict.BELOW: (-14.0, -21.2, -7.1),
    FamilyVerdict.BELOW_WITHIN: (-2.4, -3.9, -1.1),
    FamilyVerdict.WITHIN: (0.6, -1.3, 2.7),
    FamilyVerdict.NOT_PRECISE: (-1.2, -7.3, 5.4),
}


def order(verdict: OrderVerdict = OrderVerdict.DIFFERENCES, *, teams: int = 4) -> OrderFinding:
    """An order with the tau and interval of its verdict; undefined for too few topics."""
    tau, low, high = TAUS.get(verdict, (0.52, None, None))
    return OrderFinding(
        measure=MEASURE,
        run_count=16,
        topic_count=8 if low is None else 74,
        tau=tau,
        low=low,
        high=high,
        rho=tau,
        r=tau,
        pairs=PAIRS,
        other_runs=OtherRuns(team_count=teams, reason=Reason.TOO_FEW_TEAMS if teams < 8 else None),
        verdict=verdict,
        reason=Reason.TOO_FEW_TOPICS if low is None else None,
    )


def grades(kappa: float | None = 0.31) -> GradeFinding:
    """Agreement on 1,200 pairs."""
    return GradeFinding(
        pair_count=1_200,
        topic_count=74,
        kappa=kappa,
        low=None if kappa is None else kappa - 0.05,
        high=None if kappa is None else kappa + 0.04,
        leniency=0.42,
        leniency_low=0.3,
        leniency_high=0.54,
        reason=Reason.CONSTANT_GRADES if kappa is None else None,
    )


def family(
    verdict: FamilyVerdict = FamilyVerdict.ABOVE,
    *,
    p: float | None = 0.0001,
    takes: TakesFinding = ALONE,
    general: GeneralVerdict = GeneralVerdict.NOT_SAID,
) -> FamilyFinding:
    """A family with the interval of its verdict; without ``takes`` there is no second assessor."""
    excess, low, high = POINTS.get(verdict, (None, None, None))
    return FamilyFinding(
        measure=MEASURE,
        family=FAMILY,
        excess=excess,
        low=low,
        high=high,
        level=0.95,
        p=None if excess is None else p,
        p_holm=None if excess is None else p,
        people_delta=12.0,
        judge_delta=36.0,
        visible_share=0.9,
        verdict=verdict,
        general=GeneralFinding(error=3.0, freedom=6.5, p=0.013, verdict=general),
        takes=takes,
        tipping=TippingFinding(candidate_count=83, fewest=66) if takes.too_low is None else None,
        reason=Reason.CONSTANT_GRADES if excess is None else None,
    )


def judge(
    name: str = "judge",
    *,
    order: OrderFinding | None = None,
    uses: Uses | None = None,
    families: Sequence[FamilyFinding] = (),
) -> JudgeFindings:
    """A judge with the uses of `made_uses`, unless others are given."""
    return JudgeFindings(
        name=name,
        orders=(order or _order(),),
        grades=grades(),
        uses=uses or made_uses(),
        families=tuple(families),
    )


_order = order


def people(name: str = "second") -> YardstickFinding:
    """A second assessor."""
    return YardstickFinding(
        name=name, orders=(order(OrderVerdict.ALMOST),), grades=grades(0.62), uses=made_uses()
    )


def leader(
    first: Sequence[str], not_told_from: Sequence[str] = (), *, is_tested: bool = True
) -> LeaderFinding:
    """The best runs by people."""
    return LeaderFinding(
        measure=MEASURE, first=tuple(first), not_told_from=tuple(not_told_from), is_tested=is_tested
    )


def findings(
    *judges: JudgeFindings, leaders: Sequence[LeaderFinding] = (), margins: Margins | None = None
) -> Findings:
    """A report of sixteen runs of four teams, half of them of the family."""
    runs = [
        ReportRun(tag=f"r{at:02d}", team=f"t{at % 4}", families=(FAMILY,) if at % 2 else ())
        for at in range(16)
    ]
    facts = ReportFacts(
        basis="",
        code_version="1",
        measures=(MEASURE,),
        families=(FAMILY,),
        runs=tuple(runs),
        qrels=(),
        best_of_teams={},
        strata={},
        scale=(0, 1, 2),
        level=1,
        seed=1,
        replicates=2_000,
        margins=margins or Margins(),
        chosen="",
        topic_count=74,
        graded_count=9_876,
        hardly_graded=HardlyGraded(measure="Judged@10"),
        assay=AssayFinding(is_passed=True, kappa=0.6, low=0.5, high=0.7, lower=0.52),
    )
    return Findings(facts=facts, judges=judges, yardsticks=(people(),), leaders=tuple(leaders))


def ends(finding: FamilyFinding, low: float, high: float) -> FamilyFinding:
    """The same with another interval."""
    return replace(finding, excess=(low + high) / 2, low=low, high=high)
