"""Write docs/measures.md, and the names in the help of `trackside score`, from the list of measures."""

from pathlib import Path
from textwrap import wrap

from trackside.measuring.families import FAMILIES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "measures.md"
MODULE = ROOT / "trackside" / "cli" / "files" / "measure_names.py"
HEAD = """# Measures

`@k` is a number of results and `@x` a share of recall or of R; a name needs them where the first column has
them. Parameters go in parentheses, before a cutoff: `nDCG(1=1,2=3)@10`; each is shown with its default.
Every measure also takes `judged_only=yes`, which drops results without a grade. `rel` is the lowest
relevant grade. The last column is what tests compare the values with. `python tools/measures.py` writes
this page from `trackside/measuring/families.py`; packages [add
measures](library.md#add-a-measure-or-a-judge) by entry points.

| name | what it is | parameters | source | compared with |
| --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The page as Markdown."""
    rows = (family.facts().values() for family in FAMILIES)
    return HEAD + "".join(f"| {' | '.join(text.replace('|', '/') for text in row)} |\n" for row in rows)


def module() -> str:
    """The names as Python, which loads no measure and no numpy."""
    names = ", ".join(f'"{name}"' for name in sorted(family.full_name for family in FAMILIES))
    lines = "".join(f"    {line}\n" for line in wrap(f"{names},", 106))
    head = '"""The names of the built-in measures, which `tools/measures.py` wrote."""'
    return f"{head}\n\nNAMES = (\n{lines})  # fmt: skip\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    MODULE.write_text(module(), encoding="utf-8")
