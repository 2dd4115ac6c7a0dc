"""Sessions in the database, as Django's; every request reads one, so its statement is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from evaluation.models import Given, kept

if TYPE_CHECKING:
    from django.db.models import QuerySet


class SessionStore(db.SessionStore):
    """One browser's session."""

    def load(self) -> dict[str, object]:
        """What the session holds; nothing, and no key, where it is unknown or has run out."""
        found = _stored().first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
            return {}
        return self.decode(found[0])


@kept
def _stored() -> QuerySet[Session, tuple[str]]:
    current = Session.objects.filter(session_key=Given("key"), expire_date__gt=Given("now"))
    return current.values_list("session_data")
