"""Routers of the web API for the test collection. As on the pages, ``visible_to`` limits what is shown."""

from ninja import Router

from evaluation.organizing.auditing.api import router as audits
from evaluation.organizing.imports.api import router as imports
from evaluation.organizing.pages import api_changes
from evaluation.organizing.pages.api import router as tracks
from evaluation.organizing.setup.api import router as opening
from evaluation.organizing.track_files.api import router as setup
from evaluation.platform.web.api.bearer import router as account
from evaluation.results.qrels.api import router as qrels
from evaluation.results.reports.api import router as reports
from evaluation.results.values.api import router as scores
from evaluation.submissions.pools.api import router as pools
from evaluation.submissions.runs.api_changes import late_runs
from evaluation.submissions.runs.api_changes import router as runs
from evaluation.submissions.teams.api import router as invitations
from evaluation.submissions.teams.api import team_router as teams
from evaluation.tracks.announcements.api import router as announcements
from evaluation.tracks.work.operations.api import router as operations

router = Router()
PARTS = (
    account,
    tracks,
    api_changes.router,
    setup,
    opening,
    teams,
    invitations,
    announcements,
    imports,
    audits,
    runs,
    late_runs,
    pools,
    operations,
    scores,
    qrels,
    reports,
)
for part in PARTS:
    router.add_router("", part)
