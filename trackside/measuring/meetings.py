"""How far the ids of a run meet those of judgments: topics and documents that only one of them has.

Values of a run whose ids do not meet are zeros, which look like a bad system.
"""

from __future__ import annotations  # polars is imported on first use

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from trackside.files import Qrels, Rankings
from trackside.files.near_names import did_you_mean, near_names
from trackside.lazy_polars import pl
from trackside.measuring.lookup import ABSENT, Found, JudgedPairs

FEW_DOCUMENTS = 0.01  # of the judged documents that a run could have found
ASKED = 1_000  # unknown names for which another spelling is looked for


@dataclass(frozen=True, slots=True)
class Meeting:
    """The ids of a run beside those of judgments.

    ``missed_count`` of ``topic_count`` judged topics have no result. ``met_count`` of ``document_count``
    documents are judged: results of judged topics, or the run's distinct docnos, among those of the qrels, if
    it has no judged topic. ``topic`` and ``docno`` are an id of the run and the judged one probably meant.
    ``left`` are the numbers of results of judged topics that lost some to the corpus of the qrels and do not
    list all of it.
    """

    run: str
    qrels: str
    topic_count: int
    missed_count: int
    document_count: int
    met_count: int
    has_few_documents: bool = False
    topic: tuple[str, str] | None = None
    docno: tuple[str, str] | None = None
    left: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether no judged topic has a result, or no result is judged: every value is 0 or undefined."""
        return self.missed_count == self.topic_count or not self.met_count

    @property
    def has_few_topics(self) -> bool:
        """Whether more than half of the judged topics have no result."""
        return 2 * self.missed_count > self.topic_count

    @property
    def line(self) -> str:
        """One line that says what does not meet; "" if enough does."""
        topics = f"{self.missed_count:,} of {self.topic_count:,} judged topics have no result"
        documents = f"{self.met_count:,} of {self.document_count:,} documents are judged"
        parts = [topics] * self.has_few_topics + [documents] * self.has_few_documents
        return did_you_mean(parts, [self.topic, self.docno])


def meeting(
    run: Rankings, hits: Found, qrels: Qrels, pairs: JudgedPairs, index: int = 0, *, whole: Rankings
) -> Meeting:
    """Compare a run with set ``index`` of ``pairs``; ``hits`` are its results in them.

    ``whole`` is the run with the results outside the corpus of the qrels.
    """
    topic_indices = pairs.places(run)
    is_judged, is_pair = pairs.is_judged[index], pairs.grades[index] != ABSENT
    is_shared = (topic_indices >= 0) & is_judged[topic_indices]
    is_answered = np.zeros(len(is_judged), np.bool_)
    is_answered[topic_indices[is_shared]] = True
    if is_shared.any():
        document_count = int(np.diff(run.bounds)[is_shared].sum())
        met_count = int(is_pair[hits.pairs].sum())
        has_few = met_count < FEW_DOCUMENTS * document_count and met_count < FEW_DOCUMENTS * int(
            (is_pair & is_answered[pairs.topic_of_pair]).sum()
        )
    else:
        docnos, judged = run.docnos.unique(), qrels.docnos.unique()
        document_count, met_count = len(docnos), int(docnos.is_in(judged.implode()).sum())
        has_few = met_count < FEW_DOCUMENTS * min(document_count, len(judged))
    sizes, before = np.diff(run.bounds), np.diff(whole.bounds)
    found = Meeting(
        run.tag,
        qrels.name,
        topic_count=int(is_judged.sum()),
        missed_count=int((is_judged & ~is_answered).sum()),
        document_count=document_count,
        met_count=met_count,
        has_few_documents=has_few,
        left=tuple(sizes[is_shared & (sizes < before) & (sizes < len(qrels.corpus or ()))].tolist()),
    )
    return replace(
        found,
        topic=_near_topic(run, qrels) if found.has_few_topics else None,
        docno=_near_docno(run, qrels) if has_few and not met_count else None,
    )


def _near_topic(run: Rankings, qrels: Qrels) -> tuple[str, str] | None:
    topics, judged = set(run.topics), set(qrels.topics)
    unknown = [topic for topic in run.topics if topic not in judged][:ASKED]
    return _first_near(
        unknown, pl.Series([topic for topic in qrels.topics if topic not in topics], dtype=pl.String)
    )


def _near_docno(run: Rankings, qrels: Qrels) -> tuple[str, str] | None:
    docnos = run.docnos.unique(maintain_order=True)
    unknown = docnos.filter(~docnos.is_in(qrels.docnos.implode())).head(ASKED)
    return _first_near(unknown.to_list(), qrels.docnos)


def _first_near(unknown: Sequence[str], known: pl.Series) -> tuple[str, str] | None:
    """Return the first unknown name that resembles a known one, and that one; None without any."""
    near = near_names(unknown, [known]) if unknown else {}
    return next(((name, near[name]) for name in unknown if name in near), None)
