"""The table of uses: what a reader sees of a judge follows from this judge alone, and never from a lack."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.evaluation.made_uses import made_uses
from tests.simulations.made import CONFUSIONS, chances_of, made_track
from tests.simulations.studies import drawn_grades
from tests.trackside.reporting.views.made import findings, judge, leader, order
from trackside.findings.use_results import USES, AssayFinding, HardlyGraded, Relation, UseCode, Uses
from trackside.reporting.build import build_report
from trackside.reporting.findings import Findings
from trackside.reporting.views.first_page import first_page, judge_in_paper
from trackside.reporting.views.lead import MOST_CHARACTERS, lead
from trackside.reporting.views.uses import WORDS, use_row
from trackside.reporting.writers.files import latex_table
from trackside.statistics.estimate import Reason

CODES = ("as_people", "differs", "open")


def coded(*codes: str, **changed: Any) -> Uses:
    """The uses with these codes, in the order of the columns."""
    uses = made_uses(**changed)
    given = {
        name: replace(getattr(uses, name), code=type(uses.rank.code)(code))
        for name, code in zip(USES, codes, strict=True)
    }
    return replace(uses, **given)


def said(*uses: Uses) -> str:
    judges = (judge(f"judge{number}", uses=of_judge) for number, of_judge in enumerate(uses))
    return lead(findings(*judges), "nDCG@10")


@pytest.mark.parametrize("seed", range(4))
def test_texts_of_a_judge_are_the_same_alone_and_among_others(seed: int) -> None:
    """Row, sentence, paragraph, LaTeX row and drawings, on made tracks of random shape."""
    rng = np.random.default_rng([seed, 4])
    made = made_track(rng, teams=int(rng.integers(3, 9)), topics=int(rng.integers(12, 30)))
    names = rng.choice(list(CONFUSIONS), 3)
    models = [
        drawn_grades(rng, chances_of(rng, name, made.truth, made.track.topic_of_pair)) for name in names
    ]
    models[0][rng.random(made.truth.size) < 0.02] = -1
    second = np.where(rng.random(made.truth.size) < 0.3, made.truth, -1)
    alone, among = (
        build_report(made.track.study(made.truth, of_study, second=second, replicates=100), code_version="x")
        for of_study in (models[:1], models)
    )
    assert use_row(alone, alone.judges[0]) == use_row(among, among.judges[0])
    assert judge_in_paper(use_row(alone, alone.judges[0])) in first_page(among).paragraph
    row = next(line for line in latex_table(first_page(alone)).splitlines() if line.startswith("model 1"))
    assert row in latex_table(first_page(among)).splitlines()


def without(report: Findings) -> list[str]:
    return [use.code for _, use in report.judges[0].uses.named()]


@pytest.mark.parametrize("seed", range(6))
def test_no_code_becomes_as_people_without_a_second_assessor_or_families(seed: int) -> None:
    rng = np.random.default_rng([seed, 5])
    made = made_track(rng, teams=5, topics=25)
    name = list(CONFUSIONS)[seed % len(CONFUSIONS)]
    model = drawn_grades(rng, chances_of(rng, name, made.truth, made.track.topic_of_pair))
    second = drawn_grades(rng, chances_of(rng, "careful", made.truth, made.track.topic_of_pair))
    whole = build_report(
        made.track.study(made.truth, [model], second=second, replicates=100), code_version="x"
    )
    alone = build_report(made.track.study(made.truth, [model], replicates=100), code_version="x")
    undeclared = build_report(
        made.track.declaring({}).study(made.truth, [model], second=second, replicates=100), code_version="x"
    )
    for before, after in zip(without(whole), without(alone), strict=True):
        assert after in (before, "open")
    for name, before, after in zip(USES, without(whole), without(undeclared), strict=True):
        assert after in (before, "open"), name


def test_each_code_has_its_word_and_mark_and_people_have_none() -> None:
    report = findings(judge(uses=coded("as_people", "differs", "open", "open", "differs")))
    row = use_row(report, report.judges[0])
    assert [cell.word for cell in row.cells] == [WORDS[cell.code] for cell in row.cells if cell.code]
    assert len(set(WORDS.values())) == len(WORDS)
    people = use_row(report, report.yardsticks[0])
    assert {(cell.word, cell.code) for cell in people.cells} == {("", None)}


def test_gaps_that_decide_every_use_take_one_sentence() -> None:
    uses = coded(*["open"] * 5, gap_count=8, gaps_decide=USES)
    row = use_row(findings(judge(uses=uses)), judge(uses=uses))
    assert "8 results without a grade" in row.whole
    assert row.graded == "30 of 38 results graded"


def test_a_judge_whose_missing_grades_decide_its_order_leads_nothing() -> None:
    """By its few grades it has the highest tau."""
    sure = coded(*["open"] * 5, gap_count=8, gaps_decide=USES)
    sure = replace(sure, rank=replace(sure.rank, tau=1.0))
    whole = coded(*["differs"] * 5)
    whole = replace(whole, rank=replace(whole.rank, tau=0.4))
    mute = replace(whole, rank=replace(whole.rank, tau=None))
    page = first_page(
        findings(judge("mute", uses=mute), judge("sure", uses=sure), judge("whole", uses=whole))
    )
    assert [row.name for row in page.judges] == ["whole", "sure", "mute"]


def test_gaps_that_decide_one_use_are_named_there() -> None:
    uses = coded("open", "open", "differs", "open", "differs", gap_count=8, gaps_decide=("best",))
    uses = replace(uses, best=replace(uses.best, reason=Reason.GAPS))
    row = use_row(findings(judge(uses=uses)), judge(uses=uses))
    assert not row.whole
    assert "left 8 without a grade" in row.cells[1].says
    assert row.graded == "30 of 38 results graded; the numbers are of these"


def test_no_relation_stands_beside_the_pairs_that_are_told_apart() -> None:
    uses = made_uses()
    uses = replace(uses, rank=replace(uses.rank, relation=Relation.NOT_SHOWN))
    row = use_row(findings(judge(uses=uses)), judge(uses=uses))
    assert "as with its grades shuffled" in row.cells[0].says
    assert "8 reversed" in row.cells[0].says
    assert "in people's order" not in row.cells[0].says


def test_below_five_runs_no_order_is_spoken_of() -> None:
    uses = made_uses(run_count=4)
    row = use_row(findings(judge(uses=uses)), judge(uses=uses))
    assert "tau" not in row.cells[0].says
    assert "52 kept" in row.cells[0].says


def test_runs_that_people_hardly_graded_are_named_with_the_cutoff_that_keeps_most() -> None:
    report = findings(judge())
    hardly = HardlyGraded(
        measure="Judged@10", runs=("r01", "r02"), shares=(0.4, 0.5), kept_by="nDCG@5", kept_count=16
    )
    page = first_page(replace(report, facts=replace(report.facts, hardly_graded=hardly)))
    assert any("nDCG@5 would keep 16 of 16 runs" in note for note in page.notes)


def test_lead_names_what_may_be_done_and_what_no_judge_is_shown_to_do() -> None:
    words = said(coded("differs", "as_people", "as_people", "open", "differs"), coded(*["differs"] * 5))
    assert words.startswith("judge0 finds the best run and treats families alike.")
    assert "No judge is shown to rank these runs as people do, serve for tuning or label results" in words


def test_lead_names_each_use_that_a_judge_has_where_not_every_judge_fits() -> None:
    """A judge with fewer uses than the first is named for the use that the first has not."""
    many, ranking, families = (
        coded("open", "as_people", "as_people", "as_people", "differs"),
        coded("as_people", "open", "as_people", "open", "differs"),
        coded("open", "open", "as_people", "open", "differs"),
    )
    words = said(many, ranking, families, families, coded(*["open"] * 5))
    assert "judge0 finds the best run, treats families alike and serves for tuning." in words
    assert "judge1 ranks these runs as people do." in words
    assert "Cannot tell for any use: judge4." in words


def test_lead_says_who_cannot_be_told() -> None:
    words = said(coded("as_people", *["open"] * 4), coded(*["open"] * 5))
    assert "Cannot tell for any use: judge1." in words


def test_lead_says_that_people_do_not_agree() -> None:
    report = findings(judge(uses=coded(*["open"] * 5)))
    assay = AssayFinding(kappa=0.18, low=0.1, high=0.26, lower=0.11, reason=None)
    words = lead(replace(report, facts=replace(report.facts, assay=assay)), "nDCG@10")
    assert words.startswith("People agree with each other only with kappa .18 (.10 to .26).")


@pytest.mark.parametrize("count", [1, 2, 5, 20])
@pytest.mark.parametrize("length", [5, 60])
def test_lead_has_at_most_240_characters(count: int, length: int) -> None:
    rng = np.random.default_rng([count, length])
    judges = [
        judge(f"{number:02}".ljust(length, "x"), uses=coded(*rng.choice(CODES, 5))) for number in range(count)
    ]
    assert 0 < len(lead(findings(*judges), "nDCG@10")) <= MOST_CHARACTERS


def test_teams_that_are_not_declared_are_not_counted() -> None:
    report = findings(judge(order=order(teams=0)))
    runs = tuple(replace(run, team="") for run in report.facts.runs)
    page = first_page(replace(report, facts=replace(report.facts, runs=runs)))
    assert "Teams are not declared" in page.limit
    assert "teams not declared" in page.paragraph
    assert "16 teams" not in page.paragraph + page.limit


def test_numbers_stay_where_missing_grades_decide_one_of_several_open_uses() -> None:
    """A judge of chance that left one pair is not said to be undecided because of that pair."""
    uses = coded(*["open"] * 5, gap_count=1, gaps_decide=("families",))
    row = use_row(findings(judge(uses=uses)), judge(uses=uses))
    assert not row.whole
    assert "tau .81" in row.cells[0].says


def test_a_second_assessor_has_no_forecast() -> None:
    """Without a verdict there is nothing that more topics would tell."""
    report = findings(judge())
    assert "topics in all would tell" in use_row(report, report.judges[0]).cells[3].says
    assert not any("would tell" in cell.says for cell in use_row(report, report.yardsticks[0]).cells)


def test_agreement_of_people_beside_a_judge_is_that_on_its_pairs() -> None:
    """All pairs may pass where those that the judge graded do not."""
    uses = made_uses(assay=AssayFinding(kappa=0.18, low=0.1, high=0.26))
    uses = replace(uses, label=replace(uses.label, code=UseCode.OPEN, reason=Reason.NO_ASSAY))
    row = use_row(findings(judge(uses=uses)), judge(uses=uses))
    assert "only with kappa .18 (.10 to .26)" in row.cells[4].says


def test_lead_leaves_out_uses_that_nobody_could_ask() -> None:
    """Without a declared family or a second assessor a judge is not said to fail there."""
    uses = coded("as_people", *["open"] * 4)
    uses = replace(
        uses,
        families=replace(uses.families, families=(), reason=Reason.NO_FAMILY),
        label=replace(uses.label, reason=Reason.NO_SECOND_ASSESSOR),
    )
    words = said(uses, uses)
    assert "families" not in words
    assert "label" not in words
    assert "find the best run or serve for tuning" in words


def test_runs_near_the_best_are_counted_by_people_alone() -> None:
    """The note neither comes nor goes with the judges beside."""
    means = (0.5, 0.46, 0.44, None)
    best = replace(leader(["r00"]), means=means)
    for judges in ([], [judge()], [judge(), judge("two", uses=made_uses(run_count=9))]):
        page = first_page(findings(*judges, leaders=[best]))
        assert any("2 of 16 runs within .05" in note for note in page.notes)


def test_people_miss_no_margin_by_an_assessor_who_does_not_agree_with_them() -> None:
    report = findings(judge())
    second = replace(report.yardsticks[0], uses=coded(*["differs"] * 5))
    report = replace(report, yardsticks=(second,))
    limits = [
        first_page(replace(report, facts=replace(report.facts, assay=AssayFinding(is_passed=passed)))).limit
        for passed in (True, False)
    ]
    assert ["People themselves" in limit for limit in limits] == [True, False]
