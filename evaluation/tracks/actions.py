"""Create a track, and a task in it; create and change its criteria."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from evaluation.platform.access.people import Membership, Role, User
from evaluation.platform.access.schema.names import MARKDOWN_MAX
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, TaskKind, Track
from trackside.criteria import DEFAULT_GRADES, check_grades, check_nominal, numbers_in_files
from trackside.errors import InputError
from trackside.text.names import check_visible, folded


def create_criteria(*, task: Task) -> Criteria:
    """Create the task's first criteria with the default scale; if it has criteria, return the latest."""
    if task.criteria.exists():
        return Criteria.objects.current(task)
    return Criteria.objects.create(task=task, grades=DEFAULT_GRADES)


@transaction.atomic
def save_criteria(
    *,
    task: Task,
    grades: list[dict[str, Any]],
    instructions: str,
    level: int,
    nominal_name: str = "",
    nominal_reasons: Sequence[str] = (),
) -> Criteria:
    """Store the scale in the latest version, or in a new one if somebody judged by it.

    ``level`` is the lowest relevant grade. Raises CriteriaMalformed, nominal-malformed,
    instructions-too-long, level-off-scale, grade-published.
    """
    check_grades(grades)
    check_nominal(nominal_name, nominal_reasons, grades)
    if len(instructions) > MARKDOWN_MAX:
        raise InputError(
            f"The instructions have {len(instructions):,} characters. Shorten them to at most "
            f"{MARKDOWN_MAX:,} characters.",
            code="instructions-too-long",
        )
    if numbers_in_files(grades).get(level, 0) < 1 or level < 1:
        raise InputError(
            f"Relevant from {level}: choose a grade of the scale that is 1 or higher.", code="level-off-scale"
        )
    criteria = Criteria.objects.filter(task=task).select_for_update().order_by("-version").first()
    values = {
        "grades": grades,
        "instructions": instructions,
        "nominal_name": nominal_name,
        "nominal_reasons": "\n".join(nominal_reasons),
    }
    if criteria is None or any(getattr(criteria, name) != value for name, value in values.items()):
        if criteria is None or criteria.frozen_at:
            latest = criteria.version if criteria else 0
            criteria = Criteria(task=task, version=latest + 1)
        for name, value in values.items():
            setattr(criteria, name, value)
        criteria.check_keeps_published()
        criteria.save()
    if level != task.relevance_level:
        task.relevance_level = level
        task.save(update_fields=["relevance_level"])
    return criteria


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
def begin_task(*, track: Track, name: str, slug: str, kind: TaskKind, is_practice: bool = False) -> Task:
    """Create a task without dates, with an empty collection and the default criteria.

    Raises hidden-character, address-taken.
    """
    check_visible(name)
    Track.objects.select_for_update(no_key=True).get(pk=track.pk)
    if Task.objects.filter(track=track, slug=slug).exists():
        raise InputError(
            f"A task of {track} has the address {slug}. Choose another one.", code="address-taken"
        )
    collection = track.collections.create(name=free_collection_name(track, name))
    task = Task.objects.create(
        track=track, name=name, slug=slug, kind=kind, collection=collection, is_practice=is_practice
    )
    create_criteria(task=task)
    return task


def free_collection_name(track: Track, name: str) -> str:
    """Return the name, with a number if a collection of the track has an equal or look-alike name."""
    names = set(track.collections.values_list("name_folded", flat=True))
    tries = (name, *(f"{name[:110]} {number}" for number in range(2, len(names) + 3)))
    return next(variant for variant in tries if folded(variant) not in names)
