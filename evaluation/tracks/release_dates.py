"""How the dates of a task fit each other, and conditions of its release, by the database clock."""

from datetime import timedelta

from django.db.models import CheckConstraint, F, Q
from django.db.models.functions import Now

from trackside.text.time_zones import LONGEST_GRACE

# A date alone releases nothing: a person must have confirmed the release for a date that has come, too.
IS_RELEASED = Q(releases_at__lte=Now(), release_confirmed_for__lte=Now())
# Everybody but the track's assessors sees results: after the release; of a practice task from its opening.
HAS_OPEN_RESULTS = IS_RELEASED | Q(is_practice=True, opens_at__lte=Now())


def open_for_judging(path: str = "") -> Q:
    """Return the condition that the task at the path, such as ``pool__task__``, is open for judging."""
    names = (f"{path}releases_at", f"{path}release_confirmed_for")
    first, second = (Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__gt": Now()}) for name in names)
    return (first | second) & Q(**{f"{path}judging_at__lte": Now()})


DATE_CONSTRAINTS = [
    CheckConstraint(
        condition=(Q(closes_at__isnull=True) | Q(closes_at__gt=F("opens_at")))
        & (Q(judging_at__isnull=True) | Q(judging_at__gte=F("closes_at") + F("grace")))
        & (Q(releases_at__isnull=True) | Q(releases_at__gte=F("judging_at"))),
        name="task_dates_in_order",
        violation_error_message="Dates go in order: opens, closes, grace, judging opens, releases.",
    ),
    CheckConstraint(
        condition=(Q(closes_at__isnull=True) | Q(opens_at__isnull=False))
        & (Q(judging_at__isnull=True) | Q(closes_at__isnull=False))
        & (Q(releases_at__isnull=True) | Q(judging_at__isnull=False)),
        name="task_dates_without_gaps",
        violation_error_message="A later date needs all earlier ones.",
    ),
    CheckConstraint(
        condition=Q(grace__gte=timedelta(), grace__lte=LONGEST_GRACE),
        name="task_grace_up_to_a_year",
        violation_error_message=f"The grace lasts up to {LONGEST_GRACE.days} days.",
    ),
    CheckConstraint(
        condition=Q(is_practice=False) | Q(closes_at__isnull=True),
        name="practice_task_never_closes",
        violation_error_message="A practice task only opens: it has no later date.",
    ),
]
