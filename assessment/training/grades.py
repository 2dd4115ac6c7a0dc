"""Check that a grade is on the scale of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext

from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from evaluation.tracks.criteria import Criteria


class GradeNotInCriteria(InputError):
    """The criteria have no such grade."""


def check_grade(criteria: Criteria, grade: int) -> None:
    """Raise GradeNotInCriteria if the criteria do not have the grade."""
    if grade not in criteria.scale:
        scale = ", ".join(map(str, criteria.scale))
        raise GradeNotInCriteria(
            gettext("Grade {grade} is not on the scale of this task. Choose one of {scale}.").format(
                grade=grade, scale=scale
            )
        )
