"""Database models of assignments, judgments, plans, gold items, questions and training."""

from assessment.models.aggregates import CurrentJudgment, JudgedItem, JudgedQuarter, SharedTally, Tally
from assessment.models.assignment import AssignedItem, Assignment, AssignmentQuerySet
from assessment.models.exclusion import Exclusion
from assessment.models.feedback import Feedback, FeedbackNote
from assessment.models.gold import GoldItem, GoldUse, TrainingReply
from assessment.models.item_facts import ItemFacts
from assessment.models.judgment import Judgment, JudgmentQuerySet
from assessment.models.marks import CannotJudge
from assessment.models.plan import ExtraQuestion, JudgingPlan, Surface
from assessment.models.purposes import AssignmentKind, Purpose
from assessment.models.remark import Remark
from assessment.models.slot import AssignedCount, QueuedTopic, Slot
