"""Import the models of the test collection, so that Django finds them."""

from evaluation.access.compiled import Given, compiled
from evaluation.access.limits.rates import RateMeter
from evaluation.access.people import Membership, PermissionKey, Role, User, teams_of, tracks_of
from evaluation.access.tokens import Scope, Token
from evaluation.announcements.models import Announcement, Audience
from evaluation.audit.models import RetiredRow
from evaluation.collections.blobs import Blob, Image
from evaluation.collections.models import Collection, Document, Picture, Topic, TopicState
from evaluation.imports.models import Import, ImportKind, ImportState
from evaluation.mail.models import Mail
from evaluation.pools.models import Pool, PoolItem, PoolKind, PoolRun, PoolTopic, UndrawnPair
from evaluation.qrels.models import Qrels, QrelsKind, QrelsPair
from evaluation.reports.models import Packing, Report
from evaluation.runs.families import Family
from evaluation.runs.late_exceptions import LateException
from evaluation.runs.models import Run, RunState, RunType
from evaluation.runs.notes import RunNote
from evaluation.runs.rankings import Ranking
from evaluation.runs.submission import QuestionKind, SubmissionQuestion, TeamLimit
from evaluation.runs.verdicts import RunVerdict
from evaluation.teams.models import Invitation, Team
from evaluation.teams.registration import Application, ApplicationState, EntryRules
from evaluation.tracks.archiving import Archiving
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Phase, Task, TaskKind, Track
from evaluation.tracks.release_dates import open_for_judging
from evaluation.values.models import MeasureValue
from evaluation.work.models import LongWork
from evaluation.work.operations.models import Operation, OperationOutcome
from evaluation.work.recomputing.models import ReportProgress, Scoring
