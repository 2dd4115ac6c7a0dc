"""A track with grades 0, 1, 2 keeps its mappings, grades and provenance, byte for byte.

The hashes were made by the code that knew these three grades only.
"""

import hashlib
import json
import re
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Picture

from evaluation.models import Image, Phase, Pool, Qrels
from judges.models import Job, Judge, Mapping
from tests.factories import make_blob, make_document, make_pool, make_run, make_task, make_team
from tests.judges.factories import fitted, judged, make_human_qrels, make_judge, published
from trackside.judging.canaries import CANARIES, Place

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "with_canaries")]

RULES = ("paper-2024", "kappa-cuts", "f1-cuts")
# Thresholds, those by topic, and the number of scores, as earlier releases stored them.
FORMER: dict[str, tuple[list[float], dict[str, list[float]], int]] = {
    "per-topic": (
        [],
        {
            "T1": [-0.10558547079563141, 0.14480717852711678, 8],
            "T2": [0.024266278371214867, 0.32502684742212296, 8],
            "T3": [-0.1726447194814682, 0.10902086365967989, 8],
            "T4": [0.0946892537176609, 0.23242251202464104, 8],
            "T5": [-0.09283872693777084, -0.017950833775103092, 8],
            "T6": [0.012095575220882893, 0.09438399784266949, 8],
        },
        48,
    ),
    "isotonic": ([-0.05230928957462311, 0.1254972517490387], {}, 24),
    "ordinal": ([-0.09310665273905601, 0.12963927763700958], {}, 24),
}
FITTING = ["T1", "T4", "T6"]
PINNED = {
    "people": "3870cd1d77e97d4d",
    "paper-2024": "de333fddc67eba1f",
    "per-topic": "1d8e57ad6bb27062",
    "kappa-cuts": "524e98ecaf68c8da",
    "f1-cuts": "d539e32b59aeac0c",
    "isotonic": "dda5cccad016a704",
    "ordinal": "16df5a19a34a169c",
    "fixed-cuts": "e429907cb093ea51",
}
OF_ONE_RUN = re.compile(r'"(code_version|id)": ("[^"]*"|[0-9.e-]+|null)')


def hash_of(content: Any) -> str:
    """The SHA-256 of plain JSON without what differs from run to run."""
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(OF_ONE_RUN.sub("", text).encode()).hexdigest()[:16]


def picture(number: int) -> Image:
    with BytesIO() as file:
        Picture.new("RGB", (64, 48), (number * 20, 7, 9)).save(file, "PNG")
        blob = make_blob(file.getvalue())
    return Image.objects.create(
        sha256=blob.sha256, original=blob, display=blob, small=blob, thumbnail=blob, width=64, height=48
    )


def judged_in_a_minute(judge: Judge, pool: Pool) -> Job:
    """A completed job that took a minute."""
    job = judged(judge, pool)
    assert job.finished_at
    Job.objects.filter(pk=job.pk).update(started_at=job.finished_at - timedelta(minutes=1))
    return Job.objects.get(pk=job.pk)


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Job:
    of_then = [canary for canary in CANARIES if canary.place is not Place.INVISIBLE]
    monkeypatch.setattr("judges.jobs.canaries.CANARIES", of_then)
    task = make_task(phase=Phase.JUDGING, topic_count=6, name="Images", slug="images")
    docnos = [f"D{place}" for place in range(1, 9)]
    for place, docno in enumerate(docnos):
        make_document(task.collection, docno=docno, image=picture(place))
    topics = [f"T{place}" for place in range(1, 7)]
    pool = make_pool(task, pairs=[(topic, docno) for topic in topics for docno in docnos], name="pool")
    teams = [make_team(task.track, name=f"Team {place}") for place in range(3)]
    for place, tag in enumerate("abcd"):
        turned = docnos[place * 2 :] + docnos[: place * 2]
        make_run(task, tag=tag, team=teams[place % 3], results=dict.fromkeys(topics, turned))
    judge = make_judge(name="judge", model="model")
    return judged_in_a_minute(judge, pool)


def former_mapping(job: Job, rule: str, people: Qrels) -> Mapping:
    """A mapping of a rule that this release does not fit."""
    thresholds, by_topic, score_count = FORMER[rule]
    by_people = {} if by_topic else {"people": people, "fitting_topics": FITTING}
    return Mapping.objects.create(
        judge=job.judge, pool=job.pool, rule=rule, version=1, thresholds=thresholds, by_topic=by_topic,
        score_count=score_count, created_by=job.created_by, **by_people,
    )  # fmt: skip


def test_three_grades_keep_mappings_grades_and_provenance(job: Job) -> None:
    people = make_human_qrels(job)
    found = {"people": people.sha256[:16]}
    mappings = [fitted(job, rule=rule, people=people) for rule in RULES]
    for mapping in [*mappings, *(former_mapping(job, rule, people) for rule in FORMER)]:
        qrels = published(job, mapping)
        stored = [mapping.rule, mapping.thresholds, mapping.by_topic, mapping.fitting_topics]
        found[mapping.rule] = hash_of([stored, qrels.sha256, qrels.provenance])
    by_hand = published(job, fitted(job, cuts=(-0.1, 0.2)))
    found["fixed-cuts"] = hash_of([by_hand.sha256, by_hand.provenance])
    assert found == {name: PINNED[name] for name in found}
