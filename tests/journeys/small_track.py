"""A track small enough to follow by hand: three topics, six pictures, three runs, and people's grades."""

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image as Picture

from evaluation.collections.storing import store_image
from evaluation.models import Task, Team
from judges.catalogue.actions import create_judge
from tests.factories import (
    make_document,
    make_family,
    make_staff,
    make_task,
    make_team,
    make_topic,
    make_track,
)
from trackside.judging.settings import Settings

TOPICS = {
    "T1": ("Farm buildings", "A red barn stands on a hill."),
    "T2": ("Sea marks", "The lighthouse stands by the sea."),
    "T3": ("Stage clothes", "A hat of felt lies on a chair."),
}
RESULTS = {
    "kestrel-clip": {"T1": "D1 D2 D3 D4", "T2": "D4 D1 D2 D5", "T3": "D6 D5 D1 D2"},
    "kestrel-bm25": {"T1": "D3 D5 D1 D6", "T2": "D2 D6 D4 D1", "T3": "D5 D3 D6 D4"},
    "kestrel-rrf": {"T1": "D2 D1 D5 D3", "T2": "D4 D2 D3 D6", "T3": "D3 D5 D2 D1"},
}
FAMILY, IN_FAMILY = "CLIP-based", ("kestrel-clip",)
POOL_DEPTH = 3
# People's grades of the 14 pairs that some run has among its first three. The number is even, so that the
# quartiles of their raw scores fall between two scores, and no rounding decides a grade.
GRADES = {
    "T1": {"D1": 2, "D2": 1, "D3": 0, "D5": 1},
    "T2": {"D1": 0, "D2": 1, "D3": 1, "D4": 2, "D6": 0},
    "T3": {"D1": 0, "D2": 0, "D3": 0, "D5": 2, "D6": 1},
}
PROMPT = "A photo depicts "
READ_FIELDS = ("context_page_description", "context_section_description")


def run_file(tag: str) -> bytes:
    """The run file that its team uploads."""
    lines = [
        f"{topic} Q0 {docno} {rank} {10 - rank}.25 {tag}\n"
        for topic, docnos in RESULTS[tag].items()
        for rank, docno in enumerate(docnos.split(), start=1)
    ]
    return "".join(lines).encode()


def make_small_task() -> tuple[Task, Team]:
    """The task, open for runs and without any, and the team that will take part."""
    task = make_task(make_track(name="Pictures of sections"), name="Suggestion")
    for number, (page, section) in TOPICS.items():
        named = zip(("page_title", *READ_FIELDS), (f"Page of {number}", page, section), strict=True)
        make_topic(task, number=number, fields=[list(each) for each in named])
    for place in range(1, 7):
        make_document(task.collection, docno=f"D{place}", image=store_image(content=_picture(place)))
    make_family(task, name=FAMILY)
    return task, make_team(task.track, name="Kestrel")


def _picture(seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(0, 256, (48, 64, 3), dtype=np.uint8)
    with BytesIO() as file:
        Picture.fromarray(noise).save(file, "PNG")
        return file.getvalue()


def make_clip_judge(folder: Path) -> str:
    """Create a judge of a CLIP in a folder; return its name."""
    settings = Settings(
        backend="clip",
        revision=0,
        model=str(folder),
        model_revision="",
        prompt=PROMPT,
        text_fields=READ_FIELDS,
    )
    return create_judge(name="clipscore-2021", settings=settings, by=make_staff()).name
