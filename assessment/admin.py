"""People's judging in the admin: its tables and the columns of their lists."""

from evaluation.platform.web.admin import register_table, register_tables

register_tables(
    "assessment",
    {
        "Assignment": "topic pool assessor kind assigned_at assigned_by",
        "Exclusion": "made_at task assessor topic since until reason made_by undone_at",
        "ExtraQuestion": "text name place is_required task",
        "FeedbackNote": "task topic docno words",
        "GoldItem": "topic docno grade use task",
        "JudgingPlan": "task gold_percent repeat_percent pass_percent lease_minutes",
        "TrainingReply": "assessor item grade is_right replied_at",
    },
)
register_table(
    "assessment.Judgment",
    "judged_at task topic docno assessor mark is_flagged active_seconds",
    date_hierarchy="judged_at",
)
register_table(
    "assessment.Remark", "made_at task topic docno assessor comment is_flagged", date_hierarchy="made_at"
)
