"""Renders organizers' Markdown as safe HTML.

The policy: raw HTML is shown as text. Links go only to http, https and mailto, and send no referrer. Pictures
are shown from this site only; others are replaced by their alternative text, so that no other server learns
who reads the page. Headings rank below those of the page.
"""

import re
from functools import cache

import nh3
from markdown_it import MarkdownIt

TAGS = {
    *("a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "s", "strong", "ul"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "img"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "img": {"src", "alt"}}
OWN_PICTURE = re.compile(r"/images/[0-9a-f]{64}/display")
SCHEMES = {"http", "https", "mailto"}
HIGHEST = 3  # h1 and h2 are the titles of page and section
LOWEST = 6


def markdown_html(text: str) -> str:
    """The text as HTML with only the elements above."""
    tokens = _reader().parse(text)
    levels = sorted({token.tag for token in tokens if token.type == "heading_open"})
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(HIGHEST + levels.index(token.tag), LOWEST)}"
        for child in token.children or []:
            if child.type == "image" and not OWN_PICTURE.fullmatch(str(child.attrGet("src"))):
                child.type, child.tag = "text", ""
    html: str = _reader().renderer.render(tokens, _reader().options, {})
    return nh3.clean(
        html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel="noopener noreferrer nofollow"
    )


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
