"""Families of runs: every cell is the finding's, and the figure has a row for each judge."""

import numpy as np

from tests.simulations.takes import Setting, favoured_track
from tests.trackside.reporting.judged_study import judged_study
from tests.trackside.reporting.two_runs import rows_of, value_of
from trackside.reporting.build import build_report


def test_rows_are_the_findings_of_every_measure_and_family() -> None:
    report = build_report(judged_study(), code_version="1")
    rows = {(row["measure"], row["judge"], row["family"]): row for row in rows_of(judged_study(), "families")}
    assert len(rows) == 2 * 3 * 2
    for judge in report.judges:
        for finding in judge.families:
            row = rows[finding.measure, judge.name, finding.family]
            assert value_of(row["excess, points"]) == finding.excess
            assert (row["p"], row["p, Holm"]) == (finding.p, finding.p_holm)
            assert row["Delta by people, %"] == finding.people_delta
            assert row["verdict"] == finding.verdict.replace("_", " ")
            assert row["in general"] == finding.general.verdict.replace("_", " ")


def test_tipping_point_names_how_many_errors_of_how_many_results() -> None:
    report = build_report(judged_study(), code_version="1")
    first = report.judges[0].families[0]
    assert first.tipping
    assert first.tipping.candidate_count
    row = next(row for row in rows_of(judged_study(), "families") if row["tipping point"])
    fewest = "more than all" if first.tipping.fewest is None else f"{first.tipping.fewest:,}"
    assert row["tipping point"] == f"{fewest} of {first.tipping.candidate_count:,}"


def test_people_who_would_have_to_err_are_in_the_row_where_the_second_assessor_can_tell() -> None:
    track = favoured_track(Setting(favour=0.5), np.random.default_rng(3))
    (finding,) = build_report(track.study, code_version="1").judges[0].families
    (row,) = rows_of(track.study, "families")
    assert finding.takes
    assert (row["people too low, grades"], row["at least"]) == (finding.takes.too_low, finding.takes.at_least)
    assert (finding.takes.at_least or 0.0) > 0
    assert row["tipping point"] is None


def test_figure_of_each_measure_and_family_has_every_judge_and_the_margin() -> None:
    report = build_report(judged_study(), code_version="1")
    figures = [figure for figure in report.figures() if figure.table == "families"]
    assert {(figure.measure, figure.family) for figure in figures} == {
        (measure, family) for measure in ("nDCG@5", "AP") for family in ("CLIP-based", "text")
    }
    for figure in figures:
        assert 'class="band"' in figure.svg
        assert all(f"<title>{judge.name}: " in figure.svg for judge in report.judges)
