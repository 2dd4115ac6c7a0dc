"""A judge that combines the scores of other judges; it sends no requests."""

from dataclasses import replace
from typing import ClassVar

from trackside.judging.ensembles import composition_of
from trackside.judging.judge import EVERY_KIND, Unit
from trackside.judging.settings import Settings, digest


class Ensemble:
    """A judge whose ``decoding`` is a composition and whose ``model_revision`` is its digest."""

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.JUDGES
    refuses_long_texts: ClassVar[bool] = False

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with the digest of their members; composition-refused if they are invalid."""
        composition = composition_of(settings.decoding).checked()
        return replace(
            settings,
            revision=cls.revision,
            model=f"{composition.rule} of {len(composition.members)} judges",
            model_revision=digest(composition.decoding),
            dtype="",
            image_size="",
            long_text="",
            decoding=composition.decoding,
        )
