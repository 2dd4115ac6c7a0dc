"""Import the models of the test collection, so that Django finds them."""

from evaluation.access.compiled import Given, compiled
from evaluation.access.people import Invitation, Membership, PermissionKey, Role, User, teams_of, tracks_of
from evaluation.access.rate_meters import RateMeter
from evaluation.access.tokens import Scope, Token
from evaluation.collections.blobs import Blob, Image
from evaluation.collections.models import Collection, Document, Topic, TopicState
from evaluation.imports.models import Import, ImportKind, ImportState
from evaluation.mail.models import Mail
from evaluation.pools.models import Pool, PoolItem, PoolKind, PoolRun, UndrawnPair
from evaluation.qrels.models import Qrels, QrelsKind, QrelsPair
from evaluation.recomputing.models import ReportProgress, Scoring
from evaluation.reports.models import Report
from evaluation.runs.families import Family
from evaluation.runs.models import Run, RunState, RunType
from evaluation.runs.rankings import Ranking
from evaluation.runs.submission import QuestionKind, SubmissionQuestion, TeamLimit
from evaluation.runs.verdicts import RunVerdict
from evaluation.teams.models import Team
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Phase, Task, TaskKind, Track, open_for_judging
from evaluation.values.models import MeasureValue
from evaluation.work.models import LongWork

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
    "LongWork",
    "Mail",
    "MeasureValue",
    "Membership",
    "PermissionKey",
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
    "RateMeter",
    "Report",
    "ReportProgress",
    "Role",
    "Run",
    "RunState",
    "RunType",
    "RunVerdict",
    "Scope",
    "Scoring",
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
    "compiled",
    "open_for_judging",
    "teams_of",
    "tracks_of",
]
