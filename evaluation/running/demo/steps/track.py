"""Creates the demo's track with its people, collections, topics and runs."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from itertools import islice
from typing import Any, TypeAlias

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models.functions import Now

from evaluation.collections.actions import add_documents, add_topics
from evaluation.collections.models import Collection
from evaluation.organizing.setup.actions import add_picture
from evaluation.platform.access.people import Membership, Role, User
from evaluation.running.demo.drawing import picture_jpeg
from evaluation.running.demo.scenes import Scene, load_data
from evaluation.running.demo.stamps import Stamp
from evaluation.running.demo.world import DemoItem, DemoTask
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.models import RunQuerySet, RunState
from evaluation.submissions.runs.receiving import receive_run
from evaluation.submissions.teams.models import Team
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, Track
from trackside.errors import InputError
from trackside.items import NewItem

TEAMS = load_data("teams.toml")
PASSWORD = "seven quiet harbours"  # noqa: S105 - printed for every visitor; the site is on a loopback address
BASELINES = "Baselines"
STAFF, ORGANIZER, ASSESSOR = "staff@example.org", "organizer@example.org", "assessor@example.org"
SIMULATED = ("sim-1", "sim-2", "sim-3", "sim-4")
LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}

VISITORS = {
    ORGANIZER: "organizer: the tasks, pools, model jobs and reports",
    ASSESSOR: "assessor: topics of her own to judge",
    **{f"{short}@example.org": f"team owner of {team['name']}: its runs" for short, team in TEAMS.items()},
    STAFF: "the site's staff: every track and every table",
}
"""Accounts for visitors: mail address to purpose."""


def public_hosts() -> list[str]:
    """Return the names of the site by which others may reach it."""
    return sorted({settings.SITE_HOST, *settings.ALLOWED_HOSTS} - LOOPBACK)


def open_accounts() -> list[str]:
    """Return the addresses of the visitors' accounts whose password everybody knows."""
    visitors = User.objects.filter(email__in=VISITORS, is_active=True).order_by("email")
    return [person.email for person in visitors if person.check_password(PASSWORD)]


def prepare_people(track: Track) -> None:
    """Add the accounts and teams to a site without any. Simulated assessors cannot sign in.

    Raises InputError.
    """
    if User.objects.exists():
        raise InputError(
            "This site has accounts already, and the demo would add staff with a password that everybody "
            "knows. Run it with another TRACKSIDE_VAR, and without DATABASE_URL."
        )
    User.objects.create_superuser(STAFF, PASSWORD, name="Sam Staff")
    User.objects.create_verified(ASSESSOR, PASSWORD, name="Ada Assessor")
    join(track, User.objects.create_verified(ORGANIZER, PASSWORD, name="Olga Organizer"), Role.ORGANIZER)
    for name in SIMULATED:
        join(track, User.objects.create_verified(f"{name}@example.org", name=name), Role.ASSESSOR)
    Team.objects.create(track=track, name=BASELINES, is_baseline=True)
    for short, about in TEAMS.items():
        owner = User.objects.create_verified(f"{short}@example.org", PASSWORD, name=about["owner"])
        join(track, owner, Role.TEAM_OWNER, Team.objects.create(track=track, name=about["name"]))


def organizer() -> User:
    """Return the account of the organizer."""
    return User.objects.get(email=ORGANIZER)


def submitter(track: Track, team: str) -> tuple[Team, User]:
    """Return the team with this short name and its owner; without one, the baselines' team and organizer."""
    if not team:
        return Team.objects.get(track=track, name=BASELINES), organizer()
    name = TEAMS[team]["name"]
    return Team.objects.get(track=track, name=name), User.objects.get(email=f"{team}@example.org")


def join(track: Track, person: User, role: Role, team: Team | None = None) -> None:
    """Give the person this role unless she has it."""
    Membership.objects.get_or_create(track=track, user=person, role=role, team=team)


DATES = {"opens_at": -42, "closes_at": 14, "judging_at": 15, "releases_at": 43}  # days from now
FRONT_PICTURES = 3  # of each task
TASK_FIELDS = ("name", "kind", "guidelines")

Wait: TypeAlias = Callable[[Callable[[], bool]], None]
"""Returns once the function returns true."""


@transaction.atomic
def prepare_track(words: Mapping[str, Any]) -> Track:
    """Return the demo's track; create it, its people and its tasks, open for runs, if missing."""
    about = {"name": words["name"], "description": words["description"], "year": 2026}
    track, is_new = Track.objects.get_or_create(slug=words["slug"], defaults=about)
    if is_new:
        prepare_people(track)
        for slug, texts in words["tasks"].items():
            collection = Collection.objects.create(
                track=track, name=texts["collection"], description=texts["collection_description"]
            )
            dates = {name: Now() + timedelta(days=days) for name, days in DATES.items()}
            fields = {name: texts[name] for name in TASK_FIELDS}
            task = Task.objects.create(track=track, slug=slug, collection=collection, **dates, **fields)
            Criteria.objects.create(task=task, instructions=texts["instructions"], grades=words["grades"])
    return track


@transaction.atomic
def add_items(task: Task, demo: DemoTask, *, credit: str) -> None:
    """Add the topics and documents of a task that has none, and a few of its pictures to the front pages."""
    if not task.topics.exists():
        add_topics(task=task, items=map(_new_item, demo.topics))
        add_documents(collection=task.collection, items=map(_new_item, demo.documents))
        for docno, content in islice(picture_files(demo), FRONT_PICTURES):
            add_picture(task=task, name=f"Document {docno}", content=content, credit=credit)


def picture_files(demo: DemoTask) -> Iterator[tuple[str, bytes]]:
    """Yield the id and the file of each picture among the task's items."""
    for item in (*demo.topics, *demo.documents):
        if (content := _picture(item)) is not None:
            yield item.id, content


def _picture(item: DemoItem) -> bytes | None:
    match item.about:
        case Scene() as scene:
            return picture_jpeg(scene, item.id)
        case Stamp(path=path):
            return path.read_bytes()
    return None


def submit_runs(task: Task, world: DemoTask, wait: Wait) -> None:
    """Retrieve the runs, upload the missing ones like any team's, wait for verdicts and set families.

    Raises InputError with the faults found.
    """
    from evaluation.running.demo.steps.retrieval import retrieve_runs, run_text  # loads torch, for seconds

    runs = list(retrieve_runs(world, dict(picture_files(world))))
    for run in runs:
        if not _uploads(task, run.tag).exists():
            team, person = submitter(task.track, run.team)
            file = ContentFile(run_text(world, run).encode(), name=f"{run.tag}.txt")
            receive_run(task=task, team=team, file=file, description=run.description, by=person)
    wait(lambda: not task.runs.filter(state=RunState.RECEIVED).exists())
    for run in runs:
        upload = _uploads(task, run.tag).get()
        if upload.state == RunState.REJECTED:
            faults = upload.verdict.content if upload.verdict else ""
            raise InputError(f"The run {run.tag} of the {task.slug} task was rejected. {faults}")
        upload.families.set([Family.objects.get_or_create(task=task, name=name)[0] for name in run.families])


def _new_item(item: DemoItem) -> NewItem:
    return NewItem(item.id, tuple(item.fields.items()), _picture(item))


def _uploads(task: Task, tag: str) -> RunQuerySet:
    return task.runs.filter(file_name=f"{tag}.txt")
