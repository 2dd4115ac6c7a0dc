from html.parser import HTMLParser

import pytest

from trackside.text.markdown import markdown_html


class Elements(HTMLParser):
    """Collects the elements that a browser would find, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def test_markdown_html_has_lists_tables_and_links() -> None:
    html = markdown_html("* one\n\n[rules](https://example.org/rules)\n\n| a |\n| - |\n| 1 |\n")
    assert "<li>one</li>" in html
    assert '<a href="https://example.org/rules" rel="noopener noreferrer nofollow">rules</a>' in html
    assert "<td>1</td>" in html


def test_markdown_html_puts_headings_below_the_page_s_own() -> None:
    html = markdown_html("## Dates\n\n#### Close\n\n# Late\n")
    assert ("<h4>Dates</h4>" in html, "<h5>Close</h5>" in html, "<h3>Late</h3>" in html) == (True,) * 3


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "<img src=x onerror=alert(1)>",
        "<a href='https://e.org' onclick='alert(1)' style='x'>x</a>",
        '[x](https://e.org "a" onclick="alert(1)")',
        "<iframe src=//e.org></iframe>",
    ],
)
def test_markdown_html_removes_scripts_and_styles(text: str) -> None:
    found = Elements()
    found.feed(markdown_html(text))
    assert {tag for tag, _ in found.elements} <= {"p", "a"}
    for _, attributes in found.elements:
        assert attributes.keys() <= {"href", "title", "rel"}
        assert attributes.get("href") in (None, "https://e.org")


def test_markdown_html_leaves_pictures_out_and_keeps_their_words() -> None:
    html = markdown_html("Before ![a tarn](https://example.org/tarn.png) after")
    assert html == "<p>Before a tarn after</p>\n"
