"""Texts and tables in LaTeX."""

from collections.abc import Iterator, Sequence

_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"−": "$-$", "–": "--"}
)


def latex_escaped(text: str) -> str:
    """The text with LaTeX's special characters escaped."""
    return text.translate(_SPECIAL)


def booktabs(rows: Sequence[Sequence[str]], columns: str, *, comment: str) -> Iterator[str]:
    """Lines of a tabular with rules of booktabs; the first row is the header, ``columns`` aligns them."""
    header, *body = [" & ".join(map(latex_escaped, row)) + r" \\" for row in rows]
    yield f"% {' '.join(comment.split())}"
    yield r"% needs \usepackage{booktabs}"
    yield f"\\begin{{tabular}}{{{columns}}}"
    yield from (r"\toprule", header, r"\midrule", *body, r"\bottomrule", r"\end{tabular}")


def bibtex(*, key: str, title: str, year: int, address: str, doi: str = "") -> str:
    """A BibTeX entry of type misc; the title is protected so that it keeps its capitals."""
    # BibTeX counts every brace, an escaped one too.
    whole = latex_escaped(title).replace(r"\{", r"\textbraceleft ").replace(r"\}", r"\textbraceright ")
    fields = {"title": f"{{{whole}}}", "year": str(year), "url": address}
    if doi:
        fields["doi"] = doi
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{key},", *lines, "}"])
