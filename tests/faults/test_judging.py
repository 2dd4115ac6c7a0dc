"""No judgment is lost, doubled or misbound under kills of web workers and the database and hours offline."""

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from django.conf import settings

from evaluation.running.hosting.addresses import EMBEDDED_NAME, socket_folder
from evaluation.running.hosting.servers.server import ServerProcess, begin, wait_until_answering
from tests.evaluation.conftest import copied, remove_var
from tests.faults.offline_browser import OfflineHour, offline_hour
from tests.faults.screens import HELD, AcknowledgedEvents, OfflineScreen
from tests.faults.web_site import WebSite, judging_site

pytestmark = [pytest.mark.whole, pytest.mark.browser]

RESULT = Path(settings.ROOT, "var", "judging-faults.json")
SCREENS = 8  # judging at the same time: as many as the web server has threads
A_DAY = 2_500  # items of an assessor; the next one continues on the same screen
PATIENCE = 300  # seconds without one more judgment


class Row(NamedTuple):
    """A stored event; ``undone`` is the UUID that an undo names."""

    key: str
    topic: str
    docno: str
    image: str
    grade: int | None
    shown_at: datetime | None
    undone: str | None
    is_current: bool


READ = """
    SELECT event.client_uuid::text, event.topic, event.docno, event.image_sha256, event.grade, event.shown_at,
        undone.client_uuid::text, EXISTS (
            SELECT FROM assessment_currentjudgment AS kept WHERE kept.judgment_id = event.id)
    FROM assessment_judgment AS event LEFT JOIN assessment_judgment AS undone ON undone.id = event.undoes_id
"""


def rows_of(var: Path) -> list[Row]:
    with psycopg.connect(
        host=str(socket_folder(var)), user=EMBEDDED_NAME, dbname=EMBEDDED_NAME
    ) as connection:
        return [Row(*row) for row in connection.execute(READ).fetchall()]


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


@pytest.fixture
def var(made_site: Path) -> Iterator[Path]:
    folder = copied(made_site)
    yield folder
    remove_var(folder)


@pytest.mark.parametrize(
    ("item_count", "worker_kills", "database_stops"),
    [(120, 3, 1), pytest.param(100_000, 110, 12, marks=pytest.mark.long)],
)
def test_judgments_outlive_kills_and_an_hour_offline(
    var: Path, item_count: int, worker_kills: int, database_stops: int
) -> None:
    start = time.monotonic()
    people = max(SCREENS, item_count // A_DAY)
    items = item_count // people
    acknowledged = AcknowledgedEvents()
    with judging_site(var, people=people + 1, items=items, has_pictures=True) as site:
        *works, browsers = site.works
        screens = [
            OfflineScreen(works[seed::SCREENS], site.port, acknowledged, seed, held=min(HELD, items // 3))
            for seed in range(SCREENS)
        ]
        with offline_hour(site.port, browsers) as hour:
            for screen in screens:
                screen.start()
            kill_all(site, acknowledged, screens, hour, worker_kills, database_stops, item_count)
            wait_for_judgments(acknowledged, None, screens)
            hour.wait_until_saved()
        rows = rows_of(var)
    of_browser = [row for row in rows if row.topic == browsers["topic"]]
    result = {
        "worker_kills": worker_kills,
        "database_stops": database_stops,
        **compared(acknowledged, [row for row in rows if row.topic != browsers["topic"]]),
        "browser_judgments": len(of_browser),
        "minutes": round((time.monotonic() - start) / 60, 1),
    }
    if item_count >= 100_000:
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(result)  # pytest -s
    assert acknowledged.faults == []
    assert (result["lost"], result["doubled"], result["misbound"]) == (0, 0, 0)
    assert result["current"] == item_count
    check_browser(hour, of_browser, {docno: image for _, docno, image in browsers["items"]})


def kill_all(
    site: WebSite,
    acknowledged: AcknowledgedEvents,
    screens: list[OfflineScreen],
    hour: OfflineHour,
    worker_kills: int,
    database_stops: int,
    item_count: int,
) -> None:
    """Kill workers and the database while judgments arrive; the browser is back after half of the kills."""
    dice = random.Random(item_count)
    kills, stops = worker_kills + database_stops, 0
    for done in range(1, kills + 1):
        wait_for_judgments(acknowledged, done * item_count // (kills + 2), screens)
        if done == kills // 2:
            hour.return_online()
        # Kills of the database are spread over all kills.
        if done * database_stops // kills > stops:
            stops += 1
            site.servers[0] = stop_database_at_once(site.servers[0])
        else:
            kill_worker(site, dice)


def wait_for_judgments(
    acknowledged: AcknowledgedEvents, count: int | None, screens: list[OfflineScreen]
) -> None:
    """Wait until this many, or all, are acknowledged; fail without progress for PATIENCE seconds."""
    known, since = len(acknowledged.events), time.monotonic()
    while any(screen.is_alive() for screen in screens):
        if count is not None and len(acknowledged.events) >= count:
            return
        time.sleep(0.02)
        if len(acknowledged.events) > known:
            known, since = len(acknowledged.events), time.monotonic()
        assert time.monotonic() < since + PATIENCE, f"nothing happened for a long time; {acknowledged.faults}"


def compared(acknowledged: AcknowledgedEvents, rows: list[Row]) -> dict[str, int]:
    """How far what is stored differs from what was acknowledged."""
    judged = {row.key: row[1:6] for row in rows if row.undone is None}
    undone = {row.key: row.undone for row in rows if row.undone is not None}
    meant, undos = acknowledged.events, acknowledged.undone
    current = [row for row in rows if row.is_current]
    lasting = meant.keys() - undos.values()
    return {
        "acknowledged": len(meant),
        "offline": acknowledged.offline_count,
        "undone": len(undos),
        "current": len(current),
        "lost": len((meant.keys() - judged.keys()) | (undos.keys() - undone.keys()))
        + len(lasting - {row.key for row in current}),
        "doubled": len(rows)
        - len(meant.keys() | undos.keys())
        + len(current)
        - len({row[1:3] for row in current}),
        "misbound": sum(judged.get(key, each) != each for key, each in meant.items())
        + sum(undone.get(key, each) != each for key, each in undos.items()),
    }


def check_browser(hour: OfflineHour, rows: list[Row], images: dict[str, str]) -> None:
    """Each key is one judgment of the item that was shown, with the minute at which it was shown."""
    assert {row.docno: row.grade for row in rows} == hour.given
    assert len(rows) == len(hour.given)
    assert all(row.image == images[row.docno] and row.is_current for row in rows)
    shown = [row.shown_at for row in rows if row.shown_at]
    assert max(shown) - min(shown) >= timedelta(minutes=len(rows) - 2)
