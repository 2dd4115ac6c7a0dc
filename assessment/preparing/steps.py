"""The steps of setting up people's judging, their parts of a track file, and rows that organizers change."""

from collections import Counter
from collections.abc import Collection
from typing import Any, Literal

from django import forms
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Subquery
from django.db.models.expressions import BaseExpression
from django.db.models.functions import JSONObject
from django.forms.models import model_to_dict
from django.urls import reverse
from pydantic import Field

from assessment.models.gold import GoldItem, GoldUse, TrainingReply
from assessment.models.plan import ExtraQuestion, JudgingPlan
from assessment.preparing.actions import remove_question
from assessment.preparing.forms import PlanForm
from evaluation.organizing.setup.steps import Need, Stage, Step, StepStatus, register_step
from evaluation.organizing.track_files.parts import (
    PARTS,
    AskedPart,
    PartSchema,
    TrackFilePart,
    create_questions,
    read_questions,
    set_fields,
)
from evaluation.platform.access.people import User
from evaluation.platform.web.rows import RowTable, register_rows
from evaluation.tracks.facts import Facts
from evaluation.tracks.models import Task, TaskKind

PLAN = ("gold_percent", "repeat_percent", "pass_percent")


def plan_facts(kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the percentages of the plan, null without one, and the uses of the gold items."""
    plan = JudgingPlan.objects.filter(task=OuterRef("pk"))
    percentages = plan.values_list(JSONObject(**{name: name for name in PLAN}))
    return {"plan": Subquery(percentages), **gold_facts(kind)}


def plan_status(task: Task, facts: Facts) -> StepStatus:
    """Return the state of the plan, and the gold items that it needs."""
    plan = JudgingPlan(task=task, **(facts["plan"] or {}))
    words = [f"{plan.gold_percent} % gold", f"{plan.repeat_percent} % twice"]
    words.append("no exam" if plan.pass_percent is None else f"exam from {plan.pass_percent} %")
    needs = tuple(_gold_needs(plan, facts["uses"]))
    return StepStatus(", ".join(words), is_done=facts["plan"] is not None, needs=needs)


def _gold_needs(plan: JudgingPlan, uses: Collection[str]) -> list[Need]:
    needs = []
    if plan.gold_percent and GoldUse.MIXED not in uses:
        words = f"The plan mixes in {plan.gold_percent} % gold items, but none is picked for it."
        needs.append(Need(Stage.POOL, words))
    if not plan.gold_percent and GoldUse.MIXED in uses:
        needs.append(Need(Stage.POOL, "Gold items are picked to be mixed in, but the plan mixes in 0 %."))
    if plan.pass_percent is not None and GoldUse.EXAM not in uses:
        needs.append(Need(Stage.POOL, "An exam is planned, but it has no items."))
    return needs


def gold_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the use of each gold item."""
    return {"uses": ArraySubquery(GoldItem.objects.filter(task=OuterRef("pk")).order_by().values("use"))}


def gold_status(_task: Task, facts: Facts) -> StepStatus:
    """Return the state of the gold items, counted by use."""
    counts: Counter[str] = Counter(facts["uses"])
    words = [f"{counts[use]} {use}" for use in GoldUse.values if counts[use]]
    return StepStatus(", ".join(words) or "no pairs", is_done=bool(words))


class PlanPart(PartSchema):
    """The plan of judging."""

    gold_percent: int = Field(0, ge=0, le=30)
    repeat_percent: int = Field(0, ge=0, le=30)
    pass_percent: int | None = Field(None, ge=0, le=100)
    lease_minutes: int = Field(30, ge=1, lt=2**15)
    surface: Literal["single", "wall", "both"] = "single"
    wall_loss_percent: int = Field(5, ge=0, le=100)


def _read_plan(task: Task) -> dict[str, Any] | None:
    plan = JudgingPlan.objects.of(task)
    values = model_to_dict(plan, list(PlanPart.model_fields))
    return {name: value for name, value in values.items() if value is not None} if plan.pk else None


def _apply_plan(task: Task, part: PlanPart, _by: User) -> None:
    set_fields(JudgingPlan.objects.of(task), part.model_dump(exclude_unset=True))


class ExtraQuestionPart(AskedPart):
    """An extra question."""

    is_required: bool = True
    is_once_a_wall: bool = False


class ExtraQuestionTextForm(forms.ModelForm[ExtraQuestion]):
    """What can change in a question that has replies."""

    class Meta:
        model = ExtraQuestion
        fields = ("place", "text", "is_required", "is_once_a_wall")


def forget_training(reply: TrainingReply) -> None:
    """Delete all replies of the assessor in the task, so that practice and exam begin again."""
    TrainingReply.objects.filter(assessor=reply.assessor_id, item__task=reply.item.task_id).delete()


def trained_in(task: Task) -> Any:
    """Return the first reply of each assessor who has begun the training of the task."""
    replies = TrainingReply.objects.filter(item__task=task).select_related("assessor")
    return replies.order_by("assessor", "pk").distinct("assessor")


def _page(name: str, task: Task) -> str:
    return reverse(name, args=[task.track.slug, task.slug])


def register() -> None:
    """Register steps, parts and tables. Called when Django starts."""
    register_step(Step(70, "plan", "Plan", plan_status, facts=plan_facts))
    register_step(Step(80, "gold", "Gold and practice", gold_status, facts=gold_facts))
    PARTS.append(TrackFilePart("plan", PlanPart, _read_plan, _apply_plan))
    manager = ExtraQuestion.objects
    PARTS.append(
        TrackFilePart(
            "extra_questions",
            list[ExtraQuestionPart],
            lambda task: read_questions(manager, task, ExtraQuestionPart.model_fields),
            lambda task, parts, _by: create_questions(manager, task, parts),
            is_stored_one_by_one=True,
        )
    )
    register_rows(
        RowTable(
            "plan",
            lambda track: JudgingPlan.objects.filter(task__track=track).select_related("task__track"),
            lambda plan: _page("setup_plan", plan.task),
            PlanForm,
        ),
        RowTable(
            "extra-question",
            lambda track: ExtraQuestion.objects.filter(task__track=track).select_related("task__track"),
            lambda question: _page("setup_plan", question.task),
            ExtraQuestionTextForm,
            remove=lambda question: remove_question(question=question),
        ),
        RowTable(
            "training",
            lambda track: TrainingReply.objects.filter(item__task__track=track),
            lambda reply: _page("judging_progress", reply.item.task),
            remove=forget_training,
        ),
    )
