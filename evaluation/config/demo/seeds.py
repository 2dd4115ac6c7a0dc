"""Randomness that follows from names, so that no draw depends on how many were made before it."""

import random


def rng_of(*parts: str | int) -> random.Random:
    """Give the random generator of the thing these parts name.

    Python seeds from a text by SHA-512, so the generator is the same in every process and whatever
    PYTHONHASHSEED is.
    """
    return random.Random("/".join(str(part) for part in parts))  # noqa: S311 - a drawn world keeps no secret
