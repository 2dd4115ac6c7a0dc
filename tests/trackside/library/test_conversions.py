"""Conversions to and from the objects of pandas and ranx, and values computed from them."""

import polars as pl
import pytest

import trackside
from trackside.conversions import to_pandas, to_ranx
from trackside.errors import InputError

SCORES = {"301": {"a": 3.0, "b": 2.0, "c": 1.0}, "302": {"b": 1.5}}
GRADES = {"301": {"a": 0, "b": 1, "c": 2}, "302": {"b": 1, "z": 2}}


def test_object_that_names_no_measure_is_refused() -> None:
    with pytest.raises(InputError, match="a int is not a measure"):
        trackside.evaluate(SCORES, GRADES, 10)  # type: ignore[arg-type]


def test_frames_become_those_of_pandas() -> None:
    frame = pl.DataFrame({"topic": ["1", "2"], "value": [0.5, None]})
    theirs = to_pandas(frame)
    assert list(theirs["topic"]) == ["1", "2"]
    assert theirs["value"].isna().tolist() == [False, True]
    again = to_pandas(trackside.read_run(SCORES).to_frame())
    assert trackside.read_run(again).to_dict() == SCORES


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # numba's own, while it compiles ranx
def test_ranx_takes_our_runs_and_qrels_and_gives_them_back() -> None:
    """ranx compiles for a minute or two."""
    import ranx

    run, qrels = trackside.read_run(SCORES, tag="own"), trackside.read_qrels(GRADES, name="people")
    theirs, their_qrels = to_ranx(run), to_ranx(qrels)
    assert (theirs.name, trackside.read_run(theirs).tag) == ("own", "own")
    assert trackside.read_run(theirs).to_dict() == SCORES
    assert trackside.read_qrels(their_qrels).to_dict() == GRADES
    value = ranx.evaluate(their_qrels, theirs, "ndcg@10")
    assert trackside.evaluate(theirs, their_qrels, "nDCG@10").means().item() == pytest.approx(value)
    assert to_ranx(trackside.read_qrels({"1": {"a": 1, "b": -1}})).to_dict() == {"1": {"a": 1}}
    with pytest.raises(InputError):
        to_ranx(SCORES)  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_ranx_fuses_by_its_own_methods() -> None:
    """By hand: ISR is the number of runs times the sum of 1 / rank squared (Mourao et al. 2014)."""
    runs = {"one": {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}, "two": {"1": {"b": 2.0, "d": 1.0}}}
    fused = trackside.fuse(runs, "ranx:isr", tag="isr")
    assert fused.to_dict() == {"1": {"b": 2 * (1 / 4 + 1), "a": 1.0, "d": 1 / 4}, "2": {"c": 1.0}}
    # RBC, phi 0.8: the sum over runs of (1 - phi) phi ** (rank - 1) (Bailey et al. 2017).
    weighted = trackside.fuse(runs, "ranx:rbc", parameters={"phi": 0.8}, tag="rbc").to_dict()["1"]
    assert weighted == pytest.approx({"b": 0.2 + 0.2 * 0.8, "a": 0.2, "d": 0.2 * 0.8})
    with pytest.raises(trackside.InputError, match="ranx does not fuse by rbc"):
        trackside.fuse(runs, "ranx:rbc")
