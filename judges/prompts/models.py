"""Prompts for judges: named, versioned, immutable."""

from __future__ import annotations

from itertools import chain

import pgtrigger
from django.db import models
from django.db.models import Case, Q, When
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.tracks.models import Track
from evaluation.tracks.visibility import OwnedQuerySet
from judges.catalogue.models import Judge
from trackside.judging.examples import EXAMPLES
from trackside.judging.forms import ANSWER_HELP
from trackside.judging.prompts import CRITERIA
from trackside.judging.prompts import PromptTemplate as CorePrompt
from trackside.judging.shipped_prompts import BUILT_IN


class PromptQuerySet(OwnedQuerySet["Prompt"]):
    """Reads of prompts."""

    def of(self, judge: Judge) -> CorePrompt | None:
        """Return the judge's prompt: a built-in one, else one with a source; None if it is not stored.

        Prompts of other tracks are not searched.
        """
        sha256 = CorePrompt(name="", version=0, template=judge.prompt, answer=judge.answer).sha256
        rows = self.of_track(judge.track).filter(
            Q(sha256=sha256) | Q(template__contains=CRITERIA) | Q(template__contains=EXAMPLES)
        )
        cores = [row.core for row in rows.order_by(Case(When(source="", then=1), default=0), "pk")]
        matches = (core for core in (*BUILT_IN, *cores) if core.sha256 == sha256)
        filled = (core for core in cores if core.is_filled_in(judge.prompt, judge.answer))
        return next(chain(matches, filled), None)


class Prompt(models.Model):
    """A version of a prompt. A changed text or source is a new version; judges keep their own text."""

    track = models.ForeignKey(
        Track,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="prompts",
        help_text="Empty: the whole site.",
    )
    name = models.SlugField(max_length=60)
    version = models.PositiveSmallIntegerField(editable=False)
    template = models.TextField(
        help_text="{topic.fields}, {document.image} and so on, or single fields such as {document.caption}; "
        "for one text and one image also {image} once, and {fields} or single fields such as {page_title}. "
        "{criteria}: the grades of the task's criteria, with their names and texts."
    )
    answer = models.CharField("form of answer", max_length=200, help_text=ANSWER_HELP)
    source = models.TextField(
        blank=True,
        max_length=2000,
        help_text="Where the text is from, if it is another author's: a citation, an address. It is shown "
        "with the prompt and published with the judge's grades, as is the SHA-256 of the text.",
    )
    sha256 = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        help_text="If empty, the prompt is built in.",
    )

    objects = PromptQuerySet.as_manager()

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["track", "name", "version"], nulls_distinct=False, name="prompt_version_once"
            ),
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
    def text_sha256(self) -> str:
        """The SHA-256 of the template, as ``sha256sum`` prints it for a file without a trailing line feed."""
        return self.core.text_sha256

    @property
    def core(self) -> CorePrompt:
        """The prompt as an object of ``trackside.judging.prompts``."""
        return CorePrompt(
            name=self.name,
            version=self.version,
            template=self.template,
            answer=self.answer,
            source=self.source,
        )
