"""Write the table of Student's quantiles that spares a command the import of scipy."""

from pathlib import Path
from textwrap import wrap

from scipy.special import stdtrit

MODULE = Path(__file__).parents[1] / "trackside" / "uncertainty" / "student.py"
MOST_FREEDOM = 250
HEAD = '''"""Student's quantiles of 95 % intervals, which `tools/student.py` wrote with scipy.

QUANTILES[n] is the quantile of n degrees of freedom, QUANTILES[0] the normal's (infinite freedom).
"""

QUANTILES = (
'''


def module() -> str:
    """The module as Python."""
    freedoms = [float("inf"), *map(float, range(1, MOST_FREEDOM + 1))]
    numbers = ", ".join(repr(float(stdtrit(freedom, 0.975))) for freedom in freedoms)
    lines = "".join(f"    {line}\n" for line in wrap(numbers, 106))
    return f"{HEAD}{lines})  # fmt: skip\n"


if __name__ == "__main__":
    MODULE.write_text(module(), encoding="utf-8")
