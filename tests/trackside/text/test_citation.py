from trackside.text.citation import bibtex


def test_bibtex_keeps_capitals_and_escapes_what_tex_reads() -> None:
    entry = bibtex(
        key="atomic-2026", title="R&D: 5 % of AToMiC_1", year=2026, address="https://e.org", doi="10.5281/z.1"
    )
    assert entry == (
        "@misc{atomic-2026,\n"
        "  title = {{R\\&D: 5 \\% of AToMiC\\_1}},\n"
        "  year = {2026},\n"
        "  url = {https://e.org},\n"
        "  doi = {10.5281/z.1},\n"
        "}"
    )


def test_bibtex_leaves_out_a_missing_doi() -> None:
    assert "doi" not in bibtex(key="k", title="T", year=2026, address="https://e.org")
