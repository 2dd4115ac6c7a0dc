"""Write docs/measures.md from the list of measures."""

from pathlib import Path

from trackside.measuring.families import FAMILIES

PAGE = Path(__file__).parents[1] / "docs" / "measures.md"
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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
