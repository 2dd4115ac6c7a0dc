"""Rows of a database as text files: written by COPY, and read by COPY into tables that migrations created.

COPY's text format is the same in every version of PostgreSQL, so rows move between versions both ways.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, LiteralString

import zstandard
from django.db import connection, transaction
from psycopg import sql

from evaluation.running.hosting.schema import run_exactly
from trackside.errors import InputError

CHUNK = 1 << 20  # bytes
LEVEL = 3  # of zstandard: about as fast as PostgreSQL writes rows
# A backup must not contain sessions, or codes and links from account mails. Counters of rate limits are
# useless on another site.
EMPTIED = ("django_session", "cache", "account_emailconfirmation")
FILTERS: dict[str, LiteralString] = {
    "evaluation_mail": "WHERE what NOT IN ('account', 'invitation') OR sent_at IS NOT NULL",
    **dict.fromkeys(EMPTIED, "WHERE false"),
}
TABLES: LiteralString = """
    SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname
"""
SEQUENCES: LiteralString = """
    SELECT sequencename, last_value FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename
"""


@dataclass(frozen=True)
class TableCopy:
    """The rows of one table. ``sha256`` is the hash of the compressed file."""

    name: str
    columns: list[str]
    row_count: int
    sha256: str

    @property
    def file_name(self) -> str:
        """The name of the file of rows in a folder of copies."""
        return f"{self.name}.tsv.zst"


def write_copies(folder: Path) -> tuple[list[TableCopy], dict[str, int]]:
    """Write every table to a file in the folder; return the copies, and the values of the sequences.

    Call it in a transaction with isolation REPEATABLE READ.
    """
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        tables = [_write(folder, name, columns) for name, columns in cursor.fetchall()]
        cursor.execute(SEQUENCES)
        return tables, dict(cursor.fetchall())


def _write(folder: Path, name: str, columns: list[str]) -> TableCopy:
    query = sql.SQL("COPY (SELECT {} FROM {} {}) TO STDOUT").format(
        _names(columns), sql.Identifier(name), sql.SQL(FILTERS.get(name, ""))
    )
    path = folder / f"{name}.tsv.zst"
    with (
        path.open("wb") as file,
        zstandard.ZstdCompressor(level=LEVEL).stream_writer(file) as packed,
        connection.cursor() as cursor,
    ):
        with cursor.copy(query) as rows:
            for block in rows:
                packed.write(block)
        row_count = cursor.rowcount
    with path.open("rb") as written:
        return TableCopy(name, columns, row_count, hashlib.file_digest(written, "sha256").hexdigest())


def replace_by_copies(
    tables: Sequence[TableCopy],
    sequences: Mapping[str, int],
    migrations: Iterable[str],
    open_rows: Callable[[TableCopy], IO[bytes]],
) -> None:
    """Replace everything in the database by the copies of tables, in one transaction.

    The migrations of the copied database, given as "app.name", create tables, constraints and triggers;
    ``migrate`` applies later ones. Raises InputError.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # PostgreSQL cannot alter a table with pending foreign key checks.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
        run_exactly(tuple(name.split(".", 1)) for name in migrations)  # type: ignore[misc]
        made = _tables(cursor)
        _check(tables, made)
        for name in made:
            cursor.execute(_of("ALTER TABLE {} DISABLE TRIGGER USER", name))  # rows include trigger effects
        cursor.execute(_of("TRUNCATE {}", *made))  # the copies contain the rows that migrations create
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")  # tables come in any order
        for table in tables:
            with open_rows(table) as packed:
                _read(table, packed)
        for name, last in sequences.items():
            cursor.execute("SELECT setval(%s::regclass, %s)", [f'public."{name}"', last])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # checks every foreign key
        for name in made:
            cursor.execute(_of("ALTER TABLE {} ENABLE TRIGGER USER", name))


def _tables(cursor: Any) -> Mapping[str, list[str]]:
    cursor.execute(TABLES)
    return dict(cursor.fetchall())


def _check(tables: Sequence[TableCopy], made: Mapping[str, list[str]]) -> None:
    copied = {table.name: table.columns for table in tables}
    for name in sorted(copied.keys() | made.keys()):
        if sorted(copied.get(name, [])) != sorted(made.get(name, [])):
            raise InputError(
                f"The table {name} of the backup has other columns than in this release. Nothing was "
                "changed. Restore with the release that made the backup."
            )


def _read(table: TableCopy, packed: IO[bytes]) -> None:
    query = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), _names(table.columns))
    with connection.cursor() as cursor, cursor.copy(query) as rows:
        unpacker = zstandard.ZstdDecompressor()
        with unpacker.stream_reader(packed, read_across_frames=True) as plain:
            while block := plain.read(CHUNK):
                rows.write(block)


def _names(names: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _of(statement: LiteralString, *names: str) -> str:
    """Return the statement with these table names as text, which Django's cursors require."""
    return sql.SQL(statement).format(_names(names)).as_string()
