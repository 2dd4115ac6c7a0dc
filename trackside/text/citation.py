"""Citations of test collections."""

ESCAPED = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"})


def bibtex(*, key: str, title: str, year: int, address: str, doi: str = "") -> str:
    """A BibTeX entry of type misc; the title is protected so that it keeps its capitals."""
    fields = {"title": f"{{{title.translate(ESCAPED)}}}", "year": str(year), "url": address}
    if doi:
        fields["doi"] = doi
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{key},", *lines, "}"])
