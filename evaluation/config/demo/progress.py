"""How a long step says how far it is."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with the steps done, the steps in all and what is being done."""


def silent(_done: int, _total: int, _text: str) -> None:
    """Say nothing."""
