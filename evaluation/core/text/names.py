"""Names that landed migrations import from here; the functions are in the library."""

from trackside.text.names import HIDDEN, folded

__all__ = ["HIDDEN", "folded"]
