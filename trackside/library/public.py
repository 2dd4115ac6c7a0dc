"""The public names, each from the module that defines it."""

from trackside.checks import Verdict
from trackside.code_version import installed_version
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.files.leaderboards import Leaderboard
from trackside.findings.results import (
    DirectionFinding,
    FamilyFinding,
    GeneralFinding,
    GradeFinding,
    JudgeFindings,
    OrderFinding,
    OtherRuns,
    RunPairs,
    TakesFinding,
    ThirdFinding,
    TippingFinding,
    TwiceGraded,
    YardstickFinding,
)
from trackside.findings.strata import StratumFinding
from trackside.findings.use_results import (
    AssayFinding,
    BestUse,
    FamiliesUse,
    FamilyUse,
    LabelUse,
    RankUse,
    Relation,
    TuneUse,
    UseCode,
    Uses,
)
from trackside.findings.verdicts import (
    FamilyVerdict,
    GeneralVerdict,
    Margins,
    OrderVerdict,
    ThirdVerdict,
)
from trackside.fusion.methods import Tuned
from trackside.library.checking import check
from trackside.library.comparing import compare, plan_topics
from trackside.library.correlating import Agreement, Correlation, agreement, correlate, correlate_leaderboards
from trackside.library.estimating import PoweredMean, PoweredMeans, powered_means
from trackside.library.evaluating import CorpusWarning, evaluate, measures
from trackside.library.favour import FavourCheck, check_favour
from trackside.library.fusing import fuse, tune_weights
from trackside.library.inputs import IdsDoNotMeet, OddLines, read_qrels, read_run
from trackside.library.outputs import write_qrels, write_run
from trackside.library.pooling import pool
from trackside.library.reporting import exchange_rate, read_bundle, report
from trackside.library.stratifying import StrataAgreement, agreement_by_stratum, split_qrels
from trackside.measuring import Evaluation, Measure
from trackside.pooling.depth import DepthPool
from trackside.reporting.design import ReportRun
from trackside.reporting.findings import Findings, LeaderFinding, ReportFacts
from trackside.reporting.writers.files import write_report
from trackside.statistics.comparison.pairs import Comparison
from trackside.statistics.comparison.topic_design import TopicPlan

__version__ = installed_version()

__all__ = [
    "Agreement", "AssayFinding", "BestUse", "Comparison", "CorpusWarning", "Correlation", "DepthPool",
    "DirectionFinding", "Evaluation", "FamiliesUse", "FamilyFinding", "FamilyUse", "FamilyVerdict",
    "FavourCheck", "Findings",
    "GeneralFinding", "GeneralVerdict", "GradeFinding", "IdsDoNotMeet", "InputError", "JudgeFindings",
    "LabelUse", "LeaderFinding", "Leaderboard", "Margins", "Measure", "OddLines", "OrderFinding",
    "OrderVerdict", "OtherRuns", "PoweredMean", "PoweredMeans", "Qrels", "RankUse", "Rankings", "Relation",
    "ReportFacts", "ReportRun", "RunPairs", "StrataAgreement", "StratumFinding", "TakesFinding",
    "ThirdFinding", "ThirdVerdict", "TippingFinding", "TopicPlan", "TuneUse", "Tuned", "TwiceGraded",
    "UseCode", "Uses", "Verdict", "YardstickFinding", "__version__", "agreement", "agreement_by_stratum",
    "check", "check_favour", "compare", "correlate", "correlate_leaderboards", "evaluate", "exchange_rate",
    "fuse", "measures", "plan_topics", "pool", "powered_means", "read_bundle", "read_qrels", "read_run",
    "report", "split_qrels", "tune_weights", "write_qrels", "write_report", "write_run",
]  # fmt: skip
