"""No answer depends on what its reader must not know: no count, order, ETag or file name.

The blindness crawl looks for planted words; this one compares every answer before and after other people
work.
"""

from __future__ import annotations

import re
import uuid
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from pytest_django import Settings

from assessment.judging import pages as judging_content
from assessment.models import Assignment, Judgment, Remark
from assessment.models.purposes import Purpose
from evaluation.models import (
    Criteria,
    MeasureValue,
    Phase,
    Pool,
    QrelsKind,
    Report,
    Run,
    RunState,
    Team,
    User,
)
from evaluation.submissions.runs.editing import withdraw_run
from judges.models import Call, CallState, Job, Judge
from tests.addresses.urlconf import routes
from tests.factories import make_qrels, make_run
from tests.permissions.crawl import Crawl, addresses_of_api, is_of_admin
from tests.secret_rows.words import PAIRS
from tests.whole_site import WholeSite
from trackside.rates import RateLimit

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

# What differs between any two requests: form tokens, ids of new events, times, ages, time left.
CHANGING = re.compile(
    r'csrfmiddlewaretoken\\?" value=\\?"\w+|"X-CSRFToken": ?"\w+"|csrftoken=\w+'
    r"|expires=[^;]+|'Expires', '[^']+'|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}"
    r"|\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)?"
    r"|\d+(&nbsp;|\xa0| )((minute|second)s?|h|min)\b"
)
DRAWN = "/account/second-factor/totp/activate/"  # shows a secret that each visit draws
OF_WORKERS = "/ready"  # says to monitors which queue no worker serves, once something waits in it


@dataclass
class Record(Crawl):
    """A crawl that stores the answers, by request."""

    answers: dict[str, str] = field(default_factory=dict)

    def visit(self, address: str) -> set[str]:
        """Undo the visit's changes in database and browser, so that each request sees the same site."""
        cookies = copy(self.client.cookies)
        with transaction.atomic():
            onwards = super().visit(address)
            transaction.set_rollback(True)
        self.client.cookies = cookies
        return onwards

    def _read(self, asked: str, address: str, answer: Answer) -> set[str]:
        onwards = super()._read(asked, address, answer)
        if address in (DRAWN, OF_WORKERS):
            return onwards
        tag = answer.headers.pop("ETag", "")  # of a page with a token it changes with each request
        head = f"{answer.status_code} {sorted(answer.items())}"
        body = b"".join(answer).decode("utf-8", "replace")
        self.answers[asked] = CHANGING.sub("~", f"{head}\n{body}\n{'' if 'csrf' in body else tag}")
        return onwards


def recorded(site: WholeSite, role: str) -> dict[str, str]:
    """Every answer to the role, in a browser and to a program, and to all URLs that the answers name."""
    without_link = [route for route in routes() if "link" not in route.parameters]  # links are of the invited
    found = [address for route in without_link for address in route.all_filled(site.values)]
    pages = [address for address in found if not is_of_admin(address) and not address.startswith("/api/")]
    of_browser = Record(site.client(role)).through(["/", *pages])
    of_program = Record(site.program(role), within="/api/").through(addresses_of_api(site))
    return of_browser.answers | {f"program {asked}": answer for asked, answer in of_program.answers.items()}


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The requests whose answers differ, and where; a URL found by only one crawl counts."""
    absent = "not asked"
    found = sorted(asked for asked in before | after if before.get(asked) != after.get(asked))
    return [f"{asked}: {_parting(before.get(asked, absent), after.get(asked, absent))}" for asked in found]


def _parting(one: str, other: str) -> str:
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(at - 60, 0) : at + 60]!r} | {other[at : at + 60]!r}"


def work_on(site: WholeSite) -> None:
    """Add other people's work: grades, comments and flags, runs, verdicts, scores, a model and a report."""
    rival = Team.objects.get(memberships__user=site.signed_in("rival"))
    for assignment in Assignment.objects.filter(assessor=site.signed_in("colleague")):
        for topic, docno in PAIRS:
            if topic == assignment.topic:
                _judge(site, assignment.assessor, (topic, docno), grade=0)
    _judge(site, site.signed_in("organizer"), PAIRS[0], grade=2, purpose=Purpose.ADJUDICATION)
    for run in Run.objects.filter(team=rival, state=RunState.ACCEPTED):
        withdraw_run(run=run, by=site.signed_in("organizer"), reason="Trained on the topics.")
    results = {"T1": [PAIRS[1][1]], "T2": [PAIRS[2][1]]}
    for state in (RunState.ACCEPTED, RunState.REJECTED):
        make_run(
            site.task,
            rival,
            tag="late",
            state=state,
            results=results,
            received_by=site.signed_in("rival"),
        )
    made = Judge.objects.get(pk=str(site.first_values["judge"]))
    pool = Pool.objects.get(pk=str(site.first_values["pool"]))
    job = Job.objects.create(judge=made, pool=pool, created_by=site.signed_in("organizer"))
    for topic, docno in PAIRS:
        Call.objects.create(job=job, topic=topic, docno=docno, state=CallState.WAITING)
    _score(site)


def _judge(site: WholeSite, person: User, pair: tuple[str, str], **given: Any) -> None:
    about = {"task": site.task, "topic": pair[0], "docno": pair[1], "assessor": person}
    said = {"comment": "another", "is_flagged": True, "client_uuid": uuid.uuid4()}
    criteria, now = Criteria.objects.current(site.task), timezone.now()
    Judgment.objects.create(**about, **said, **given, criteria=criteria, shown_at=now)
    Remark.objects.create(**about, **said)


def _score(site: WholeSite) -> None:
    """Publish further qrels of both kinds, with values of every accepted run under them, and a report."""
    for kind in (QrelsKind.HUMAN, QrelsKind.MODEL):
        given: dict[str, Any] = {"pool": site.task.pools.first()} if kind == QrelsKind.MODEL else {}
        given |= {"name": f"new-{kind}", "created_by": site.signed_in("organizer")}
        qrels = make_qrels(site.task, kind=kind, grades=dict.fromkeys(PAIRS, 1), **given)
        for run in site.task.runs.accepted():
            MeasureValue.objects.create(
                run=run, qrels=qrels, measure="AP", values=[1.0, 1.0], mean=1.0, code_version="1"
            )
    report = Report.objects.filter(task=site.task).first()
    assert report
    report.pk, report.inputs_sha256 = None, "1" * 64
    report.save()


@pytest.fixture
def site(whole_site: WholeSite, settings: Settings) -> WholeSite:
    settings.RATES = settings.RATES | {
        "api": RateLimit(10**6, 60)
    }  # two walks are more than a program may ask
    return whole_site


def differences_to(site: WholeSite, role: str) -> list[str]:
    """The differences that the role sees after the others' work."""
    before = recorded(site, role)
    assert len(before) > 100
    work_on(site)
    return differences(before, recorded(site, role))


@pytest.mark.parametrize("phase", Phase)
def test_answers_to_an_assessor_do_not_depend_on_others(site: WholeSite, phase: Phase) -> None:
    site.enter(phase)
    assert differences_to(site, "assessor") == []


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase != Phase.RELEASED])
@pytest.mark.parametrize("role", ["team", "visitor"])
def test_answers_before_the_release_do_not_depend_on_rivals(site: WholeSite, role: str, phase: Phase) -> None:
    """They do not depend on qrels, values and grades either: a team sees its own runs and public rows."""
    site.enter(phase)
    assert differences_to(site, role) == []


def test_a_page_that_counts_others_judgments_is_found(
    site: WholeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leak(*shown: Any) -> HttpResponse:
        answer = render(*shown)
        answer.headers["X-Count"] = str(Judgment.objects.count())
        return answer

    monkeypatch.setattr(judging_content, "render", leak)
    site.enter(Phase.JUDGING)
    address = f"/judging/{site.first_values['assignment']}/items/1/content"
    before = Record(site.client("assessor")).through([address]).answers
    work_on(site)
    after = Record(site.client("assessor")).through([address]).answers
    assert any("X-Count" in each for each in differences(before, after))
