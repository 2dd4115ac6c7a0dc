"""Two machines lose nothing, double nothing and never hang while each part is killed during its work."""

import hashlib
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.conftest import wait_for
from tests.faults.asked_jobs import slowly
from tests.faults.brokers.running import Parts
from tests.faults.machines.console import DOCNOS, ITEMS, PEOPLE, UPLOAD_DOCNOS, UPLOAD_TOPICS, Console
from tests.faults.machines.site import CELERY_PARTS, Machines, is_ready, site_on_two_machines
from tests.faults.screens import Acknowledged, Screen
from tests.judges.endpoint import Endpoint, running, score_of
from trackside.cli.remote.client import RemoteSite
from trackside.errors import InputError

UPLOADS = 15
# Seconds between two judgments of a screen and between two uploads, until everything was killed.
PACE, UPLOAD_PACE = 2.0, 4.0
DOWN = 1.0  # seconds from a kill to the next start
APART = 2.0  # seconds from a start to the next kill
MATRIX = [
    pytest.param("valkey", 15, marks=pytest.mark.whole),
    *(
        pytest.param(kind, major, marks=pytest.mark.long)
        for kind, major in (
            ("valkey", 16),
            ("valkey", 17),
            ("valkey", 18),
            ("redis", 15),
            ("redis", 18),
            ("rabbitmq", 15),
            ("rabbitmq", 18),
        )
    ),
]


class PacedScreen(Screen):
    """A screen whose assessor takes some time for each judgment."""

    pace = PACE

    def send(self, work: dict[str, Any], place: int, image: str, grade: int, key: str) -> bool:
        time.sleep(self.pace)
        return super().send(work, place, image, grade, key)


@dataclass
class Uploader(threading.Thread):
    """Submits runs as `trackside submit` does; ``stored`` has the acknowledged ones and their SHA-256."""

    site: RemoteSite
    path: str
    folder: Path
    pace: float = UPLOAD_PACE
    stored: dict[int, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        for number in range(UPLOADS):
            time.sleep(self.pace)
            content = b"".join(
                b"T%d Q0 D%d %d %d tag-%d\n" % (topic, docno, docno, -docno, number)
                for topic in range(1, UPLOAD_TOPICS + 1)
                for docno in range(1, UPLOAD_DOCNOS + 1)
            )
            file = self.folder / f"{number}.run"
            file.write_bytes(content)
            key = hashlib.md5(content, usedforsecurity=False).hexdigest()
            try:
                made = self.site.send(self.path, [], file, key=key)
            except InputError as error:
                self.faults.append(str(error))
                return
            self.stored[made["id"]] = hashlib.sha256(content).hexdigest()


def kill_each_part(site: Machines) -> None:
    """Kill every part once and start it again, one after the other, the database and the broker as well."""
    for part in ("web", *CELERY_PARTS):
        for name, machine in site.machines.items():
            kill_and_start(machine, part)
            if part == "web":  # as who restarts them one by one
                wait_for(lambda: is_ready(site.ports[name]), "the web server")  # noqa: B023 - called at once
        if part == "web":
            for shared in ("proxy", "pooler"):
                kill_and_start(site.shared, shared)
        if part == "worker":
            site.restart_broker()
        if part == "judges":
            site.restart_database()


def kill_and_start(parts: Parts, name: str) -> None:
    parts.kill(name)
    time.sleep(DOWN)
    parts.start_again(name)
    time.sleep(APART)


def end_work(site: Machines, console: Console, filled: dict[str, Any]) -> None:
    """Kill the workers of long work once they hold claims, and restart broker and database meanwhile."""

    def now() -> dict[str, Any]:
        return console.ask("read", filled) or {}

    wait_for(lambda: now().get("imports") == ["tried"], "the trial of the import")
    wait_for(lambda: bool(console.ask("finish_work", filled)), "the end of the work")
    wait_for(lambda: bool(now().get("claimed")), "a worker that holds a claim")
    for machine in site.machines.values():
        machine.kill("long")
    site.restart_broker()
    for machine in site.machines.values():
        machine.start_again("long")
    wait_for(lambda: "ReportProgress" in now().get("claimed", []) or now().get("reports") == 1, "the report")
    site.restart_database()
    ended = {"imports": ["done"], "operations": ["done"], "reports": 1, "job": "completed"}
    for name, state in (ended | {"waiting": 0, "unsent": 0, "claimed": []}).items():
        wait_for(lambda: now().get(name) == state, f"{name} to be {state}")  # noqa: B023 - called at once


@pytest.mark.timeout(2400)  # thirty processes, on a machine that may do other work
@pytest.mark.parametrize(("kind", "major"), MATRIX)
def test_two_machines_lose_and_double_nothing(kind: str, major: int, tmp_path: Path) -> None:
    with ExitStack() as stack:
        endpoint = stack.enter_context(running(slowly))
        site = stack.enter_context(site_on_two_machines(kind, major, tmp_path))
        console = stack.enter_context(closing(Console(site.env_of("console"))))
        filled = console.ask("fill", endpoint.url)
        wait_for(lambda: is_ready(site.port), "the site")
        acknowledged = Acknowledged()
        screens = [
            PacedScreen([work], site.port, acknowledged, seed) for seed, work in enumerate(filled["works"])
        ]
        remote = RemoteSite(f"http://127.0.0.1:{site.port}", filled["token"])
        uploader = Uploader(remote, filled["runs"], tmp_path)
        clients: list[threading.Thread] = [*screens, uploader]
        assert console.ask("start_work", filled)
        for client in clients:
            client.start()
        kill_each_part(site)
        uploader.pace = 0
        for screen in screens:
            screen.pace = 0
        end_work(site, console, filled)
        for client in clients:
            client.join()
        assert acknowledged.faults == uploader.faults == []
        wait_for(lambda: console.ask("read", filled)["runs"] == {"accepted": UPLOADS}, "the verdicts")
        wait_for(lambda: console.ask("read", filled)["unsent"] == 0, "the mails")
        end, rows = console.ask("read", filled), console.ask("stored", filled)
        logs = site.logs()
    check_judgments_and_uploads(acknowledged, uploader, rows)
    check_job(endpoint, rows)
    assert (end["documents"], end["operations"], end["reports"]) == (DOCNOS, ["done"], 1)
    assert len(end["graded"]) == 1
    assert end["mails"] == UPLOADS
    assert "Traceback" not in logs


def check_judgments_and_uploads(acknowledged: Acknowledged, uploader: Uploader, rows: dict[str, Any]) -> None:
    """Each acknowledged one is stored once, with its content, and no other."""
    assert rows["judgments"] == {key: list(meant) for key, meant in acknowledged.judgments.items()}
    assert len({tuple(meant) for meant in rows["judgments"].values()}) <= PEOPLE * ITEMS
    assert len(rows["judgments"]) == PEOPLE * ITEMS
    assert {int(run): upload for run, upload in rows["uploads"].items()} == uploader.stored
    assert len(uploader.stored) == UPLOADS


def check_job(endpoint: Endpoint, rows: dict[str, Any]) -> None:
    """Every pair has the score of its own answer; only requests of killed workers were repeated."""
    assert rows["note"] == ""
    keys = {name: key for name, key, _ in rows["ledger"]}
    assert rows["scores"] == {keys[request.id]: score_of(request.shown) for request in endpoint.asked}
    assert len(rows["scores"]) == rows["pairs"]
    asked = [key for _, key, _ in rows["ledger"]]
    lost = {key for _, key, outcome in rows["ledger"] if outcome.startswith(("lost", "not_asked"))}
    assert {key for key in asked if asked.count(key) > 1} <= lost
    paid = [key for _, key, outcome in rows["ledger"] if outcome == "ok"]
    assert sorted(paid) == sorted(rows["scores"])
