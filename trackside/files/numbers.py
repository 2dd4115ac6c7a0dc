"""Parses numbers: plain decimals by whole-array operations, anything else as C's atof and atol do."""

from __future__ import annotations  # polars is imported on first use

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trackside.files.text_columns import WORD, records_at
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


_WORDS = 3
WIDEST = _WORDS * WORD
_MOST_DECIMALS = 22  # 10**22 is the last power of ten that a double holds exactly
_ZEROS, _POINTS = np.uint64(0x3030303030303030), np.uint64(0x1E1E1E1E1E1E1E1E)  # "." is "0" ^ 0x1E
_LOW_BITS, _HIGH_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_HIGH_HALVES, _SIXES = np.uint64(0xF0F0F0F0F0F0F0F0), np.uint64(0x0606060606060606)
_BYTES_AFTER = np.uint64(0x0706050403020100)
_PAIRS = np.uint64(0x000000FF000000FF)
_LAST_BYTES = np.array(
    [[((1 << 64) - 1) << (64 - 8 * min(max(width - WORD * word, 0), WORD)) & ((1 << 64) - 1)
      for width in range(WIDEST + 1)] for word in range(_WORDS)], np.uint64,
)  # fmt: skip
_POWERS = np.array([float(10**places) for places in range(_MOST_DECIMALS + 1)], np.float64)  # all exact
_EXACT = np.uint64(1 << 53)
_HALF_SPLITTER = 134217729.0  # 2**27 + 1 (Dekker 1971)


@dataclass(frozen=True, slots=True)
class Decimals:
    """Numbers as ``mantissas`` / 10**``places``; ``is_negative`` is their sign, ``has_point`` their notation.

    Rows of ``is_odd`` are something else, or have too many digits; their other entries mean nothing.
    """

    mantissas: NDArray[np.uint64]
    places: NDArray[np.int64]
    has_point: NDArray[np.bool_]
    is_negative: NDArray[np.bool_]
    is_odd: NDArray[np.bool_]

    def doubles(self) -> NDArray[np.float64]:
        """The nearest double of each number (ties to even), as strtod returns it. Flags rows as ``is_odd`` if
        the nearest one is not certain.
        """
        powers = _POWERS[self.places]
        high = self.mantissas.astype(np.float64)
        # A quotient of two exact doubles is rounded once (Clinger 1990).
        numbers = high / powers
        if (self.mantissas > _EXACT).any():
            numbers = self._rounded_once(high, powers, numbers)
        return np.where(self.is_negative, -numbers, numbers) if self.is_negative.any() else numbers

    def _rounded_once(
        self, high: NDArray[np.float64], powers: NDArray[np.float64], quotients: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Compute the quotients to twice the precision (Dekker 1971), and round them once."""
        low = (self.mantissas - high.astype(np.uint64)).view(np.int64).astype(np.float64)
        product, error = _product(quotients, powers)
        rests = (((high - product) - error) + low) / powers
        numbers = quotients + rests
        errors = rests - (numbers - quotients)
        # The relative error is below 2**-100. A row is certain if a larger error rounds to the same double.
        np.logical_or(self.is_odd, numbers + errors * (1 + 2.0**-30) != numbers, out=self.is_odd)
        return numbers


def read_decimals(raw: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Decimals:
    """Parse the fields ``raw[start:end]``; digits with at most one point and a minus sign before them."""
    bytes_ = np.frombuffer(raw, np.uint8)
    is_negative = bytes_[starts] == ord("-")
    widths = ends - starts
    if is_negative.any():
        widths = widths - is_negative
    is_odd = (widths < 1) | (widths > WIDEST)
    count = min(-(-int(widths.max(initial=1)) // WORD), _WORDS)
    fields = np.clip(widths, 0, WIDEST)
    words = _last_words(raw, ends, fields, count)
    # Words cannot start before the first byte, so the first rows have wrong words.
    is_odd |= ends < WORD * count
    places, has_point = _without_points(words)
    for word in words:
        is_odd |= ((word | (word + _SIXES)) & _HIGH_HALVES) != 0  # a byte above 9
    is_odd |= (fields == 1) & has_point
    values = [_number(word) for word in words]
    mantissas = values[0]
    for value, power in zip(values[1:], (10**8, 10**16), strict=False):
        if power == 10**16:
            is_odd |= value >= np.uint64(1800)  # more than 64 bits
        mantissas = mantissas + value * np.uint64(power)
    is_odd |= places > _MOST_DECIMALS
    mantissas[is_odd] = 0
    return Decimals(mantissas, np.minimum(places, _MOST_DECIMALS), has_point, is_negative, is_odd)


def _last_words(
    raw: bytes, ends: NDArray[np.int64], widths: NDArray[np.int64], count: int
) -> list[NDArray[np.uint64]]:
    """The last eight digits of each field, the eight before, ..., one byte each, padded with zeros."""
    words = []
    width = count * WORD
    raw = raw if len(raw) >= width else raw + bytes(width)
    table = records_at(raw, np.maximum(ends - width, 0), width).view("<u8").reshape(len(ends), count)
    for word, column in enumerate(reversed(table.T)):
        digits = column ^ _ZEROS
        digits &= _LAST_BYTES[word][widths]
        words.append(digits)
    return words


def _without_points(words: list[NDArray[np.uint64]]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Remove the first point of each field, in place: the digits before it move up by one byte.

    Returns the number of digits after the point, and whether there is one. A second point makes a field odd.
    """
    places = np.zeros(len(words[0]), np.int64)
    has_point = np.zeros(len(words[0]), np.bool_)
    for index, word in enumerate(words):
        rest = word ^ _POINTS
        flags = (rest - _LOW_BITS) & ~rest & _HIGH_BITS
        point = (flags & (~flags + np.uint64(1))) >> np.uint64(7)  # the lowest flag; those above may be false
        is_here = point != 0
        places += np.where(
            is_here, ((point * _BYTES_AFTER) >> np.uint64(56)).view(np.int64) + WORD * index, 0
        )
        has_point |= is_here
        moved = np.where(has_point, (point << np.uint64(8)) - np.uint64(1), np.uint64(0))
        before = words[index + 1] if index + 1 < len(words) else np.uint64(0)
        word ^= (word ^ ((word << np.uint64(8)) | (before >> np.uint64(56)))) & moved
    return places, has_point


def _number(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The number of eight digits, the first in the lowest byte: by pairs, then fours, then all eight."""
    digits = word * np.uint64(10) + (word >> np.uint64(8))
    high = (digits & _PAIRS) * np.uint64(100 + (1_000_000 << 32))
    low = ((digits >> np.uint64(16)) & _PAIRS) * np.uint64(1 + (10_000 << 32))
    return (high + low) >> np.uint64(32)


def _product(
    one: NDArray[np.float64], other: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The product and its rounding error, exactly (Dekker 1971)."""
    product = one * other
    one_high, one_low = _halves(one)
    other_high, other_low = _halves(other)
    error = one_low * other_low - (
        ((product - one_high * other_high) - one_low * other_high) - one_high * other_low
    )
    return product, error


def _halves(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    scaled = numbers * _HALF_SPLITTER
    high = scaled - (scaled - numbers)
    return high, numbers - high
