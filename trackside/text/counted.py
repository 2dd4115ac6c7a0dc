"""Counts with their nouns."""


def counted(count: int, noun: str) -> str:
    """The count with the noun in singular or plural, as "1 topic" or "1,200 topics"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
