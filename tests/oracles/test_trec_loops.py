import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.trec_loops import CUTOFFS, Flags, Refused, output
from trackside.cli.main import main

pytestmark = pytest.mark.whole

CUT = ",".join(map(str, CUTOFFS))
MEASURES = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "bpref", "recip_rank", "iprec_at_recall",
    f"P.{CUT}", "gm_bpref", "utility", "11pt_avg", "ndcg", "Rndcg", "num_nonrel_judged_ret", "yaap",
    "rbp_resid", "unj.5,10",
)  # fmt: skip

topics = st.sampled_from(["1", "2", "10", "301", "é"])
docnos = st.sampled_from([*(f"d{number}" for number in range(12)), "D1", "#7", "d1#0", "doc-é", "doc-ü", "~"])
# Ties, and scores whose order differs between doubles, 32-bit floats and text.
scores = st.sampled_from((
    "1", "1.0", "01", "+1", "1e0", "0x1", "2", "-2", "0", "-0", ".5", "5.", "1e-320", "4.9e-324", "0.1",
    "0.1000000000000000055", "0.10000000000000002", "16777216", "16777217", "1e308", "1e400", "-1e400",
    "inf", "-inf", "1e", "1,5", "1_000", "x", "3x", "-",
))  # fmt: skip
grades = st.sampled_from(("-1", "-1", "0", "0", "1", "1", "2", "2", "3", "7", "+1", "1.9", "x", "-2", "12"))
gaps = st.sampled_from([" ", "\t", "  ", " \t "])
ends = st.sampled_from(["", "", "", " ", "\r", "\t"])


@st.composite
def run_files(draw: st.DrawFn) -> str:
    pairs = draw(st.lists(st.tuples(topics, docnos), min_size=1, max_size=40, unique=draw(st.booleans())))
    rows = []
    for topic, docno in pairs:
        gap = draw(gaps)
        fields = (topic, "Q0", docno, draw(st.sampled_from(("1", "0", "x"))), draw(scores), "tag")
        rows.append(gap.join(fields) + draw(ends))
    rows += draw(st.lists(st.sampled_from(["", " ", "# comment", " # comment", "1 Q0 d1 1 1 tag more"])))
    return "\n".join(draw(st.permutations(rows))) + draw(st.sampled_from(["", "\n"]))


@st.composite
def qrels_files(draw: st.DrawFn) -> str:
    pairs = draw(st.lists(st.tuples(topics, docnos), min_size=1, max_size=40, unique=True))
    rows = [draw(gaps).join((topic, "0", docno, draw(grades))) + draw(ends) for topic, docno in pairs]
    # trec_eval crashes on a topic without a grade above -2, so each topic has one.
    rows += [f"{topic} 0 {docno} 0" for topic, docno in {topic: "only" for topic, _ in pairs}.items()]
    rows += draw(st.lists(st.sampled_from(["# comment"]), max_size=1))
    return "\n".join(draw(st.permutations(rows))) + "\n1 0 last 0\n"


flags_given = st.builds(
    Flags,
    complete=st.booleans(),
    judged_only=st.booleans(),
    level=st.sampled_from([1, 1, 2, 0, 3]),
    most=st.sampled_from([None, None, 1, 2, 5]),
    single=st.booleans(),
)


def command(folder: Path, flags: Flags) -> list[str]:
    words = ["score", "--format", "trec_eval", "--qrels", str(folder / "qrels"), str(folder / "run")]
    words += [f"--measure={name}" for name in MEASURES]
    words += ["--level", str(flags.level)]
    words += [] if flags.complete else ["--no-complete"]
    words += ["--judged-only"] if flags.judged_only else []
    words += ["--scores", "single"] if flags.single else []
    return words + (["--max-results", str(flags.most)] if flags.most else [])


@settings(max_examples=150, deadline=None)
@given(qrels_files(), run_files(), flags_given)
def test_output_is_that_of_loops_over_documents(qrels: str, run: str, flags: Flags) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        (folder / "qrels").write_bytes(qrels.encode())
        (folder / "run").write_bytes(run.encode())
        printed: list[str] = []
        patch.setattr("sys.stdout.write", printed.append)
        patch.setattr("sys.stderr.write", lambda text: None)
        status = main([*command(folder, flags), "--allow-empty"])
    try:
        expected = output(qrels.encode(), run.encode(), flags)
    except Refused:
        assert status == 2
        return
    assert status == 0
    assert "".join(printed) == expected
