"""Wide tables in parts: each has the first column, all others once and in order."""

from __future__ import annotations

import pytest
from django.utils.safestring import SafeString

from evaluation.core.report.tables import Column
from evaluation.reports.sections import ShownTable, TablePart
from evaluation.reports.table_parts import HALF_PAPER, PHONE, part_width, parts_of


def test_a_table_that_fits_is_one_part() -> None:
    columns = [Column("judge"), Column("tau", ".2f")]
    assert parts_of(columns, [[("clip",), ("0.81", "0.60 to 0.92")]]) == [[0, 1]]


def test_columns_of_a_wide_table_are_shared_out_evenly() -> None:
    columns = [Column("judge"), *(Column(f"value {place}", ".2f") for place in range(16))]
    rows = [[("clip",), *[("0.81", "0.60 to 0.92")] * 16]]  # twelve such columns of about 90 px fit a page
    assert parts_of(columns, rows) == [[0, *range(1, 9)], [0, *range(9, 17)]]


@pytest.mark.parametrize("text", ["", "word " * 200, "w" * 500])
def test_every_column_is_in_one_part_whatever_its_width(text: str) -> None:
    columns = [Column("judge"), *(Column(f"text {place}") for place in range(9))]
    parts = parts_of(columns, [[("clip",), *[(text,)] * 9]])
    assert [part[0] for part in parts] == [0] * len(parts)
    assert [place for part in parts for place in part[1:]] == list(range(1, 10))


@pytest.mark.parametrize(
    ("count", "is_wide", "is_slim"), [(1, False, True), (3, True, True), (9, True, False)]
)
def test_width_of_a_part_tells_whether_a_phone_or_half_a_sheet_holds_it(
    count: int, is_wide: bool, is_slim: bool
) -> None:
    columns = [Column("judge"), *(Column(f"value {place}", ".2f") for place in range(count))]
    width = part_width(
        columns, [[("clip",), *[("0.81", "0.60 to 0.92")] * count]]
    )  # 120 px and about 90 px each
    assert (width > PHONE, width < HALF_PAPER) == (is_wide, is_slim)


def test_a_table_without_rows_or_with_one_column_is_one_part() -> None:
    assert parts_of([Column("judge")], []) == [[0]]


@pytest.mark.parametrize(
    ("widths", "frame"),
    [((), ""), ((640,), ""), ((200, 641), "to-48"), ((960,), "to-60"), ((961, 200), "to-74")],
)
def test_frame_turns_rows_into_cards_once_its_widest_part_overflows(
    widths: tuple[float, ...], frame: str
) -> None:
    parts = tuple(TablePart((), SafeString(""), width) for width in widths)
    assert ShownTable("tau", "", parts, 1, ()).frame == frame
