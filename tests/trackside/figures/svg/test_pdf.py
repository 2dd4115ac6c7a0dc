import sys

import pytest

from trackside.errors import InputError
from trackside.figures.svg.charts import lines_svg, pdf_of

SVG = lines_svg({"a": [(0, 0), (1, 1)]}, {"a": "fam"}, name="n", title="Title", desc="Desc", axes=("x", "y"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what they import
def test_pdf_is_the_same_twice() -> None:
    pytest.importorskip("svglib")
    found = pdf_of(SVG)
    assert found.startswith(b"%PDF")
    assert found == pdf_of(SVG)


def test_pdf_without_its_libraries_shows_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "svglib.svglib", None)
    with pytest.raises(InputError, match=r"pip install 'trackside\[pdf\]'"):
        pdf_of(SVG)
