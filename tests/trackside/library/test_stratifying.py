"""Strata of pairs in the library and the commands: the same numbers, whatever else is in the file."""

from pathlib import Path

import numpy as np
import pytest

import trackside
from trackside.cli.main import main
from trackside.reporting.tables import MINUS

DRAW = np.random.default_rng(2)
PEOPLE = {f"T{topic}": {f"d{n}": int(DRAW.integers(3)) for n in range(12)} for topic in range(12)}
JUDGE = {
    t: {d: int(np.clip(g + DRAW.integers(-1, 2), 0, 2)) for d, g in own.items()} for t, own in PEOPLE.items()
}
STRATA = {topic: {f"d{n}": ("hard", "easy", "easy")[n % 3] for n in range(10)} for topic in PEOPLE}
SCORES = {(t, d): float(g + DRAW.normal()) for t, own in JUDGE.items() for d, g in own.items()}
RUN = {topic: {docno: float(DRAW.random()) for docno in own} for topic, own in PEOPLE.items()}


def lines(nested: dict[str, dict[str, str]]) -> list[str]:
    return [f"{topic} {docno} {name}\n" for topic, own in nested.items() for docno, name in own.items()]


def test_numbers_are_those_of_the_parts() -> None:
    found = trackside.agreement_by_stratum(PEOPLE, JUDGE, STRATA, scores=SCORES)
    for name, part in trackside.split_qrels(PEOPLE, STRATA).items():
        whole = trackside.agreement(part, JUDGE, scale=(0, 1, 2)).coefficients
        assert found.strata[name].kappa == whole["kappa"]
        assert found.strata[name].same_grade == whole["same grade"]
        assert found.strata[name].auprc.low is not None
    assert found.left_out == (
        "strata: 24 of 144 graded pairs without a stratum left out: T0 d10, T0 d11, T1 d10 and more.",
    )
    frame = found.to_frame()
    assert frame.shape == (6, 9)
    assert frame.row(0)[:4] == ("easy", "kappa", 12, 72)


def test_a_stratum_is_the_same_beside_others_and_in_any_order_of_lines(tmp_path: Path) -> None:
    whole = trackside.agreement_by_stratum(PEOPLE, JUDGE, STRATA, scores=SCORES)
    path = tmp_path / "strata"
    path.write_text("".join(DRAW.permutation(lines(STRATA)).tolist()))
    assert trackside.agreement_by_stratum(PEOPLE, JUDGE, path, scores=SCORES) == whole
    hard = {topic: {d: name for d, name in own.items() if name == "hard"} for topic, own in STRATA.items()}
    alone = trackside.agreement_by_stratum(PEOPLE, JUDGE, hard, scores=SCORES)
    assert alone.strata == {"hard": whole.strata["hard"]}


def test_grades_order_the_pairs_where_a_score_is_missing() -> None:
    fewer = dict(list(SCORES.items())[1:])
    by_grades = trackside.agreement_by_stratum(PEOPLE, JUDGE, STRATA)
    assert trackside.agreement_by_stratum(PEOPLE, JUDGE, STRATA, scores=fewer) == by_grades


def test_harmonic_accuracy_is_that_of_seen_and_unseen() -> None:
    """Right on 3 of 4 seen and 1 of 4 unseen: 2 / (4/3 + 4) = 3/8."""
    people = {"T": {f"{kind}{n}": 1 for kind in ("seen", "unseen") for n in range(4)}}
    right = {"seen0", "seen1", "seen2", "unseen0"}
    judge = {"T": {docno: int(docno in right) for docno in people["T"]}}
    strata = {"T": {docno: docno[:-1] for docno in people["T"]}}
    found = trackside.agreement_by_stratum(people, judge, strata)
    assert found.harmonic_accuracy.value == pytest.approx(3 / 8)


def test_strata_that_fit_no_pair_are_refused(tmp_path: Path) -> None:
    with pytest.raises(trackside.InputError, match="no pair that both graded has a stratum"):
        trackside.agreement_by_stratum(PEOPLE, JUDGE, {"X": {"d0": "easy"}})
    with pytest.raises(trackside.InputError, match="or the path of a file"):
        trackside.split_qrels(PEOPLE, {"T0": "easy"})
    with pytest.raises(trackside.InputError, match="strata of pairs level: people graded none"):
        trackside.report({"run": RUN}, PEOPLE, pair_strata={"level": {"X": {"d0": "easy"}}}, resamples=10)
    seen = {"level": {"T0": "seen"}}
    with pytest.raises(trackside.InputError, match="strata level: of topics and of pairs"):
        trackside.report({"run": RUN}, PEOPLE, strata=seen, pair_strata={"level": STRATA}, resamples=10)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("strata").write_text("".join(lines(STRATA)))
    for name, qrels in (("people", PEOPLE), ("judge", JUDGE)):
        trackside.write_qrels(qrels, name)
    trackside.write_run(RUN, "run")


@pytest.mark.usefixtures("files")
def test_score_has_the_values_of_each_stratum(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "--qrels", "people", "run", "-m", "AP", "--format", "csv", "--decimals", "9"]
    assert main([*command, "--pair-strata", "strata"]) == 0
    printed = capsys.readouterr()
    for name, part in trackside.split_qrels(PEOPLE, STRATA).items():
        mean = trackside.evaluate({"run": RUN}, part, "AP").means().item()
        (line,) = [line for line in printed.out.splitlines() if f"people/{name}" in line]
        assert f"{mean:.9f}" in line
    assert "warning: people: 24 of 144 graded pairs without a stratum left out: T0 d10" in printed.err
    Path("strata").write_text("X d0 easy\n")
    assert main([*command, "--pair-strata", "strata"]) == 2


@pytest.mark.usefixtures("files")
def test_report_has_the_numbers_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["report", "--runs", "run", "--reference", "people", "--qrels", "judge", "--resamples", "10"]
    assert main([*command, "--pair-strata", "level=strata", "--section", "differences"]) == 0
    printed = capsys.readouterr().out.replace(MINUS, "-")
    found = trackside.agreement_by_stratum(PEOPLE, JUDGE, STRATA).strata["hard"]
    (line,) = [line for line in printed.splitlines() if " level " in line and " hard " in line]
    for number in (found.kappa, found.auprc):
        assert f"{number.value:.2f} ({number.low:.2f} to {number.high:.2f})" in line
    assert "level: 24 of 144 graded pairs without a stratum left out" in printed
