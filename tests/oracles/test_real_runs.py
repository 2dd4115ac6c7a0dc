"""80 submitted TREC runs under NIST's qrels against what trec_eval 10.0 printed, topic by topic."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracles.shared import real_runs
from trackside.files import Qrels, Rankings
from trackside.measuring import Evaluation, evaluate

pytestmark = pytest.mark.whole

QRELS = {"robust03": "robust03.qrels.gz", "dl2021": "nist.qrels.gz"}
RUN_COUNT = {"robust03": 17, "dl2021": 63}


def expected_values(folder: Path, level: int) -> dict[tuple[str, str, str], str]:
    with gzip.open(folder / f"expected.level{level}.tsv.gz", "rt") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        return {(run, measure, topic): value for run, measure, topic, value in rows}


def our_values(evaluation: Evaluation) -> Iterator[tuple[tuple[str, str, str], str]]:
    for run, name in enumerate(evaluation.runs):
        for column, measure in enumerate(evaluation.measures):
            form = "%.0f" if measure.family.is_whole_number else "%.4f"
            for topic, topic_name in enumerate(evaluation.topics):
                value = evaluation.values[run, 0, topic, column]
                yield (name, str(measure.trec_name), topic_name), form % value
            yield (name, str(measure.trec_name), "all"), form % evaluation.means()[run, 0, column]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("track", ["robust03", "dl2021"])
def test_real_runs_agree_with_trec_eval_in_every_printed_digit(track: str, level: int) -> None:
    folder = real_runs() / track
    expected = expected_values(folder, level)
    files = sorted((folder / "runs").iterdir())
    assert len(files) == RUN_COUNT[track]
    runs = (Rankings.from_file(file, tag=file.name.removesuffix(".gz")) for file in files)
    names = sorted({measure for _, measure, _ in expected})
    ours = dict(our_values(evaluate(runs, Qrels.from_file(folder / QRELS[track]), names, level=level)))
    different = {key: (value, ours.get(key)) for key, value in expected.items() if ours.get(key) != value}
    assert not different
    assert len(expected) == len(ours)
