"""Argument types for numbers; argparse rejects bad values before any work starts."""

import argparse
from collections.abc import Callable


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A parser of whole numbers from ``least`` to ``most``, for argparse's ``type``."""

    def read(text: str) -> int:
        is_number = text.isascii() and text.isdigit()
        if not is_number or int(text) < least or (most is not None and int(text) > most):
            bounds = f"from {least} up" if most is None else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"'{text}': give a whole number {bounds}")
        return int(text)

    return read
