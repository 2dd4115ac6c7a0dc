"""A tiny CLIP, trained here."""

from tests.judges.conftest import tiny_clip

__all__ = ["tiny_clip"]
