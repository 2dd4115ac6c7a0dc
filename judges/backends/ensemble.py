"""A judge that is made of other judges: nobody is asked, their scores are combined."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from judges.core.composition import composition_of
from judges.core.judge import Unit
from judges.core.settings import Settings, digest


class Ensemble:
    """A judge whose ``decoding`` is a composition, and whose ``model_revision`` is the digest of that."""

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text", "text-to-text"})
    unit: ClassVar[Unit] = Unit.JUDGES

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with the digest of their members; CompositionRefused for what makes no ensemble."""
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
