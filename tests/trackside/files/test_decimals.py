"""Decimals parsed by whole-array operations, against Python's float, which rounds each correctly."""

import struct
from decimal import Decimal, localcontext

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from trackside.files.numbers import read_decimals

PAD = "x" * 24  # no field starts within three words of the block's start


def parsed(texts: list[str], pad: str = PAD) -> list[float | None]:
    """The doubles, None where odd."""
    raw = pad.encode() + "".join(f" {text}\n" for text in texts).encode()
    codes = np.frombuffer(raw, np.uint8)
    starts, ends = np.flatnonzero(codes == ord(" ")) + 1, np.flatnonzero(codes == ord("\n"))
    found = read_decimals(raw, starts, ends)
    numbers = found.doubles().tolist()
    return [None if odd else number for number, odd in zip(numbers, found.is_odd.tolist(), strict=True)]


def bits(number: float) -> bytes:
    return struct.pack("<d", number)


def halfway(mantissa: int, exponent: int) -> str:
    """The decimal half-way between two neighbouring doubles."""
    with localcontext(prec=100):
        return format(Decimal(2 * mantissa + 1) / 2 * Decimal(2) ** exponent, "f")


halves = st.builds(halfway, st.integers(2**52, 2**53 - 1), st.integers(-4, 4))
digits = st.text("0123456789", min_size=1, max_size=23)
pointed = st.tuples(digits, st.integers(0, 23)).map(
    lambda pair: pair[0][: pair[1]] + "." + pair[0][pair[1] :]
)
short_floats = st.floats(0, 1e6, width=32).map(lambda number: f"{number:.17g}")
decimals = st.one_of(
    digits, pointed, halves, st.floats(0, 1e18).map(repr), st.floats(0, 50).map("{:.6f}".format), short_floats
)
signed = st.tuples(st.sampled_from(["", "-"]), decimals).map("".join)


@given(st.lists(signed, min_size=1, max_size=30), st.integers(0, len(PAD)))
@example(["29.964309692382812", "-0.0", "0", ".5", "5.", "9007199254740993.0", "0.30000000000000004"], 24)
@example(["1799999999999999999", "18446744073709551615", "18446744073709551616", "9" * 23, "9" * 24], 24)
def test_decimals_are_the_nearest_doubles_or_odd(texts: list[str], pad: int) -> None:
    """Also near the block's first byte."""
    for text, number in zip(texts, parsed(texts, PAD[:pad]), strict=True):
        assert number is None or bits(number) == bits(float(text)), text


def test_usual_scores_are_not_odd() -> None:
    texts = ["12.345678", "-3.5", "0", "7", "0.7345678806304932", "29.964309692382812", "123456.789", "0.1"]
    assert parsed(texts) == [float(text) for text in texts]


def test_neighbours_of_a_halfway_case_are_rounded_apart() -> None:
    # 2**53 + 1 lies half-way between two doubles and rounds to the even 2**53; a tenth more or less decides.
    texts = ["9007199254740993.1", "9007199254740992.9", "9007199254740991.0"]
    assert [None if each is None else int(each) for each in parsed(texts)] == [2**53 + 2, 2**53, 2**53 - 1]


def test_what_is_no_plain_decimal_is_odd() -> None:
    texts = [
        "+3",
        "--3",
        "1.2.3",
        "1..2",
        "nan",
        "inf",
        "1e5",
        "0x10",
        "1/2",
        "./5",
        "1./",
        "-",
        ".",
        "-.",
        "1_0",
        "1:",
    ]
    assert parsed(texts) == [None] * len(texts)


def test_more_digits_than_64_bits_are_odd() -> None:
    assert parsed(["9" * 25, "1." + "0" * 23, "0." + "0" * 22 + "1"]) == [None] * 3
