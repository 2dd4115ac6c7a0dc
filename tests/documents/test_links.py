"""Links between the documents, and the documents' form."""

import re

from tests.documents.markdown import ROOT, Document, document, documents

DECISIONS = ROOT / "docs" / "decisions"


def test_links_lead_somewhere() -> None:
    for shown, link in ((each, link) for each in documents() for link in each.links()):
        name, _, anchor = link.partition("#")
        target = (shown.path.parent / name).resolve() if name else shown.path
        assert target.exists(), f"{shown}: {link}"
        if anchor:
            assert anchor in Document(target).anchors(), f"{shown}: {link}"


def test_links_are_found_and_checked() -> None:
    """Without this, a change of the pattern could leave nothing to check."""
    readme = document("README.md")
    assert len(readme.links()) > 15
    assert "docs/pictures/report.webp" in readme.links()
    assert "adding-a-judge" in document("docs/judges.md").anchors()


def test_readme_leads_to_every_document() -> None:
    """To those of docs/ itself; the decisions have an index."""
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in document("README.md").links()}
    missing = {str(each) for each in documents() if each.path.parent == ROOT / "docs"} - {
        str(path.relative_to(ROOT)) for path in linked
    }
    assert missing == set()


def test_index_lists_every_decision_once() -> None:
    index = (DECISIONS / "README.md").read_text()
    listed = sorted(
        re.findall(r"^- \[(\d{4})\]\((\S+)\) (.+?)(?: \(superseded by \d+\))?$", index, re.MULTILINE)
    )
    files = sorted(path for path in DECISIONS.glob("*.md") if path.name != "README.md")
    assert [name for _, name, _ in listed] == [path.name for path in files]
    for (number, _, title), path in zip(listed, files, strict=True):
        assert path.name.startswith(f"{number}-")
        assert path.read_text().startswith(f"# {number} {title}\n")
