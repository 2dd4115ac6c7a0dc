"""Gather the inputs of a report."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.db.models import Max, Min

from evaluation.collections.models import Topic
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.results.qrels.seen import compare_seen
from evaluation.results.values.actions import measure_at, with_gains
from evaluation.submissions.pools.models import PoolRun
from evaluation.submissions.runs.models import Run
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, TaskKind
from trackside.code_version import code_version
from trackside.files import Qrels as CoreQrels
from trackside.findings.provenance import PeopleProvenance
from trackside.reporting.design import Choice, Design, GradedSet, ReportRun, SetFacts, comparable
from trackside.reporting.findings import FORM

MOST_STRATA = 12  # maximum distinct texts of a field that groups topics; a field with more is free text


@dataclass(frozen=True)
class ReportInputs:
    """Runs by tag with their descriptions, people's qrels (``reference``), other qrels, and the design."""

    task: Task
    choice: Choice
    runs: Sequence[Run]
    described: Sequence[ReportRun]
    reference: Qrels
    others: Sequence[Qrels]
    design: Design

    @property
    def qrels(self) -> list[Qrels]:
        """The people's qrels, then the others."""
        return [self.reference, *self.others]

    @property
    def sha256(self) -> str:
        """SHA-256 of everything that the report depends on."""
        inputs: list[Any] = [
            code_version(),
            FORM,
            self.choice.to_json(),
            asdict(self.design),
            [(run.pk, asdict(fields)) for run, fields in zip(self.runs, self.described, strict=True)],
            [(qrels.pk, qrels.sha256) for qrels in self.qrels],
        ]
        return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()

    def graded_sets(self) -> list[GradedSet]:
        """Return the qrels on the chosen topics, in the report's form."""
        joined = _joined(self.task)
        sets = [_graded_set(qrels, self.choice.topics, joined.get(qrels.name)) for qrels in self.qrels]
        return [self._with_seen(graded, qrels) for graded, qrels in zip(sets, self.qrels, strict=True)]

    def _with_seen(self, graded: GradedSet, qrels: Qrels) -> GradedSet:
        if qrels.kind != QrelsKind.MODEL:
            return graded
        seen = compare_seen(people=self.reference, judge=qrels, topics=self.choice.topics)
        return replace(graded, seen=seen)


def gather_inputs(*, task: Task, choice: Choice) -> ReportInputs | None:
    """Accepted runs and the latest qrels, people's latest as reference; None without runs or reference."""
    reference, others = _qrels(task)
    accepted = Run.objects.accepted().filter(task=task)
    every = list(accepted.select_related("team").prefetch_related("families").order_by("tag"))
    runs = [run for run in every if not choice.tags or run.tag in choice.tags]
    if reference is None or not runs:
        return None
    total = len({topic for qrels in (reference, *others) for topic in qrels.topics})
    design = _design(task, reference, choice.words(run_count=len(every), topic_count=total))
    return ReportInputs(task, choice, runs, _described(task, runs), reference, others, design)


def _qrels(task: Task) -> tuple[Qrels | None, list[Qrels]]:
    current = list(Qrels.objects.filter(task=task).current())
    peoples = [qrels for qrels in current if qrels.kind == QrelsKind.HUMAN]
    reference = max(peoples, key=lambda qrels: qrels.created_at, default=None)
    others = [qrels for qrels in current if qrels.kind != QrelsKind.HUMAN]
    return reference, sorted(others, key=lambda qrels: (qrels.kind != QrelsKind.SECOND, qrels.name))


def _design(task: Task, reference: Qrels, chosen: str) -> Design:
    criteria = Criteria.objects.current(task)
    scale = tuple(sorted(criteria.scale))
    levels = [task.relevance_level, *(grade for grade in scale if grade > task.relevance_level)]
    names = task.measures or ["nDCG@10", *(measure_at("AP", level) for level in levels)]
    asked = tuple(with_gains(name, criteria) for name in names)
    measures = comparable(asked)
    return Design(
        scale=scale,
        level=task.relevance_level,
        measures=measures,
        strata=_strata(task, reference.topics),
        chosen=chosen,
        left_out=tuple(measure for measure in asked if measure not in measures),
        third=PeopleProvenance.from_json(reference.provenance).third,
        items="images" if TaskKind(task.kind).retrieves_images else "texts",
    )


def _strata(task: Task, topics: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the fields that divide the judged topics into a few groups, such as a page's category."""
    rows = Topic.objects.filter(task=task, number__in=topics).order_by("number")
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for number, fields in rows.values_list("number", "fields"):
        for name, text in fields:
            texts[name][number] = text
    return {
        name: of_topic
        for name, of_topic in sorted(texts.items())
        if len(of_topic) == len(topics)
        and 2 <= len(set(of_topic.values())) <= min(MOST_STRATA, len(topics) / 2)
    }


def _described(task: Task, runs: Sequence[Run]) -> list[ReportRun]:
    """Describe the runs. Depth is None before the first pool; then it is 0 for runs in no pool."""
    pooled = PoolRun.objects.filter(pool__task=task)
    depths = dict(pooled.values("run").annotate(depth=Max("depth")).values_list("run", "depth"))
    return [
        ReportRun(
            run.tag,
            run.team.name,
            tuple(sorted(family.name for family in run.families.all())),
            run.backbone,
            run.type,
            depths.get(run.pk, 0) if depths else None,
        )
        for run in runs
    ]


def _joined(task: Task) -> dict[str, int]:
    """Number the models of the task by their first qrels; the numbers stay when models are added."""
    models = Qrels.objects.filter(task=task, kind=QrelsKind.MODEL)
    first = models.values("name").annotate(first=Min("pk")).order_by("first")
    return {row["name"]: number for number, row in enumerate(first, 1)}


def _graded_set(qrels: Qrels, topics: Sequence[str], joined: int | None) -> GradedSet:
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    raw_scores = {}
    pairs = qrels.pairs.filter(topic__in=topics) if topics else qrels.pairs.all()
    rows = list(pairs.values_list("topic", "docno", "grade", "raw_score"))
    for topic, docno, grade, score in rows:
        if grade is not None:
            grades[topic][docno] = grade
        if score is not None:
            raw_scores[topic, docno] = score
    facts = SetFacts(
        name=qrels.name,
        version=qrels.version,
        kind=qrels.kind,
        sha256=qrels.sha256,
        pair_count=len(rows),
        graded_count=sum(map(len, grades.values())),
        joined=joined,
    )
    return GradedSet(facts, CoreQrels.from_dict(grades, name=qrels.name), raw_scores, qrels.provenance)
