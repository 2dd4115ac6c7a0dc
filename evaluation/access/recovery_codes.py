"""Names that landed migrations import from here."""

from evaluation.platform.access.recovery_codes import HASHES, hash_codes

__all__ = ["HASHES", "hash_codes"]
