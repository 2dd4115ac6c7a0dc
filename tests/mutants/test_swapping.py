"""The code of live functions is swapped, also of methods and of frozen objects."""

import gc
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.mutant import Mutant
from tests.mutants.swapping import swapped, swaps_of

SOURCE = """
class Sample:
    def value(self):
        return 1

def value():
    return 1

def many(function):
    def inner():
        return 1 * function()
    return inner

@many
def decorated():
    return 1
"""


@pytest.fixture
def frozen() -> Iterator[None]:
    """Objects are frozen after the test, as they are before it."""
    yield
    gc.freeze()


@pytest.mark.whole
@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize(
    ("before", "values"),
    [
        ("(self):\n        return ", (2, 1, 1)),
        ("value():\n    return ", (1, 2, 1)),
        ("inner():\n        return ", (1, 1, 2)),  # the outer function has returned it before the swap
    ],
)
def test_one_function_is_swapped_and_restored(
    tmp_path: Path, before: str, values: tuple[int, int, int]
) -> None:
    path = tmp_path / "sample.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("sample", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    gc.freeze()
    mutant = Mutant("sample", 1, "", "", SOURCE.replace(f"{before}1", f"{before}2"))
    swaps = swaps_of(mutant, str(path), SOURCE)
    with swapped(swaps):
        assert values_of(module) == values
    assert values_of(module) == (1, 1, 1)


def values_of(module: Any) -> tuple[int, int, int]:
    return module.Sample().value(), module.value(), module.decorated()
