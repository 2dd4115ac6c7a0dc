"""The two database roles: the owner, who migrates, and the role of web and workers, which owns nothing.

The second role reads and writes rows. It cannot truncate or alter tables, and it cannot rewrite the audit
trail or append-only tables: where a trigger forbids an action on every row, the role also lacks the
privilege. It cannot bypass a trigger, neither by pgtrigger's setting, nor by a temporary table with the name
of one that the trigger reads.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString

import pgtrigger
from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model
from pghistory.models import Event
from psycopg import sql

LOCK = 7_201_604  # advisory lock: one process at a time grants privileges
REWRITES: tuple[LiteralString, ...] = ("UPDATE", "DELETE")
# Django's record of migrations, and pghistory's context table; a function of the owner writes the latter.
KEPT_TABLES: dict[str, tuple[LiteralString, ...]] = {
    "django_migrations": ("INSERT", *REWRITES),
    "pghistory_context": ("INSERT", *REWRITES),
}
# Triggers that actions may disable while they store many items, because they record these as one change.
IGNORABLE = (
    *(
        f"evaluation.{model}:{name}"
        for model in ("Topic", "Document")
        for name in ("insert_insert", "update_update")
    ),
    "evaluation.Document:delete_delete",
)
PLACES = ("NAME", "HOST", "PORT", "USER", "PASSWORD", "OPTIONS")


def has_two_roles() -> bool:
    """Whether the settings have an owner besides the role of web and workers."""
    return bool(settings.DATABASE_OWNER["USER"] != connection.settings_dict["USER"])


@contextmanager
def as_owner() -> Iterator[None]:
    """Connect this thread to the database as its owner within the block."""
    before = dict(connection.settings_dict)
    owner = {name: settings.DATABASE_OWNER[name] for name in PLACES if name != "NAME"}
    _reconnect({**before, **owner})
    try:
        yield
    finally:
        _reconnect(before)


def _reconnect(entry: dict[str, Any]) -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # of Django's PostgreSQL backend
    connection.settings_dict.update(entry)


def grant_roles() -> list[str]:
    """As the owner, grant the role of web and workers its privileges and revoke all others.

    Returns a line for each table that the role may not rewrite; empty if the site has one role. A restored
    backup of an older release lacks the tables of later migrations; ``migrate`` grants those.
    """
    if not has_two_roles():
        return []
    web = sql.Identifier(connection.settings_dict["USER"])
    revoked = kept_tables()
    ignorable = [trigger.get_pgid(model) for model, trigger in pgtrigger.registered(*IGNORABLE)]
    with as_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        database = sql.Identifier(connection.settings_dict["NAME"])
        for statement in GRANTS:
            names = {"web": web, "database": database, "ignorable": sql.Literal(ignorable)}
            cursor.execute(sql.SQL(statement).format(**names).as_string())
        tables = set(connection.introspection.table_names(cursor))
        revoked = {table: privileges for table, privileges in revoked.items() if table in tables}
        for table, privileges in revoked.items():
            revoke = sql.SQL("REVOKE {privileges} ON {table} FROM {web}")
            words = sql.SQL(", ").join(map(sql.SQL, privileges))
            cursor.execute(revoke.format(privileges=words, table=sql.Identifier(table), web=web).as_string())
    return [f"{table}: no {', '.join(privileges)}" for table, privileges in sorted(revoked.items())]


GRANTS: tuple[LiteralString, ...] = (
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "REVOKE ALL ON SCHEMA public FROM {web}",
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {web}",
    "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {web}",
    "GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {web}",
    "GRANT USAGE ON SCHEMA public TO {web}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {web}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {web}",
    "ALTER FUNCTION _pgh_attach_context() SECURITY DEFINER",
    # Replaces pgtrigger's function, which lets any session ignore any trigger.
    """
    CREATE OR REPLACE FUNCTION _pgtrigger_should_ignore(trigger_name name) RETURNS boolean AS $$
    BEGIN
        RETURN trigger_name = ANY({ignorable}::text[])
            AND trigger_name = ANY(nullif(current_setting('pgtrigger.ignore', true), '')::text[]);
    END $$ LANGUAGE plpgsql
    """,
    # Otherwise PostgreSQL would look for temporary tables before ours.
    """
    DO $$
    DECLARE each regprocedure;
    BEGIN
        FOR each IN
            SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace
            AND (prorettype = 'trigger'::regtype
                OR proname IN ('_pgh_attach_context', '_pgtrigger_should_ignore'))
        LOOP
            EXECUTE 'ALTER FUNCTION ' || each || ' SET search_path = public, pg_temp';
        END LOOP;
    END $$
    """,
)


def kept_tables() -> dict[str, tuple[LiteralString, ...]]:
    """Return the privileges withheld from the role of web and workers, by table; it never has TRUNCATE."""
    withheld = dict(KEPT_TABLES)
    for model in apps.get_models():
        options: Any = model._meta  # noqa: SLF001 - Django's documented way to a table's name
        privileges = _forbidden(model)
        if privileges and options.managed and not options.proxy:
            withheld[options.db_table] = privileges
    return withheld


def _forbidden(model: type[Model]) -> tuple[LiteralString, ...]:
    """Return the privileges whose use the triggers of the model's table forbid on every row."""
    if issubclass(model, Event):
        return REWRITES
    triggers = getattr(model._meta, "triggers", ())  # noqa: SLF001 - where pgtrigger stores them
    # Not its subclass ReadOnly, which protects only some columns.
    whole = [rule for rule in triggers if type(rule) is pgtrigger.Protect and rule.condition is None]
    return tuple(
        name for name in REWRITES if any(name in str(rule.operation).split(" OR ") for rule in whole)
    )
