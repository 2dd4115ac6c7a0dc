"""Screens of assessors, who judge item by item over HTTP, and what the site acknowledged."""

import http.client
import json
import random
import threading
import time
import urllib.parse
import uuid
from contextlib import closing
from dataclasses import dataclass, field
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
