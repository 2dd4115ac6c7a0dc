"""Random generators seeded by names, so that no draw depends on earlier draws."""

import random

SEED = 1
"""The seed of the demo's track and models."""


def rng_of(*parts: str | int) -> random.Random:
    """Return the random generator for the name made of these parts.

    Python seeds from a text by SHA-512, so the generator is the same in every process, independent of
    PYTHONHASHSEED.
    """
    return random.Random("/".join(str(part) for part in parts))  # noqa: S311 - not used for secrets
