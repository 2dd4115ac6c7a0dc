"""HTTP status in the API for each error of the test collection; all others return 422."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from evaluation.access.api.described import ContentTypeRefused
from evaluation.access.api.problems import ScopeMissing
from evaluation.access.limits.rates import TooManyRequests
from evaluation.imports.actions import ImportNotFailed, ImportNotTried, ImportTooLarge
from evaluation.reports.bundle import ReportOutdated
from evaluation.reports.packing import BundleBeingPacked, BundleNotPacked
from evaluation.runs.api import VerdictPending
from evaluation.runs.editing import RunNotAccepted, RunSettled
from evaluation.runs.granting import ExceptionGranted, ExceptionNotOpen, ExceptionTooLate
from evaluation.runs.receiving import NotOfTeam, StorageFull, TaskNotOpen, UploadTooLarge
from evaluation.teams.registering import AgreementNotSigned, TeamNotApproved
from evaluation.work.client_keys import KeyUsedTwice

if TYPE_CHECKING:
    from evaluation.core.errors import InputError

STATUSES: dict[type[InputError], HTTPStatus] = {
    NotOfTeam: HTTPStatus.FORBIDDEN,
    ScopeMissing: HTTPStatus.FORBIDDEN,
    TeamNotApproved: HTTPStatus.FORBIDDEN,
    AgreementNotSigned: HTTPStatus.FORBIDDEN,
    ExceptionGranted: HTTPStatus.CONFLICT,
    ExceptionNotOpen: HTTPStatus.CONFLICT,
    ExceptionTooLate: HTTPStatus.CONFLICT,
    ImportNotFailed: HTTPStatus.CONFLICT,
    ImportNotTried: HTTPStatus.CONFLICT,
    KeyUsedTwice: HTTPStatus.CONFLICT,
    ReportOutdated: HTTPStatus.CONFLICT,
    RunNotAccepted: HTTPStatus.CONFLICT,
    RunSettled: HTTPStatus.CONFLICT,
    StorageFull: HTTPStatus.CONFLICT,
    TaskNotOpen: HTTPStatus.CONFLICT,
    TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    BundleBeingPacked: HTTPStatus.SERVICE_UNAVAILABLE,
    BundleNotPacked: HTTPStatus.CONFLICT,
    VerdictPending: HTTPStatus.CONFLICT,
    ImportTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    UploadTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ContentTypeRefused: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
}
