"""Values within corpora: qrels of each, and what to know when values of several are compared."""

from collections.abc import Iterator, Sequence

import numpy as np

from trackside.files import Qrels
from trackside.files.corpora import Corpus
from trackside.measuring.evaluation import Evaluation
from trackside.measuring.family import Cut
from trackside.text.counted import counted


def within_corpora(sets: Sequence[Qrels], corpora: Sequence[Corpus]) -> list[Qrels]:
    """Each set of qrels within each corpus, corpus by corpus; the sets themselves without corpora.

    Raises corpus-not-judged.
    """
    return [qrels.within(corpus) for corpus in corpora for qrels in sets] if corpora else list(sets)


def lost_topics(sets: Sequence[Qrels], parts: Sequence[Qrels]) -> Iterator[str]:
    """Say of each part how many topics lose all relevant documents of the set, or all grades."""
    for index, part in enumerate(parts):
        whole = sets[index % len(sets)]
        relevant = _relevant_topics(whole)
        if lost := relevant - _relevant_topics(part):
            gone = len(lost - set(part.topics))
            left_out = f", and {gone:,} of them, without any grade, do not count" if gone else ""
            yield (
                f"{part.name}: {len(lost):,} of {counted(len(relevant), 'topic')} have no relevant document "
                f"(grade from 1) in it{left_out}"
            )


def _relevant_topics(qrels: Qrels) -> set[str]:
    return {
        qrels.topics[index] for index in np.flatnonzero(np.bincount(qrels.topic_of_row[qrels.grades > 0]))
    }


def short_rankings(evaluation: Evaluation) -> Iterator[str]:
    """Say of each set of qrels within a corpus how many rankings it leaves shorter than cutoffs."""
    cutoffs = sorted(
        {
            measure.depth
            for measure in evaluation.measures
            if measure.family.cut in (Cut.OPTIONAL, Cut.REQUIRED) and measure.depth
        }
    )
    for index, name in enumerate(evaluation.qrels):
        meetings = [of_run[index] for of_run in evaluation.meetings]
        left = np.array([size for meeting in meetings for size in meeting.left], np.int64)
        short = {cutoff: int((left < cutoff).sum()) for cutoff in cutoffs}
        parts = [f"{count:,} have fewer than {cutoff:,} results" for cutoff, count in short.items() if count]
        if parts:
            many = counted(sum(meeting.topic_count for meeting in meetings), "ranking")
            yield (
                f"{name}: of {many}, {' and '.join(parts)} left (least {left.min():,}): a search in this "
                "corpus alone may find more"
            )
