"""Rows for tests: plain functions with keyword arguments; each creates the rows that it is not given.

Names are numbered, so rows never clash. A test sets the names that it asserts on.
"""

import hashlib
import itertools
import os
from collections.abc import Mapping, Sequence
from datetime import timedelta
from io import BytesIO
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from PIL import Image as Picture

from evaluation.models import (
    Blob,
    Collection,
    Criteria,
    Document,
    Family,
    Image,
    Membership,
    Phase,
    Pool,
    PoolItem,
    PoolRun,
    Qrels,
    QrelsKind,
    QrelsPair,
    Ranking,
    Role,
    Run,
    RunState,
    RunVerdict,
    Task,
    TaskKind,
    Team,
    Topic,
    Track,
    User,
)
from tests.run_content import run_file, scores_of, verdict_of
from trackside.checks import Verdict

PASSWORD = "correct horse battery staple"
GRADES = [
    {"grade": 0, "name": "Non-relevant", "text": "Does not fit the section."},
    {"grade": 1, "name": "Related", "text": "Shows the page's subject, not this section's."},
    {"grade": 2, "name": "Relevant", "text": "Illustrates what this section says."},
]
# pytest-xdist's workers use equal numbers and share the storage, where some tests damage their picture.
PICTURES_BLUE = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 256
_numbers = itertools.count(1)


def make_user(*, email: str = "", name: str = "", **fields: Any) -> User:
    """An account with a verified address that signs in with ``PASSWORD``."""
    number = next(_numbers)
    return User.objects.create_verified(
        email or f"person{number}@example.org", PASSWORD, name=name or f"Person {number}", **fields
    )


def make_staff() -> User:
    """One of the site's staff, who see every track."""
    return make_user(is_superuser=True)


def make_track(**fields: Any) -> Track:
    """A track of 2026."""
    number = next(_numbers)
    return Track.objects.create(
        **{"slug": f"track-{number}", "name": f"Track {number}", "year": 2026} | fields
    )


def make_organizer(track: Track, **fields: Any) -> User:
    """A new account that organizes the track."""
    return _make_member(track, Role.ORGANIZER, None, fields)


def make_assessor(track: Track, **fields: Any) -> User:
    """A new account that assesses in the track."""
    return _make_member(track, Role.ASSESSOR, None, fields)


def make_team_member(team: Team, *, role: Role = Role.TEAM_OWNER, **fields: Any) -> User:
    """A new account that belongs to the team."""
    return _make_member(team.track, role, team, fields)


def _make_member(track: Track, role: Role, team: Team | None, fields: dict[str, Any]) -> User:
    user = make_user(**fields)
    Membership.objects.create(user=user, track=track, role=role, team=team)
    return user


def make_team(track: Track | None = None, **fields: Any) -> Team:
    """A participants' team; ``is_baseline=True`` for the organizers' own."""
    number = next(_numbers)
    return Team.objects.create(track=track or make_track(), **{"name": f"Team {number}"} | fields)


def make_collection(track: Track | None = None, **fields: Any) -> Collection:
    """An empty collection."""
    number = next(_numbers)
    return Collection.objects.create(track=track or make_track(), **{"name": f"Collection {number}"} | fields)


def dates_of(phase: Phase) -> dict[str, Any]:
    """Dates that put a task in the phase now: past dates are days ago, future dates days ahead."""
    now = timezone.now()
    names = ("opens_at", "closes_at", "judging_at", "releases_at")
    past_count = [Phase.DRAFT, Phase.OPEN, Phase.CLOSED, Phase.JUDGING, Phase.RELEASED].index(phase)
    dates = {name: now + timedelta(days=place - past_count + 0.5) for place, name in enumerate(names)}
    return dates | {"release_confirmed_for": now - timedelta(days=365)}  # so that the date alone decides


LATER = ("closes_at", "judging_at", "releases_at", "release_confirmed_for")


def make_task(
    track: Track | None = None,
    *,
    phase: Phase = Phase.OPEN,
    topic_count: int = 0,
    document_count: int = 0,
    **fields: Any,
) -> Task:
    """A text-to-image task annotated with its phase, with criteria 0 to 2, topics T1..., documents D1...

    A practice task has only the opening of the phase.
    """
    number = next(_numbers)
    track = track or make_track()
    collection = fields.pop("collection", None) or make_collection(track)
    task = Task.objects.create(
        track=track,
        collection=collection,
        **{"slug": f"task-{number}", "name": f"Task {number}", "kind": TaskKind.TEXT_TO_IMAGE}
        | (dates_of(phase) | dict.fromkeys(LATER if fields.get("is_practice") else ()))
        | fields,
    )
    Criteria.objects.create(task=task, grades=GRADES)
    for place in range(1, topic_count + 1):
        make_topic(task, number=f"T{place}")
    for place in range(1, document_count + 1):
        make_document(collection, docno=f"D{place}")
    return Task.objects.with_phase().get(pk=task.pk)


def make_topic(task: Task, *, number: str = "", **fields: Any) -> Topic:
    """A text topic of two fields."""
    number = number or f"T{next(_numbers)}"
    texts = [["page_title", f"Page of {number}"], ["section_title", f"Section of {number}"]]
    return Topic.objects.create(task=task, number=number, **{"fields": texts} | fields)


def make_document(collection: Collection, *, docno: str = "", **fields: Any) -> Document:
    """A document of one text field; give ``image=make_image()`` for one with a picture."""
    docno = docno or f"D{next(_numbers)}"
    return Document.objects.create(
        collection=collection, docno=docno, **{"fields": [["caption", f"Caption of {docno}"]]} | fields
    )


def make_blob(content: bytes) -> Blob:
    """A blob, its bytes in the storage."""
    blob, is_new = Blob.objects.get_or_create(
        sha256=hashlib.sha256(content).hexdigest(), defaults={"size": len(content)}
    )
    if is_new:
        default_storage.save(blob.path, ContentFile(content))
    return blob


def make_image() -> Image:
    """A small picture, half of it white, unique in this process and among pytest-xdist's workers."""
    number = next(_numbers)
    with BytesIO() as file:
        picture = Picture.new("RGB", (64, 48), (number % 256, number // 256 % 256, PICTURES_BLUE))
        picture.paste((255, 255, 255), (32, 0, 64, 48))
        picture.save(file, "WEBP", lossless=True)
        blob = make_blob(file.getvalue())
    return Image.objects.create(
        sha256=blob.sha256, original=blob, display=blob, small=blob, thumbnail=blob, width=64, height=48
    )


def make_family(task: Task, **fields: Any) -> Family:
    """A family of runs."""
    return Family.objects.create(task=task, **{"name": f"Family {next(_numbers)}"} | fields)


def make_run(
    task: Task | None = None,
    team: Team | None = None,
    *,
    tag: str = "",
    state: RunState = RunState.ACCEPTED,
    results: Mapping[str, Sequence[str]] | None = None,
    **fields: Any,
) -> Run:
    """A run in the state; ``results`` are docnos a topic, best first (if not given: D1, D2 for topic T1)."""
    task = task or make_task()
    team = team or make_team(task.track)
    tag = tag or f"run-{next(_numbers)}"
    results = {"T1": ["D1", "D2"]} if results is None else results
    is_checked = state not in {RunState.RECEIVED, RunState.PARKED}
    is_ranked = is_checked and state not in {RunState.REJECTED, RunState.ASKED}
    run = Run(
        task=task,
        team=team,
        state=state,
        tag=tag if is_ranked else "",
        **{
            "upload": make_blob(run_file(tag, results)),
            "file_name": f"{tag}.run",
            "received_by": fields.pop("received_by", None) or make_team_member(team),
            "checked_at": timezone.now() if is_checked else None,
            "verdict": make_verdict(verdict_of(state, tag)) if is_checked else None,
        }
        | fields,
    )
    Run.objects.bulk_create([run])  # sends no signals: a stored row queues no report
    if is_ranked:
        for topic, docnos in results.items():
            Ranking.objects.create(run=run, topic=topic, **Ranking.pack(list(docnos), scores_of(docnos)))
    return run


def make_verdict(verdict: Verdict) -> RunVerdict:
    """A stored verdict."""
    return RunVerdict.objects.create(content=verdict.to_json())


def make_pool(
    task: Task,
    *,
    pairs: Sequence[tuple[str, str]] = (("T1", "D1"), ("T1", "D2")),
    runs: Sequence[Run] = (),
    **fields: Any,
) -> Pool:
    """A frozen pool of the pairs (topic, docno) in this order; ``runs`` contributed to it."""
    created_by = fields.pop("created_by", None) or make_organizer(task.track)
    pool = Pool(task=task, created_by=created_by, **{"name": f"pool-{next(_numbers)}", "seed": 1} | fields)
    Pool.objects.bulk_create([pool])
    PoolRun.objects.bulk_create(PoolRun(pool=pool, run=run, depth=run.depth_in_pool) for run in runs)
    PoolItem.objects.bulk_create(
        PoolItem(pool=pool, topic=topic, docno=docno, position=position)
        for position, (topic, docno) in enumerate(pairs)
    )
    return pool


def make_qrels(
    task: Task,
    *,
    kind: QrelsKind = QrelsKind.HUMAN,
    grades: Mapping[tuple[str, str], int | None] | None = None,
    raw_scores: Mapping[tuple[str, str], float] | None = None,
    **fields: Any,
) -> Qrels:
    """A set of qrels; ``grades`` maps (topic, docno) to a grade, or to None for a gap ("refusal")."""
    grades = {("T1", "D1"): 2, ("T1", "D2"): 0} if grades is None else grades
    topics = sorted({topic for (topic, _), grade in grades.items() if grade is not None}, key=str.encode)
    if kind == QrelsKind.MODEL and "pool" not in fields:
        fields["pool"] = make_pool(task, pairs=list(grades))
    qrels = Qrels(
        task=task,
        kind=kind,
        created_by=fields.pop("created_by", None) or make_organizer(task.track),
        **{
            "name": f"qrels-{next(_numbers)}",
            "version": 1,
            "provenance": {},
            "sha256": hashlib.sha256(repr(sorted(grades.items())).encode()).hexdigest(),
            "topics": topics,
            "pair_count": len(grades),
            "graded_count": sum(grade is not None for grade in grades.values()),
        }
        | fields,
    )
    Qrels.objects.bulk_create([qrels])
    QrelsPair.objects.bulk_create(
        QrelsPair(
            qrels=qrels,
            topic=topic,
            docno=docno,
            grade=grade,
            raw_score=(raw_scores or {}).get((topic, docno)),
            outcome="refusal" if grade is None else "ok",
        )
        for (topic, docno), grade in grades.items()
    )
    return qrels
