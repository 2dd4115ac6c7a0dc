"""Ten tasks with Trackside and with its peers: equal answers, in no more lines than the shortest peer."""

import re
import textwrap
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trackside
from trackside.conversions import to_pandas

IR, TREC, RANX = "ir_measures", "pytrec_eval", "ranx"
IR_INPUTS = "ir_measures.read_trec_qrels(QRELS), ir_measures.read_trec_run(RUN)"
TREC_VALUES = "pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(open(QRELS)), {'map', 'ndcg_cut_10'})"
# Every program sets ``answer``: numbers, or a text that contains them.
TASKS = {
    "means": {
        "trackside": """
            import trackside
            answer = trackside.evaluate(RUN, QRELS, ["nDCG@10", "AP"]).means()
        """,
        IR: f"""
            import ir_measures
            from ir_measures import AP, nDCG
            answer = ir_measures.calc_aggregate([nDCG@10, AP], {IR_INPUTS})
            answer = [answer[nDCG@10], answer[AP]]
        """,
        TREC: f"""
            import pytrec_eval
            values = {TREC_VALUES}.evaluate(pytrec_eval.parse_run(open(RUN))).values()
            answer = [np.mean([each[name] for each in values]) for name in ("ndcg_cut_10", "map")]
        """,
        RANX: """
            import ranx
            qrels, run = ranx.Qrels.from_file(QRELS, kind="trec"), ranx.Run.from_file(RUN, kind="trec")
            answer = list(ranx.evaluate(qrels, run, ["ndcg@10", "map"]).values())
        """,
    },
    "per topic": {
        "trackside": """
            import trackside
            answer = trackside.evaluate(RUN, QRELS, "AP").topic_frame()["value"]
        """,
        IR: f"""
            import ir_measures
            values = ir_measures.iter_calc([ir_measures.AP], {IR_INPUTS})
            answer = [each.value for each in sorted(values, key=lambda each: each.query_id)]
        """,
        TREC: f"""
            import pytrec_eval
            values = {TREC_VALUES}.evaluate(pytrec_eval.parse_run(open(RUN)))
            answer = [values[topic]["map"] for topic in sorted(values)]
        """,
    },
    "compare": {
        "trackside": """
            import trackside
            answer = trackside.compare([RUN, OTHER], QRELS, "AP").pairs[0].p.value
        """,
        TREC: f"""
            import pytrec_eval
            from scipy.stats import ttest_rel
            judge = {TREC_VALUES}
            values = [judge.evaluate(pytrec_eval.parse_run(open(path))) for path in (RUN, OTHER)]
            answer = ttest_rel(*([each[topic]["map"] for topic in sorted(each)] for each in values)).pvalue
        """,
        RANX: """
            import ranx
            runs = [ranx.Run.from_file(path, kind="trec") for path in (RUN, OTHER)]
            qrels = ranx.Qrels.from_file(QRELS, kind="trec")
            report = ranx.compare(qrels, runs, ["map"], stat_test="student").to_dict()
            answer = report["dense"]["comparisons"]["bm25"]["map"]
        """,
    },
    "fuse": {
        "trackside": """
            import trackside
            answer = trackside.fuse([RUN, OTHER], "rrf")["0"]["d0"]
        """,
        RANX: """
            import ranx
            runs = [ranx.Run.from_file(path, kind="trec") for path in (RUN, OTHER)]
            answer = ranx.fuse(runs, method="rrf").to_dict()["0"]["d0"]
        """,
    },
    "frames": {
        "trackside": """
            import trackside
            answer = trackside.evaluate(run_frame, qrels_frame, "AP").topic_frame()["value"]
        """,
        IR: """
            import ir_measures
            import pandas
            values = pandas.DataFrame(ir_measures.iter_calc([ir_measures.AP], qrels_frame, run_frame))
            answer = values.sort_values("query_id")["value"]
        """,
    },
    "LaTeX": {
        "trackside": """
            import trackside
            answer = trackside.compare([RUN, OTHER], QRELS, "AP").to_latex("AP")
        """,
        IR: """
            import ir_measures
            import pandas
            qrels = list(ir_measures.read_trec_qrels(QRELS))
            runs = [ir_measures.read_trec_run(path) for path in (RUN, OTHER)]
            means = [ir_measures.calc_aggregate([ir_measures.AP], qrels, run) for run in runs]
            answer = pandas.DataFrame(means).to_latex(float_format="%.4f")
        """,
        RANX: """
            import ranx
            runs = [ranx.Run.from_file(path, kind="trec") for path in (RUN, OTHER)]
            qrels = ranx.Qrels.from_file(QRELS, kind="trec")
            answer = ranx.compare(qrels, runs, ["map"], rounding_digits=4).to_latex()
        """,
    },
    "judged": {
        "trackside": """
            import trackside
            answer = trackside.evaluate(RUN, QRELS, "Judged@10").means()
        """,
        IR: f"""
            import ir_measures
            from ir_measures import Judged
            answer = ir_measures.calc_aggregate([Judged@10], {IR_INPUTS})[Judged@10]
        """,
    },
    "dictionaries": {
        "trackside": """
            import trackside
            answer = trackside.evaluate(run_dict, qrels_dict, "nDCG@10").means()
        """,
        IR: """
            import ir_measures
            from ir_measures import nDCG
            answer = ir_measures.calc_aggregate([nDCG@10], qrels_dict, run_dict)[nDCG@10]
        """,
        TREC: """
            import pytrec_eval
            values = pytrec_eval.RelevanceEvaluator(qrels_dict, {"ndcg_cut_10"}).evaluate(run_dict).values()
            answer = np.mean([each["ndcg_cut_10"] for each in values])
        """,
    },
    "mismatch": {  # the spelling probably meant for the run's topics
        "trackside": """
            import trackside
            answer = trackside.evaluate(padded_run, qrels_dict, "AP").meetings[0][0].line
        """,
        IR: """
            import ir_measures
            values = ir_measures.calc_aggregate([ir_measures.AP], qrels_dict, padded_run)
            answer = f"{len(set(qrels_dict) - set(padded_run))} of {len(qrels_dict)}"
        """,
    },
    "typo": {
        "trackside": """
            import trackside
            try: trackside.evaluate(run_dict, qrels_dict, "nDGC@10")
            except trackside.InputError as error: answer = str(error)
        """,
        IR: """
            import ir_measures
            try: ir_measures.parse_measure("nDGC@10")
            except NameError as error: answer = str(error)
        """,
    },
}  # fmt: skip
PEERS = [(task, peer) for task, programs in TASKS.items() for peer in programs if peer != "trackside"]


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, Any]:
    """Two runs of 20 results without ties on 12 topics, as files, dictionaries and frames."""
    draw = np.random.default_rng(8)
    qrels = {
        str(topic): {f"d{n}": int(draw.integers(3)) for n in range(0, 20, 2)} | {"d0": 2}
        for topic in range(12)
    }
    runs = {
        tag: {topic: {f"d{n}": draw.random() for n in range(20)} for topic in qrels}
        for tag in ("bm25", "dense")
    }
    for tag, scores in runs.items():
        trackside.write_run(scores, tmp_path / tag, tag=tag)
    trackside.write_qrels(qrels, tmp_path / "qrels")
    run, judged = trackside.read_run(runs["bm25"]), trackside.read_qrels(qrels)
    names = {"topic": "query_id", "docno": "doc_id", "grade": "relevance"}
    return {
        "np": np, "RUN": str(tmp_path / "bm25"), "OTHER": str(tmp_path / "dense"),
        "QRELS": str(tmp_path / "qrels"), "run_dict": runs["bm25"], "qrels_dict": qrels,
        "padded_run": {f"00{topic}": results for topic, results in runs["bm25"].items()},
        "run_frame": to_pandas(run.to_frame().rename(names, strict=False)),
        "qrels_frame": to_pandas(judged.to_frame().rename(names, strict=False)),
    }  # fmt: skip


def answer_of(program: str, inputs: dict[str, Any]) -> Any:
    names = dict(inputs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(textwrap.dedent(program), names)
    return names["answer"]


def numbers(answer: Any) -> list[float]:
    """The numbers of an answer, or those with four decimals of a text."""
    if isinstance(answer, str):
        return sorted(map(float, re.findall(r"\b[01]\.\d{4}\b", answer)))
    return np.ravel(np.array(answer, np.float64)).tolist()


@pytest.mark.parametrize(
    ("task", "peer"), [pytest.param(*each, marks=[pytest.mark.long] * (each[1] == RANX)) for each in PEERS]
)
def test_task_needs_no_more_lines_and_has_equal_numbers(task: str, peer: str, inputs: dict[str, Any]) -> None:
    """ranx compiles for a minute or two."""
    ours, theirs = TASKS[task]["trackside"], TASKS[task][peer]
    assert len(ours.strip().splitlines()) <= len(theirs.strip().splitlines())
    assert numbers(answer_of(ours, inputs)) == pytest.approx(numbers(answer_of(theirs, inputs)), abs=1e-6)


def test_mismatch_and_typo_are_told(inputs: dict[str, Any]) -> None:
    assert "12 of 12" in answer_of(TASKS["mismatch"][IR], inputs)
    told = answer_of(TASKS["mismatch"]["trackside"], inputs)
    assert "12 of 12 judged topics have no result" in told
    assert "did you mean" in told
    assert "nDGC@10: no such measure" in answer_of(TASKS["typo"]["trackside"], inputs)
