"""All forms of input give equal runs and qrels, and what is written reads back the same."""

import gzip
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import trackside
from tests.refusals import refused
from tests.trackside.library.input_forms import (
    GRADES,
    QREL_COLUMNS,
    QRELS_FILE,
    QRELS_FORMS,
    RUN_FILE,
    RUN_FORMS,
    SCORES,
)
from trackside.conversions import to_pandas, to_ranx
from trackside.errors import InputError
from trackside.files.streams import UnreadableFile
from trackside.library.inputs import OddLines, each_run

# trec_eval's order: equal scores by docno descending.
TOPS = {"301": ["a", "c", "b"], "302": ["b"]}


@pytest.mark.parametrize("form", list(RUN_FORMS))
def test_runs_of_every_form_are_the_same(form: str) -> None:
    run = trackside.read_run(RUN_FORMS[form], tag="own")
    assert (run.tag, run.to_dict(), run.top(9)) == ("own", SCORES, TOPS)


@pytest.mark.parametrize("form", list(QRELS_FORMS))
def test_qrels_of_every_form_are_the_same(form: str) -> None:
    qrels = trackside.read_qrels(QRELS_FORMS[form], name="people")
    assert (qrels.name, qrels.to_dict()) == ("people", GRADES)


def test_files_are_read_by_path_and_stream(tmp_path: Path) -> None:
    (tmp_path / "own.run.gz").write_bytes(gzip.compress(RUN_FILE))
    (tmp_path / "people.qrels").write_bytes(QRELS_FILE)
    assert trackside.read_run(tmp_path / "own.run.gz").to_dict() == SCORES
    assert trackside.read_run(str(tmp_path / "own.run.gz")).tag == "own"
    assert trackside.read_run(BytesIO(RUN_FILE)).to_dict() == SCORES
    qrels = trackside.read_qrels(tmp_path / "people.qrels")
    assert (qrels.name, qrels.to_dict()) == ("people.qrels", GRADES)


def test_one_run_under_another_tag_leaves_the_first_as_it_is() -> None:
    run = trackside.read_run(SCORES, tag="one")
    assert trackside.read_run(run) is run
    assert (trackside.read_run(run, tag="two").tag, run.tag) == ("two", "one")


def test_frames_of_runs_and_qrels_lead_back() -> None:
    run, qrels = trackside.read_run(SCORES), trackside.read_qrels(GRADES)
    assert run.to_frame()["rank"].to_list() == [1, 2, 3, 1]
    assert trackside.read_run(run.to_frame()).to_dict() == SCORES
    assert trackside.read_qrels(qrels.to_frame()).to_dict() == GRADES


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"grade": [0, 1, None, 1, 0]}, "column grade, row 2: no value"),
        ({"grade": [0.5, 1, 2, 1, 0]}, "column grade, row 0: 0.5 is not a whole number"),
        ({"grade": ["x", "1", "2", "1", "0"]}, "column grade: its values are not whole numbers"),
        ({"topic": [301.0, 301.0, 301.0, 302.0, 302.0]}, "column topic: numbers with a decimal point"),
        ({"docno": ["a", None, "c", "b", "z"]}, "column docno, row 1: no value"),
    ],
)
def test_malformed_columns_are_refused(values: dict[str, Any], fault: str) -> None:
    """None of them may silently become another topic or grade."""
    with refused("column-unfit") as caught:
        trackside.read_qrels(pl.DataFrame(QREL_COLUMNS | values, strict=False))
    assert fault in str(caught.value)
    with refused("column-unfit"):
        trackside.read_qrels(pd.DataFrame(QREL_COLUMNS | values))


@pytest.mark.parametrize(
    ("grade", "shown"),
    [(1.5, "1.5"), (None, "None"), (float("nan"), "nan"), ("x", "'x'"), (2**63, "9223372036854775808")],
)
def test_grades_of_dictionaries_must_be_whole_numbers(grade: Any, shown: str) -> None:
    with refused("entry-unfit") as caught:
        trackside.read_qrels({"1": {"a": 1, "b": grade}})
    assert f"topic 1, docno b: the grade {shown} is not a whole number" in str(caught.value)


@pytest.mark.parametrize("score", [None, "x", 1j, 10**400])
def test_scores_of_dictionaries_must_be_numbers(score: Any) -> None:
    with refused("entry-unfit", match=r"topic 1, docno b: the score .* is not a number"):
        trackside.read_run({"1": {"a": 1, "b": score}})


@pytest.mark.parametrize("name", [301.0, None, True, ("a",), b"301", "\ud800"])
def test_names_of_dictionaries_must_be_texts_or_whole_numbers(name: Any) -> None:
    for source in ({name: {"a": 1}}, {"1": {name: 1}}):
        with refused("entry-unfit", match=r"give a text or a whole number|UTF-8"):
            trackside.read_run(source)
        with refused("entry-unfit"):
            trackside.read_qrels(source)


def test_numbers_name_topics_and_docnos_of_dictionaries() -> None:
    assert trackside.read_run({301: {7: 2}, np.int64(302): {"a": np.float32(1)}}).to_dict() == {
        "301": {"7": 2.0},
        "302": {"a": 1.0},
    }
    evaluation = trackside.evaluate({301: {"a": 1}}, {"301": {"a": 1}}, "RR")
    assert evaluation.means().tolist() == [[[1.0]]]


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (pd.DataFrame([["1", "a", 1.0, 2.0]], columns=["qid", "docno", "score", "score"]), "several columns"),
        (
            pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": pd.to_datetime(["2026-01-01"])}),
            "not numbers",
        ),
        (
            pd.DataFrame({"topic": [1, "2"], "docno": ["a", "b"], "score": [1, 2]}),
            "column topic: its values are not texts",
        ),
        (pl.DataFrame({"topic": ["1"], "docno": ["a"], "score": ["x"]}), "column score: its values are not"),
        (pl.DataFrame({"topic": [True], "docno": ["a"], "score": [1]}), "column topic: its values are not"),
    ],
)
def test_columns_of_other_kinds_are_refused(source: Any, fault: str) -> None:
    with refused("column-unfit", match=fault):
        trackside.read_run(source)


def test_streams_that_are_closed_or_of_text_are_refused() -> None:
    closed = BytesIO(RUN_FILE)
    closed.close()
    streams: tuple[tuple[Any, str], ...] = (
        (closed, "the stream is closed"),
        (StringIO(RUN_FILE.decode()), "a stream of text"),
    )
    for stream, fault in streams:
        with pytest.raises(UnreadableFile, match=fault):
            trackside.read_run(stream)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (17, "a int is not a run"),
        ([1, 2], "a list is not a run"),
        (pl.DataFrame({"docno": ["a"], "score": [1.0]}), "no column topic (or qid, query_id"),
        (pd.DataFrame({"topic": ["1"], "docno": ["a"]}), "no column score"),
        ({"topic": ["1"], "docno": ["a"], "score": [1.0]}, "a dict is not a run"),
    ],
)
def test_input_without_a_run_is_refused(source: Any, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        trackside.read_run(source)
    assert fault in str(caught.value)


def test_malformed_lines_that_trec_eval_accepts_give_a_warning() -> None:
    with pytest.warns(OddLines, match="score"):
        run = trackside.read_run(b"1 Q0 a 1 0.5x own\n")
    assert run.to_dict() == {"1": {"a": 0.5}}


@pytest.mark.parametrize(
    ("scores", "fault"),
    [
        ({"1 2": {"a": 1.0}}, "topic '1 2'"),
        ({"#1": {"a": 1.0}}, "topic '#1'"),
        ({"1": {"": 1.0}}, "docno ''"),
    ],
)
def test_names_that_no_file_can_hold_are_not_written(
    scores: dict[str, dict[str, float]], fault: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=fault):
        trackside.write_run(scores, tmp_path / "own.run")
    with pytest.raises(InputError, match="tag 'my run'"):
        trackside.write_run(SCORES, tmp_path / "own.run", tag="my run")
    assert not (tmp_path / "own.run").exists()


def test_written_files_read_back_to_the_last_bit(tmp_path: Path) -> None:
    scores = {"é": {"ü#": 0.1 + 0.2, "b": 1e-300, "c": -7.0}, "1": {"a": 1 / 3}}
    trackside.write_run(scores, tmp_path / "own.run", tag="own")
    trackside.write_qrels(GRADES, tmp_path / "own.qrels")
    assert trackside.read_run(tmp_path / "own.run").to_dict() == scores
    assert trackside.read_qrels(tmp_path / "own.qrels").to_dict() == GRADES
    trackside.write_run(SCORES, tmp_path / "short.run", depth=1)
    assert trackside.read_run(tmp_path / "short.run").to_dict() == {"301": {"a": 3.0}, "302": {"b": 1.5}}


@pytest.mark.parametrize("odd_line", [b"", b"2 Q0 a 1 0.25x one\n", b"\n"])
def test_two_tags_in_one_file_are_a_warning(odd_line: bytes) -> None:
    """Among plain lines, and in a block with an odd one; the last tag names the run, as in trec_eval."""
    lines = b"1 Q0 a 1 0.5 one\n1 Q0 b 2 0.25 one\n1 Q0 c 3 0.125 two\n1 Q0 d 4 0.1 another-one\n"
    oddities = {str(oddity) for oddity in trackside.Rankings.from_file(lines + odd_line).oddities}
    assert any("another tag" in text and "(2, first on line 3)" in text for text in oddities)
    with pytest.warns(OddLines, match=r"another tag than the first.*\(1, line 2\)"):
        assert trackside.read_run(b"1 Q0 a 1 0.5 two\n1 Q0 b 2 0.25 one").tag == "one"


def test_names_without_content_are_names() -> None:
    """``{"clip": {}}`` is a judge that graded nothing, not the topic clip."""
    runs = {"strong": {"1": {"a": 2.0}}, "weak": {"1": {"a": 1.0}}}
    findings = trackside.report(runs, {"1": {"a": 1}}, {"clip": {}}, resamples=10)
    assert [judge.name for judge in findings.judges] == ["clip"]
    assert [run.tag for run in each_run({"empty": {}})] == ["empty"]
    assert [run.tag for run in each_run({"1": {"a": 1.0}, "2": {}})] == ["run"]


UNTIED = {"301": {"a": 3.0, "b": 2.0, "c": 1.0}, "302": {"b": 1.5}}
POSITIVE = {"301": {"a": 0, "b": 1, "c": 2}, "302": {"b": 1, "z": 2}}


def test_object_that_names_no_measure_is_refused() -> None:
    with pytest.raises(InputError, match="a int is not a measure"):
        trackside.evaluate(UNTIED, POSITIVE, 10)  # type: ignore[arg-type]


def test_frames_become_those_of_pandas() -> None:
    frame = pl.DataFrame({"topic": ["1", "2"], "value": [0.5, None]})
    theirs = to_pandas(frame)
    assert list(theirs["topic"]) == ["1", "2"]
    assert theirs["value"].isna().tolist() == [False, True]
    again = to_pandas(trackside.read_run(UNTIED).to_frame())
    assert trackside.read_run(again).to_dict() == UNTIED


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # numba's own, while it compiles ranx
def test_ranx_takes_our_runs_and_qrels_and_gives_them_back() -> None:
    """ranx compiles for a minute or two."""
    import ranx

    run, qrels = trackside.read_run(UNTIED, tag="own"), trackside.read_qrels(POSITIVE, name="people")
    theirs, their_qrels = to_ranx(run), to_ranx(qrels)
    assert (theirs.name, trackside.read_run(theirs).tag) == ("own", "own")
    assert trackside.read_run(theirs).to_dict() == UNTIED
    assert trackside.read_qrels(their_qrels).to_dict() == POSITIVE
    value = ranx.evaluate(their_qrels, theirs, "ndcg@10")
    assert trackside.evaluate(theirs, their_qrels, "nDCG@10").means().item() == pytest.approx(value)
    assert to_ranx(trackside.read_qrels({"1": {"a": 1, "b": -1}})).to_dict() == {"1": {"a": 1}}
    with pytest.raises(InputError):
        to_ranx(UNTIED)  # type: ignore[arg-type]


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
