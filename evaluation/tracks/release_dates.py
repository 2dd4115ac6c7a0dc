"""When a task is released, as conditions of querysets, by the database clock."""

from django.db.models import Q
from django.db.models.functions import Now

# A date alone releases nothing: a person must have confirmed the release for a date that has come, too.
IS_RELEASED = Q(releases_at__lte=Now(), release_confirmed_for__lte=Now())


def open_for_judging(path: str = "") -> Q:
    """Return the condition that the task at the path, such as ``pool__task__``, is open for judging."""
    names = (f"{path}releases_at", f"{path}release_confirmed_for")
    first, second = (Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__gt": Now()}) for name in names)
    return (first | second) & Q(**{f"{path}judging_at__lte": Now()})
