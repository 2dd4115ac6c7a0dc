"""Markdown that organizers write, as HTML that is safe to show.

The policy: raw HTML shows as the text it is. Links lead to http, https and mailto only and tell the page they
lead to nothing of the reader. Pictures are left out and their words kept, so that no other server learns who
reads; a picture can be linked to. Headings go below those of the page.
"""

from __future__ import annotations

from functools import cache

import nh3
from markdown_it import MarkdownIt

TAGS = {
    *("a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "s", "strong", "ul"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
HIGHEST = 3  # the page has its title and the section's above
LOWEST = 6


def markdown_html(text: str) -> str:
    """The text as HTML of the elements above, and nothing else."""
    tokens = _reader().parse(text)
    levels = sorted({token.tag for token in tokens if token.type == "heading_open"})
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(HIGHEST + levels.index(token.tag), LOWEST)}"
        for child in token.children or []:
            if child.type == "image":
                child.type, child.tag = "text", ""
    html: str = _reader().renderer.render(tokens, _reader().options, {})
    return nh3.clean(
        html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel="noopener noreferrer nofollow"
    )


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
