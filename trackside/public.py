"""The public names, each from the module that defines it."""

from evaluation.core.errors import InputError
from evaluation.core.findings.results import (
    FamilyFinding,
    FavourFinding,
    GeneralFinding,
    GradeFinding,
    JudgeFindings,
    OrderFinding,
    OtherRuns,
    RunPairs,
    SecondFinding,
    SecondTau,
    TippingFinding,
    YardstickFinding,
)
from evaluation.core.findings.verdicts import (
    FamilyVerdict,
    FavourVerdict,
    GeneralVerdict,
    GradeVerdict,
    Margins,
    OrderVerdict,
)
from evaluation.core.report.design import ReportRun
from evaluation.core.report.findings import Findings, LeaderFinding, ReportFacts
from evaluation.core.report.writers.files import write_report
from evaluation.core.statistics.comparison.topic_design import TopicPlan
from evaluation.core.trec_files import Qrels, Rankings
from trackside.agreeing import agreement
from trackside.checking import check
from trackside.comparing import compare
from trackside.evaluating import evaluate, measures
from trackside.fusing import fuse, tune_weights
from trackside.inputs import read_qrels, read_run
from trackside.outputs import write_qrels, write_run
from trackside.planning import plan_topics
from trackside.pooling import pool
from trackside.reporting import read_bundle, report

__all__ = [
    "FamilyFinding",
    "FamilyVerdict",
    "FavourFinding",
    "FavourVerdict",
    "Findings",
    "GeneralFinding",
    "GeneralVerdict",
    "GradeFinding",
    "GradeVerdict",
    "InputError",
    "JudgeFindings",
    "LeaderFinding",
    "Margins",
    "OrderFinding",
    "OrderVerdict",
    "OtherRuns",
    "Qrels",
    "Rankings",
    "ReportFacts",
    "ReportRun",
    "RunPairs",
    "SecondFinding",
    "SecondTau",
    "TippingFinding",
    "TopicPlan",
    "YardstickFinding",
    "agreement",
    "check",
    "compare",
    "evaluate",
    "fuse",
    "measures",
    "plan_topics",
    "pool",
    "read_bundle",
    "read_qrels",
    "read_run",
    "report",
    "tune_weights",
    "write_qrels",
    "write_report",
    "write_run",
]
