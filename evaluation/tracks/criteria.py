"""Criteria: the grade scale of a task and its words, in versions."""

from __future__ import annotations

from typing import Any

import pgtrigger
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext

from evaluation.platform.access.schema.names import markdown_field
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Task
from evaluation.tracks.visibility import ShownWithTaskQuerySet
from trackside.criteria import (
    EXAMPLE,
    NAME_MAX,
    check_grades,
    check_nominal,
    gains_of,
    nominal_marks,
    numbers_in_files,
    sound_grades,
)
from trackside.errors import InputError

# The rules of core.criteria.check_grades, except the width of characters, for code that uses no form.
GRADES_ARE_A_SCALE = """
    IF jsonb_typeof(NEW.grades) = 'array' THEN
        SELECT count(*) BETWEEN 2 AND 20 AND bool_and(is_grade) AND count(DISTINCT name) = count(*)
            AND bool_and(grade > coalesce(before, -1)) AND bool_and(written > coalesce(written_before, -101))
        INTO is_scale
        FROM (
            SELECT *, lag(grade) OVER (ORDER BY place) AS before,
                lag(written) OVER (ORDER BY place) AS written_before
            FROM (
                SELECT place, is_grade, CASE WHEN is_grade THEN (each->>'grade')::int END AS grade,
                    CASE WHEN is_grade THEN coalesce(each->>'written', each->>'grade')::int END AS written,
                    CASE WHEN is_grade THEN each->>'name' END AS name
                FROM (
                    SELECT place, each, CASE WHEN jsonb_typeof(each) = 'object' THEN
                        each ?& array['grade', 'name', 'text']
                        AND each - array['grade', 'name', 'text', 'written'] = '{}'
                        AND jsonb_typeof(each->'grade') = 'number'
                        AND (each->>'grade') ~ '^([0-9]|[1-9][0-9]|100)$'
                        AND (NOT each ? 'written' OR (jsonb_typeof(each->'written') = 'number'
                            AND (each->>'written') ~ '^(0|-?([1-9][0-9]?|100))$'))
                        AND jsonb_typeof(each->'name') = 'string' AND (each->>'name') ~ '[^[:space:]]'
                        AND length(each->>'name') <= 60
                        AND jsonb_typeof(each->'text') = 'string' AND length(each->>'text') <= 2000
                    ELSE false END AS is_grade
                    FROM jsonb_array_elements(NEW.grades) WITH ORDINALITY AS entries(each, place)
                ) AS entries
            ) AS read
        ) AS compared;
    END IF;
    IF is_scale IS NOT TRUE THEN
        RAISE EXCEPTION 'criteria: the grades are not a scale' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


class CriteriaQuerySet(ShownWithTaskQuerySet["Criteria"]):
    """Reads of criteria."""

    def current(self, task: Task) -> Criteria:
        """The latest version of a task's criteria."""
        return self.filter(task=task).latest("version")

    def numbers(self, task_id: int) -> dict[int, int]:
        """The number that the task's files of qrels have for each grade; empty without criteria."""
        criteria = self.filter(task=task_id).order_by("-version").first()
        return criteria.numbers if criteria else {}


@tracked
class Criteria(models.Model):
    """The grade scale and its words, in numbered versions; each judgment names the version it was made under.

    ``grades`` is a list of ``{"grade": int, "name": str, "text": str}`` in rising order, and some
    have ``written``; see ``trackside.criteria.check_grades``. A version can be changed or deleted until the
    first judgment.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="criteria")
    version = models.PositiveSmallIntegerField(default=1)
    instructions = markdown_field()
    grades = models.JSONField(help_text=f"Written as in {EXAMPLE}.")
    nominal_name = models.CharField(
        "kept answer beside the grades",
        max_length=NAME_MAX,
        blank=True,
        default="",
        db_default="",
        help_text="Such as Unsure: it counts as judged and is in no qrels. Empty: there is none.",
    )
    nominal_reasons = models.TextField(
        "its reasons", blank=True, default="", db_default="", help_text="One per line. Empty: it needs none."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    frozen_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When it was first used for judging. It cannot change afterwards.",
    )

    objects = CriteriaQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "criteria"
        constraints = [models.UniqueConstraint(fields=["task", "version"], name="criteria_version_once")]
        triggers = [
            pgtrigger.Protect(
                name="criteria_stay_once_used",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__frozen_at__isnull=False),
            ),
            pgtrigger.Trigger(
                name="criteria_grades_are_a_scale",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("grades"),
                when=pgtrigger.Before,
                declare=[("is_scale", "boolean")],
                func=GRADES_ARE_A_SCALE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task}, criteria {self.version}"

    def clean(self) -> None:
        """Refuse grades that are no scale, and say why."""
        try:
            check_grades(self.grades)
            check_nominal(self.nominal_name, self.reasons, self.grades)
            self.check_keeps_published()
        except InputError as error:
            raise ValidationError({"grades": str(error)}) from error

    @property
    def words(self) -> list[dict[str, Any]]:
        """The grades with their names and texts; empty if they break the rules, as older rows may."""
        return sound_grades(self.grades)

    @property
    def scale(self) -> tuple[int, ...]:
        """The declared grades, rising: the scale of every agreement figure."""
        return tuple(grade["grade"] for grade in self.words)

    @property
    def reasons(self) -> list[str]:
        """The reasons of the nominal answer."""
        return self.nominal_reasons.splitlines()

    @property
    def nominal_marks(self) -> dict[str, str]:
        """The words of each way to give the nominal answer, by what a judgment stores."""
        return nominal_marks(self.nominal_name, self.reasons)

    @property
    def numbers(self) -> dict[int, int]:
        """The number that files of qrels have for each grade."""
        return numbers_in_files(self.words)

    @property
    def gains(self) -> dict[int, int]:
        """The gains of the grades whose gain is not the grade."""
        return gains_of(self.words)

    def check_keeps_published(self) -> None:
        """Raise grade-published if people's latest qrels have a grade that is not on the scale.

        Also if any published qrels have a grade whose number in files changes: files keep their bytes.
        """
        self._check_keeps_numbers()
        latest = self.task.qrels.exclude(kind="model").current().values("pk")
        used = self.task.qrels.filter(pk__in=latest, pairs__grade__isnull=False).order_by("name")
        for name, version, grade in used.values_list("name", "version", "pairs__grade").distinct():
            if grade not in self.scale:
                raise InputError(
                    f"People gave grade {grade} in {name} (version {version}), which is published. Keep the "
                    "grade on the scale; you can change its name and text.",
                    code="grade-published",
                )

    def _check_keeps_numbers(self) -> None:
        before, now = Criteria.objects.numbers(self.task_id), self.numbers
        changed = [grade for grade in before | now if before.get(grade, grade) != now.get(grade, grade)]
        if changed and self.task.qrels.filter(pairs__grade__in=changed).exists():
            raise InputError(
                f"Grade {changed[0]} is in published qrels, whose files write it as "
                f"{before.get(changed[0], changed[0])}. Keep the number that is written in files.",
                code="grade-published",
            )

    def check_nominal_mark(self, mark: str) -> None:
        """Raise answer-not-in-criteria if it is no way to give the nominal answer of these criteria."""
        if mark not in self.nominal_marks:
            raise InputError(
                gettext("The criteria of this task do not have this answer. Load the page again."),
                code="answer-not-in-criteria",
            )

    def check_grade(self, grade: int) -> None:
        """Raise grade-not-in-criteria if the scale does not have the grade."""
        if grade not in self.scale:
            scale = ", ".join(map(str, self.scale))
            raise InputError(
                gettext("Grade {grade} is not on the scale of this task. Choose one of {scale}.").format(
                    grade=grade, scale=scale
                ),
                code="grade-not-in-criteria",
            )
