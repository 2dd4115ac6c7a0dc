"""The nouns of the test collection, one file each."""

from evaluation.models.blob import Blob, Image
from evaluation.models.collection import Collection, Document, Topic, TopicState
from evaluation.models.imports import Import, ImportKind, ImportState
from evaluation.models.kept import Given, kept
from evaluation.models.mail import Mail
from evaluation.models.people import Invitation, Membership, Role, Standing, User, teams_of, tracks_of
from evaluation.models.pool import Pool, PoolItem, PoolKind, PoolRun, UndrawnPair
from evaluation.models.qrels import Qrels, QrelsKind, QrelsPair
from evaluation.models.report import Report, ReportProgress
from evaluation.models.run import Family, Ranking, Run, RunState, RunType
from evaluation.models.submission import QuestionKind, SubmissionQuestion, TeamLimit
from evaluation.models.team import Team
from evaluation.models.token import Scope, Token
from evaluation.models.track import Criteria, Phase, Task, TaskKind, Track, open_for_judging
from evaluation.models.value import MeasureValue

__all__ = [
    "Blob",
    "Collection",
    "Criteria",
    "Document",
    "Family",
    "Given",
    "Image",
    "Import",
    "ImportKind",
    "ImportState",
    "Invitation",
    "Mail",
    "MeasureValue",
    "Membership",
    "Phase",
    "Pool",
    "PoolItem",
    "PoolKind",
    "PoolRun",
    "Qrels",
    "QrelsKind",
    "QrelsPair",
    "QuestionKind",
    "Ranking",
    "Report",
    "ReportProgress",
    "Role",
    "Run",
    "RunState",
    "RunType",
    "Scope",
    "Standing",
    "SubmissionQuestion",
    "Task",
    "TaskKind",
    "Team",
    "TeamLimit",
    "Token",
    "Topic",
    "TopicState",
    "Track",
    "UndrawnPair",
    "User",
    "kept",
    "open_for_judging",
    "teams_of",
    "tracks_of",
]
