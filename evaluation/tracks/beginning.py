"""Create a track, and a task in it."""

from django.db import transaction

from evaluation.access.people import Membership, Role, User
from evaluation.tracks.actions import create_criteria
from evaluation.tracks.models import Task, TaskKind, Track
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
    collection = track.collections.create(name=free_collection_name(track, name))
    task = Task.objects.create(track=track, name=name, slug=slug, kind=kind, collection=collection)
    create_criteria(task=task)
    return task


def free_collection_name(track: Track, name: str) -> str:
    """Return the name, with a number if a collection of the track has an equal or look-alike name."""
    names = set(track.collections.values_list("name_folded", flat=True))
    tries = (name, *(f"{name[:110]} {number}" for number in range(2, len(names) + 3)))
    return next(variant for variant in tries if folded(variant) not in names)
