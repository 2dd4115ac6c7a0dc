"""Progress callbacks of long steps."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with the steps done, the total steps and a description."""
