"""An upload whose web process is killed is stored completely or not at all."""

import hashlib
import os
import random
import signal
import socket
import subprocess
import time
from contextlib import suppress

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Run, RunState
from evaluation.running.hosting.web_server import workers
from tests.evaluation.conftest import children, wait_for
from tests.factories import make_task, make_team, make_team_member
from tests.faults.uploading import Sender, run_of
from tests.faults.web_site import web_server

LINES = 20_000  # of an upload: a megabyte, far more than a socket holds


def kill_workers(web: subprocess.Popen[bytes]) -> None:
    """Kill every worker; the server starts others."""
    for worker in children(web.pid):
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


@pytest.mark.parametrize(
    "upload_count", [pytest.param(9, marks=pytest.mark.whole), pytest.param(300, marks=pytest.mark.long)]
)
def test_killed_upload_is_whole_or_absent(site_environment: dict[str, str], upload_count: int) -> None:
    task = make_task(phase=Phase.OPEN, topic_count=1)
    team = make_team(task.track)
    client = Client()
    client.force_login(make_team_member(team))
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    address = reverse("run_upload", args=[task.track.slug, task.slug])
    dice = random.Random(upload_count)
    sent, accepted = set(), set()
    with web_server(site_environment | {"RATES": "upload=1000/h"}) as (port, web):
        sender = Sender(port, cookie, address, team.pk)
        for number in range(upload_count):
            wait_for(lambda: len(children(web.pid)) == workers, "the web server's workers")
            content = b"".join(b"T1 Q0 D%d %d 1.0 tag-%d\n" % (line, line, number) for line in range(LINES))
            sent.add(hashlib.sha256(content).hexdigest())
            request = sender.request(content, name=f"{number}.run")
            with sender.connect() as connection:
                # A third each: killed in the middle of the bytes, killed some time after the last byte, not
                # killed.
                share = dice.uniform(0.1, 0.9) if number % 3 == 0 else 1.0
                connection.sendall(request[: int(len(request) * share)])
                time.sleep(dice.uniform(0, 0.1) if number % 3 == 1 else 0)
                if number % 3 < 2:
                    kill_workers(web)
                # A worker started after the kill may accept the connection and wait for the rest.
                with suppress(OSError):  # reset by the end of its worker
                    connection.shutdown(socket.SHUT_WR)
                if (answered := run_of(connection)) is not None:
                    accepted.add(answered)
    runs = list(Run.objects.select_related("upload"))
    assert accepted <= {run.pk for run in runs}
    assert len(accepted) >= upload_count // 3
    assert {run.state for run in runs} == {RunState.RECEIVED}
    for run in runs:
        content = run.upload.read()
        assert hashlib.sha256(content).hexdigest() == run.upload_id
        assert run.upload_id in sent
        assert content.count(b"\n") == LINES
