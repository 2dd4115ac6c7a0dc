"""Routers of the web API for the test collection. As on the pages, ``visible_to`` limits what is shown."""

from ninja import Router

from evaluation.imports.api import router as imports
from evaluation.pages.api import router as tracks
from evaluation.qrels.api import router as qrels
from evaluation.reports.api import router as reports
from evaluation.runs import api_exceptions, api_submitting
from evaluation.teams.api import router as invitations
from evaluation.track_files.api import router as setup
from evaluation.values.api import router as scores
from evaluation.web.api.account import router as account

router = Router()
PARTS = (
    account,
    tracks,
    setup,
    invitations,
    imports,
    api_submitting.router,
    api_exceptions.router,
    scores,
    qrels,
    reports,
)
for part in PARTS:
    router.add_router("", part)
