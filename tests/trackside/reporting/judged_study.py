"""Twelve topics, six runs of three teams, people and three models; two are one judge asked twice."""

from typing import Any

import numpy as np

from tests.trackside.reporting.study import Grades, graded_set
from trackside.files import Rankings
from trackside.reporting.design import Design, ReportRun
from trackside.reporting.study import Study, study_of

TOPICS = [f"T{number:02d}" for number in range(12)]
DOCNOS = [f"d{number:02d}" for number in range(16)]
RUNS = 6

WORK = {
    "pair_count": 192,
    "asked_count": 96,
    "stored_count": 96,
    "request_count": 100,
    "input_tokens": 40_000,
    "output_tokens": 8_000,
    "cost_micros": 1_920_000,
    "currency": "EUR",
    "latency_seconds": 1_800.0,
    "duration_seconds": 576.0,
}
TEXTS = {
    "count": 12,
    "cut_count": 9,
    "fields": [
        {"field": "title", "texts": 12, "tokens": 60, "seen_tokens": 60, "never_seen_count": 0},
        {"field": "body", "texts": 10, "tokens": 800, "seen_tokens": 200, "never_seen_count": 4},
    ],
}
ASKED = {
    "identity": "abc",
    "order": {"image": "first", "fields": ["title", "body"]},
    "seed": 1,
    "backbone": "llava",
    "work": WORK,
    "texts": TEXTS,
    "warnings": ["The judge read no token of the field body in 4 of 10 texts."],
    "mapping": {"rule": "paper-2024", "people": None},
    "susceptibility": [
        {"place": "text", "scene_count": 10, "shift": 0.25, "raised_count": 3, "gap_count": 0}
    ],
}


def people_grades() -> Grades:
    """All documents of each topic, graded 0, 1 or 2."""
    rng = np.random.default_rng(3)
    return {topic: dict(zip(DOCNOS, rng.integers(0, 3, 16).tolist(), strict=True)) for topic in TOPICS}


def noisy(grades: Grades, seed: int, share: float) -> Grades:
    """The same grades with a share of them drawn again."""
    rng = np.random.default_rng(seed)
    return {
        topic: {
            docno: int(rng.integers(0, 3)) if rng.random() < share else grade for docno, grade in own.items()
        }
        for topic, own in grades.items()
    }


def raw(grades: Grades, seed: int) -> dict[tuple[str, str], float]:
    """Grades with some noise."""
    rng = np.random.default_rng(seed)
    return {
        (topic, docno): grade + float(rng.normal(0, 0.2))
        for topic, own in grades.items()
        for docno, grade in own.items()
    }


def run_of(number: int, truth: Grades) -> Rankings:
    """A ranking by grade and noise; higher numbers are better."""
    rng = np.random.default_rng(50 + number)
    results = {
        topic: {docno: grade * number / 5 + float(rng.normal()) for docno, grade in own.items()}
        for topic, own in truth.items()
    }
    return Rankings.from_dict(results, tag=f"run{number}")


def judged_study(**design: Any) -> Study:
    """Three models: llava, llava with another seed, and clip, whose provenance has no costs."""
    truth = people_grades()
    given: dict[str, Any] = {
        "scale": (0, 1, 2),
        "level": 1,
        "measures": ("nDCG@5", "AP"),
        "replicates": 100,
    } | design
    first, second, third = noisy(truth, 1, 0.4), noisy(truth, 2, 0.4), noisy(truth, 4, 0.7)
    sets = [
        graded_set("people", truth, "human"),
        graded_set("llava", first, provenance=ASKED, raw_scores=raw(first, 1)),
        graded_set("llava again", second, provenance=ASKED | {"seed": 2}, raw_scores=raw(second, 2)),
        graded_set("clip", third, provenance={"backbone": "CLIP"}),
    ]
    runs = [
        ReportRun(f"run{number}", f"team{number // 2}", ("CLIP-based",) if number % 2 else ("text",))
        for number in range(RUNS)
    ]
    return study_of(Design(**given), runs, (run_of(number, truth) for number in range(RUNS)), sets)
