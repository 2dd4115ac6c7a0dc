"""tau-b, tau_AP and RBO of two rankings, against scipy and the definitions written as loops."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

import trackside
from trackside.cli.main import main

PEOPLE = {str(topic): {f"d{n}": n % 3 for n in range(20)} for topic in range(8)}
MODEL = {
    topic: {docno: (grade + int(topic)) % 3 for docno, grade in own.items()} for topic, own in PEOPLE.items()
}


def rbo_by_sets(*rankings: Sequence[str], p: float) -> float:
    """Webber et al., equation 32, on sets of items: the shorter list is extended by its last agreement."""
    short, long = sorted(rankings, key=len)
    s, n = len(short), len(long)
    overlap = [len(set(short[:depth]) & set(long[:depth])) for depth in range(n + 1)]
    total = sum(overlap[depth] / depth * p**depth for depth in range(1, n + 1))
    total += sum(overlap[s] * (depth - s) / (s * depth) * p**depth for depth in range(s + 1, n + 1))
    return (1 - p) / p * total + ((overlap[n] - overlap[s]) / n + overlap[s] / s) * p**n


def tau_ap_by_loop(truth: Sequence[str], estimate: Sequence[str]) -> float:
    """Yilmaz et al., SIGIR 2008: below each first item, the share of those above it that belong there."""
    shares = [
        sum(truth.index(above) < truth.index(item) for above in estimate[:place]) / place
        for place, item in enumerate(estimate)
        if place
    ]
    return 2 * sum(shares) / (len(estimate) - 1) - 1


@pytest.mark.parametrize("seed", range(4))
def test_documents_are_correlated_by_topic(seed: int) -> None:
    draw = np.random.default_rng(seed)
    sizes = draw.integers(3, 30, 2)
    one, two = (
        {f"d{n}": float(draw.integers(8)) for n in draw.permutation(40)[:size].tolist()} for size in sizes
    )
    shared = sorted(one.keys() & two.keys())
    result = trackside.correlate({"1": one, "2": {"a": 1}}, {"1": two, "3": {"a": 1}}, p=0.8)
    (row,) = result.rows
    assert (row.name, row.shared) == ("1", len(shared))
    tops = [trackside.read_run({"1": run}).top(99)["1"] for run in (one, two)]
    expected = kendalltau([one[docno] for docno in shared], [two[docno] for docno in shared]).statistic
    assert row.tau_b == pytest.approx(expected)
    assert row.tau_ap == pytest.approx(tau_ap_by_loop(*([d for d in top if d in shared] for top in tops)))
    assert result.rbo == pytest.approx(rbo_by_sets(*tops, p=0.8))


def test_runs_are_correlated_under_two_sets_of_qrels() -> None:
    draw = np.random.default_rng(5)
    runs = {f"run{n}": {t: {d: draw.random() for d in own} for t, own in PEOPLE.items()} for n in range(6)}
    result = trackside.correlate(PEOPLE, MODEL, runs=runs, measures=["nDCG@10", "AP(rel=2)"])
    for row in result.rows:
        means = [trackside.evaluate(runs, qrels, row.name).means()[:, 0, 0] for qrels in (PEOPLE, MODEL)]
        orders = [[f"run{n}" for n in np.argsort(-values)] for values in means]
        assert row.tau_b == pytest.approx(kendalltau(*means).statistic)
        assert row.tau_ap == pytest.approx(tau_ap_by_loop(*orders))
        assert row.rbo == pytest.approx(rbo_by_sets(*orders, p=0.9))
    assert result.tau_b == pytest.approx(np.mean([row.tau_b for row in result.rows]))


def test_ties_of_runs_leave_no_order_of_the_top() -> None:
    """All runs are the same, so tau-b has no pair and tau_AP no true order."""
    runs = {name: {"1": {"a": 2.0, "b": 1.0}} for name in ("one", "two", "three")}
    (row,) = trackside.correlate({"1": {"a": 1}}, {"1": {"b": 1}}, runs=runs, measures="RR").rows
    assert row[1:4] == (3, None, None)
    assert row.rbo == pytest.approx(1.0)


def test_rankings_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(trackside.InputError, match="no topic in common"):
        trackside.correlate({"1": {"a": 1}}, {"2": {"a": 1}})
    with pytest.raises(trackside.InputError, match="p 1: give a number between 0 and 1"):
        trackside.correlate({"1": {"a": 1}}, {"1": {"a": 1}}, p=1)
    with pytest.raises(trackside.InputError, match="higher is not better"):
        trackside.correlate(PEOPLE, MODEL, runs=[PEOPLE], measures="NumRet")


def test_command_names_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["correlate", "one.run", "--qrels", "nowhere"]) == 2
    assert "no such file" in capsys.readouterr().err


def test_command_warns_of_ids_that_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("people", "model"):
        Path(name).write_text("1 0 a 1\n1 0 b 0\n")
    for name in ("one", "two"):
        Path(name).write_text(f"1 Q0 x.jpg 1 2 {name}\n1 Q0 y.jpg 2 1 {name}\n")
    main(["correlate", "--qrels", "people", "--qrels", "model", "one", "two"])
    first, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith("warning: one under first: "), "no path of the code"
