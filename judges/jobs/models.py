"""Jobs: one judge scores one frozen pool."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

import pgtrigger
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce, Now

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.items import Item, load_images
from evaluation.collections.models import Document, Topic
from evaluation.platform.access.people import User
from evaluation.platform.access.schema.tracking import tracked_fields
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.visibility import OrganizedQuerySet
from judges.catalogue.models import Judge
from judges.jobs.calls import Call
from judges.jobs.canaries import canary_items
from judges.jobs.exchanges import exchanged_items, exchanges_of, keys_of, probed_inputs, probed_items
from judges.jobs.shards import ACTIVE, COMPLETED, HALTED, UNFINISHED, JobState, Shard
from trackside.findings.plain import from_plain
from trackside.findings.provenance import TextsSeen
from trackside.judging.canaries import IMAGE_PLACES, TEXT_PLACES, Canary, canary_named
from trackside.judging.costs import Rates
from trackside.judging.inputs import Gap, Input, PairInputs, item_input
from trackside.judging.prompts import names_sides, shown_of
from trackside.judging.settings import SMALL
from trackside.text.roles import Roles


class Side(models.TextChoices):
    """The two items of a pair."""

    TOPIC = "topic", "topics"
    DOCUMENT = "document", "documents"


IMAGE_SIDES = {
    TaskKind.TEXT_TO_IMAGE: (Side.DOCUMENT,),
    TaskKind.IMAGE_TO_TEXT: (Side.TOPIC,),
    TaskKind.TEXT_TO_TEXT: (),
    TaskKind.IMAGE_TO_IMAGE: (Side.TOPIC, Side.DOCUMENT),
}


def roles_of(task: Task, side: Side) -> Roles:
    """Return the roles of the fields of the task's topics or documents."""
    fields = ChosenFields.objects
    return fields.topic_roles(task.pk) if side == Side.TOPIC else fields.document_roles(task.collection_id)


def _total(rows: models.QuerySet[models.Model], total: models.Aggregate) -> Coalesce:
    totals = rows.filter(job=OuterRef("pk")).order_by().values("job").annotate(total=total).values("total")
    return Coalesce(Subquery(totals), 0)


class JobQuerySet(OrganizedQuerySet["Job"]):
    """Reads of jobs."""

    def of_pools(self) -> JobQuerySet:
        """Jobs that score a whole pool: all without probes."""
        return self.filter(probe__isnull=True)

    def probes(self) -> JobQuerySet:
        """Probes of judges."""
        return self.filter(probe__isnull=False)

    def active(self) -> JobQuerySet:
        """Jobs that workers process as soon as one is free."""
        return self.filter(state__in=ACTIVE)

    def halted(self) -> JobQuerySet:
        """Jobs that wait for a person: paused, or stopped by a budget."""
        return self.filter(state__in=HALTED)

    def completed(self) -> JobQuerySet:
        """Jobs in which every pair has a score or a gap."""
        return self.filter(state__in=COMPLETED)

    def unfinished(self) -> JobQuerySet:
        """Jobs that are neither completed nor cancelled."""
        return self.filter(state__in=UNFINISHED)

    def with_progress(self) -> JobQuerySet:
        """Annotate counts of pairs (all, scored, gaps), of inputs (all, encoded), and ``spent_micros``.

        Inputs are the unique texts and images of all shards; none if all are encoded already.
        """
        calls, shards = Call.objects.of_pool(), Shard.objects.all()
        counts = {
            "pair_count": _total(calls, Count("pk")),
            "scored_count": _total(calls.scored(), Count("pk")),
            "gap_count": _total(calls.failed(), Count("pk")),
            "spent_micros": _total(shards, Sum("spent_micros")),
            "input_count": _total(shards, Sum("input_count")),
            "encoded_count": _total(shards, Sum("encoded_count")),
        }
        return self.annotate(**counts)


@tracked_fields("overruled_by", model_name="JobEvent")
class Job(models.Model):
    """A request to score every pair of a pool with a judge, or a probe of the judge.

    ``input_price``, ``output_price`` (per million tokens) and ``image_tokens`` are from the price table at
    the start of the job. Shards of jobs with a higher ``priority`` are claimed first. ``note`` is the reason
    why a job was halted. ``resumed_by`` resumed or retried it last; null if nobody did. ``overruled_by``
    continued it although controls show that its grades stay without the pairs' pictures. ``probe`` is what
    ``judges.jobs.probing`` writes; null for a job on a pool. ``texts`` is
    ``TextsSeen`` of provenance as JSON once the job has ended; null if the amount of text read is
    unknown: endpoints, imported scores and ensembles.
    """

    judge = models.ForeignKey(Judge, models.PROTECT, related_name="jobs")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="jobs")
    state = models.CharField(max_length=20, choices=JobState, default=JobState.PLANNED)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    resumed_by = models.ForeignKey(User, models.PROTECT, related_name="+", null=True, editable=False)
    overruled_by = models.ForeignKey(User, models.PROTECT, related_name="+", null=True, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)
    priority = models.SmallIntegerField(default=0)
    note = models.TextField(blank=True)
    texts = models.JSONField(null=True, editable=False)
    probe: Any = models.JSONField(null=True, editable=False)
    input_price = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    output_price = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    image_tokens = models.PositiveIntegerField(default=0)

    pair_count: int
    scored_count: int
    gap_count: int
    input_count: int
    encoded_count: int
    spent_micros: int
    is_published: bool  # only on the page of a task
    task_path: ClassVar = "pool__task"
    track_path: ClassVar = "pool__task__track"  # of changes, for audits
    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "pool"],
                condition=~Q(state=JobState.CANCELLED) & Q(probe__isnull=True),
                name="job_once_a_pool",
            ),
            models.CheckConstraint(
                condition=Q(state__in=UNFINISHED, finished_at__isnull=True)
                | (~Q(state__in=UNFINISHED) & Q(finished_at__isnull=False)),
                name="job_finished_iff_inactive",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="a_job_keeps_judge_and_pool", fields=["judge", "pool", "created_at", "created_by"]
            ),
            pgtrigger.Protect(name="jobs_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{'probe of ' if self.probe else ''}{self.judge} on {self.pool}"

    @property
    def is_active(self) -> bool:
        """Whether pairs may get scores without a person's action."""
        return self.state in ACTIVE

    @property
    def requester(self) -> User:
        """The person who resumed or retried the job last; else the person who started it."""
        return self.resumed_by or self.created_by

    @property
    def is_halted(self) -> bool:
        """Whether the job waits for a person to resume it."""
        return self.state in HALTED

    @property
    def rates(self) -> Rates:
        """The prices at the start of this job; later changes of the price table do not apply."""
        return Rates(self.input_price, self.output_price, self.image_tokens)

    @property
    def text_sides(self) -> list[Side]:
        """The sides of its pairs that are texts, unless the prompt names what it shows of each side."""
        return [side for side in Side if side not in IMAGE_SIDES[TaskKind(self.pool.task.kind)]]

    @property
    def is_completed(self) -> bool:
        """Whether every pair has a score or a gap."""
        return self.state in COMPLETED

    def outcome_counts(self) -> dict[str, int]:
        """Count the finished pairs by outcome."""
        ended = self.calls.of_pool().exclude(outcome="").order_by().values_list("outcome")
        return dict(ended.annotate(count=Count("pk")).order_by(F("count").desc(), "outcome"))

    @property
    def exchanges(self) -> dict[str, list[str]]:
        """By the name of an item with an exchanged part: the probe, its item, and the item of that part."""
        exchanges: dict[str, list[str]] = (self.probe or {}).get("exchanges", {})
        return exchanges

    @property
    def texts_seen(self) -> TextsSeen | None:
        """How much of each text field was read; None if it is unknown."""
        return from_plain(TextsSeen, self.texts) if self.texts else None

    def inputs(
        self, side: Side, names: Collection[str], items: Mapping[str, Item] | None = None
    ) -> dict[str, Input | Gap]:
        """Return the judge's input of each named topic or document, or a gap with the reason for none."""
        items, roles = self.items(side, names) if items is None else items, roles_of(self.pool.task, side)
        load_images(items.values())
        parts = {name: self.item_input(side, roles, items[name]) for name in names if name in items}
        probed = probed_inputs(self.judge, side, parts, self.exchanges)
        return dict.fromkeys(names, Gap.ITEM_MISSING) | probed

    def item_input(self, side: Side, roles: Roles, item: Item) -> Input | Gap:
        """Return the judge's input of a topic or document; ``roles`` is the result of ``roles_of``."""
        judge, is_text = self.judge, side in self.text_sides
        blobs = [image.small_id if judge.image_size == SMALL else image.original_id for image in item.images]
        shown, is_asked = item.shown(roles), judge.unit.is_asked
        return item_input(judge.settings, side, shown, blobs, is_asked=is_asked, is_text=is_text)

    def pair_inputs(self, pairs: Sequence[tuple[str, str]]) -> list[PairInputs]:
        """Return the judge's inputs, or gaps, of the topic and the document of each pair."""
        topics = self.inputs(Side.TOPIC, {topic for topic, _ in pairs})
        documents = self.inputs(Side.DOCUMENT, {docno for _, docno in pairs})
        return [(topics[topic], documents[docno]) for topic, docno in pairs]

    def items(self, side: Side, names: Collection[str]) -> dict[str, Item]:
        """Return the named topics or documents that exist, by name; canaries and controls are items, too."""
        task = self.pool.task
        if exchanges := exchanges_of(names):
            column = "topic" if side == Side.TOPIC else "docno"
            calls, is_exchanged = self.calls.in_bulk(keys_of(exchanges)), side == self.picture_side
            others = {key: str(getattr(call, column)) for key, call in calls.items()}
            items = self.items(side, {*others.values(), *(set(names) - set(exchanges))})
            return items | exchanged_items(exchanges, others, items, is_exchanged=is_exchanged)
        if probed := {name: self.exchanges[name] for name in names if name in self.exchanges}:
            parts = {name for _, *pair in probed.values() for name in pair}
            items = self.items(side, parts | (set(names) - set(probed)))
            rest = {name: items[name] for name in names if name in items}
            return rest | probed_items(probed, items)
        if canaries := {name: canary for name in names if (canary := canary_named(name))}:
            rest = self.items(side, [name for name in names if name not in canaries])
            return rest | canary_items(self.judge, side, canaries, self.sides_read)
        if side == Side.TOPIC:
            topics = Topic.objects.filter(task=task, number__in=names).select_related("image")
            return {topic.number: topic for topic in topics}
        documents = Document.objects.filter(collection=task.collection_id, docno__in=names)
        return {document.docno: document for document in documents.select_related("image")}

    @property
    def sides_read(self) -> tuple[list[Side], list[Side]]:
        """The sides of a pair whose texts the judge reads, and those whose images it reads."""
        prompt, texts = self.judge.prompt, self.text_sides
        if not names_sides(prompt):
            return texts, [side for side in Side if side not in texts]
        names = {side: set(shown_of(prompt, side)) for side in Side}
        texts = [side for side in Side if names[side] - {"image"}]
        return texts, [side for side in Side if "image" in names[side]]

    @property
    def picture_side(self) -> Side | None:
        """The side whose pictures controls exchange; None for encoders, without pictures, and in a probe."""
        is_asked = self.judge.answer and self.judge.unit.is_asked and not self.probe
        return next(reversed(self.sides_read[1]), None) if is_asked else None

    def canary_scores(self) -> dict[Canary, float | None]:
        """Return the raw score of each finished canary of the current set, None for a gap.

        Without those whose instruction is in a text or an image that the judge does not read.
        """
        text_sides, image_sides = self.sides_read
        unread = [*TEXT_PLACES * (not text_sides), *IMAGE_PLACES * (not image_sides)]
        ended = self.calls.filter(is_canary=True).exclude(outcome="").values_list("topic", "raw_score")
        scores = {canary_named(name): score for name, score in ended}
        return {canary: score for canary, score in scores.items() if canary and canary.place not in unread}
