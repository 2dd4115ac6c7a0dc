"""Names that landed migrations import from here."""

from evaluation.platform.access.schema.names import FoldedField

__all__ = ["FoldedField"]
