"""Whether the site sends mail: every sentence that promises one asks here."""

from django.conf import settings
from django.http import HttpRequest


def sends_mail() -> bool:
    """Whether the site has a mail server; without one, mails are printed in the worker's log."""
    return not settings.MAIL_DELIVERY_BACKEND.endswith("console.EmailBackend")


def if_mailed(sentence: str) -> str:
    """Return the sentence after a blank, or "" on a site without mail, where it would be untrue."""
    return f" {sentence}" if sends_mail() else ""


def site_mail(_: HttpRequest) -> dict[str, object]:
    """Context processor: whether the site sends mail, and its operator's address or ""."""
    return {"sends_mail": sends_mail(), "operator": settings.OPERATOR_EMAIL}
