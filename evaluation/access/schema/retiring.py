"""Names that landed migrations import from here."""

from evaluation.platform.access.schema.retiring import retired_rows

__all__ = ["retired_rows"]
