"""Keys that clients send with a request, so that a repeated request does its work once."""

from uuid import UUID

from django.db import connection

from trackside.errors import InputError


class KeyUsedTwice(InputError):
    """A different request used the same key."""

    status = 409


def lock_client_key(key: UUID) -> None:
    """Wait until no other transaction handles a request with this key, and lock it until this one ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key.int % 2**63])
