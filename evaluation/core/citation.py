"""How a test collection is cited."""

from __future__ import annotations

ESCAPED = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"})


def bibtex(*, key: str, title: str, year: int, address: str, doi: str = "") -> str:
    """A BibTeX entry of the kind misc, whose title keeps its capitals."""
    fields = {"title": f"{{{title.translate(ESCAPED)}}}", "year": str(year), "url": address}
    if doi:
        fields["doi"] = doi
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{key},", *lines, "}"])
