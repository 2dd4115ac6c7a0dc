"""Screens of assessors, who judge over HTTP, some offline for hours, and what the site acknowledged."""

import http.client
import json
import random
import threading
import time
import urllib.parse
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.faults.web_site import saving

AT_ONE_GO = 50  # judgments on one connection; without this limit all would go to one worker
DROPPED = 0.05  # share of responses that the network loses: the screen sends the judgment again


@dataclass
class Acknowledged:
    """Judgments that the server acknowledged with 200: by UUID the docno, image and grade."""

    judgments: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Screen(threading.Thread):
    """Judges item by item as the screen's outbox does: the same UUID again and again until a 200 names it."""

    def __init__(self, works: list[dict[str, Any]], port: int, acknowledged: Acknowledged, seed: int) -> None:
        super().__init__(daemon=True)
        self.works, self.port, self.acknowledged, self.dice = works, port, acknowledged, random.Random(seed)
        self.connection = self.connect()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)

    def run(self) -> None:
        with closing(self):
            self.judge()

    def close(self) -> None:
        self.connection.close()

    def judge(self) -> None:
        everything = [(work, *item) for work in self.works for item in work["items"]]
        for number, (work, place, docno, image) in enumerate(everything):
            if number % AT_ONE_GO == 0:
                self.connection.close()  # the next request opens another
            grade = self.dice.randrange(3)
            key = str(uuid.uuid4())
            if not self.send(work, place, image, grade, key):
                return
            with self.acknowledged.lock:
                self.acknowledged.judgments[key] = (docno, image, grade)

    def send(self, work: dict[str, Any], place: int, image: str, grade: int, key: str) -> bool:
        headers, fields = saving(work, image, grade, key)
        return self.post(f"/judging/{work['assignment']}/items/{place}/judgment", headers, fields)

    def post(self, url: str, headers: dict[str, str], fields: dict[str, str]) -> bool:
        """Send an event until a 200 names its UUID; False if the site refuses it."""
        while True:
            try:
                self.connection.request("POST", url, urllib.parse.urlencode(fields), headers)
                answer = self.connection.getresponse()
                body = answer.read()
            except (OSError, http.client.HTTPException):
                self.connection.close()
                self.connection = self.connect()
                time.sleep(0.05)
                continue
            if answer.status == 200 and self.dice.random() >= DROPPED:
                return bool(json.loads(body)["client_uuid"] == fields["client_uuid"])
            if answer.status >= 500:
                time.sleep(0.05)
            elif answer.status >= 300:
                self.acknowledged.faults.append(f"{answer.status} {body[:300]!r}")
                return False


HELD = 100  # items that the browser stores at most
UNDONE = 5  # one of so many judgments is undone and given again
ONLINE = timedelta(seconds=6)  # from one judgment to the next
START = datetime(2026, 9, 1, 12, tzinfo=UTC)

Meant = tuple[str, str, str, int, datetime]  # topic, docno, image, grade, shown at


@dataclass
class AcknowledgedEvents(Acknowledged):
    """Also what was undone, by the UUID of the undo, and the number of judgments given offline."""

    events: dict[str, Meant] = field(default_factory=dict)
    undone: dict[str, str] = field(default_factory=dict)
    offline_count: int = 0


@dataclass(frozen=True)
class Event:
    """An event of the outbox: a judgment with what it means, or the undo of one."""

    url: str
    fields: dict[str, str]
    meant: Meant | None


class OfflineScreen(Screen):
    """Judges every other batch of items offline, and sends the hour's events, in order, when it is back.

    A batch has ``held`` items. Each event is sent as the browser's outbox does: until a 200 names it.
    """

    acknowledged: AcknowledgedEvents

    def __init__(
        self, works: list[dict[str, Any]], port: int, acknowledged: AcknowledgedEvents, seed: int, held: int
    ) -> None:
        super().__init__(works, port, acknowledged, seed)
        self.held, self.now = held, START

    def judge(self) -> None:
        for work in self.works:
            for number, first in enumerate(range(0, len(work["items"]), self.held)):
                items = work["items"][first : first + self.held]
                is_offline = number % 2 == 1
                pause = timedelta(hours=1) / len(items) if is_offline else ONLINE
                given = self.events(work, items, pause)
                self.connection.close()  # the next request opens another, at another worker
                if not self.send_all(work, list(given) if is_offline else given, is_offline):
                    return

    def events(self, work: dict[str, Any], items: list[Any], pause: timedelta) -> Iterator[Event]:
        """Each item is shown and judged, and some judgments are undone and given again."""
        for number, item in enumerate(items, 1):
            event = self.judgment(work, item, pause)
            yield event
            if number % UNDONE == 0:
                yield self.undo(work, item[0], event.fields["client_uuid"])
                yield self.judgment(work, item, pause)

    def judgment(self, work: dict[str, Any], item: list[Any], pause: timedelta) -> Event:
        place, docno, image = item
        self.now += pause
        grade = self.dice.randrange(3)
        _, fields = saving(work, image, grade, str(uuid.uuid4()))
        url = f"/judging/{work['assignment']}/items/{place}/judgment"
        shown = {"shown_at": self.now.isoformat()}
        return Event(url, fields | shown, (work["topic"], docno, image, grade, self.now))

    def undo(self, work: dict[str, Any], place: int, undone: str) -> Event:
        fields = {"undoes": undone, "client_uuid": str(uuid.uuid4())}
        return Event(f"/judging/{work['assignment']}/items/{place}/undo", fields, None)

    def send_all(self, work: dict[str, Any], given: Iterator[Event] | list[Event], is_offline: bool) -> bool:
        headers, _ = saving(work, "", 0, "")
        for event in given:
            if not self.post(event.url, headers, event.fields):
                return False
            with self.acknowledged.lock:
                self.note(event, is_offline)
        return True

    def note(self, event: Event, is_offline: bool) -> None:
        key = event.fields["client_uuid"]
        if event.meant is None:
            self.acknowledged.undone[key] = event.fields["undoes"]
            return
        self.acknowledged.events[key] = event.meant
        self.acknowledged.offline_count += is_offline
