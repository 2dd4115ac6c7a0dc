"""Render a figure as PDF with svglib and reportlab, an optional dependency (`trackside[pdf]`)."""

import io

from trackside.errors import InputError
from trackside.figures.svg.charts import standalone


def pdf_of(svg: str) -> bytes:
    """Return one page of the drawing's size; equal drawings give equal bytes. Raises InputError."""
    try:
        from reportlab import rl_config  # of the extra pdf
        from reportlab.graphics import renderPDF
        from svglib.svglib import svg2rlg
    except ImportError:
        raise InputError("PDF needs svglib and reportlab: pip install 'trackside[pdf]'.") from None
    rl_config.invariant = 1  # no date in the file
    # The standard PDF fonts have no glyph for U+2212 (minus sign).
    drawing = svg2rlg(io.BytesIO(standalone(svg).replace("−", "-").encode()))
    content: bytes = renderPDF.drawToString(drawing)
    return content
