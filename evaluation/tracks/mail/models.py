"""Outbox of mails: rows are stored first, so none is lost and no request waits for a mail server."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User


class MailQuerySet(models.QuerySet["Mail"]):
    """Queryset of mails."""

    def due(self) -> MailQuerySet:
        """Mails to send now: not sent, not given up, and not waiting for a retry."""
        return self.filter(sent_at__isnull=True, due_at__lte=Now())

    def visible_to(self, user: User | AnonymousUser) -> MailQuerySet:
        """All mails for the site's staff, none for others."""
        return self.all() if user.is_superuser else self.none()


class Mail(models.Model):
    """One mail to one address. ``due_at`` is null once the site has given up on it.

    Its text is cleared when it is sent, because it may contain a code or a link. ``once`` is a unique key of
    mails to send only once, such as the release of a task to a person; empty for all other mails.
    """

    what = models.CharField(max_length=40)
    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=255)
    text = models.TextField(blank=True)
    once = models.CharField(max_length=120, blank=True)
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    due_at = models.DateTimeField(db_default=Now(), null=True)
    sent_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    objects = MailQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at"]
        indexes = [models.Index("due_at", condition=Q(sent_at__isnull=True), name="mail_due")]
        constraints = [
            models.UniqueConstraint(fields=["once"], condition=~Q(once=""), name="mail_told_once"),
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(text=""), name="mail_text_wiped_once_sent"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} to {self.to}"
