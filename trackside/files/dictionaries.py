"""Names and numbers of dictionaries, such as those of pytrec_eval."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.errors import InputError

Nested = Mapping[str, Mapping[str, Any]]  # by topic and docno


_LONG = 2**63


def names(values: Sequence[Any], what: str) -> list[str]:
    """Topics or docnos as texts; whole numbers are converted. Raises entry-unfit."""
    is_text = set(map(type, values)) <= {str}
    texts = list(values) if is_text else [_name(value, what) for value in values]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        stray = next(name for name in texts if any("\ud800" <= letter <= "\udfff" for letter in name))
        raise InputError(
            f"{what} {stray!r}: it cannot be written as UTF-8. Correct it.", code="entry-unfit"
        ) from None
    return texts


def scores(results: Nested) -> list[Floats]:
    """Scores of each topic; NaN is allowed. Raises entry-unfit for None and other values without a number."""
    return [_scores(topic, ranking) for topic, ranking in results.items()]


def _scores(topic: str, ranking: Mapping[str, Any]) -> Floats:
    values: Any = ranking.values()
    if not set(map(type, values)) <= {float}:
        values = [_score(value, topic, docno) for docno, value in ranking.items()]
    return np.fromiter(values, np.float64, len(ranking))


def grades(judgments: Nested) -> Ints:
    """Grades of all topics one after another. Raises entry-unfit for values that are not whole numbers."""
    values = [grade for pairs in judgments.values() for grade in pairs.values()]
    if set(map(type, values)) <= {int} and all(abs(value) < _LONG for value in values):
        return np.array(values, np.int64)
    checked = [
        _grade(grade, topic, docno) for topic, pairs in judgments.items() for docno, grade in pairs.items()
    ]
    return np.array(checked, np.int64)


def _name(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    raise InputError(f"{what} {value!r}: give a text or a whole number.", code="entry-unfit")


def _score(value: Any, topic: str, docno: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"topic {topic}, docno {docno}: the score {value!r} is not a number. Correct or drop it.",
            code="entry-unfit",
        ) from None


def _grade(value: Any, topic: str, docno: str) -> int:
    try:
        number = int(value)
        is_whole = abs(number) < _LONG and (isinstance(value, Integral) or number == float(value))
    except (TypeError, ValueError, OverflowError):
        number, is_whole = 0, False
    if not is_whole:
        raise InputError(
            f"topic {topic}, docno {docno}: the grade {value!r} is not a whole number. Correct or drop it.",
            code="entry-unfit",
        )
    return number
