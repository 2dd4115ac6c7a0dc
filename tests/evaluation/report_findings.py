"""The findings of a stored report, as small as they can be with a figure and a number in every place."""

from typing import Any

from evaluation.models import Report, Task
from tests.evaluation.made_uses import FAMILIES, made_uses
from tests.factories import make_qrels
from trackside.findings.results import (
    DifferFinding,
    FamilyFinding,
    GeneralFinding,
    GradeFinding,
    JudgeFindings,
    OrderFinding,
    OtherRuns,
    RunPairs,
    TwiceGraded,
    YardstickFinding,
)
from trackside.findings.use_results import AssayFinding, HardlyGraded
from trackside.findings.verdicts import (
    FamilyVerdict,
    GeneralVerdict,
    Margins,
    OrderVerdict,
)
from trackside.reporting.design import ReportRun, SetFacts
from trackside.reporting.findings import Findings, LeaderFinding, ReportFacts
from trackside.reporting.tables import Column, Figure, Section, Selector, Table
from trackside.reporting.writers.stored import to_json
from trackside.statistics.estimate import Interval, Number, Reason

TAU = Number(0.81, None, Interval(0.6, 0.92, 0.95))
MEASURES = ("nDCG@10", "AP")
PEOPLE, JUDGE = (0.75, 0.5, 0.25), (None, 0.6, 0.5)


def stored_findings(findings: Findings | None = None) -> dict[str, Any]:
    """Facts and sections of a report of people and one model on three runs, as fields of the model Report."""
    stored = to_json(findings or report_findings())
    return {"sections": stored.pop("sections"), "facts": stored}


def report_findings(**facts: Any) -> Findings:
    """Two measures and two families; by AP all runs are equal, so that tau is undefined."""
    return Findings(
        facts=_facts(**facts),
        judges=(_judge("clipscore"),),
        yardsticks=(
            YardstickFinding(
                name="second assessor",
                orders=_orders(0.9, 0.85, 0.95),
                grades=_grades(0.52, 0.47, 0.57),
                uses=made_uses(),
            ),
        ),
        leaders=tuple(
            LeaderFinding(
                measure=measure, first=("bm25",), not_told_from=("clip-a",), is_tested=True, means=PEOPLE
            )
            for measure in MEASURES
        ),
        sections=(_order(), _families(), _DIFFERENCES, _METHODS),
    )


def people_alone() -> Findings:
    """The findings without models and second assessors."""
    whole = report_findings()
    facts = _facts(qrels=whole.facts.qrels[:1])
    return Findings(facts=facts, judges=(), yardsticks=(), leaders=whole.leaders, sections=(_METHODS,))


def many_judges(count: int) -> Findings:
    """The findings of several equal judges."""
    names = [f"judge-{number:02}" for number in range(1, count + 1)]
    whole = report_findings()
    model = whole.facts.qrels[-1]
    sets = tuple(_set(name, model.kind, joined) for joined, name in enumerate(names, 1))
    return Findings(
        facts=_facts(qrels=(*whole.facts.qrels[:2], *sets)),
        judges=tuple(map(_judge, names)),
        yardsticks=whole.yardsticks,
        leaders=whole.leaders,
        sections=whole.sections,
    )


def _facts(**changed: Any) -> ReportFacts:
    facts: dict[str, Any] = {
        "basis": f"Qrels by SHA-256: people {'ab' * 6}.",
        "code_version": "1.2.3",
        "measures": MEASURES,
        "families": tuple(FAMILIES),
        "runs": tuple(
            ReportRun(tag=tag, team="Kestrel", families=("CLIP-based" if "clip" in tag else "lexical",))
            for tag in ("bm25", "clip-a", "clip-b")
        ),
        "qrels": (_set("people", "human"), _set("second assessor", "second"), _set("clipscore", "model", 1)),
        "best_of_teams": dict.fromkeys(MEASURES, ("bm25",)),
        "strata": {},
        "scale": (0, 1, 2),
        "level": 1,
        "seed": 1,
        "replicates": 999,
        "margins": Margins(),
        "chosen": "",
        "topic_count": 12,
        "graded_count": 38,
        "hardly_graded": HardlyGraded(measure="Judged@10"),
        "assay": AssayFinding(is_passed=True, kappa=0.6, low=0.5, high=0.7, lower=0.52),
    }
    return ReportFacts(**(facts | changed))


def _set(name: str, kind: str, joined: int | None = None) -> SetFacts:
    return SetFacts(
        name=name,
        kind=kind,
        sha256=name.ljust(64, "0"),
        version=1,
        pair_count=38,
        graded_count=38,
        joined=joined,
    )


def _judge(name: str) -> JudgeFindings:
    return JudgeFindings(
        name=name,
        orders=_orders(0.81, 0.6, 0.92),
        grades=_grades(0.31, 0.25, 0.37),
        uses=made_uses(),
        families=tuple(
            _family(measure, family, points) for measure in MEASURES for family, points in FAMILIES.items()
        ),
        differs=DifferFinding(
            gap=2, pair_count=7, pairs=(TwiceGraded(topic="T1", docno="D2", people=0, judge=2),)
        ),
    )


def _orders(tau: float, low: float, high: float) -> tuple[OrderFinding, ...]:
    means: dict[str, Any] = {"people_means": (None, *PEOPLE[1:]), "judge_means": JUDGE}
    other = OtherRuns(team_count=1)
    known = OrderFinding(
        measure="nDCG@10", run_count=3, topic_count=12, tau=tau, low=low, high=high, rho=tau, r=tau,
        pairs=RunPairs(told=3, kept=1, reversed=1, missed=1, added=0), other_runs=other,
        verdict=OrderVerdict.DIFFERENCES, **means,
    )  # fmt: skip
    equal = OrderFinding(
        measure="AP", run_count=3, topic_count=12, tau=None, low=None, high=None, rho=None, r=None,
        pairs=RunPairs(told=0, kept=0, reversed=0, missed=0, added=0), other_runs=other,
        verdict=OrderVerdict.UNDEFINED, reason=Reason.CONSTANT, **means,
    )  # fmt: skip
    return known, equal


def _grades(kappa: float, low: float, high: float) -> GradeFinding:
    return GradeFinding(
        pair_count=38, topic_count=12, kappa=kappa, low=low, high=high,
        leniency=0.1, leniency_low=0.0, leniency_high=0.2,
    )  # fmt: skip


def _family(measure: str, family: str, points: float) -> FamilyFinding:
    ends = sorted((points / 2, 1.5 * points))
    return FamilyFinding(
        measure=measure, family=family, excess=points, low=ends[0], high=ends[1], level=0.975, p=0.001,
        p_holm=0.002, people_delta=0.0, judge_delta=points, visible_share=0.5,
        verdict=FamilyVerdict.ABOVE if points > 0 else FamilyVerdict.BELOW,
        general=GeneralFinding(verdict=GeneralVerdict.NOT_SAID),
    )  # fmt: skip


_DIFFERENCES = Section("differences", "Where they differ", ("On seven pairs they are two grades apart.",))
_METHODS = Section("methods", "How it was made", ("Three runs were evaluated.",))


def _order() -> Section:
    columns = (
        Column("measure", selector=Selector.MEASURE),
        Column("judge"),
        Column("tau", ".2f", has_interval=True),
    )
    rows = (("nDCG@10", "clipscore", TAU), ("AP", "clipscore", Number(None, Reason.CONSTANT)))
    means = Table(
        "means",
        "Means.",
        (Column("measure", selector=Selector.MEASURE), Column("run"), Column("people", ".4f")),
        (("nDCG@10", "bm25", 0.75), ("AP", "bm25", 0.5)),
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 9 9" role="img" '
        'aria-labelledby="ranks-title"><title id="ranks-title">Ranks</title></svg>'
    )
    figure = Figure("ranks-ndcg-10", "Ranks", "By mean nDCG@10.", svg, "order", "nDCG@10")
    tables = (Table("order", "Order.", columns, rows), means)
    return Section("order", "Order of the runs", ("Three runs are few.",), tables, (figure,))


def _families() -> Section:
    columns = (
        Column("judge"),
        Column("family", selector=Selector.FAMILY),
        Column("points", "+.1f"),
    )
    table = Table("families", "Families.", columns, (("clipscore", "lexical", -21.2),), ("What it is.",))
    return Section("families", "Families of runs", (), (table,))


OLD_FORM: dict[str, Any] = {
    "facts": {
        "basis": "Qrels by SHA-256: people abababababab.",
        "measures": ["nDCG@10"],
        "people": "people",
        "judges": ["clipscore"],
        "kinds": {"people": "human", "clipscore": "model"},
        "families": [],
        "runs": [{"tag": "bm25", "team": "Kestrel", "families": []}],
        "qrels": ["ab" * 32],
    },
    "sections": [
        {
            "name": "in-short",
            "title": "In short",
            "says": ["One judge."],
            "tables": [
                {
                    "name": "judges",
                    "caption": "Judges.",
                    "columns": [
                        {"name": "judge"},
                        {"name": "tau", "form": "z.2f", "has_interval": True},
                        {"name": "p", "form": "p", "role": "exploratory"},
                        {"name": "favour"},
                    ],
                    "rows": [
                        [
                            "clipscore",
                            {
                                "value": 0.81,
                                "interval": {"low": 0.6, "high": 0.92, "level": 0.95, "method": "gone"},
                            },
                            {"value": None, "reason": "a_reason_that_is_gone"},
                            {"verdict": "no_sign", "words": "no sign of favour"},
                        ]
                    ],
                    "notes": ["A note."],
                }
            ],
            "figures": [{"name": "old", "title": "Old", "caption": "", "svg": "<svg/>", "table": "judges"}],
        }
    ],
}
"""A report as software of form 1 stored it, in the fields of the model Report."""


def make_report(task: Task, **changed: Any) -> Report:
    """Store a report, of those findings if no others are given."""
    made = {"inputs_sha256": "0" * 64, "code_version": "1.2.3"} | stored_findings() | changed
    made.setdefault("reference", task.qrels.first() or make_qrels(task))
    return Report.objects.create(task=task, **made)
