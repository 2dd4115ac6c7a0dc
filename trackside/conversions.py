"""Runs, qrels, measures and frames as objects of other tools, each loaded on first use.

The reverse needs no function: ``read_run`` and ``read_qrels`` accept their objects. For pytrec_eval use
``to_dict()`` of either.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from evaluation.core.errors import InputError
from evaluation.core.measures import Evaluation, Measure
from evaluation.core.trec_files import Qrels, Rankings

if TYPE_CHECKING:
    import polars as pl


class ToolMissing(InputError):
    """The package of the target type is not installed."""


class NoCounterpart(InputError):
    """The other tool has no such type."""


class NotAMeasure(InputError):
    """An object does not name a measure."""


def to_ranx(thing: Rankings | Qrels) -> Any:
    """A ``ranx.Run`` or ``ranx.Qrels`` of the same name. Raises ToolMissing.

    ranx ranks equal scores in another order than trec_eval, so its values may differ from ours on ties. Pairs
    that are in the pool but not judged (grade below 0) are left out: ranx would read them as grades.
    """
    ranx = _module("ranx")
    if isinstance(thing, Rankings):
        return ranx.Run(thing.to_dict(), name=thing.tag)
    if isinstance(thing, Qrels):
        graded = {
            topic: {docno: grade for docno, grade in grades.items() if grade >= 0} for topic, grades in thing
        }
        return ranx.Qrels(graded, name=thing.name)
    raise NoCounterpart(f"ranx has no counterpart of a {type(thing).__name__}: give Rankings or Qrels.")


def to_ir_measures(thing: Rankings | Qrels | Measure | Evaluation) -> Any:
    """A list of ``ScoredDoc`` or ``Qrel``, a measure, or a list of ``Metric``, one per topic with a value.

    An evaluation is of one run and one set of qrels. Raises ToolMissing, NoCounterpart.
    """
    ir_measures = _module("ir_measures")
    if isinstance(thing, Rankings):
        rows = thing.to_frame().select("topic", "docno", "score").iter_rows()
        return [ir_measures.ScoredDoc(*row) for row in rows]
    if isinstance(thing, Qrels):
        rows = thing.to_frame().select("topic", "docno", "grade").iter_rows()
        return [ir_measures.Qrel(*row) for row in rows]
    if isinstance(thing, Measure):
        return _measure(ir_measures, thing)
    if isinstance(thing, Evaluation):
        return _metrics(ir_measures, thing)
    raise NoCounterpart(f"ir_measures has no counterpart of a {type(thing).__name__}.")


def to_pandas(frame: pl.DataFrame) -> Any:
    """The frame as a ``pandas.DataFrame``, without pyarrow. Nulls are None or NaN. Raises ToolMissing."""
    return _module("pandas").DataFrame(frame.to_dict(as_series=False))


def measure_name(measure: Any) -> str | Measure:
    """Return our names and measures unchanged; for ir_measures' the name, with its default options.

    Raises NotAMeasure.
    """
    if isinstance(measure, (str, Measure)):
        return measure
    if not type(measure).__module__.startswith("ir_measures"):
        raise NotAMeasure(f"a {type(measure).__name__} is not a measure. Use one such as nDCG@10.")
    return _with_persistence(str(measure), "0.8")


def _with_persistence(name: str, p: str) -> str:
    """Return the name with the persistence of RBP: without one, ir_measures uses 0.8 and we use 0.9."""
    family, _, rest = name.partition("(") if "(" in name else (name.partition("@")[0], "", "")
    if family != "RBP" or "p=" in rest:
        return name
    return name.replace("RBP(", f"RBP(p={p},", 1) if rest else name.replace("RBP", f"RBP(p={p})", 1)


def _measure(ir_measures: Any, measure: Measure) -> Any:
    name = _with_persistence(str(measure), "0.9")
    name = name.replace("dcg=exp)", "dcg='exp-log2')").replace("dcg=exp,", "dcg='exp-log2',")
    name = name.replace("judged_only=yes", "judged_only=True").replace("SetF(x=", "SetF(beta=")
    name = re.sub("^bpref", "Bpref", name)
    if measure.gains:
        raise NoCounterpart(f"{measure}: ir_measures writes gains differently. Set them in ir_measures.")
    try:
        return ir_measures.parse_measure(name)
    except (NameError, ValueError, AssertionError, TypeError) as error:
        raise NoCounterpart(f"{measure}: ir_measures has no such measure ({error}).") from error


def _metrics(ir_measures: Any, evaluation: Evaluation) -> list[Any]:
    if len(evaluation.runs) > 1 or len(evaluation.qrels) > 1:
        raise NoCounterpart("metrics of ir_measures name no run and no qrels: evaluate one run at a time.")
    measures = {str(measure): _measure(ir_measures, measure) for measure in evaluation.measures}
    rows = evaluation.topic_frame().drop_nulls("value").select("topic", "measure", "value").iter_rows()
    return [ir_measures.Metric(topic, measures[measure], value) for topic, measure, value in rows]


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ToolMissing(f"{name} is not installed: pip install {name.replace('_', '-')}.") from error
