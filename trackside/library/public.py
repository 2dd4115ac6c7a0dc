"""The public names, each from the module that defines it."""

from trackside.checks import Verdict
from trackside.code_version import installed_version
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
from trackside.fusion.methods import Tuned
from trackside.library.checking import check
from trackside.library.comparing import compare, plan_topics
from trackside.library.correlating import Agreement, Correlation, agreement, correlate
from trackside.library.evaluating import evaluate, measures
from trackside.library.fusing import fuse, tune_weights
from trackside.library.inputs import IdsDoNotMeet, OddLines, read_qrels, read_run
from trackside.library.outputs import write_qrels, write_run
from trackside.library.pooling import pool
from trackside.library.reporting import read_bundle, report
from trackside.measuring import Evaluation, Measure
from trackside.pooling.depth import DepthPool
from trackside.reporting.design import ReportRun
from trackside.reporting.findings import Findings, LeaderFinding, ReportFacts
from trackside.reporting.writers.files import write_report
from trackside.statistics.comparison.pairs import Comparison
from trackside.statistics.comparison.topic_design import TopicPlan

__version__ = installed_version()

__all__ = [
    "Agreement", "Comparison", "Correlation", "DepthPool", "Evaluation", "FamilyFinding", "FamilyVerdict",
    "FavourFinding", "FavourVerdict", "Findings", "GeneralFinding", "GeneralVerdict", "GradeFinding",
    "GradeVerdict", "IdsDoNotMeet", "InputError", "JudgeFindings", "LeaderFinding", "Margins", "Measure",
    "OddLines", "OrderFinding", "OrderVerdict", "OtherRuns", "Qrels", "Rankings", "ReportFacts",
    "ReportRun", "RunPairs", "SecondFinding", "SecondTau", "TippingFinding", "TopicPlan", "Tuned",
    "Verdict", "YardstickFinding", "__version__", "agreement", "check", "compare", "correlate", "evaluate",
    "fuse", "measures", "plan_topics", "pool", "read_bundle", "read_qrels", "read_run", "report",
    "tune_weights", "write_qrels", "write_report", "write_run",
]  # fmt: skip
