"""How much of each text field a judge reads, in tokens of its own tokenizer."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from trackside.findings.provenance import FieldSeen, TextsSeen
from trackside.judging.inputs import TextInput


class FieldReading(NamedTuple):
    """One field of one text: its number of tokens, and how many of them the model reads."""

    field: str
    tokens: int
    seen_tokens: int


def read_fields(text: TextInput, counts: Sequence[int], room: int) -> list[FieldReading]:
    """Return how many tokens of each field of a text a model reads.

    ``counts`` are the tokens of each of ``text.fields``, ``room`` is how many tokens fit after the prompt.
    Joined fields share the room in order; fields that are encoded separately have the room each; a text in
    pieces is read whole, unless the prompt leaves no room for one token.
    """
    remaining = max(0, room)
    readings = []
    for (field, _), count in zip(text.fields, counts, strict=True):
        read_count = count if text.is_cut and room > 0 else min(count, remaining)
        readings.append(FieldReading(field, count, read_count))
        if len(text.texts) == 1:
            remaining -= min(read_count, remaining)
    return readings


def sum_readings(texts: Iterable[Sequence[FieldReading]]) -> TextsSeen:
    """Sum the readings of all texts, fields in order of first appearance."""
    items = list(texts)
    by_field: dict[str, list[FieldReading]] = {}
    for reading in (reading for text in items for reading in text):
        by_field.setdefault(reading.field, []).append(reading)
    fields = tuple(
        FieldSeen(
            field,
            texts=len(readings),
            tokens=sum(reading.tokens for reading in readings),
            seen_tokens=sum(reading.seen_tokens for reading in readings),
            never_seen_count=sum(reading.tokens > 0 and reading.seen_tokens == 0 for reading in readings),
        )
        for field, readings in by_field.items()
    )
    cut_count = sum(any(reading.seen_tokens < reading.tokens for reading in text) for text in items)
    return TextsSeen(len(items), cut_count, fields)


def sum_whole_texts(texts: Iterable[Sequence[str]]) -> TextsSeen:
    """Return the sums for a judge that reads every text whole, from the names of each text's fields."""
    items = list(texts)
    names = dict.fromkeys(name for text in items for name in text)
    fields = tuple(FieldSeen(name, sum(name in text for text in items), None, None, 0) for name in names)
    return TextsSeen(len(items), 0, fields)


def unseen_warnings(texts: TextsSeen) -> list[str]:
    """Return a warning for each field that the model skips entirely in more than half of its texts."""
    return [
        f"The judge read no token of the field {seen.field} in {seen.never_seen_count:,} of {seen.texts:,} "
        "texts: the model's limit was reached before it. Use a judge that reads long texts in pieces, or "
        "that reads this field first."
        for seen in texts.fields
        if 2 * seen.never_seen_count > seen.texts
    ]
