import pytest

from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate
from trackside.measuring.meetings import Meeting

TOPICS = [f"web-1.{number}" for number in range(12)]


def run_of(topics: list[str], docnos: list[str]) -> Rankings:
    scores = {docno: -float(place) for place, docno in enumerate(docnos)}
    return Rankings.from_dict(dict.fromkeys(topics, scores), tag="run")


def qrels_of(topics: list[str], docnos: list[str]) -> Qrels:
    return Qrels.from_dict({topic: dict.fromkeys(docnos, 1) for topic in topics}, name="people")


def meet(run: Rankings, qrels: Qrels) -> Meeting:
    ((meeting,),) = evaluate([run], qrels, ["RR"]).meetings
    return meeting


DOCNOS = [f"d{number}" for number in range(240)]


@pytest.mark.parametrize(
    ("topics", "docnos", "line"),
    [
        (TOPICS, DOCNOS, ""),
        (TOPICS[:6], DOCNOS, ""),
        (TOPICS[:5], DOCNOS, "7 of 12 judged topics have no result"),
        (
            [*TOPICS[:2], "1.3"],
            [f"x{number}" for number in range(240)],
            "10 of 12 judged topics have no result; 0 of 480 documents are judged; the run has 1.3; "
            "did you mean web-1.3?",
        ),
        (TOPICS, [f"{docno}.jpg" for docno in DOCNOS],
         "0 of 2,880 documents are judged; the run has d0.jpg; did you mean d0?"),
        (["1.3"], DOCNOS, "12 of 12 judged topics have no result; the run has 1.3; did you mean web-1.3?"),
        (["x"], ["y", "z"], "12 of 12 judged topics have no result; 0 of 2 documents are judged"),
    ],
)  # fmt: skip
def test_meeting_says_in_one_line_what_does_not_meet(topics: list[str], docnos: list[str], line: str) -> None:
    assert meet(run_of(topics, docnos), qrels_of(TOPICS, DOCNOS)).line == line


def test_few_judged_documents_of_many_results_meet() -> None:
    """One judged document a topic, as in MS MARCO: a run finds it in 1 of 12 topics, or in none."""
    run = run_of(TOPICS, [f"n{number}" for number in range(1000)])
    found = Qrels.from_dict({topic: {f"n{7 if topic == TOPICS[0] else -1}": 1} for topic in TOPICS})
    missed = Qrels.from_dict({topic: {"zzz": 1} for topic in TOPICS})

    assert (meet(run, found).line, meet(run, found).met_count, meet(run, found).is_empty) == ("", 1, False)
    assert meet(run, missed).line == "0 of 12,000 documents are judged"


def test_documents_in_the_pool_without_a_grade_meet() -> None:
    qrels = Qrels.from_dict({"1": {"a": -1}})

    assert not meet(run_of(["1"], ["a"]), qrels).is_empty


@pytest.mark.parametrize(("topics", "is_empty"), [(TOPICS[:1], False), (["x"], True), ([], True)])
def test_meeting_is_empty_without_a_judged_topic(topics: list[str], is_empty: bool) -> None:
    assert meet(run_of(topics, DOCNOS), qrels_of(TOPICS, DOCNOS)).is_empty == is_empty


def test_each_set_of_qrels_is_compared_by_itself() -> None:
    run = run_of(["1"], ["a"])
    sets = [Qrels.from_dict({"1": {"a": 1}}, name="one"), Qrels.from_dict({"01": {"a": 1}}, name="two")]

    (of_run,) = evaluate([run], sets, ["RR"]).meetings
    assert [(meeting.qrels, meeting.missed_count, meeting.topic) for meeting in of_run] == [
        ("one", 0, None),
        ("two", 1, ("1", "01")),
    ]
