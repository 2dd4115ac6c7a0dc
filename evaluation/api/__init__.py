"""The web API's part on the test collection. ``visible_to`` decides who sees what, as on the pages."""

from ninja import Router

from evaluation.api import account, qrels, report, scores, submitting, tracks

router = Router()
for part in (account, tracks, submitting, scores, qrels, report):
    router.add_router("", part.router)
