"""A small study to report on: six runs, eight topics, people, a second assessor and a model."""

from typing import Any

import numpy as np

from trackside.files import Qrels, Rankings
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.study import Study, study_of

TOPICS = [f"T{number}" for number in range(8)]
DOCNOS = [f"d{number:02d}" for number in range(24)]
TEAMS = ("Kestrel", "Kestrel", "Nordlys", "Nordlys", "Quarry", "Quarry")

Grades = dict[str, dict[str, int]]


def true_grades(seed: int = 1) -> Grades:
    """Twelve documents a topic, graded 0, 1 or 2."""
    rng = np.random.default_rng(seed)
    return {topic: dict(zip(DOCNOS[:12], rng.integers(0, 3, 12).tolist(), strict=True)) for topic in TOPICS}


def ranking(number: int, truth: Grades) -> Rankings:
    """A run that ranks 20 documents by grade and noise; higher numbers are better."""
    rng = np.random.default_rng(100 + number)
    results = {
        topic: {docno: grades.get(docno, 0) * number / 4 + float(rng.normal()) for docno in DOCNOS[:20]}
        for topic, grades in truth.items()
    }
    return Rankings.from_dict(results, tag=f"run{number}")


def graded_set(name: str, grades: Grades, kind: str = "model", **more: Any) -> GradedSet:
    """Qrels with all facts; ``more`` are raw_scores and provenance."""
    qrels = Qrels.from_dict(grades, name=name)
    facts = SetFacts.of(qrels, kind)
    return GradedSet(facts, qrels, more.get("raw_scores", {}), more.get("provenance", {}))


def model_set(truth: Grades, seed: int = 5) -> GradedSet:
    """Scores near the truth, and grades by cuts of them."""
    rng = np.random.default_rng(seed)
    raw = {
        (topic, docno): float(grade + rng.normal(0, 0.7))
        for topic, grades in truth.items()
        for docno, grade in grades.items()
    }
    grades: Grades = {topic: {} for topic in truth}
    for (topic, docno), score in raw.items():
        grades[topic][docno] = int(score > 0.5) + int(score > 1.5)
    provenance = {
        "backbone": "CLIP",
        "outcomes": {"ok": len(raw), "refused": 2},
        "mapping": {"rule": "fixed", "thresholds": [0.5, 1.5]},
    }
    return graded_set("clip", grades, raw_scores=raw, provenance=provenance)


def second_set(truth: Grades) -> GradedSet:
    """Four topics graded again; every third grade is one lower."""
    grades = {
        topic: {docno: max(grade - (place % 3 == 0), 0) for place, (docno, grade) in enumerate(own.items())}
        for topic, own in list(truth.items())[:4]
    }
    return graded_set("second", grades, "second")


def run_list() -> list[ReportRun]:
    """Three runs rest on CLIP."""
    return [
        ReportRun(f"run{number}", team, ("CLIP",) if number % 2 else ("text",))
        for number, team in enumerate(TEAMS)
    ]


def small_study(**design: Any) -> Study:
    """The whole of it, with 200 resamples."""
    truth = true_grades()
    given: dict[str, Any] = {
        "scale": (0, 1, 2),
        "level": 1,
        "measures": ("nDCG@10", "AP"),
        "replicates": 200,
    } | design
    sets = [graded_set("people", truth, "human"), second_set(truth), model_set(truth)]
    return study_of(Design(**given), run_list(), (ranking(n, truth) for n in range(6)), sets)


def wide_study(topic_count: int = 12) -> Study:
    """Ten runs of six teams on twelve topics: as many as intervals and tests over topics and teams need."""
    rng = np.random.default_rng(4)
    docnos = DOCNOS[:16]
    truth = {
        f"T{number:02d}": dict(zip(docnos, rng.integers(0, 3, 16).tolist(), strict=True))
        for number in range(topic_count)
    }
    judged = {
        topic: {docno: int(np.clip(grade + rng.integers(-1, 2), 0, 2)) for docno, grade in grades.items()}
        for topic, grades in truth.items()
    }
    runs = [ReportRun(f"run{number}", f"team{number % 6}", ("ab"[number % 2],)) for number in range(10)]
    rankings = [
        Rankings.from_dict(
            {
                topic: {docno: grade * number / 5 + float(rng.normal()) for docno, grade in grades.items()}
                for topic, grades in truth.items()
            },
            tag=run.tag,
        )
        for number, run in enumerate(runs)
    ]
    sets = [graded_set("people", truth, "human"), graded_set("judge", judged)]
    return study_of(Design((0, 1, 2), 1, ("nDCG@10", "AP"), replicates=200), runs, rankings, sets)
