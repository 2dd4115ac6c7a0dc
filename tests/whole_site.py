"""A site with one of everything. Each word in it that assessors must never see begins with ``SECRET``."""

from dataclasses import dataclass
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client

from assessment.models import Assignment, GoldItem
from assessment.quality.disagreements import find_disagreements
from evaluation.models import Document, Mail, Phase, Run, Scope, Task, Team, Topic, Track, User
from evaluation.platform.access.actions import create_token
from evaluation.submissions.teams.membership import renew_team_link
from judges.models import Job
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_pool,
    make_staff,
    make_team,
    make_team_member,
    make_track,
    make_user,
)
from tests.secret_rows.jobs import make_secret_job, make_setup_rows
from tests.secret_rows.judgments import make_secret_judgments
from tests.secret_rows.runs import make_secret_note, make_secret_qrels, make_secret_report, make_secret_runs
from tests.secret_rows.tracks import (
    make_secret_announcement,
    make_secret_audit,
    make_secret_exception,
    make_secret_import,
    make_secret_inquiries,
    make_secret_invitation,
    make_secret_preview,
    make_secret_registration,
    make_secret_task,
)
from tests.secret_rows.words import PAIRS, SECRET

ROLES = (
    "signed-out",  # nobody
    "visitor",  # an account without a role
    "assessor",  # of the track, with an assignment
    "colleague",  # the track's other assessor
    "team",  # the run's
    "rival",  # of another team of the track
    "organizer",  # of the track
    "stranger",  # organizer of another track
    "staff",  # of the site, with a second factor
)


@dataclass(frozen=True)
class WholeSite:
    """The site's task, its visitors by role (None: signed out), and values of URL parameters.

    The first value of each parameter defines the roles: the task, the team's accepted run, the assessor's
    assignment. ``secrets`` are those of tokens with every scope, by role.
    """

    task: Task
    visitors: dict[str, User | None]
    values: dict[str, list[object]]
    secrets: dict[str, str]

    @property
    def first_values(self) -> dict[str, object]:
        """The URL parameters of the rows that define the roles."""
        return {name: values[0] for name, values in self.values.items()}

    def signed_in(self, role: str) -> User:
        """The account of a role that has one."""
        person = self.visitors[role]
        assert person
        return person

    def client(self, role: str) -> Client:
        """A browser of a role, signed in."""
        person = self.visitors[role]
        return signed_in_client(person) if person else Client()

    def clients(self) -> dict[str, Client]:
        """A browser for each role, signed in."""
        return {role: self.client(role) for role in self.visitors}

    def program(self, role: str) -> Client:
        """A program of a role, which signs in with a token."""
        secret = self.secrets.get(role)
        return Client(headers={"Authorization": f"Bearer {secret}"} if secret else None)

    def programs(self) -> dict[str, Client]:
        """A program for each role, which signs in with a token."""
        return {role: self.program(role) for role in ROLES}

    def enter(self, phase: Phase) -> None:
        """Move the dates so that the task is in the phase."""
        Task.objects.filter(pk=self.task.pk).update(**dates_of(phase))


def signed_in_client(person: User) -> Client:
    """A browser whose user has just entered the password, so that no page asks for it again."""
    client = Client()
    client.force_login(person)
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, person, method="password", reauthenticated=True)
    request.session.save()
    return client


def word_of(answer: HttpResponseBase) -> str:
    """The status of an answer, or "sign-in" where it leads to a sign-in page."""
    is_sign_in = answer.headers.get("Location", "").startswith(("/account/login/?", "/admin/login/?"))
    return "sign-in" if answer.status_code == 302 and is_sign_in else str(answer.status_code)


def make_whole_site(*, hidden_grade: int = 2) -> WholeSite:
    """Two assessors at work on a judged, scored and reported pool; ``hidden_grade`` is what others gave."""
    task = make_secret_task()
    team, rival = (make_team(task.track, name=f"{SECRET}-team-{name}") for name in ("own", "rival"))
    visitors = _make_visitors(task.track, team, rival)
    organizer = visitors["organizer"]
    team = renew_team_link(team=team, by=visitors["team"])
    run, *_ = make_secret_runs(task, team, rival)
    make_secret_note(run, organizer)
    make_secret_registration({team: visitors["team"], rival: visitors["rival"]}, organizer)
    exception = make_secret_exception(task, team, organizer)
    pool = make_pool(task, name=f"{SECRET}-pool", pairs=PAIRS, runs=[run], created_by=organizer)
    assignments = make_secret_judgments(pool, visitors["assessor"], visitors["colleague"], hidden_grade)
    make_secret_report(run, *make_secret_qrels(pool, organizer, hidden_grade))
    job = make_secret_job(pool, organizer)
    make_secret_invitation(task.track, organizer)
    make_secret_announcement(task.track, organizer)
    make_secret_inquiries(task, visitors["team"], organizer)
    Mail.objects.create(what="run_accepted", to=visitors["team"].email, subject=f"{SECRET}-subject")
    TOTP.activate(visitors["staff"], "A" * 32)
    RecoveryCodes.activate(visitors["staff"])
    brought = make_secret_import(task, organizer)
    preview = make_secret_preview(task, organizer)
    make_secret_audit(task, organizer)
    tokens = {
        role: create_token(name=f"{person.name}'s token", scopes=list(Scope), days=1, by=person)
        for role, person in visitors.items()
        if person
    }
    values = _values(task, run, assignments, job) | {
        "number": [tokens["assessor"].token.pk],
        **make_setup_rows(task, job),
        "exception": [exception.pk],
        "task_import": [brought.pk],
        "operation": [preview.pk],
        "kind": ["topics", "runs"],
        "work": ["import"],
        "row": [brought.pk],
        "rows": ["runs", "teams", "faults", "pools"],
    }
    return WholeSite(task, visitors, values, {role: made.secret for role, made in tokens.items()})


def _make_visitors(track: Track, team: Team, rival: Team) -> dict[str, Any]:
    def named(role: str) -> dict[str, Any]:
        return {"name": f"{SECRET} {role}", "email": f"{SECRET.lower()}-{role}@example.org"}

    return {
        "signed-out": None,
        "visitor": make_user(),
        "assessor": make_assessor(track, name="Own Name", email="own@example.org"),
        "colleague": make_assessor(track, **named("colleague")),
        "team": make_team_member(team, **named("team")),
        "rival": make_team_member(rival, **named("rival")),
        "organizer": make_organizer(track, **named("organizer")),
        "stranger": make_organizer(make_track(name=f"{SECRET} elsewhere")),
        "staff": make_staff(),
    }


def _values(task: Task, run: Run, assignments: list[Assignment], job: Job) -> dict[str, list[object]]:
    settled = find_disagreements(task=task)[0]
    other_tasks = Task.objects.filter(track=task.track).exclude(pk=task.pk)
    documents = Document.objects.filter(collection=task.collection).order_by("docno")
    return {
        "track": [task.track.slug],
        "team": [run.team_id, *Team.objects.exclude(pk=run.team_id).values_list("pk", flat=True)],
        "member": [run.received_by_id],
        "link": [run.team.link_token],
        "task": [task.slug, *other_tasks.values_list("slug", flat=True)],
        "run": [run.pk, *Run.objects.exclude(pk=run.pk).values_list("pk", flat=True)],
        "item": list(GoldItem.objects.of_training(task).values_list("pk", flat=True)),
        "topic": [Topic.objects.get(task=task, number=settled.topic).pk],
        "noun": ["track"],
        "record": [task.track_id],
        "document": [Document.objects.get(collection=task.collection, docno=settled.docno).pk],
        "assignment": [each.pk for each in assignments],
        "place": [1, 2, 3, 4],
        "wall": [1],
        "exclusion": list(task.exclusions.values_list("pk", flat=True)),
        "sample": [0],
        "part": [1],
        "form": ["csv", "jsonl"],
        "table": ["order", "bias"],
        "figure": ["ranks-ndcg-10"],
        "section": ["order", "bias", "methods"],
        "qrels": list(task.qrels.order_by("pk").values_list("pk", flat=True)),
        "job": [job.pk],
        "pool": [job.pool_id],
        "sha256": list(documents.values_list("image", flat=True)),
        "size": ["display", "small", "thumbnail"],
        "token": ["no-token"],
        "uidb36": ["a"],
        "key": ["no-key"],
        "app_label": ["evaluation", "assessment", "judges"],
        "content_type_id": [ContentType.objects.get_for_model(Run).pk],
        "object_id": [run.pk],
        "id": [run.received_by_id],
        "url": ["nothing/"],
    }
