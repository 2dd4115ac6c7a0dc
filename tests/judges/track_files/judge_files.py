"""Track files with judges."""

from itertools import count
from typing import Any

import tomli_w
from django.db import transaction

from evaluation.models import Track, User
from evaluation.organizing.track_files.track_file import create_track, export_track
from judges.catalogue.actions import create_judge
from judges.models import Judge
from trackside.judging.shipped_prompts import BUILT_IN

COMMIT = "0123456789abcdef0123456789abcdef01234567"
ASKED = BUILT_IN[0]
CLIP = {"name": "clip-large", "preset": "clip-four-fields", "model": "a/clip", "model_revision": COMMIT}
CHAT = {
    "name": "asked",
    "preset": f"{ASKED.name} (version {ASKED.version})",
    "model": "gpt-4o-2024-08-06",
    "endpoint": "https://api.openai.com/v1/",
    "decoding": {"max_tokens": 24},
}


SLUGS = (f"made-{number}" for number in count(1))


def file_of(*judges: dict[str, Any]) -> str:
    """The file of a new track with these judges, of which each key has a line."""
    slug = next(SLUGS)
    text = tomli_w.dumps({"track": {"slug": slug, "name": slug, "year": 2027}})
    return text + "".join("\n[[judges]]\n" + tomli_w.dumps(judge) for judge in judges).replace(
        "[decoding", "[judges.decoding"
    )


def created(text: str, by: User) -> Track:
    """The track of the file, which has no faults."""
    result = create_track(text=text, by=by)
    assert result.faults == []
    assert result.track is not None
    return result.track


def faults(text: str, by: User) -> list[str]:
    return [str(fault) for fault in create_track(text=text, by=by).faults]


def elsewhere(track: Track) -> str:
    """The exported file with another address and name."""
    slug = next(SLUGS)
    return export_track(track).replace(track.slug, slug, 1).replace(f'"{track.name}"', f'"{slug}"', 1)


def of_the_site(entry: dict[str, Any], by: User) -> Judge:
    """A judge of the site with the settings and the name of an entry."""
    with transaction.atomic():
        judge = Judge.objects.get(track=created(file_of(entry), by))
        transaction.set_rollback(True)
    return create_judge(name=judge.name, settings=judge.settings, by=by, task_kinds=judge.task_kinds)
