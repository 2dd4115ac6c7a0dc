"""Read-only admin of assignments, judgments, plans, gold items, questions and training."""

from assessment.models.assignment import Assignment
from assessment.models.gold import GoldItem, TrainingReply
from assessment.models.judgment import Judgment
from assessment.models.plan import ExtraQuestion, JudgingPlan
from assessment.models.remark import Remark
from evaluation.web.admin import register_table

register_table(
    Assignment,
    "topic pool assessor kind assigned_at assigned_by",
    track_path="pool__task__track",
    search="topic assessor__name assessor__email",
)


register_table(
    Judgment,
    "judged_at task topic docno assessor mark is_flagged active_seconds",
    track_path="task__track",
    search="topic docno assessor__name assessor__email",
    date_hierarchy="judged_at",
)


register_table(
    Remark,
    "made_at task topic docno assessor comment is_flagged",
    track_path="task__track",
    search="topic docno comment assessor__name assessor__email",
    date_hierarchy="made_at",
)


register_table(
    JudgingPlan, "task gold_percent repeat_percent pass_percent lease_minutes", track_path="task__track"
)


register_table(GoldItem, "topic docno grade use task", track_path="task__track", search="topic docno")


register_table(ExtraQuestion, "text name place is_required task", track_path="task__track")


register_table(
    TrainingReply,
    "assessor item grade is_right replied_at",
    track_path="item__task__track",
    search="assessor__name assessor__email",
)
