"""Track files with judges."""

from typing import Any

import tomli_w

from evaluation.models import Track, User
from evaluation.track_files.track_file import apply_track
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


def file_of(track: Track, *judges: dict[str, Any], slug: str = "") -> str:
    """The track, at lines 1 to 4, and the judges, of which each key has a line."""
    head = {"slug": slug or track.slug, "name": slug or track.name, "year": track.year}
    text = tomli_w.dumps({"track": head})
    return text + "".join("\n[[judges]]\n" + tomli_w.dumps(judge) for judge in judges).replace(
        "[decoding", "[judges.decoding"
    )


def faults(text: str, by: User) -> list[str]:
    return [str(fault) for fault in apply_track(text=text, by=by).faults]


def is_unchanged(text: str, by: User) -> bool:
    applied = apply_track(text=text, by=by)
    return (applied.faults, applied.changes) == ([], [])
