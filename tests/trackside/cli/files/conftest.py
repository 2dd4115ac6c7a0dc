from pathlib import Path

import pytest

from tests.trackside.cli.files.report_inputs import TRUTH, named_qrels
from tests.trackside.reporting.study import (
    graded_set,
    model_set,
    ranking,
    run_list,
    second_set,
    small_study,
)
from trackside.reporting.writers.bundle import write_bundle


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    runs = []
    for number in range(6):
        run = ranking(number, TRUTH)
        lines = [
            f"{topic} Q0 {docno} 1 {score!r} {run.tag}\n"
            for topic, docnos, scores in run.results()
            for docno, score in zip(docnos, scores.tolist(), strict=True)
        ]
        (tmp_path / run.tag).write_text("".join(lines))
        runs.append(str(tmp_path / run.tag))
    about = ["tag,team,families,backbone\n"]
    about += [f"{run.tag},{run.team},{';'.join(run.families)},\n" for run in run_list()]
    (tmp_path / "about.csv").write_text("".join(about))
    model = model_set(TRUTH)
    scores = [f"{topic}\t{docno}\t{score!r}\n" for (topic, docno), score in model.raw_scores.items()]
    (tmp_path / "scores.tsv").write_text("topic\tdocno\traw_score\n" + "".join(scores))
    return [
        "report", "--reference", named_qrels(tmp_path, graded_set("people", TRUTH, "human")),
        "--people", named_qrels(tmp_path, second_set(TRUTH)), "--qrels", named_qrels(tmp_path, model),
        "--raw-scores", f"clip={tmp_path / 'scores.tsv'}", "--about", str(tmp_path / "about.csv"),
        "--measure", "nDCG@10", "--measure", "AP", "--resamples", "200", "--runs", *runs,
    ]  # fmt: skip


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    study = small_study()
    path = tmp_path / "bundle.zip"
    rankings = (ranking(number, TRUTH) for number in range(6))
    sets = [graded_set("people", TRUTH, "human"), second_set(TRUTH), model_set(TRUTH)]
    write_bundle(path, design=study.design, runs=study.runs, rankings=rankings, sets=sets)
    return path
