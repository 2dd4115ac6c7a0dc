"""Django's database sessions, with a cached SQL statement because every request reads one."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from evaluation.access.compiled import Given, compiled


class SessionStore(db.SessionStore):
    """One browser's session."""

    def __init__(self, session_key: str | None = None) -> None:
        # An escape in a cookie can hold NUL, which PostgreSQL cannot compare.
        super().__init__(None if session_key and "\0" in session_key else session_key)

    def load(self) -> dict[str, object]:
        """Return the session's data; if it is unknown or has expired, return none and reset the key."""
        found = _stored().first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
            return {}
        return self.decode(found[0])


@compiled
def _stored() -> QuerySet[Session, tuple[str]]:
    current = Session.objects.filter(session_key=Given("key"), expire_date__gt=Given("now"))
    return current.values_list("session_data")
