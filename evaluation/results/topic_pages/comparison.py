"""Two runs on one topic: their results rank by rank, grades as far as the reader may see them, values."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from evaluation.collections.models import Document, Topic
from evaluation.results.qrels.models import Qrels, QrelsPair
from evaluation.results.topic_pages.lookups import beginning_of
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.rankings import Ranking
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.figures.shades import LAST, Shade, shade_of

SHOWN = 10  # ranks side by side


@dataclass(frozen=True)
class Result:
    """A document at a rank, its rank in the other run (None: not there), and grades if there are qrels."""

    rank: int
    docno: str
    document: Document | None
    text: str
    other_rank: int | None
    is_shared: bool  # shown on both sides
    people: Shade | None
    judge: Shade | None
    kinds: tuple[str, ...]  # the filters that show it


@dataclass(frozen=True)
class RunSide:
    """One of the two runs: its letter, the ranks shown, and all it has of the topic."""

    letter: str
    run: Run
    results: tuple[Result, ...]
    result_count: int

    @property
    def other(self) -> str:
        """The letter of the other run."""
        return "B" if self.letter == "A" else "A"


@dataclass(frozen=True)
class RunsCompared:
    """The two sides of a topic with the counts of what each filter shows."""

    sides: tuple[RunSide, ...]
    counts: Mapping[str, int]
    shared_count: int
    links: tuple[tuple[int, int], ...]  # indexes of shared results among those shown


def compare(
    topic: Topic, task: Task, runs: Sequence[Run], qrels: tuple[Qrels | None, Qrels | None], first: int
) -> RunsCompared:
    """Return results ``first`` to ``first + SHOWN - 1`` (from 0) of one or two runs on the topic."""
    stored = Ranking.objects.filter(run__in=runs, topic=topic.number)
    by_run = dict(stored.values_list("run", "docnos"))
    docnos = [by_run[run.pk].split("\n") if run.pk in by_run else [] for run in runs]
    windows = [of_run[first : first + SHOWN] for of_run in docnos]
    visible = {docno for window in windows for docno in window}
    documents = _documents(task, visible)
    marks = _marks(task, topic.number, qrels, visible)
    ranks = [{docno: rank for rank, docno in enumerate(of_run, 1)} for of_run in docnos]
    sides = []
    for index, (letter, run, window) in enumerate(zip("AB", runs, windows, strict=False)):
        others = ranks[1 - index] if len(runs) > 1 else {}
        results = (
            _result(rank, docno, documents.get(docno), others.get(docno), marks, (letter, windows))
            for rank, docno in enumerate(window, first + 1)
        )
        sides.append(RunSide(letter, run, tuple(results), len(docnos[index])))
    return _comparison(sides, windows)


def _comparison(sides: Sequence[RunSide], windows: Sequence[Sequence[str]]) -> RunsCompared:
    kinds = {(result.docno, kind) for side in sides for result in side.results for kind in result.kinds}
    places = {docno: index for index, docno in enumerate(windows[1])} if len(windows) > 1 else {}
    links = tuple((index, places[docno]) for index, docno in enumerate(windows[0]) if docno in places)
    return RunsCompared(tuple(sides), Counter(kind for _, kind in kinds), len(links), links)


def _documents(task: Task, docnos: Collection[str]) -> dict[str, Document]:
    stored = Document.objects.filter(collection=task.collection_id, docno__in=docnos)
    return {document.docno: document for document in stored.select_related("image")}


def _marks(
    task: Task, topic: str, qrels: tuple[Qrels | None, Qrels | None], docnos: Collection[str]
) -> list[dict[str, Shade]]:
    """Return the grades of documents for a topic in people's and one judge's qrels; empty without these."""
    known = [version for version in qrels if version]
    scale = Criteria.objects.current(task).scale if known else ()
    pairs = QrelsPair.objects.graded().filter(qrels__in=known, topic=topic, docno__in=docnos)
    grades = {(key, docno): grade for key, docno, grade in pairs.values_list("qrels", "docno", "grade")}
    return [
        {docno: shade_of(grades.get((version.pk, docno)), scale) for docno in docnos} if version else {}
        for version in qrels
    ]


def _result(
    rank: int,
    docno: str,
    document: Document | None,
    other_rank: int | None,
    marks: Sequence[Mapping[str, Shade]],
    where: tuple[str, Sequence[Sequence[str]]],
) -> Result:
    letter, windows = where
    people, judge = (of_qrels.get(docno) for of_qrels in marks)
    is_shared = len(windows) > 1 and all(docno in window for window in windows)
    kinds = {
        f"only-{letter.lower()}": len(windows) > 1 and not is_shared,
        "gap": _is_gap(people, judge),
        "unjudged": people is not None and people.grade is None,
    }
    return Result(
        rank,
        docno,
        document,
        beginning_of(document.summary) if document else "",
        other_rank,
        is_shared,
        people,
        judge,
        ("all", *(kind for kind, holds in kinds.items() if holds)),
    )


def _is_gap(people: Shade | None, judge: Shade | None) -> bool:
    """Whether people gave the lowest grade of the scale and the judge the highest."""
    if not people or not judge or people.grade is None:
        return False
    return people.step == 0 and judge.step == LAST
