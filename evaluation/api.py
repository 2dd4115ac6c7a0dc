"""Routers of the web API for the test collection. As on the pages, ``visible_to`` limits what is shown."""

from ninja import Router

from evaluation.announcements.api import router as announcements
from evaluation.imports.api import router as imports
from evaluation.pages import api_changes
from evaluation.pages.api import router as tracks
from evaluation.pools.api import router as pools
from evaluation.qrels.api import router as qrels
from evaluation.reports.api import router as reports
from evaluation.runs.api_changes import late_runs
from evaluation.runs.api_changes import router as runs
from evaluation.setup.api import router as opening
from evaluation.teams.api import router as invitations
from evaluation.teams.api import team_router as teams
from evaluation.track_files.api import router as setup
from evaluation.values.api import router as scores
from evaluation.web.api.bearer import router as account
from evaluation.work.operations.api import router as operations

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
