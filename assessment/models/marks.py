"""What an assessor can say of an item: a grade, the answer beside the grades, or why there is neither."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from trackside.criteria import NOMINAL, REASON_MAX


class CannotJudge(models.TextChoices):
    """Why an assessor gives no grade."""

    IMAGE = "image", gettext_lazy("Image does not show or is cut off")
    TOPIC = "topic", gettext_lazy("Topic cannot be understood")
    LANGUAGE = "language", gettext_lazy("Text in a language I do not read")
    UPSET = "upset", gettext_lazy("I would rather not look at it")


HAS_ANSWER = Q(grade__isnull=False) | Q(reason__startswith=NOMINAL)
MARK_MAX = len(NOMINAL) + 2 + REASON_MAX
