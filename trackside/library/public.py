"""The public names, each from the module that defines it."""

from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.findings.results import (
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
from trackside.findings.verdicts import (
    FamilyVerdict,
    FavourVerdict,
    GeneralVerdict,
    GradeVerdict,
    Margins,
    OrderVerdict,
)
from trackside.library.agreeing import agreement
from trackside.library.checking import check
from trackside.library.comparing import compare
from trackside.library.evaluating import evaluate, measures
from trackside.library.fusing import fuse, tune_weights
from trackside.library.inputs import read_qrels, read_run
from trackside.library.outputs import write_qrels, write_run
from trackside.library.planning import plan_topics
from trackside.library.pooling import pool
from trackside.library.reporting import read_bundle, report
from trackside.reporting.design import ReportRun
from trackside.reporting.findings import Findings, LeaderFinding, ReportFacts
from trackside.reporting.writers.files import write_report
from trackside.statistics.comparison.topic_design import TopicPlan

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
