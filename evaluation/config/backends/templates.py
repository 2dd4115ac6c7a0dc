"""A template loader that removes indentation: sources are indented for readers, pages are sent without."""

import re

from django.template import Origin
from django.template.loaders import filesystem

BLOCKS = (
    "article|aside|body|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|html|"
    "legend|li|link|main|meta|nav|ol|option|p|section|summary|table|tbody|td|th|thead|title|tr|ul"
)  # elements beside which browsers never show white space
VERBATIM = re.compile(r"(<(?:pre|textarea)[\s>].*?</(?:pre|textarea)>)", re.DOTALL)
BREAK_IN_TAG = re.compile(r"\s*\n\s*(?=/?>)")
BREAK_AFTER_BLOCK = re.compile(rf"(</?(?:{BLOCKS})(?=[\s>])(?:{{%.*?%}}|[^>])*>)\s*\n\s*")
BREAK_BEFORE_BLOCK = re.compile(rf"\s*\n\s*(?=</?(?:{BLOCKS})[\s>])")
BREAK = re.compile(r"\s*\n\s*")


class Loader(filesystem.Loader):
    """Read HTML templates without their line breaks and indentation.

    Browsers show the same page. With DEBUG the source stays as it is, so that error pages show its lines.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the source that is compiled."""
        contents = super().get_contents(origin)
        if self.engine.debug or not origin.name.endswith(".html"):
            return contents
        return collapse_breaks(contents)


def collapse_breaks(html: str) -> str:
    """Replace line breaks and indentation by one space; remove them beside blocks and before a tag's end.

    The content of ``pre`` and ``textarea`` stays.
    """
    parts = VERBATIM.split(html)
    parts[::2] = [_collapse(part) for part in parts[::2]]
    return "".join(parts)


def _collapse(html: str) -> str:
    html = BREAK_IN_TAG.sub("", html)
    html = BREAK_BEFORE_BLOCK.sub("", BREAK_AFTER_BLOCK.sub(r"\1", html))
    return BREAK.sub(" ", html)
