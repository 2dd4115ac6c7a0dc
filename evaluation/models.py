"""Import the models of the test collection, so that Django finds them."""

from evaluation.collections.blobs import Blob, Image
from evaluation.collections.chosen_fields import ImportKind
from evaluation.collections.corpora import Corpus
from evaluation.collections.models import Collection, Document, Picture, Topic, TopicState
from evaluation.organizing.audit.models import RetiredRow
from evaluation.organizing.imports.models import Import, ImportState
from evaluation.platform.access.compiled import Given, compiled
from evaluation.platform.access.limits.rates import RateMeter
from evaluation.platform.access.people import Membership, PermissionKey, Role, User, teams_of, tracks_of
from evaluation.platform.access.tokens import Scope, Token
from evaluation.results.qrels.models import Qrels, QrelsKind, QrelsPair
from evaluation.results.reports.models import Packing, Report
from evaluation.results.values.models import MeasureValue
from evaluation.submissions.pools.models import Pool, PoolItem, PoolKind, PoolRun, PoolTopic, UndrawnPair
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.late_exceptions import LateException
from evaluation.submissions.runs.models import Run, RunState, RunType
from evaluation.submissions.runs.notes import RunNote
from evaluation.submissions.runs.rankings import Ranking
from evaluation.submissions.runs.submission import QuestionKind, SubmissionQuestion, TeamLimit
from evaluation.submissions.runs.verdicts import RunVerdict
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.submissions.teams.registration import Application, ApplicationState, EntryRules
from evaluation.tracks.announcements.models import Announcement, Audience
from evaluation.tracks.archiving import Archiving
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.inquiries.models import Inquiry
from evaluation.tracks.mail.models import Mail
from evaluation.tracks.models import Phase, Task, TaskKind, Track
from evaluation.tracks.release_dates import open_for_judging
from evaluation.tracks.work.models import LongWork
from evaluation.tracks.work.operations.models import Operation, OperationOutcome
from evaluation.tracks.work.recomputing.models import ReportProgress, Scoring
