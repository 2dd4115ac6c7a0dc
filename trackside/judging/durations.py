"""Durations of jobs in words."""

from datetime import timedelta


def duration_words(duration: timedelta) -> str:
    """Format a duration in its two largest units: "2 d 5 h", "3 h 20 min", "4 min 10 s", "8 s"."""
    seconds = max(0, round(duration.total_seconds()))
    units = (
        ("d", seconds // 86_400),
        ("h", seconds // 3600 % 24),
        ("min", seconds // 60 % 60),
        ("s", seconds % 60),
    )
    first = next((index for index, (_, count) in enumerate(units) if count), len(units) - 1)
    return " ".join(f"{count} {unit}" for unit, count in units[first : first + 2] if count) or "0 s"
