"""Creates the demo's track with its people, collections, tasks and criteria."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from evaluation.collections.models import Collection
from evaluation.demo.steps.people import prepare_people
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, TaskKind, Track

SLUG = "miniature"
OPENED, CLOSES, JUDGING, RELEASED = (timedelta(days=days) for days in (-42, 14, 15, 43))  # from now

TASKS: dict[str, dict[str, Any]] = {
    "suggestion": {
        "name": "Image suggestion",
        "kind": TaskKind.TEXT_TO_IMAGE,
        "guidelines": (
            "A topic is a section of an encyclopedia. Retrieve images that an editor would put beside it.\n\n"
            "Everything may be used: the section's five fields, the pictures themselves and their captions, "
            "where they have any."
        ),
    },
    "promotion": {
        "name": "Image promotion",
        "kind": TaskKind.IMAGE_TO_TEXT,
        "guidelines": "A topic is a picture. Retrieve sections of an encyclopedia that it illustrates.",
    },
}
COLLECTIONS = {
    "suggestion": (
        "Pictures",
        "Things drawn in many colours, settings and styles; some captions are missing.",
    ),
    "promotion": ("Sections", "Sections of an invented encyclopedia, five on each thing."),
}
INSTRUCTIONS = {
    "suggestion": "Does the picture illustrate this section well? Judge what it shows; captions err.",
    "promotion": "Does the picture illustrate this section well? Read the section, not only its title.",
}
GRADES = [
    {
        "grade": 0,
        "name": "Non-relevant",
        "text": "Picture and section have nothing in common, or only by chance.",
    },
    {
        "grade": 1,
        "name": "Related",
        "text": "The picture shows the subject of the page, but not what this section is about.",
    },
    {
        "grade": 2,
        "name": "Relevant",
        "text": "The picture illustrates this section: its subject, and what the text says about it.",
    },
]


@transaction.atomic
def prepare_track() -> Track:
    """Return the demo's track; create it, its people and two tasks that are open for runs if missing."""
    track, is_new = Track.objects.get_or_create(
        slug=SLUG,
        defaults={
            "name": "AToMiC in miniature",
            "year": 2026,
            "description": (
                "A small world of drawn pictures and written sections. Its runs are really retrieved and its "
                "models really judge; its assessors are simulated, except you."
            ),
        },
    )
    if is_new:
        prepare_people(track)
        for slug in TASKS:
            _add_task(track, slug)
    return track


def _add_task(track: Track, slug: str) -> None:
    name, description = COLLECTIONS[slug]
    collection = Collection.objects.create(track=track, name=name, description=description)
    task = Task.objects.create(
        track=track,
        slug=slug,
        collection=collection,
        opens_at=Now() + OPENED,
        closes_at=Now() + CLOSES,
        judging_at=Now() + JUDGING,
        releases_at=Now() + RELEASED,
        **TASKS[slug],
    )
    Criteria.objects.create(task=task, instructions=INSTRUCTIONS[slug], grades=GRADES)
