"""Recovery codes of the second factor: shown once, then stored as hashes."""

import time
from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.recovery_codes.views import DownloadRecoveryCodesView, ViewRecoveryCodesView
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

HASHES = "migrated_codes"  # django-allauth's key of codes without a seed; it removes each one that is used
_MARK = "hash:"


def hash_code(code: str, person_id: int) -> str:
    """Return what is stored of a code: keyed by SECRET_KEY, because eight digits can be guessed."""
    salt = f"trackside recovery code of {person_id}"
    return _MARK + salted_hmac(salt, normalize_user_code(code), algorithm="sha256").hexdigest()


def hash_codes(codes: Authenticator) -> None:
    """Replace the seed of a person's codes by hashes of the unused codes."""
    if "seed" not in codes.data:
        return
    unused = RecoveryCodes(codes).get_unused_codes()
    hashes = [hash_code(code, codes.user_id) for code in unused]
    codes.data = {HASHES: hashes, "viewed_at": codes.data.get("viewed_at", time.time())}
    codes.save(update_fields=["data"])


class _HashedOnceShown:
    request: HttpRequest

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        rows = Authenticator.objects.select_for_update()
        with transaction.atomic():
            for codes in rows.filter(user_id=self.request.user.pk, type=Authenticator.Type.RECOVERY_CODES):
                hash_codes(codes)
        return context


class CodesPage(_HashedOnceShown, ViewRecoveryCodesView):
    """The page that shows new codes once."""


class CodesFile(_HashedOnceShown, DownloadRecoveryCodesView):
    """New codes as a file, once."""
