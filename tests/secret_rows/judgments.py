"""Secret rows of assessors."""

import uuid
from datetime import timedelta

from django.utils import timezone

from assessment.models import (
    AssignedItem,
    Assignment,
    AssignmentKind,
    Exclusion,
    ExtraQuestion,
    FeedbackNote,
    GoldItem,
    GoldUse,
    JudgingPlan,
    Judgment,
    Purpose,
    Remark,
    Slot,
    Surface,
    TrainingReply,
)
from evaluation.models import (
    Criteria,
    Pool,
    User,
)
from tests.assessment.factories import judge, make_assignment
from tests.secret_rows.words import PAIRS, SECRET
from trackside.text.time_zones import EPOCH


def make_secret_judgments(pool: Pool, assessor: User, colleague: User, hidden_grade: int) -> list[Assignment]:
    """The assessor's assignment, begun, with gold and a repeated item; then a colleague's two, judged."""
    GoldItem.objects.create(task=pool.task, topic="T1", docno=PAIRS[1][1], grade=hidden_grade)
    JudgingPlan.objects.create(task=pool.task, gold_percent=10, repeat_percent=10, surface=Surface.BOTH)
    practice = GoldItem.objects.create(
        task=pool.task,
        topic="T2",
        docno=PAIRS[0][1],
        grade=hidden_grade,
        use=GoldUse.PRACTICE,
        explanation=f"{SECRET} explanation",
    )
    TrainingReply.objects.create(item=practice, assessor=colleague, grade=hidden_grade)
    ExtraQuestion.objects.create(
        task=pool.task, name="sure", text="How sure?", choices="1\n2\n3", is_required=False
    )
    own = make_assignment(pool, topic="T1", assessor=assessor)
    second = make_assignment(pool, topic="T1", assessor=colleague, kind=AssignmentKind.SECOND)
    other = make_assignment(pool, topic="T2", assessor=colleague)
    judge(own, PAIRS[0][1], 1, comment="My own comment")
    for place, purpose in enumerate((Purpose.GOLD, Purpose.REPEAT), start=own.items.count() + 1):
        AssignedItem.objects.get_or_create(
            assignment=own, docno=PAIRS[1][1], purpose=purpose, defaults={"place": place}
        )
    Slot.objects.create(pool=pool, topic="T2", docno=PAIRS[2][1], turn=1, position=0)
    for assignment, (topic, docno) in ((second, PAIRS[0]), (second, PAIRS[1]), (other, PAIRS[2])):
        Judgment.objects.create(
            task=pool.task,
            topic=topic,
            docno=docno,
            criteria=Criteria.objects.current(pool.task),
            assessor=assignment.assessor,
            grade=hidden_grade,
            comment=f"{SECRET} comment",
            client_uuid=uuid.uuid4(),
            shown_at=timezone.now(),
            active_seconds=1.5,
        )
        Remark.objects.create(
            task=pool.task,
            topic=topic,
            docno=docno,
            assessor=assignment.assessor,
            comment=f"{SECRET} remark",
            is_flagged=True,
            client_uuid=uuid.uuid4(),
        )
    make_secret_exclusion(pool, colleague)
    FeedbackNote.objects.create(task=pool.task, topic=topic, docno=docno, words=f"{SECRET} note")
    return [own, second, other]


def make_secret_exclusion(pool: Pool, assessor: User) -> Exclusion:
    """A statement about a time before all judgments."""
    return Exclusion.objects.create(
        task=pool.task,
        assessor=assessor,
        until=EPOCH + timedelta(days=1),
        reason=f"{SECRET} reason",
        made_by=pool.created_by,
    )
