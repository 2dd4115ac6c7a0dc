"""Querysets of rows by who sees them."""

from typing import Self, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, Q

from evaluation.platform.access.people import User
from evaluation.tracks.models import Task, Track

Row = TypeVar("Row", bound=models.Model, covariant=True)


class OrganizedQuerySet(models.QuerySet[Row]):
    """Rows that only organizers see. A model without ``task`` names the path to it in ``task_path``."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Rows of the tasks that the user organizes."""
        path = getattr(self.model, "task_path", "task")
        return self.filter(**{f"{path}__in": Task.objects.organized_by(user)})


class ShownWithTaskQuerySet(models.QuerySet[Row]):
    """Rows that everybody sees who sees their task."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Rows of the tasks that the person may see."""
        return self.filter(task__in=Task.objects.visible_to(user))


class ReleasedQuerySet(models.QuerySet[Row]):
    """Rows of the results of a task."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Rows for organizers before the release; after it for everybody except the track's assessors."""
        return self.filter(
            Q(task__in=Task.objects.organized_by(user)) | Q(task__in=Task.objects.released_to(user))
        )


class SiteQuerySet(models.QuerySet[Row]):
    """Rows that belong to the whole site."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """All rows, for organizers of any track."""
        return self if user.is_superuser else self.filter(Exists(Track.objects.organized_by(user)))


class OwnedQuerySet(models.QuerySet[Row]):
    """Rows that belong to a track, or without one to the site."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Rows of the tracks that the user organizes; organizers of any track also see the site's."""
        if user.is_superuser:
            return self
        organized = Track.objects.organized_by(user)
        return self.filter(Q(track__in=organized) | (Q(track__isnull=True) & Exists(organized)))

    def of_track(self, track: Track | models.OuterRef | None) -> Self:
        """Rows that the track may use: its own and the site's. Without a track only the site's."""
        site = Q(track__isnull=True)
        return self.filter(site | Q(track=track) if track else site)
