"""Choose the parameters of a test for `make test`; `make test-whole` runs the others."""

from collections.abc import Collection, Iterable

import pytest


def quick_only(values: Iterable[object], quick: Collection[object]) -> list[object]:
    """Return the values as parameters, all marked `whole` but the quick ones."""
    parameters = list(values)
    missing = [each for each in quick if each not in parameters]
    assert not missing, f"not among the parameters: {missing}"
    return [each if each in quick else pytest.param(each, marks=pytest.mark.whole) for each in parameters]
