"""A released task with a report on any number of judges, for tests of its pages in a browser."""

from collections.abc import Sequence

import numpy as np

from evaluation.models import Phase, QrelsKind, Task
from evaluation.results.reports.actions import compute_report
from tests.factories import make_family, make_qrels, make_run, make_task, make_team

TOPICS = [f"T{number:02}" for number in range(1, 13)]
DOCNOS = [f"d{number:02}" for number in range(1, 41)]
RUNS, TEAMS = 16, 8
JUDGES = (
    "clip-four-fields",
    "clip-context-only",
    "llava-after-2024",
    "gpt4v-after-2024",
    "siglip-large-patch16-384",
    "qwen2-vl-7b-instruct",
    "internvl2-8b",
    "idefics3-8b-llama3",
    "phi-3.5-vision-instruct",
    "pixtral-12b-2409",
    "molmo-7b-d-0924",
    "paligemma-3b-mix-448",
)
FEW_TOPICS = 8  # of one judge


def make_reported_task(
    judge_count: int, *, has_second: bool = True, lifting: int = 1, families: Sequence[str] = ()
) -> Task:
    """Half of the runs are CLIP-based; the first judges lift them, the fourth graded few topics.

    Each of the other ``families`` has a part of the runs.
    """
    dice = np.random.default_rng(11)
    task = make_task(phase=Phase.RELEASED, name="Image suggestion")
    further = [make_family(task, name=name) for name in families]
    family, teams = make_family(task, name="CLIP-based"), [make_team(task.track) for _ in range(TEAMS)]
    truth = {topic: dice.choice([0, 0, 0, 1, 2], size=len(DOCNOS)) for topic in TOPICS}
    lift = {topic: dice.random(len(DOCNOS)) for topic in TOPICS}
    for place in range(RUNS):
        is_clip = place % 4 >= 2
        results = {}
        for topic in TOPICS:
            noise = dice.normal(0, 0.6 + place / RUNS, len(DOCNOS))
            order = np.argsort(-(truth[topic] + noise + 1.5 * is_clip * lift[topic]))
            results[topic] = [DOCNOS[at] for at in order[:30]]
        run = make_run(
            task, teams[place % TEAMS], tag=f"{'clip' if is_clip else 'bm25'}-run-{place}", results=results
        )
        others = [other for number, other in enumerate(further) if place % (number + 2) == 0]
        run.families.add(*[family] * is_clip, *others)
    grades = {(t, d): int(g) for t in TOPICS for d, g in zip(DOCNOS, truth[t], strict=True)}
    make_qrels(task, name="people", grades=dict(grades))
    for place, name in enumerate(JUDGES[:judge_count]):
        topics = TOPICS[:FEW_TOPICS] if place == 3 else TOPICS
        judged = {
            (t, d): int(
                np.clip(grades[t, d] + (dice.random() < 0.5 + place / 30) * dice.integers(-1, 2), 0, 2)
            )
            for t in topics
            for d in DOCNOS
        }
        if place < lifting:
            judged |= {(t, d): 2 for t in topics for d, at in zip(DOCNOS, lift[t], strict=True) if at > 0.75}
        make_qrels(task, name=name, kind=QrelsKind.MODEL, grades=judged)
    if has_second and judge_count:
        second = {
            (t, d): int(np.clip(g + (dice.random() < 0.1) * dice.integers(-1, 2), 0, 2))
            for (t, d), g in grades.items()
        }
        make_qrels(task, name="second assessor", kind=QrelsKind.SECOND, grades=second)
    assert compute_report(task=task)
    return task
