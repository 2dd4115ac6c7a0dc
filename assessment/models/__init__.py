"""Who judges what, the judgments they make, and how a task's judging is set up."""

from assessment.models.assignment import AssignedItem, Assignment, AssignmentQuerySet, Kind, Purpose
from assessment.models.gold import GoldItem
from assessment.models.judgment import CannotJudge, Judgment, JudgmentQuerySet
from assessment.models.plan import JudgingPlan
from assessment.models.slot import Slot

__all__ = [
    "AssignedItem",
    "Assignment",
    "AssignmentQuerySet",
    "CannotJudge",
    "GoldItem",
    "JudgingPlan",
    "Judgment",
    "JudgmentQuerySet",
    "Kind",
    "Purpose",
    "Slot",
]
