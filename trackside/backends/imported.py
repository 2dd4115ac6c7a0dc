"""Scores of an external judge, imported from a file, and ensembles of earlier releases."""

from dataclasses import replace
from typing import ClassVar

from trackside.errors import InputError
from trackside.judging.judge import EVERY_KIND, Unit
from trackside.judging.settings import Settings


class Imported:
    """A judge with scores from a file; ``model_revision`` is the file's SHA-256, ``model`` its name."""

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.FILE
    refuses_long_texts: ClassVar[bool] = False

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with the backend's revision; scores-refused without the hash of a file."""
        if not settings.model_revision:
            raise InputError(
                "An imported judge comes with its file: upload the scores on the task's page.",
                code="scores-refused",
            )
        return replace(settings, revision=cls.revision)


class Ensemble(Imported):
    """A judge of an earlier release that combined other judges: its scores stay, and no job can start."""

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Raise scores-refused: a new one is a file of ``trackside vote``."""
        raise InputError(
            "Combine the grades of judges by `trackside vote`, and import the file as scores.",
            code="scores-refused",
        )
