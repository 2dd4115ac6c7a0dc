"""`trackside check-favour`: write the pairs, read a third person's grades, print the sentence anew."""

from pathlib import Path

import numpy as np
import pytest

from tests.simulations.takes import Setting, drawn_track
from trackside.cli.main import main


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A made track as files, in which the judge raises the family's results."""
    folder = tmp_path_factory.mktemp("favour")
    study = drawn_track(Setting(gap=0.05, favour=0.5), np.random.default_rng(3)).study
    for name, grades in zip(("people", "judge", "second"), study.grades.tolist(), strict=True):
        lines = [
            f"{study.topics[study.topic_of_pair[pair]]} 0 {study.docnos[pair]} {grade}\n"
            for pair, grade in enumerate(grades)
            if grade >= 0
        ]
        (folder / f"{name}.qrels").write_text("".join(lines))
    runs = []
    for run, retrieved in zip(study.runs, study.retrieved, strict=True):
        lines = [
            f"{study.topics[study.topic_of_pair[pair]]} Q0 {study.docnos[pair]} 0 {-rank} {run.tag}\n"
            for pair, rank in zip(retrieved.pairs.tolist(), retrieved.ranks.tolist(), strict=True)
        ]
        (folder / run.tag).write_text("".join(lines))
        runs.append(str(folder / run.tag))
    about = "".join(f"{run.tag},{run.team},{';'.join(run.families)}\n" for run in study.runs)
    (folder / "about.csv").write_text(f"tag,team,families\n{about}")
    return [
        "check-favour", "--reference", str(folder / "people.qrels"),
        "--qrels", f"judge={folder / 'judge.qrels'}",
        "--people", str(folder / "second.qrels"), "--about", str(folder / "about.csv"), "--runs", *runs,
    ]  # fmt: skip


def test_pairs_go_to_a_third_person_and_their_grades_reach_the_sentence(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "pairs.tsv"
    assert main([*words, "--out", str(pairs)]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[0].startswith(
        "judge, A: A favour, unless people and the second assessor both grade what all A "
    )
    assert first[1] == f"50 pairs in {pairs}: for a person who graded none of them."
    rows = [line.split("\t") for line in pairs.read_text().splitlines()]
    assert len({tuple(row) for row in rows}) == 50
    people = Path(words[2]).read_text().splitlines()
    grades = {(topic, docno): grade for topic, _, docno, grade in map(str.split, people)}
    third = tmp_path / "third.qrels"
    third.write_text("".join(f"{topic} 0 {docno} {grades[topic, docno]}\n" for topic, docno in rows))
    assert main([*words, "--third", str(third)]) == 0
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith(first[0].removesuffix("."))
    assert (
        "A third person graded 50 of the 50 results that decide it: 0 nearer to the judge, 50 nearer" in said
    )
    assert said.endswith("too little for people's errors alone.")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ([], "name --out for the pairs, or --third"),
        (["--out", "pairs.tsv", "--family", "B"], "family B: there is none. Declared in --about: A."),
        (["--out", "absent/pairs.tsv"], "Name another file"),
    ],
)
def test_what_cannot_be_checked_is_refused(
    words: list[str], options: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *options]) == 2
    assert error in capsys.readouterr().err
