import re

from trackside.figures.svg.panels import PanelAxes, PanelRun

RUNS = [PanelRun("a", 0.0, 0.5, True), PanelRun("b", 1.0, 0.5, False)]


def _drawn(axes: PanelAxes, runs: list[PanelRun]) -> str:
    return axes.panel_svg(runs, judge="clip", name="panel-1", title="Title", desc="Desc", measure="AP")


def test_marks_are_placed_on_axes_that_all_panels_share() -> None:
    axes = PanelAxes.of([*RUNS, PanelRun("c", 0.5, 1.0, False), PanelRun("d", 0.5, 0.0, False)])
    # Both axes reach from -0.08 to 1.08; 0 and 1 are at 8/116 and 108/116 of 258 px right of 34.
    assert round(axes.across.at(0.0), 1) == 51.8
    svg = _drawn(axes, RUNS)
    assert re.findall("<title>(.*?): people", svg) == ["b", "a"]  # the family's marks lie above
    assert svg.count('class="fam sf"') == svg.count('class="oth sh"') == 1
    assert svg.count('class="id"') == 1


def test_the_line_of_equal_means_is_drawn_only_where_both_axes_hold_it() -> None:
    assert 'class="id"' not in _drawn(
        PanelAxes.of([PanelRun("a", 0.1, 0.8, False), PanelRun("b", 0.2, 0.9, False)]), RUNS
    )
