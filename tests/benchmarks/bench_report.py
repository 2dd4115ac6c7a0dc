"""The whole report of 16 runs x 74 topics x 6 qrels, beside pytrec_eval and scipy in a loop."""

import os
import subprocess
import sys
import time
from collections import Counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in `trackside report` and the workers

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytrec_eval
from scipy import stats

from tests.benchmarks.bench_organizing import peak_memory
from tests.benchmarks.measuring import Row, peak_bytes, seconds, seconds_text
from trackside.files import Qrels, Rankings
from trackside.reporting.build import build_report
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.questions import orders_of
from trackside.reporting.study import Study, study_of

Grades = dict[str, dict[str, int]]
Pairs = frozenset[tuple[str, str]]


MEASURES = {"nDCG@10": "ndcg_cut_10", "AP": "map"}
REPLICATES, TRIED = 2_000, 20  # rounds of the loop that are run; their time is multiplied
DOCUMENTS, RESULTS, SETS = 5_000, 1_000, 6
JUDGED = 133  # items a topic, as in TREC-AToMiC 2023
LARGE = (
    (100, 200, JUDGED, False, 90),
    (100, 200, JUDGED, True, 90),
    (200, 100, 845, False, 120),
    (500, 200, 845, False, None),
)
"""Runs, topics, items a topic, whether the judges favour a family, most seconds of processor."""


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """The report itself, its peak of memory, the loop, and with --full those of large tracks."""
    rankings, sets = list(runs_of(16, 74)), sets_of(74)
    taken = seconds(lambda: report(rankings, sets))
    yield Row("report, 16 x 74 x 6", seconds_text(taken), "10 s", "", taken < 10)
    biased = sets_of(74, favoured=favoured_of(rankings))
    taken = seconds(lambda: report(rankings, biased))
    yield Row("the same, all five judges said to favour", seconds_text(taken), "10 s", "", taken < 10)
    memory = peak_bytes("from tests.benchmarks.bench_report import report_of; report_of(16, 74)") / 2**20
    yield Row("peak memory of it", f"{memory:.0f} MB", "1,024 MB", "", memory < 1024)
    dicts, judged = [each.to_dict() for each in rankings], [each.qrels.to_dict() for each in sets]
    own = seconds(lambda: orders(rankings, sets))
    loop = seconds(lambda: looped(dicts, judged, TRIED)) * REPLICATES / TRIED
    yield Row.faster("orders of the runs, intervals of tau", own, {"loop": loop}, least=20, aim=40)
    if is_full:
        for runs, topics, judged_each, is_biased, limit in LARGE:
            size = f"{runs}, {topics}, {judged_each}, is_biased={is_biased}"
            code = f"from tests.benchmarks.bench_report import cost_of; cost_of({size})"
            ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            made, taken, memory = map(float, ran.stdout.split())
            claims = ", all judges said to favour" if is_biased else ""
            yield Row(
                f"report, {runs} x {topics} x {SETS}, {judged_each} items a topic{claims}",
                f"{taken:.0f} s of processor, {memory:.0f} MB",
                f"{f'{limit} s, ' if limit else ''}1,024 MB",
                f"without {made:.0f} s for making the runs up",
                (not limit or taken < limit) and memory < 1024,
            )


def cost_of(runs: int, topics: int, judged: int, *, is_biased: bool) -> None:
    """Print seconds of processor for making the runs up, those of their report, and the peak in MB."""
    begun = time.process_time()
    favoured = favoured_of(runs_of(runs, topics))
    made = time.process_time() - begun
    report_of(runs, topics, judged, favoured if is_biased else frozenset())
    print(made, time.process_time() - begun - 2 * made, peak_memory())


def report_of(runs: int, topics: int, judged: int = JUDGED, favoured: Pairs = frozenset()) -> None:
    """Runs are generated one by one and released."""
    build_report(study(runs_of(runs, topics), sets_of(topics, judged, favoured)), code_version="0")


def favoured_of(rankings: Iterable[Rankings]) -> Pairs:
    """The pairs that more CLIP-based than other runs have in their first ten."""
    surplus: Counter[tuple[str, str]] = Counter()
    for number, ranking in enumerate(rankings):
        weight = 1 if _families(number) == ("CLIP-based",) else -1
        for topic, docnos in ranking.top(10).items():
            for docno in docnos:
                surplus[topic, docno] += weight
    return frozenset(pair for pair, count in surplus.items() if count > 0)


def report(rankings: list[Rankings], sets: list[GradedSet]) -> None:
    """All sections."""
    build_report(study(rankings, sets), code_version="0")


def orders(rankings: list[Rankings], sets: list[GradedSet]) -> None:
    """The orders of the runs under each judge, with the intervals of tau."""
    compared = study(rankings, sets)
    for judge in compared.judges:
        orders_of(compared, judge)


def study(
    rankings: list[Rankings] | Iterator[Rankings], sets: list[GradedSet], *, resamples: int = REPLICATES
) -> Study:
    """Two families, teams of three."""
    described = [
        ReportRun(f"run{number:03d}", f"team{number // 3}", _families(number)) for number in range(500)
    ]
    return study_of(Design((0, 1, 2), 1, tuple(MEASURES), replicates=resamples), described, rankings, sets)


def _families(number: int) -> tuple[str, ...]:
    return ("CLIP-based",) if number % 2 else ("text",)


def truth(topics: int) -> dict[str, np.ndarray]:
    """The grade of each document."""
    rng = np.random.default_rng(1)
    return {f"T{topic:03d}": rng.choice(3, size=DOCUMENTS, p=[0.93, 0.045, 0.025]) for topic in range(topics)}


def runs_of(count: int, topics: int) -> Iterator[Rankings]:
    """Runs of rising quality."""
    grades = truth(topics)
    for number in range(count):
        rng = np.random.default_rng(1000 + number)
        results = {}
        for topic, own in grades.items():
            found = rng.permutation(DOCUMENTS)[:RESULTS]
            scores = own[found] * (0.3 + 1.2 * number / count) + rng.normal(0, 1, RESULTS)
            results[topic] = {f"d{docno}": score for docno, score in zip(found, scores.tolist(), strict=True)}
        yield Rankings.from_dict(results, tag=f"run{number:03d}")


def sets_of(topics: int, judged: int = JUDGED, favoured: Pairs = frozenset()) -> list[GradedSet]:
    """People and five judges of falling quality, on so many items a topic. Judges raise favoured pairs."""
    rng = np.random.default_rng(2)
    pool = {topic: rng.permutation(DOCUMENTS)[:judged] for topic in truth(topics)}
    grades = truth(topics)
    sets = []
    for place in range(SETS):
        raw = {
            (topic, f"d{docno}"): float(
                grades[topic][docno]
                + rng.normal(0, 0.5 * place)
                + (place > 0 and (topic, f"d{docno}") in favoured)
            )
            for topic, docnos in pool.items()
            for docno in docnos
        }
        own: Grades = {topic: {} for topic in pool}
        for (topic, docno), score in raw.items():
            own[topic][docno] = int(score > 0.5) + int(score > 1.5)
        qrels = Qrels.from_dict(own, name=f"set{place}")
        facts = SetFacts.of(qrels, "model" if place else "human")
        sets.append(GradedSet(facts, qrels, raw if place else {}))
    return sets


def looped(runs: list[dict[str, dict[str, float]]], judged: list[Grades], replicates: int) -> None:
    """Values by pytrec_eval; then for each measure, judge and resample tau by scipy."""
    rng = np.random.default_rng(3)
    evaluators = [pytrec_eval.RelevanceEvaluator(each, set(MEASURES.values())) for each in judged]
    found = [[evaluator.evaluate(run) for run in runs] for evaluator in evaluators]
    topics = sorted(judged[0])
    for measure in MEASURES.values():
        values = np.array([[[each[t][measure] for t in topics] for each in own] for own in found])
        for judge in values[1:]:
            for _ in range(replicates):
                drawn = rng.integers(0, len(topics), len(topics))
                x, y = values[0][:, drawn].mean(axis=1), judge[:, drawn].mean(axis=1)
                stats.kendalltau(x, y)
