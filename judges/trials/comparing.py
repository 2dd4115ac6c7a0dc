"""Compare two prompts, or two versions of the criteria in one, by a judge's answers on the same pairs."""

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef, Value
from django.db.models.functions import MD5, Concat

from evaluation.collections.models import Document, Topic
from evaluation.platform.access.people import User
from evaluation.results.qrels.models import QrelsKind, QrelsPair
from evaluation.submissions.pools.models import PoolItem
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.work.queueing import enqueue
from judges.catalogue.models import Judge
from judges.trials.actions import (
    FAILED,
    NothingToTry,
    charge_bound,
    responses_to,
    run_once,
    score_of,
    sent_parts,
    shown_text,
)
from judges.trials.examples import filled_settings, people_grades
from judges.trials.models import LONGEST, Comparison
from trackside.backends.registry import backend_class
from trackside.errors import InputError
from trackside.judging.asking import Ask, EndpointError, Response
from trackside.judging.costs import amount
from trackside.judging.examples import EXAMPLES, Pair, example_topics, left_out_words
from trackside.judging.forms import answer_form
from trackside.judging.judge import Unit
from trackside.judging.mappings.rules import Scored, default_rule, fit, grades_of
from trackside.judging.probes import Loss, loss_of_pairs
from trackside.judging.prompts import PromptTemplate
from trackside.statistics.agreement import confusion_matrix, kappa_of_matrix

PAIRS = 20
Answer = dict[str, Any]


@transaction.atomic
def ask_comparison(
    *,
    judge: Judge,
    task: Task,
    versions: Mapping[str, PromptTemplate],
    by: User,
    examples: str = "",
    pair_count: int = PAIRS,
) -> Comparison:
    """Queue a comparison of two prompts by name, on pairs of the latest pool that people graded if there are.

    ``examples`` are qrels lines of the pairs that prompts with ``{examples}`` show, see ``filled_settings``;
    no pair is of their topics. Raises versions-equal, examples-refused, the backend's InputError for a
    prompt, NothingToTry for another kind of judge or without a pool.
    """
    if judge.unit != Unit.PAIR:
        raise NothingToTry(f"{judge} is sent no prompt for each pair. Choose a judge that answers in words.")
    if len({prompt.sha256 for prompt in versions.values()}) != 2:
        raise InputError("Choose two versions that differ in their text.", code="versions-equal")
    has_place = any(EXAMPLES in prompt.template for prompt in versions.values())
    filled = {}
    for name, prompt in versions.items():
        settings = replace(judge.settings, prompt=prompt.template, answer=prompt.answer)
        lines = examples if EXAMPLES in prompt.template or not has_place else ""
        filled[name] = filled_settings(settings, task=task, lines=lines, by=by)
        backend_class(judge.backend).pinned(filled[name])
    left_out = {topic for settings in filled.values() for topic in example_topics(settings.prompt)}
    pairs = _pairs(task, left_out, pair_count)
    if not pairs:
        raise NothingToTry("There is no pair to compare on. Freeze a pool first.")
    comparison = Comparison.objects.create(
        judge=judge,
        task=task,
        versions=[
            {"name": name, "template": settings.prompt, "answer": settings.answer}
            for name, settings in filled.items()
        ],
        rows=[{"topic": topic, "docno": docno, "answers": []} for topic, docno in pairs],
        asked_by=by,
    )
    enqueue("judges.try_prompts", comparison.pk)
    return comparison


def _pairs(task: Task, left_out: Collection[str], count: int) -> list[tuple[str, str]]:
    """Return pairs of the latest pool in an order that does not change, those that people graded first.

    None is of a topic that is left out: a version shows people's grades of it.
    """
    graded = QrelsPair.objects.graded().filter(
        qrels__task=task, qrels__kind=QrelsKind.HUMAN, topic=OuterRef("topic"), docno=OuterRef("docno")
    )
    pool = task.pools.order_by("-created_at").first()
    mixed = MD5(Concat("topic", Value(" "), "docno"))
    items = PoolItem.objects.filter(pool=pool).exclude(topic__in=left_out)
    return sorted(items.order_by(Exists(graded).desc(), mixed).values_list("topic", "docno")[:count])


def run_comparison(*, comparison_id: int) -> None:
    """Let the judge answer both versions of each pair. A second call does nothing."""
    run_once(Comparison, comparison_id, _rows)


def _rows(comparison: Comparison) -> dict[str, Any]:
    answers = zip(*(_answers(comparison, version) for version in comparison.versions), strict=True)
    return {"rows": [row | {"answers": pair} for row, pair in zip(comparison.rows, answers, strict=True)]}


def _answers(comparison: Comparison, version: Mapping[str, str]) -> list[Answer]:
    """Send all pairs with one version of the prompt; pairs without a score are gaps with the reason."""
    judge = copy(comparison.judge)
    judge.prompt, judge.answer = version["template"], version["answer"]
    gaps, settles, asks = {}, {}, []
    for index, row in enumerate(comparison.rows):
        try:
            parts = sent_parts(judge, comparison.task, row["topic"], row["docno"])
            settles[index] = charge_bound(comparison, parts)
        except InputError as error:
            gaps[index] = _answer(error=str(error))
        else:
            asks.append(Ask(f"ts-{index:032x}", parts, row["topic"]))
    responses = responses_to(judge.settings, asks, seconds=LONGEST.total_seconds())
    faults = {response.fault for response in responses.values()}
    if faults == {EndpointError.REQUEST_REFUSED} and len(responses) == len(asks):
        detail = next(iter(responses.values())).detail
        raise InputError(f"The model refuses all prompts of {version['name']}: {detail}", code=FAILED)
    return [
        gaps.get(index) or _read(responses.get(f"ts-{index:032x}"), settles[index])
        for index in range(len(comparison.rows))
    ]


def _read(response: Response | None, settle: Callable[[Response | None], int]) -> Answer:
    cost = settle(response)
    try:
        return _answer(score=score_of(response), text=shown_text(response), cost=cost)
    except InputError as error:
        return _answer(error=str(error), cost=cost)


def _answer(*, score: float | None = None, text: str = "", error: str = "", cost: int = 0) -> Answer:
    return {"score": score, "text": text, "error": error, "cost": cost}


@dataclass(frozen=True)
class Agreement:
    """Two columns of grades on the pairs that have both; kappa is 0 where they agree as by chance.

    ``chance`` is the number of equal grades by chance with the same mapping: the mean over all orders of one
    of the columns.
    """

    name: str
    pair_count: int
    same: int
    chance: float
    kappa: str


def shown_comparison(comparison: Comparison, by: User) -> dict[str, Any]:
    """Return the tables of an ended comparison; people's grades only if the person may see them."""
    names = [version["name"] for version in comparison.versions]
    answers = list(zip(*(row["answers"] for row in comparison.rows), strict=True))
    scale = Criteria.objects.current(comparison.task).scale
    first, second = (
        _grades(version["answer"], comparison.rows, column, scale)
        for version, column in zip(comparison.versions, answers, strict=True)
    )
    graded = people_grades(comparison.task, by)
    people = [graded.get((row["topic"], row["docno"])) for row in comparison.rows]
    rows = [
        (*items, grade, tuple(zip(row["answers"], grades, strict=True)))
        for row, items, grade, *grades in zip(
            comparison.rows, _items(comparison), people, first, second, strict=True
        )
    ]
    pairs = [(f"{names[0]} and {names[1]}", first, second)]
    if any(grade is not None for grade in people):
        pairs += [
            (f"people and {name}", people, row) for name, row in zip(names, (first, second), strict=True)
        ]
    return {
        "names": names,
        "costs": [amount(sum(answer["cost"] for answer in column)) for column in answers],
        "table": rows,
        "agreements": [_agreement(*pair, scale) for pair in pairs],
        "has_people": len(pairs) > 1,
        "gaps": [sum(bool(answer["error"]) for answer in column) for column in answers],
        "difference": _difference(comparison.rows, people, first, second, scale),
        "left_out": [
            (version["name"], words)
            for version in comparison.versions
            if (words := left_out_words(version["template"]))
        ],
    }


def _items(comparison: Comparison) -> list[tuple[Topic, Document]]:
    """Return the topic and the document of each pair; one that is gone has its name only."""
    task, rows = comparison.task, comparison.rows
    topics = Topic.objects.filter(task=task, number__in={row["topic"] for row in rows})
    documents = Document.objects.filter(
        collection=task.collection_id, docno__in={row["docno"] for row in rows}
    )
    by_number = {topic.number: topic for topic in topics}
    by_docno = {document.docno: document for document in documents}
    return [
        (
            by_number.get(row["topic"]) or Topic(number=row["topic"]),
            by_docno.get(row["docno"]) or Document(docno=row["docno"]),
        )
        for row in rows
    ]


def _difference(
    rows: Sequence[Answer],
    people: Sequence[int | None],
    first: Sequence[int | None],
    second: Sequence[int | None],
    scale: tuple[int, ...],
) -> Loss | None:
    """Return by how much the first version agrees better with people, on pairs that all three graded."""
    pairs = [(row["topic"], row["docno"]) for row in rows]
    graded = {pair: grade for pair, grade in zip(pairs, people, strict=True) if grade in scale}
    columns = (dict(zip(pairs, column, strict=True)) for column in (first, second))
    return loss_of_pairs(cast("dict[Pair, int]", graded), *columns, scale=scale)


def _grades(
    answer: str, rows: Sequence[Answer], answers: Sequence[Answer], scale: tuple[int, ...]
) -> list[int | None]:
    """Map the scores to grades by the rule that a job's scores have if nobody chooses one."""
    scored = {
        index: Scored(row["topic"], answer["score"])
        for index, (row, answer) in enumerate(zip(rows, answers, strict=True))
        if answer["score"] is not None
    }
    if not scored:
        return [None] * len(rows)
    pairs = list(scored.values())
    rule = default_rule(pairs, scale, gives_grades=answer_form(answer).is_within(scale))
    grades = dict(zip(scored, grades_of(fit(rule, pairs, scale=scale), pairs), strict=True))
    return [grades.get(index) for index in range(len(rows))]


def _agreement(
    name: str, first: Sequence[int | None], second: Sequence[int | None], scale: tuple[int, ...]
) -> Agreement:
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    matrix = confusion_matrix([a for a, _ in pairs], [b for _, b in pairs], scale)
    count = int(matrix.sum())
    return Agreement(
        name=name,
        pair_count=count,
        same=int(np.trace(matrix)),
        chance=float(matrix.sum(axis=1) @ matrix.sum(axis=0)) / max(count, 1),
        kappa=kappa_of_matrix(matrix, scale).text(2),
    )
