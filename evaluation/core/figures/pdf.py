"""A figure as PDF, by svglib and reportlab: an extra, for they are in no other way needed."""

from __future__ import annotations

import io

from evaluation.core.errors import InputError
from evaluation.core.figures.svg import standalone


class PdfNotInstalled(InputError):
    """svglib and reportlab are not there."""


def pdf_of(svg: str) -> bytes:
    """One page as large as the drawing; the same bytes for the same drawing. Raises PdfNotInstalled."""
    try:
        from reportlab import rl_config
        from reportlab.graphics import renderPDF
        from svglib.svglib import svg2rlg
    except ImportError:
        raise PdfNotInstalled("PDF needs svglib and reportlab: pip install 'trackside[pdf]'.") from None
    rl_config.invariant = 1  # no date in the file
    # The fonts that every PDF reader has know no true minus.
    drawing = svg2rlg(io.BytesIO(standalone(svg).replace("−", "-").encode()))
    content: bytes = renderPDF.drawToString(drawing)
    return content
