"""A connection pooler serves web processes, which keep no state in a session."""

from copy import deepcopy
from pathlib import Path

from django.conf import settings

from evaluation.running.hosting.addresses import django_database, prepare_for_web


def test_pooler_shares_sessions_of_web_processes_with_their_limit() -> None:
    text = Path(settings.ROOT, "docker/pgbouncer.ini").read_text()
    assert "\npool_mode = transaction\n" in text
    assert f"connect_query='SET statement_timeout = {settings.STATEMENT_SECONDS * 1000};" in text


def test_web_processes_use_the_pooler_without_state_of_a_session() -> None:
    address = "postgresql://web:secret@database:5432/site?sslmode=require"
    entry = django_database(address)
    entry["OPTIONS"]["pool"] = {"max_size": 8}
    pooled = deepcopy(entry)
    prepare_for_web(pooled, pooler_url="postgresql://web:secret@pooler:6432/site", statement_seconds=30)
    assert (pooled["HOST"], pooled["PORT"], pooled["NAME"]) == ("pooler", "6432", "site")
    assert pooled["OPTIONS"] == {"pool": {"max_size": 8}}
    assert pooled["DISABLE_SERVER_SIDE_CURSORS"]
    prepare_for_web(entry, pooler_url="", statement_seconds=30)
    assert (entry["HOST"], entry["OPTIONS"]["options"]) == ("database", "-c statement_timeout=30s")
    assert "DISABLE_SERVER_SIDE_CURSORS" not in entry
