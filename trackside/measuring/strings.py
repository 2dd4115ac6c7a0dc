"""The grades at the top of a ranking as a string: trec_eval's relstring."""

import numpy as np

from trackside.files import Qrels, Rankings
from trackside.measuring.lookup import ABSENT, IN_POOL, JudgedPairs

_HIGHEST_DIGIT = 9


def grade_strings(
    run: Rankings,
    qrels: Qrels,
    *,
    length: int = 10,
    max_results: int | None = None,
    is_judged_only: bool = False,
) -> dict[str, str]:
    """For each judged topic, the grades of its first results, one character each.

    A digit is the grade, > a grade above 9, - a document outside the pool, . a pool document without a grade.
    """
    pairs = JudgedPairs([qrels])
    hits = pairs.find(run)
    ranks = hits.rows - run.bounds[run.topic_of_row[hits.rows]]
    sizes = np.zeros(len(pairs.topics), np.int64)
    topic_indices = pairs.places(run)
    sizes[topic_indices[topic_indices >= 0]] = np.diff(run.bounds)[topic_indices >= 0]
    if max_results is not None:
        sizes = np.minimum(sizes, max_results)
    strings = {}
    for index, topic in enumerate(pairs.topics):
        grades = np.full(sizes[index], ABSENT)
        is_in = (hits.topics == index) & (ranks < sizes[index])
        grades[ranks[is_in]] = pairs.grades[0][hits.pairs[is_in]]
        if is_judged_only:
            grades = grades[grades >= 0]
        strings[topic] = "".join(_character(grade) for grade in grades[:length].tolist())
    return strings


def _character(grade: int) -> str:
    if grade > _HIGHEST_DIGIT:
        return ">"
    if grade <= IN_POOL:
        return "."
    return "-" if grade == ABSENT else str(grade)
