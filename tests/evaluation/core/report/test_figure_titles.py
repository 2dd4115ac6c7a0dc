"""Titles of figures agree with their tables and claim nothing more."""

import pytest

from evaluation.core.report.build import build_report
from evaluation.core.report.design import Design
from evaluation.core.report.figure_titles import (
    alike_title,
    by_grade_title,
    depths_title,
    difference_title,
    fullest_title,
    lifted_title,
    power_title,
    precision_title,
    ranking_title,
    scores_title,
    unjudged_title,
    width_title,
    within_topics_title,
)
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Cell, Column, Conclusion, ConclusionCode, Number, Table
from evaluation.core.report.sections.summary.first_figures import order_title
from evaluation.core.statistics.estimate import Reason
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.judged_study import TOPICS, judged_study, people_grades
from tests.evaluation.core.report.study import graded_set, small_study

UNDEFINED = Number(None, Reason.CONSTANT)


def table(columns: dict[str, str], *rows: tuple[Cell, ...]) -> Table:
    return Table("name", "", tuple(Column(*each) for each in columns.items()), rows)


def test_precision_names_the_run_that_no_other_beats_most_often() -> None:
    points = table(
        {"run": "", "0.0": ".4f", "0.5": ".4f", "1.0": ".4f"}, ("a", 0.9, 0.5, 0.1), ("b", 0.9, 0.6, 0.2)
    )
    assert precision_title(points) == "No run has a higher precision than b at 3 of 3 levels of recall"
    assert precision_title(table({"run": "", "0.0": ".4f"}, ("a", None))) == "Precision by recall"


def test_unjudged_names_the_run_with_most_of_them() -> None:
    columns = {"run": "", "unj@10": ".4f"}
    some = table(columns, ("a", 0.25), ("b", 0.4), ("c", None))
    title = unjudged_title(some, "unj@10", 10)
    assert title == "No run has more unjudged results among its first 10 than b: 40 %"
    assert (
        unjudged_title(table(columns, ("a", 0.0)), "unj@10", 10)
        == "Every result among the first 10 is judged"
    )


def test_depths_name_tau_of_the_shallowest_pool() -> None:
    columns = {"measure": "", "depth": "d", "tau with all": "z.2f"}
    depths = table(columns, ("AP", 5, UNDEFINED), ("AP", 10, Number(0.876)), ("AP", 20, Number(1.0)))
    assert depths_title(depths) == "A pool of depth 10 gives a tau of 0.88 with all judgments, by AP"


WIDTHS = {"judge": "", "topics graded": "d", "width with judge": ".4f", "width without": ".4f"}


def test_width_names_the_judge_that_narrows_most_among_those_with_enough_topics() -> None:
    rows = ("clip", 10, 0.3, 0.4), ("llava", 20, 0.1, 0.35), ("few", 10, 0.0, 0.9)
    title = width_title(table(WIDTHS, *rows), "topics graded", {"clip", "llava"})
    assert title == "With 20 topics graded, llava narrows the interval from 0.3500 to 0.1000"


def test_width_claims_nothing_where_no_judge_helps() -> None:
    title = width_title(table(WIDTHS, ("clip", 10, 0.4, 0.4)), "topics graded", {"clip"})
    assert title == "No judge narrows the interval of people's grades"


def test_within_topics_names_the_highest_median_of_the_measure() -> None:
    columns = {"measure": "", "judge": "", "median": "z.2f"}
    taus = table(columns, ("AP", "a", 0.2), ("AP", "b", 0.5), ("AP", "c", None), ("P@5", "a", 0.9))
    title = within_topics_title(taus, "AP", {"a", "b", "c"})
    assert title == "Within topics no judge is nearer to people than b: median tau 0.50"
    assert within_topics_title(taus, "AP", {"c"}) == "tau with people within each topic, AP"


def test_scores_compare_the_highest_median_with_peoples() -> None:
    columns = {"qrels": "", "median, scaled": ".2f"}
    scores = table(columns, ("people", 0.0), ("a", 0.4), ("b", 0.61))
    title = scores_title(scores, "people", {"a", "b"})
    assert title == "The median score of b is at 0.61 of its range, that of people at 0.00"


def test_lifted_names_the_judge_with_most_highest_grades_where_people_gave_the_lowest() -> None:
    columns = {"judge": "", "people": "d", "judge 2, of row": ".0%"}
    rows = ("a", 0, 0.1), ("b", 0, 0.2), ("a", 2, 0.9)
    title = lifted_title(table(columns, *rows), (0, 1, 2), {"a", "b"})
    assert title == "b gives grade 2 to 20 % of the items that people graded 0"


@pytest.mark.parametrize(("mean", "words"), [(0.05, "0.0500 above people"), (-0.05, "0.0500 below people")])
def test_difference_names_its_direction(mean: float, words: str) -> None:
    columns = {"measure": "", "judge": "", "mean difference": "+z.4f"}
    title = difference_title(table(columns, ("AP", "a", Number(mean))), "AP", "a")
    assert title == f"On average a puts AP of a run {words}"


@pytest.mark.parametrize("mean", [0.0, 0.00004, -0.00004])
def test_difference_that_is_shown_as_zero_has_no_direction(mean: float) -> None:
    columns = {"measure": "", "judge": "", "mean difference": "+z.4f"}
    title = difference_title(table(columns, ("AP", "a", Number(mean))), "AP", "a")
    assert title == "On average a puts AP of a run 0.0000 from people"


def test_alike_names_the_pair_with_the_highest_tau() -> None:
    columns = {"measure": "", "one": "", "other": "", "tau": "z.2f"}
    orders = table(columns, ("AP", "people", "a", Number(0.5)), ("AP", "a", "few", Number(0.9)))
    title = alike_title(orders, "AP", {"people", "a"})
    assert title == "No two order the runs more alike by AP than people and a: tau 0.50"


def test_power_compares_the_most_telling_judge_with_people() -> None:
    columns = {"measure": "", "qrels": "", "test": "", "discriminative power": ".1%"}
    rows = ("AP", "people", "t", 0.2), ("AP", "a", "t", 0.35), ("AP", "b", "t", None), ("AP", "a", "u", 0.9)
    title = power_title(table(columns, *rows), "AP", "t", "people", {"a", "b"})
    assert title == "By AP people distinguish 20 % of the pairs of runs, a 35 %"


def test_scores_by_grade_name_both_ends_of_the_scale() -> None:
    columns = {"judge": "", "people": "d", "median": ".3f"}
    scores = table(columns, ("a", 0, 0.2), ("a", 1, 0.3), ("a", 2, 0.55))
    title = by_grade_title(scores, "a", (0, 1, 2))
    assert title == "Median score of a: 0.200 where people grade 0, 0.550 where they grade 2"
    assert by_grade_title(scores, "b", (0, 1, 2)) == "Raw scores of b by people's grade"


def test_the_fullest_bin_is_named() -> None:
    columns = {"judge": "", "from": ".4g", "to": ".4g", "items": ",d"}
    bins = table(columns, ("a", 0.0, 0.5, 3), ("a", 0.5, 1.0, 7), ("b", 0.0, 1.0, 99))
    assert fullest_title(bins, "a") == "a scores 7 of 10 items from 0.5 to 1"


def test_ranking_names_the_largest_area_at_the_level() -> None:
    columns = {"judge": "", "relevant from": "d", "ROC area": ".3f"}
    areas = table(columns, ("a", 1, Number(0.7)), ("b", 1, Number(0.8)), ("a", 2, Number(0.99)))
    assert (
        ranking_title(areas, 1, {"a", "b"}) == "No judge ranks relevant items better than b: ROC area 0.800"
    )


def test_order_does_not_rank_judges_that_look_equal() -> None:
    study = judged_study()
    related: dict[str, Cell] = {"kind": "model", "order": Conclusion(ConclusionCode.OTHER_ORDER, "")}
    records: list[dict[str, Cell]] = [
        {**related, "judge": "llava", "tau": Number(0.601)},
        {**related, "judge": "clip", "tau": Number(0.599)},
    ]
    title = order_title(study, records)
    assert title == "Both judges are equally near to people's order of the runs: tau 0.60"


def test_order_prints_the_tau_that_all_judges_share() -> None:
    """The tau of a judge on few topics is left out: the title does not name that judge."""
    chance = Conclusion(ConclusionCode.CANNOT_TELL, "")
    records: list[dict[str, Cell]] = [
        {"kind": "model", "order": chance, "judge": "llava", "tau": Number(0.101)},
        {"kind": "model", "order": chance, "judge": "clip", "tau": Number(0.099)},
        {
            "kind": "model",
            "order": Conclusion(ConclusionCode.OTHER_ORDER, ""),
            "judge": "few",
            "tau": Number(0.9),
        },
    ]
    title = order_title(judged_study(), records)
    assert title == "Both judges are equally near to people's order of the runs: tau 0.10"


def _ordered(judge: str, tau: float, outcome: ConclusionCode = ConclusionCode.OTHER_ORDER) -> dict[str, Cell]:
    return {"kind": "model", "judge": judge, "order": Conclusion(outcome, ""), "tau": Number(tau)}


def test_order_names_every_judge_that_is_as_near_or_as_far_as_printed() -> None:
    taus = {"clip": 0.804, "llava": 0.796, "gpt": 0.301, "pixtral": 0.299}
    sets = [graded_set(name, people_grades()) for name in ("people", *taus)]
    run = Rankings.from_dict({topic: {"d00": 1.0} for topic in TOPICS}, tag="run")
    study = study_of(Design((0, 1, 2), 1, ("AP",)), None, [run], sets)
    assert order_title(study, [_ordered(*each) for each in taus.items()]) == (
        "clip and llava are nearest to people's order (tau 0.80), gpt and pixtral farthest (0.30)"
    )


def test_order_does_not_name_the_nearest_judge_as_the_farthest() -> None:
    """clip has the higher tau, which could be chance; llava is the nearest whose tau is significant."""
    records = [_ordered("clip", 0.9, ConclusionCode.CANNOT_TELL), _ordered("llava", 0.6)]
    title = order_title(judged_study(), records)
    assert title == "llava is nearest to people's order (tau 0.60) where it can be told"


def test_every_title_of_a_report_has_a_number_unless_its_table_is_empty() -> None:
    """Titles that state a finding hold a number; the others are those for a table without values."""
    plain = ("Every result", "No ", "Whether ", "On average no judge")
    for study in (judged_study(), small_study()):
        for figure in build_report(study, code_version="").figures():
            has_number = any(letter.isdigit() for letter in figure.title)
            assert has_number or figure.title.startswith(plain), (figure.name, figure.title)
