"""A drill: break each part of a rehearsal copy while runs are uploaded, and count what is lost."""

import errno
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.client import HTTPException
from pathlib import Path
from typing import cast
from uuid import uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now
from psycopg import sql

from evaluation.collections.actions import add_documents, add_topics
from evaluation.collections.models import Collection
from evaluation.platform.access.actions import create_token
from evaluation.platform.access.people import Membership, Role, User
from evaluation.platform.access.tokens import Scope
from evaluation.running.hosting.embedded import embedded_servers
from evaluation.running.hosting.verify import damaged_blobs
from evaluation.submissions.runs.models import Run
from evaluation.submissions.teams.models import Team
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, TaskKind, Track
from trackside.errors import InputError
from trackside.items import NewItem

MARK, LOG = "Trackside: rehearsal copy", "drill.log"
SERVERS = ("valkey-server", "postgres")  # names of their processes; the site ends with each of them
COUNT = 50  # documents of each of as many topics
PATIENCE, AWAY = 300.0, 5.0  # seconds until the site is ready, and that a server or the disk is away
PACE = 0.5  # seconds between two uploads, and between two attempts
MOST_FILLED = 4 << 30  # bytes: a larger file system is the host's own


def mark_rehearsal() -> None:
    """Mark the database as a rehearsal copy, on which a drill may run. No backup contains the mark."""
    names = sql.Identifier(connection.settings_dict["NAME"]), sql.Literal(MARK)
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(*names).as_string())


def check_rehearsal() -> None:
    """Raise InputError unless the database is marked."""
    mark = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()"
    with connection.cursor() as cursor:
        cursor.execute(mark)
        if cursor.fetchone() != (MARK,):
            raise InputError(
                "This database is not marked as a rehearsal copy, so nothing was killed. Restore a backup "
                "into a folder of its own: TRACKSIDE_VAR=FOLDER manage.py restore FILE --rehearsal."
            )


def drill(say: Callable[[str], object], *, port: int) -> None:
    """Run the site on a port, break it, and say what is stored. Raises InputError, also for lost uploads."""
    if not (settings.HAS_EMBEDDED_DATABASE and settings.HAS_EMBEDDED_QUEUE):
        raise InputError("A drill kills its servers, so it needs embedded ones: unset DATABASE_URL.")
    with _database():
        check_rehearsal()
    acknowledged: dict[int, str] = {}
    is_over = threading.Event()
    site = _started(port)  # it migrates the copy
    try:
        with _database():
            path, token = _prepare()
        uploads = (f"http://127.0.0.1:{port}/api/v1{path}", token, acknowledged, is_over)
        threading.Thread(target=_upload, args=uploads, daemon=True).start()
        for part in (*(_children(site).keys() - SERVERS), *SERVERS):
            child = _children(site)[part]
            if part in SERVERS:
                os.kill(child, signal.SIGSTOP)  # it is away, and its connections hang
                time.sleep(AWAY)
            os.kill(child, signal.SIGKILL)
            time.sleep(1)  # until the site notices
            site = _started(port, site)
            say(f"Killed {part.strip('[] -')}; {len(acknowledged)} uploads are acknowledged.")
        say(_fill())
        site = _started(port, site)
        time.sleep(AWAY)
    finally:
        is_over.set()
        site.terminate()
        site.wait()
    with _database():
        stored = dict(Run.objects.filter(pk__in=acknowledged).values_list("pk", "upload_id"))
        faults = list(damaged_blobs())
    if stored != acknowledged or faults:
        raise InputError(f"Acknowledged {len(acknowledged)}, stored {len(stored)}. {'; '.join(faults[:3])}")
    say(f"Acknowledged {len(acknowledged)} = stored {len(stored)}.")


@contextmanager
def _database() -> Iterator[None]:
    """Start the servers unless the site runs, and leave no connection, which their end would break."""
    with embedded_servers():
        try:
            yield
        finally:
            connection.close()
            connection.close_pool()  # type: ignore[attr-defined]  # of Django's PostgreSQL backend


def _started(port: int, site: "subprocess.Popen[bytes] | None" = None) -> "subprocess.Popen[bytes]":
    """Return the site once it is ready; start it if it does not run. Raises InputError."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if site is None or site.poll() is not None:
            command = [sys.executable, str(settings.ROOT / "manage.py"), "up", f"--port={port}"]
            env = os.environ | {"RATES": "upload=1000000/h,api=1000000/h"}
            with (settings.TRACKSIDE_VAR / LOG).open("ab") as log:
                site = subprocess.Popen(command, env=env, stdout=log, stderr=log)  # noqa: S603 - our own
        if _answer(urllib.request.Request(f"http://127.0.0.1:{port}/ready")) is not None:
            return site
        time.sleep(PACE)
    raise InputError(
        f"The site was not ready within {PATIENCE:.0f} seconds. See {settings.TRACKSIDE_VAR / LOG}."
    )


def _children(site: "subprocess.Popen[bytes]") -> dict[str, int]:
    """Return the process ids of parts and servers by their names, which Celery and gunicorn may change."""
    children = Path(f"/proc/{site.pid}/task/{site.pid}/children").read_text().split()
    return {Path(f"/proc/{child}/comm").read_text().strip(): int(child) for child in children}


def _fill() -> str:
    """Fill the disk for AWAY seconds, if it is small enough to be the copy's own; say what was done."""
    folder = settings.TRACKSIDE_VAR
    if not folder.is_mount() or shutil.disk_usage(folder).total > MOST_FILLED:
        return (
            f"The disk was not filled: {folder} is no file system of its own of at most "
            f"{MOST_FILLED >> 30} GiB. To fill it, mount one there: mount -t tmpfs -o size=1g tmpfs {folder}"
        )
    path = folder / "drill-fills-the-disk"
    try:
        with path.open("wb", buffering=0) as file:
            while file.write(bytes(1 << 20)):
                pass
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        time.sleep(AWAY)
    finally:
        path.unlink(missing_ok=True)
    return "Filled the disk, and freed it."


@transaction.atomic
def _prepare() -> tuple[str, str]:
    """Create an open task and a member of its team; return the path of uploads and the member's token."""
    name = f"drill-{uuid4().hex[:8]}"
    track = Track.objects.create(slug=name, name=name, year=2000)
    about = {"slug": name, "name": name, "kind": TaskKind.TEXT_TO_IMAGE}
    collection = Collection.objects.create(track=track, name=name)
    names = ("opens_at", "closes_at", "judging_at", "releases_at")
    dates = {date: Now() + timedelta(days=2 * day - 1) for day, date in enumerate(names)}
    task = Task.objects.create(track=track, collection=collection, **about, **dates)
    grades = [{"grade": grade, "name": text, "text": text} for grade, text in enumerate(("no", "yes"))]
    Criteria.objects.create(task=task, grades=grades)
    items = [NewItem(f"D{number}", (("text", "drill"),), None) for number in range(COUNT)]
    add_topics(task=task, items=items)
    add_documents(collection=collection, items=items)
    team = Team.objects.create(track=track, name=name)
    member = User.objects.create_verified(f"{name}@invalid.example", name=name)
    Membership.objects.create(track=track, user=member, role=Role.TEAM_OWNER, team=team)
    token = create_token(name=name, scopes=[Scope.READ, Scope.SUBMIT], days=1, by=member)
    return f"/tracks/{name}/tasks/{name}/runs", token.secret


def _upload(address: str, token: str, acknowledged: dict[int, str], is_over: threading.Event) -> None:
    """Upload run after run, each until the site acknowledges it; note its SHA-256 by primary key."""
    while not is_over.is_set():
        key = uuid4().hex
        lines = (f"D{topic} Q0 D{n} {n} {-n} {key}\n" for topic in range(COUNT) for n in range(COUNT))
        content = "".join(lines).encode()
        disposition = 'Content-Disposition: form-data; name="file"; filename="drill.run"'
        body = f"--{key}\r\n{disposition}\r\n\r\n".encode() + content + f"\r\n--{key}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={key}", "Idempotency-Key": key}
        headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(address, body, headers)  # noqa: S310 - our own site
        while (answer := _answer(request)) is None and not is_over.is_set():
            time.sleep(PACE)
        if answer is not None:
            acknowledged[answer["id"]] = hashlib.sha256(content).hexdigest()
        time.sleep(PACE)


def _answer(request: urllib.request.Request) -> dict[str, int] | None:
    """Return the JSON of an answer; None without one, or if it is an error."""
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own site
            return cast("dict[str, int]", json.load(answer))
    except (OSError, HTTPException, ValueError):
        return None
