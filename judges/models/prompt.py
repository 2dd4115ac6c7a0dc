"""Prompts that judges can be made with: named, versioned, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pgtrigger
from django.db import models
from django.db.models import Exists, Q
from django.db.models.functions import Now

from evaluation.models import Track, User
from judges.core.answers import FORMS
from judges.core.prompts import BUILT_IN
from judges.core.prompts import Prompt as CorePrompt

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from judges.models.judge import Judge


class PromptQuerySet(models.QuerySet["Prompt"]):
    """Reads of prompts."""

    def visible_to(self, user: User | AnonymousUser) -> PromptQuerySet:
        """All of them for whoever organizes some track: prompts belong to the site, as judges do."""
        return self if user.is_superuser else self.filter(Exists(Track.objects.organized_by(user)))

    def of(self, judge: Judge) -> CorePrompt | None:
        """The prompt that the judge asks, a built-in one first; None where it has no name."""
        asked = CorePrompt(name="", version=0, template=judge.prompt, answer=judge.answer).sha256
        stored = (each.core for each in self.filter(sha256=asked).order_by("pk"))
        return next((each for each in (*BUILT_IN, *stored) if each.sha256 == asked), None)


class Prompt(models.Model):
    """A version of a prompt. A changed text is a new version; judges keep the text they were made with."""

    name = models.SlugField(max_length=60)
    version = models.PositiveSmallIntegerField(editable=False)
    template = models.TextField(
        help_text="{image} once, and {fields} or single fields such as {page_title} for the text"
    )
    answer = models.CharField("form of answer", max_length=40, choices=[(name, name) for name in FORMS])
    sha256 = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        User, models.PROTECT, null=True, editable=False, related_name="+", help_text="empty: built in"
    )

    objects = PromptQuerySet.as_manager()

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="prompt_version_once"),
            models.CheckConstraint(
                condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="prompt_hash_is_sha256"
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="prompts_are_immutable", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"{self.name} (version {self.version})"

    @property
    def core(self) -> CorePrompt:
        """The prompt as ``judges.core.prompts`` renders it."""
        return CorePrompt(name=self.name, version=self.version, template=self.template, answer=self.answer)
