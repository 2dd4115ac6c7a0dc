"""No judgment is lost, doubled or misbound while web workers and the database are killed."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from django.conf import settings

from evaluation.hosting.addresses import EMBEDDED_NAME, socket_folder
from evaluation.hosting.servers.server import begin, wait_until_answering
from tests.evaluation.conftest import copied, remove_var
from tests.faults.screens import Acknowledged, Screen
from tests.faults.web_site import WebSite, judging_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.hosting.servers.server import ServerProcess

pytestmark = pytest.mark.whole

RESULT = Path(settings.ROOT, "var", "judging-faults.json")
SCREENS = 8  # judging at the same time: as many as the web server has threads
A_DAY = 2_500  # judgments of an assessor; the next one continues on the same screen
PATIENCE = 300  # seconds without one more judgment


def kill_worker(site: WebSite, dice: random.Random) -> None:
    """Kill one of the web server's workers; wait until there is one."""
    start = time.monotonic()
    while not (workers := site.workers):
        assert time.monotonic() < start + PATIENCE, "the web server has no workers"
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.kill(dice.choice(workers), signal.SIGKILL)


def stop_database_at_once(database: ServerProcess) -> ServerProcess:
    """Stop PostgreSQL as `pg_ctl stop -m immediate` does, and start it, which replays the log."""
    signal.pidfd_send_signal(database.handle, signal.SIGQUIT)
    assert database.has_ended(within=PATIENCE)
    database.stop()
    started = begin(database.server)
    wait_until_answering(database.server, started)
    return started


def rows_of(var: Path) -> list[tuple[Any, ...]]:
    with psycopg.connect(
        host=str(socket_folder(var)), user=EMBEDDED_NAME, dbname=EMBEDDED_NAME
    ) as connection:
        return connection.execute(
            "SELECT client_uuid::text, topic, docno, image_sha256, grade FROM assessment_judgment"
        ).fetchall()


@pytest.fixture
def var(made_site: Path) -> Iterator[Path]:
    folder = copied(made_site)
    yield folder
    remove_var(folder)


@pytest.mark.parametrize(
    ("judgment_count", "worker_kills", "database_stops"),
    [(120, 3, 1), pytest.param(100_000, 110, 12, marks=pytest.mark.long)],
)
def test_judgments_outlive_kills(
    var: Path, judgment_count: int, worker_kills: int, database_stops: int
) -> None:
    start = time.monotonic()
    dice = random.Random(judgment_count)
    people = max(SCREENS, judgment_count // A_DAY)
    kills = worker_kills + database_stops
    stops = 0
    with judging_site(var, people=people, items=judgment_count // people) as site:
        acknowledged = Acknowledged()
        screens = [
            Screen(site.works[seed::SCREENS], site.port, acknowledged, seed) for seed in range(SCREENS)
        ]
        for screen in screens:
            screen.start()
        for done in range(1, kills + 1):
            wait_for_judgments(acknowledged, done * judgment_count // (kills + 2), screens)
            # Kills of the database are spread over all kills.
            if done * database_stops // kills > stops:
                stops += 1
                site.servers[0] = stop_database_at_once(site.servers[0])
            else:
                kill_worker(site, dice)
        wait_for_judgments(acknowledged, judgment_count, screens)
        rows = rows_of(var)
    stored = {key: tuple(meant) for key, _, *meant in rows}
    lost = [key for key in acknowledged.judgments if key not in stored]
    misbound = [
        key for key, meant in acknowledged.judgments.items() if key in stored and stored[key] != meant
    ]
    result = {
        "kills": kills,
        "worker_kills": kills - stops,
        "database_stops": stops,
        "acknowledged": len(acknowledged.judgments),
        "stored": len(rows),
        "lost": len(lost),
        "doubled": len(rows) - len({(topic, docno) for _, topic, docno, *_ in rows}),
        "misbound": len(misbound),
        "minutes": round((time.monotonic() - start) / 60, 1),
    }
    if judgment_count >= 100_000:
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(json.dumps(result, indent=2) + "\n")
    assert acknowledged.faults == []
    assert (result["lost"], result["doubled"], result["misbound"]) == (0, 0, 0)
    assert result["acknowledged"] == result["stored"] == judgment_count


def wait_for_judgments(acknowledged: Acknowledged, count: int, screens: list[Screen]) -> None:
    """Wait until this many are acknowledged; fail without progress for PATIENCE seconds."""
    known, since = len(acknowledged.judgments), time.monotonic()
    while len(acknowledged.judgments) < count and any(screen.is_alive() for screen in screens):
        time.sleep(0.02)
        if len(acknowledged.judgments) > known:
            known, since = len(acknowledged.judgments), time.monotonic()
        assert time.monotonic() < since + PATIENCE, f"nothing happened for a long time; {acknowledged.faults}"
