"""Inquiries: questions of participants to the organizers of a task, and the answers."""

from __future__ import annotations

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import OuterRef, Q
from django.db.models.functions import MD5, Now

from evaluation.platform.access.people import TEAM_ROLES, Membership, Role, User, tracks_of
from evaluation.platform.access.schema.names import markdown_field
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Task, TaskQuerySet

QUESTION_MAX = 2000  # characters


def tasks_to_ask_on(user: User | AnonymousUser) -> TaskQuerySet:
    """Return the opened tasks of tracks in which the person is in a team, and not an assessor."""
    tracks = set(tracks_of(user, *TEAM_ROLES)).difference(tracks_of(user, Role.ASSESSOR))
    return Task.objects.opened().filter(track__in=tracks)


class InquiryQuerySet(models.QuerySet["Inquiry"]):
    """Queryset of inquiries."""

    def visible_to(self, user: User | AnonymousUser) -> InquiryQuerySet:
        """All to organizers; to a participant their own and the answered ones for all teams.

        The track's assessors see none, even if they are in a team, unless they organize the track.
        """
        asked = Q(asked_by=user.pk) | Q(is_public=True)
        own_tasks = tasks_to_ask_on(user)
        return self.filter(Q(task__in=Task.objects.organized_by(user)) | (Q(task__in=own_tasks) & asked))

    def unanswered(self) -> InquiryQuerySet:
        """Inquiries that wait for an answer."""
        return self.filter(answered_at__isnull=True)

    def with_teams(self) -> InquiryQuerySet:
        """Annotate ``teams``: the names of the asker's teams in the track."""
        teams = Membership.objects.filter(
            user=OuterRef("asked_by"), track=OuterRef("task__track"), team__isnull=False
        )
        names = ArraySubquery(teams.order_by("team__name").values("team__name"))
        return self.select_related("asked_by", "answered_by").annotate(teams=names)


@tracked
class Inquiry(models.Model):
    """A question of a participant on a task, as plain text, and the organizers' answer in Markdown.

    ``is_public``: all teams of the track read question and answer; else only the asker does.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="inquiries", editable=False)
    text = models.TextField("question", editable=False)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    asked_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)
    answer = markdown_field(help_text="Markdown. Links may lead to http, https and mailto.")
    is_public = models.BooleanField(
        "show it to all teams",
        default=False,
        help_text="All teams of the track then read question and answer, without the name of who asked.",
    )
    answered_at = models.DateTimeField(null=True, editable=False)
    answered_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+", editable=False)

    objects = InquiryQuerySet.as_manager()

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name_plural = "inquiries"
        constraints = [
            models.UniqueConstraint("task", "asked_by", MD5("text"), name="inquiry_asked_once"),
            models.CheckConstraint(condition=Q(text__regex=r"\S"), name="inquiry_has_a_text"),
            models.CheckConstraint(
                condition=Q(answer="", is_public=False, answered_at__isnull=True, answered_by__isnull=True)
                | (~Q(answer="") & Q(answered_at__isnull=False, answered_by__isnull=False)),
                name="inquiry_answered_by_somebody",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="an_inquiry_stays_as_asked", fields=["task", "text", "asked_at", "asked_by"]
            )
        ]

    def __str__(self) -> str:
        return f"Question {self.pk} on {self.task.name}"
