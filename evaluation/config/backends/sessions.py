"""Django's database sessions, for cookies with any bytes."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """One browser's session."""

    def __init__(self, session_key: str | None = None) -> None:
        # An escape in a cookie can hold NUL, which PostgreSQL cannot compare.
        super().__init__(None if session_key and "\0" in session_key else session_key)
