"""Pages as they are printed, in Chromium and Firefox."""

import re
import zlib

from playwright.sync_api import Page

from tests.browser.firefox_relay import PRINT

STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
PAGE = re.compile(rb"/Type /Page\b")


def show_as_printed(page: Page) -> None:
    """Apply the rules for paper to the page."""
    page.emulate_media(media="print")
    page.evaluate(PRINT)
    assert page.evaluate("matchMedia('print').matches")


def page_count(pdf: bytes) -> int:
    """Count the pages of a PDF; Firefox compresses what defines them."""
    return sum(len(PAGE.findall(part)) for part in (pdf, *map(_inflated, STREAM.findall(pdf))))


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return b""  # a font or picture, in another format
