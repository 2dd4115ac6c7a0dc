"""Names that landed migrations import from here."""

from evaluation.platform.access.second_factor import decrypt, encrypt, is_readable

__all__ = ["decrypt", "encrypt", "is_readable"]
