"""Judges to add, and everything else of theirs to read. Django finds the registrations here."""

from judges.admin import budget, job, judge, mapping, prompt, rate

__all__ = ["budget", "job", "judge", "mapping", "prompt", "rate"]
