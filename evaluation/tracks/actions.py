"""Create and change the criteria of a task."""

from typing import Any

from django.db import transaction

from evaluation.access.schema.texts import MARKDOWN_MAX
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.criteria import DEFAULT_GRADES, check_grades
from trackside.errors import InputError


def create_criteria(*, task: Task) -> Criteria:
    """Create the task's first criteria with the default scale; if it has criteria, return the latest."""
    if task.criteria.exists():
        return Criteria.objects.current(task)
    return Criteria.objects.create(task=task, grades=DEFAULT_GRADES)


@transaction.atomic
def save_criteria(*, task: Task, grades: list[dict[str, Any]], instructions: str, level: int) -> Criteria:
    """Store the scale in the latest version, or in a new one if somebody judged by it.

    ``level`` is the lowest relevant grade. Raises CriteriaMalformed, instructions-too-long, level-off-scale,
    grade-published.
    """
    check_grades(grades)
    if len(instructions) > MARKDOWN_MAX:
        raise InputError(
            f"The instructions have {len(instructions):,} characters. Shorten them to at most "
            f"{MARKDOWN_MAX:,} characters.",
            code="instructions-too-long",
        )
    if level not in {grade["grade"] for grade in grades} or level < 1:
        raise InputError(
            f"Relevant from {level}: choose a grade of the scale that is 1 or higher.", code="level-off-scale"
        )
    criteria = Criteria.objects.filter(task=task).select_for_update().order_by("-version").first()
    if criteria is None or (criteria.grades, criteria.instructions) != (grades, instructions):
        if criteria is None or criteria.frozen_at:
            latest = criteria.version if criteria else 0
            criteria = Criteria(task=task, version=latest + 1)
        criteria.grades, criteria.instructions = grades, instructions
        criteria.check_keeps_published()
        criteria.save()
    if level != task.relevance_level:
        task.relevance_level = level
        task.save(update_fields=["relevance_level"])
    return criteria
