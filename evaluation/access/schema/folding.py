"""Names that landed migrations import from here."""

from evaluation.platform.access.schema.folding import Normalized

__all__ = ["Normalized"]
