"""Parses numbers: well-formed decimals fast and exactly, anything else as C's atof and atol do."""

from __future__ import annotations  # polars is imported on first use

import re

import numpy as np
from numpy.typing import NDArray

from trackside.lazy_polars import pl

_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_HEXADECIMAL = re.compile(
    r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?", re.ASCII
)
_SPECIAL = re.compile(r"[+-]?(?:inf(?:inity)?|nan)", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_LONG = 2**63
_LONG_DIGITS = 20  # one more than a 64-bit integer has: more digits are out of range, too


def atof(text: str) -> float:
    """The number at the start of ``text`` as C's atof reads it (also 0x10, inf, nan), else 0."""
    if match := _HEXADECIMAL.match(text):
        return _from_hexadecimal(match[0])
    match = _SPECIAL.match(text) or _DECIMAL.match(text)
    return float(match[0]) if match else 0.0


def _from_hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return -np.inf if text.startswith("-") else np.inf


def atol(text: str) -> int:
    """The whole number at the start of ``text`` as C's atol reads it (clamped to 64 bits), else 0."""
    match = _WHOLE.match(text)
    if not match:
        return 0
    digits = match[0].lstrip("+-").lstrip("0")[:_LONG_DIGITS] or "0"  # Python refuses to read thousands
    number = -int(digits) if match[0].startswith("-") else int(digits)
    return min(max(number, -_LONG), _LONG - 1)


def read_scores(texts: pl.Series) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Scores as doubles, and the positions of those that are not finite decimals (parsed by atof)."""
    scores = texts.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy(writable=True)
    odd = np.flatnonzero(~np.isfinite(scores))
    for index in odd.tolist():
        scores[index] = atof(texts[index])
    return scores, odd


def read_grades(texts: pl.Series) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Grades as integers, and the positions of those that are not whole numbers (parsed by atol)."""
    parsed = texts.cast(pl.Int64, strict=False)
    odd = np.flatnonzero(parsed.is_null().to_numpy())
    grades = parsed.fill_null(0).to_numpy(writable=True)
    for index in odd.tolist():
        grades[index] = atol(texts[index])
    return grades, odd
