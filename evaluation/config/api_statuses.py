"""HTTP status in the API of errors with a class; all others have their own, 422 by default."""

from http import HTTPStatus

from evaluation.access.limits.rates import TooManyRequests
from evaluation.imports.actions import ImportNotFailed, ImportNotTried, ImportTooLarge
from evaluation.reports.bundle import ReportOutdated
from evaluation.reports.packing import BundleBeingPacked, BundleNotPacked
from evaluation.web.api.described import ContentTypeRefused
from evaluation.web.api.problems import ScopeMissing
from evaluation.work.client_keys import KeyUsedTwice
from trackside.errors import InputError

STATUSES: dict[type[InputError], HTTPStatus] = {
    ScopeMissing: HTTPStatus.FORBIDDEN,
    ImportNotFailed: HTTPStatus.CONFLICT,
    ImportNotTried: HTTPStatus.CONFLICT,
    KeyUsedTwice: HTTPStatus.CONFLICT,
    ReportOutdated: HTTPStatus.CONFLICT,
    TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    BundleBeingPacked: HTTPStatus.SERVICE_UNAVAILABLE,
    BundleNotPacked: HTTPStatus.CONFLICT,
    ImportTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ContentTypeRefused: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
}
