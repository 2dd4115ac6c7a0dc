"""How sure and how made: means, pool, leaving teams out, costs, texts, cautions and text for a paper."""

from dataclasses import replace
from typing import Any

import pytest

from tests.trackside.reporting.judged_study import judged_study
from tests.trackside.reporting.study import graded_set, small_study, wide_study
from tests.trackside.reporting.two_runs import RUNS, rows_of, study_of_two_runs, value_of
from trackside.files import Rankings
from trackside.reporting.build import build_report
from trackside.reporting.design import Design, ReportRun, SeenTogether
from trackside.reporting.sections.guardrails import backbone_key
from trackside.reporting.sections.seen import seen_says
from trackside.reporting.study import PEOPLE, study_of


def test_means_by_hand() -> None:
    first, second = rows_of(study_of_two_runs(), "means")
    assert [(row["run"], row["rank"], value_of(row["people"]), row["judge"]) for row in (first, second)] == [
        ("a", 1, 0.5, 0.0),
        ("b", 2, 0.25, 0.5),
    ]


def test_means_have_intervals_that_hold_them() -> None:
    for row in rows_of(wide_study(), "means"):
        number: Any = row["people"]
        assert number.low < number.value < number.high


def test_pool_by_hand() -> None:
    (row,) = rows_of(study_of_two_runs(), "pool")
    assert (row["topic"], row["judged"], row["grade 0"], row["grade 1"]) == ("T1", 3, 1, 2)
    assert row["relevant"] == pytest.approx(2 / 3)


def test_leaving_a_team_out_by_hand() -> None:
    """Without x, which only Kestrel found, run a has nothing relevant; without y, run b has nothing."""
    runs = [ReportRun(run.tag, run.team, run.families, pool_depth=10) for run in RUNS]
    first, second = rows_of(study_of_two_runs(runs), "leave-one-team-out")
    assert (first["run"], first["in pool"], first["unique to the team"], first["unique relevant"]) == (
        "a",
        2,
        1,
        1,
    )
    assert (first["with"], first["without"], first["ranks lost"]) == (0.5, 0.0, 1)
    assert (second["with"], second["without"], second["ranks lost"]) == (0.25, 0.0, 0)


def test_one_team_leaves_no_table() -> None:
    runs = [ReportRun(run.tag, "Kestrel", run.families) for run in RUNS]
    assert not rows_of(study_of_two_runs(runs), "leave-one-team-out")


def test_costs_count_the_pairs_that_were_asked_and_unknown_is_no_row() -> None:
    """1.92 EUR, 48,000 tokens and 576 seconds for 96 of 192 pairs."""
    rows = rows_of(judged_study(), "costs")
    assert [row["judge"] for row in rows] == ["llava", "llava again"]
    row = rows[0]
    assert (row["cost"], row["currency"], row["hours"], row["hours of answering"]) == (1.92, "EUR", 0.16, 0.5)
    assert row["cost, 1,000 pairs"] == pytest.approx(20.0)
    assert row["tokens, 1,000 pairs"] == pytest.approx(500_000)
    assert row["minutes, 1,000 pairs"] == pytest.approx(100.0)


def test_texts_read_by_field() -> None:
    title, body, *_ = rows_of(judged_study(), "texts-read")
    assert (title["field"], title["tokens read"], title["never read"]) == ("title", 1.0, 0)
    assert (body["texts with it"], body["tokens read"], body["never read"]) == (10, 0.25, 4)


def _guardrails(provenance: dict[str, Any], **more: Any) -> dict[str, Any]:
    people = {"T1": {"x": 1, "y": 0}}
    sets = [graded_set("people", people, "human"), graded_set("judge", people, provenance=provenance)]
    runs = [ReportRun("a", "Kestrel", ("CLIP",), backbone=more.get("backbone", ""))]
    rankings = [Rankings.from_dict({"T1": {"x": 2, "y": 1}}, tag="a")]
    study = study_of(Design((0, 1), 1, ("AP",), replicates=20), runs, rankings, sets)
    rows = rows_of(study, "guardrails")
    return dict(rows[0]) if rows else {}


SAFE: dict[str, Any] = {
    "backbone": "llava",
    "mapping": {"rule": "paper-2024"},
    "susceptibility": [{"place": "text", "scene_count": 9, "shift": -0.1, "raised_count": 0, "gap_count": 0}],
}


def test_a_judge_that_meets_all_checks_has_no_row() -> None:
    assert _guardrails(SAFE, backbone="bm25") == {}


@pytest.mark.parametrize(
    ("changed", "column", "words"),
    [
        ({"backbone": "bm25"}, "runs of the judge's own model or team", "1 of 1 run with the same model"),
        ({"team": "kestrel"}, "runs of the judge's own model or team", "1 of 1 run with the same team"),
        ({"backbone": ""}, "runs of the judge's own model or team", "unknown: the judge's model"),
        ({"mapping": {"rule": "f1-cuts", "people": "people"}}, "fitted to these topics", "fitted to people"),
        (
            {"mapping": {"rule": "f1-cuts", "people": "people", "fitting_topics": ["T1", "T9"]}},
            "fitted to these topics",
            "fitted to people's grades of 1 topic compared here",
        ),
        (
            {"mapping": {"rule": "f1-cuts", "people": "people", "fitting_topics": ["T9"]}},
            "fitted to these topics",
            None,
        ),
        ({"mapping": None}, "fitted to these topics", "unknown: how raw scores became grades"),
        ({"susceptibility": []}, "prompt injection", "unknown: no pair with an injected instruction"),
        (
            {"susceptibility": [SAFE["susceptibility"][0] | {"raised_count": 2}]},
            "prompt injection",
            "a higher grade in 2 of 9 pairs",
        ),
        (
            {"susceptibility": [SAFE["susceptibility"][0] | {"raised_count": None, "shift": 0.25}]},
            "prompt injection",
            "raw score +0.2500",
        ),
    ],
)
def test_each_check_is_shown_where_it_is_not_met(
    changed: dict[str, Any], column: str, words: str | None
) -> None:
    row = _guardrails(SAFE | changed, backbone="bm25")
    assert row.get(column) == words
    others = {name: cell for name, cell in row.items() if name not in ("judge", column)}
    assert set(others.values()) <= {"met"}


def test_gaps_and_leniency_are_checked_against_people() -> None:
    rows = {row["judge"]: row for row in rows_of(small_study(), "guardrails")}
    assert rows["clip"]["pairs without a grade"] == "met"
    (row,) = rows_of(study_of_two_runs(), "guardrails")
    assert row["leniency"] == "−0.33 grades, without an interval"


def test_cautions_on_the_collection() -> None:
    (section,) = [
        each for each in build_report(judged_study(), code_version="1").sections if each.name == "methods"
    ]
    cautions = [sentence for sentence in section.says if sentence.startswith("Caution")]
    assert cautions == [
        "Caution: 12 topics; at least 25 are advised.",
        "Caution: 3 teams; at least 5 are advised.",
        "Caution: no second assessor graded, so the agreement of people is not known.",
    ]
    assert "llava: The judge read no token of the field body in 4 of 10 texts." in section.says


def test_judgments_that_do_not_count_are_named_with_their_number_and_reason() -> None:
    since, until = "2026-09-01T09:00:00+00:00", "2026-09-02T09:00:00+00:00"
    rows = [
        {"assessor": "A1", "count": 2, "reason": "random keys", "topic": "T1"},
        {"assessor": "A2", "count": 1, "reason": "no look", "since": since, "until": until},
    ]
    study = study_of_two_runs()
    people = replace(study.sets[PEOPLE], provenance={"excluded": rows})
    report = build_report(replace(study, sets=(people, *study.sets[1:])), code_version="1")
    (section,) = [each for each in report.sections if each.name == "methods"]
    assert [sentence for sentence in section.says if "not count" in sentence] == [
        "2 judgments of assessor A1 on topic T1 do not count: random keys",
        f"1 judgment of assessor A2 from {since} before {until} does not count: no look",
    ]


def test_qrels_have_quartiles_of_their_scores() -> None:
    """The judge's raw scores 0.1, 0.5, 0.9 are 0, 0.5 and 1 when scaled; people's grades are 0, 1, 1."""
    people, judge = rows_of(study_of_two_runs(), "qrels")
    assert (people["scores"], people["median, scaled"]) == ("grades", 1.0)
    assert (judge["scores"], judge["lower quartile, scaled"], judge["median, scaled"]) == ("raw", 0.25, 0.5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("openai/clip-vit-large-patch14", "CLIP ViT-L/14"),
        ("Salesforce/blip2-opt-2.7b", "BLIP2 OPT 2.7B"),
        ("laion/CLIP-ViT-B-32", "clip vit base patch32"),
    ],
)
def test_names_of_one_model_have_one_key(one: str, other: str) -> None:
    assert backbone_key(one) == backbone_key(other) != backbone_key("llava")


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (SeenTogether(4, 4, 4, 0, 0), ["People and judge were shown equal items in all 4 pairs."]),
        (
            SeenTogether(4, 3, 3, 2, 1),
            [
                "People and judge were shown equal items in all 3 pairs of 4 where it is known.",
                "People graded 2 of these pairs on a wall without opening the item, and judge saw a part "
                "in 1.",
            ],
        ),
        (
            SeenTogether(4, 4, 3, 0, 0),
            [
                "Caution: people and judge were shown equal items in only 3 of 4 pairs: texts, their "
                "roles or pictures changed in between. Start the judge on the pool again; where items still "
                "differ, let people grade these pairs again."
            ],
        ),
        (
            SeenTogether(4, 0, 0, 0, 0),
            [
                "Whether people saw the items that judge saw is not known: grades of files and of earlier "
                "releases do not say it."
            ],
        ),
        (SeenTogether(0, 0, 0, 0, 0), []),
        (None, []),
    ],
)
def test_report_says_whether_people_and_judge_saw_equal_items(
    seen: SeenTogether | None, words: list[str]
) -> None:
    people = {"T1": {"x": 1, "y": 0}}
    sets = [graded_set("people", people, "human"), replace(graded_set("judge", people), seen=seen)]
    runs = [ReportRun("a", "Kestrel", ("CLIP",))]
    rankings = [Rankings.from_dict({"T1": {"x": 2, "y": 1}}, tag="a")]
    study = study_of(Design((0, 1), 1, ("AP",), replicates=20), runs, rankings, sets)
    assert list(seen_says(study)) == words
