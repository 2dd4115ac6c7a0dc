"""Create tracks and tasks, and change a task's setup."""

from __future__ import annotations

from collections.abc import Collection as Container
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from evaluation.access.people import Membership, Role, User
from evaluation.access.schema.names import alike
from evaluation.access.schema.texts import MARKDOWN_MAX
from evaluation.collections.models import Collection, Picture
from evaluation.collections.storing import store_image
from evaluation.teams.membership import check_name_is_free
from evaluation.teams.models import NAME_NOT_FREE, Team
from evaluation.tracks.actions import create_criteria
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, TaskKind, Track
from trackside.criteria import check_grades
from trackside.errors import InputError
from trackside.text.names import check_visible, folded


@transaction.atomic
def begin_track(*, name: str, slug: str, year: int, by: User) -> Track:
    """Create a track that the person organizes. Raises tracks-are-for-staff, address-taken, name-taken."""
    if not by.is_superuser:
        raise InputError(
            "Only the site's staff make tracks. Ask them for one, or add a task to yours.",
            code="tracks-are-for-staff",
        )
    if Track.objects.filter(slug=slug).exists():
        raise InputError(f"A track has the address {slug}. Choose another one.", code="address-taken")
    track = Track(name=name, slug=slug, year=year)
    track.clean_fields()
    track.clean()
    track.save()
    Membership.objects.create(user=by, track=track, role=Role.ORGANIZER)
    return track


@transaction.atomic
def begin_task(*, track: Track, name: str, slug: str, kind: TaskKind) -> Task:
    """Create a task without dates, with an empty collection and the default criteria.

    Raises hidden-character, address-taken.
    """
    check_visible(name)
    Track.objects.select_for_update(no_key=True).get(pk=track.pk)
    if Task.objects.filter(track=track, slug=slug).exists():
        raise InputError(
            f"A task of {track} has the address {slug}. Choose another one.", code="address-taken"
        )
    collection = Collection.objects.create(track=track, name=free_collection_name(track, name))
    task = Task.objects.create(track=track, name=name, slug=slug, kind=kind, collection=collection)
    create_criteria(task=task)
    return task


def free_collection_name(track: Track, name: str) -> str:
    """Return the name, with a number if a collection of the track has an equal or look-alike name."""
    names = set(track.collections.values_list("name_folded", flat=True))
    tries = (name, *(f"{name[:110]} {number}" for number in range(2, len(names) + 3)))
    return next(each for each in tries if folded(each) not in names)


@transaction.atomic
def choose_collection(*, task: Task, collection: Collection) -> None:
    """Give the task another collection of its track; delete the old one if it is empty and unused.

    Raises collection-stays.
    """
    if task.runs.exists():
        raise InputError(
            "Runs were checked against this collection. Make a new task instead.", code="collection-stays"
        )
    old = task.collection
    task.collection = collection
    task.save(update_fields=["collection"])
    if old != collection and not old.tasks.exists() and not old.documents.exists():
        old.delete()


@transaction.atomic
def save_criteria(*, task: Task, grades: list[dict[str, Any]], instructions: str, level: int) -> Criteria:
    """Store the scale in the latest version, or in a new one if somebody judged by it.

    ``level`` is the lowest relevant grade. Raises CriteriaMalformed, instructions-too-long, level-off-scale.
    """
    check_grades(grades)
    if len(instructions) > MARKDOWN_MAX:
        raise InputError(
            f"The instructions have {len(instructions):,} characters. Shorten them to at most "
            f"{MARKDOWN_MAX:,} characters.",
            code="instructions-too-long",
        )
    if level not in {each["grade"] for each in grades} or level < 1:
        raise InputError(
            f"Relevant from {level}: choose a grade of the scale that is 1 or higher.", code="level-off-scale"
        )
    criteria = Criteria.objects.filter(task=task).select_for_update().order_by("-version").first()
    if criteria is None or (criteria.grades, criteria.instructions) != (grades, instructions):
        if criteria is None or criteria.frozen_at:
            latest = criteria.version if criteria else 0
            criteria = Criteria(task=task, version=latest + 1)
        criteria.grades, criteria.instructions = grades, instructions
        criteria.save()
    if level != task.relevance_level:
        task.relevance_level = level
        task.save(update_fields=["relevance_level"])
    return criteria


@transaction.atomic
def add_picture(*, task: Task, name: str, content: bytes) -> Picture:
    """Store a picture for the guidelines. Raises name-taken, hidden-character, ImageUnreadable."""
    check_visible(name)
    if known := alike(task.pictures.all(), name).first():
        raise InputError(
            f"A picture is called {known} already. Choose another name, or remove that one.",
            code="name-taken",
        )
    return Picture.objects.create(task=task, name=name, image=store_image(content=content))


@transaction.atomic
def add_team(*, track: Track, name: str, is_baseline: bool) -> Team:
    """Create a team without people, for invitations. Raises team-name-not-free, hidden-character."""
    check_name_is_free(track, name)
    return Team.objects.create(track=track, name=name, is_baseline=is_baseline)


@transaction.atomic
def add_teams(*, track: Track, teams: Mapping[int, tuple[str, bool]]) -> tuple[list[str], dict[int, str]]:
    """Create teams of these (name, is_baseline), or change those that the track has, in few queries.

    Returns a line for each new or changed team, and the problem of each team that cannot be made, by key.
    """
    Track.objects.select_for_update(no_key=True).get(pk=track.pk)
    known = {team.name: team for team in Team.objects.filter(track=track)}
    names = {folded(name) for name in known}
    new: list[Team] = []
    changed: dict[str, Team] = {}
    lines: list[str] = []
    problems: dict[int, str] = {}
    for key, (name, is_baseline) in teams.items():
        if team := known.get(name):
            if team.is_baseline != is_baseline:
                team.is_baseline = is_baseline
                changed[name] = team
                lines.append(f"team {name}: changed")
        elif problem := _name_problem(name, names):
            problems[key] = problem
        else:
            known[name] = Team(track=track, name=name, is_baseline=is_baseline)
            new.append(known[name])
            names.add(folded(name))
            lines.append(f"team {name}: new")
    Team.objects.bulk_update([team for team in changed.values() if team.pk], ["is_baseline"])
    Team.objects.bulk_create(new)
    return lines, problems


def _name_problem(name: str, names: Container[str]) -> str:
    """Return why a team cannot have the name; empty if it can. ``names`` are the folded names in use."""
    try:
        check_visible(name)
    except InputError as error:
        return str(error)
    return NAME_NOT_FREE if folded(name) in names else ""


@transaction.atomic
def open_now(*, task: Task, missing: list[str]) -> None:
    """Set the opening to this moment, by the database clock. Raises not-ready."""
    locked = Task.objects.select_for_update().with_phase().get(pk=task.pk)
    if missing:
        raise InputError(f"The task cannot open yet. {' '.join(missing)}", code="not-ready")
    if locked.phase == "draft":
        Task.objects.filter(pk=task.pk).update(opens_at=Now())


def next_place(task: Task) -> int:
    """Return the place after the task's last question."""
    last = task.submission_questions.aggregate(last=Max("place"))["last"]
    return (last or 0) + 1
