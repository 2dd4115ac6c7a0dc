import pytest

from trackside.errors import InputError
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.grades import read_grades


def test_unknown_topic_names_the_one_that_was_probably_meant() -> None:
    faults = Faults()
    assert not list(read_grades(b"01 0 D1 1\n7 0 D1 1\n", faults, topics={"T1"}, numbers={0: 0, 1: 1}))
    assert [place for place, _ in faults.examples[ImportFault.TOPIC_UNKNOWN]] == [
        "topic 01; did you mean T1?",
        "topic 7",
    ]


def test_read_grades_gives_gaps_for_unjudged_and_faults_for_unknown_topics_and_grades() -> None:
    faults = Faults()
    qrels = b"T1 0 d1 2\nT1 0 d2 -1\nT1 0 d3 7\nT9 0 d1 1\nT9 0 d2 1\n"
    found = list(read_grades(qrels, faults, topics={"T1", "T2"}, numbers={0: 0, 1: 1, 2: 2}))
    assert found == [("T1", "d1", 2), ("T1", "d2", None)]
    assert faults.counts == {ImportFault.GRADE_OFF_SCALE: 1, ImportFault.TOPIC_UNKNOWN: 2}
    assert faults.examples[ImportFault.TOPIC_UNKNOWN] == [("topic T9", "2 lines")]


def test_numbers_in_the_file_are_the_grades_that_the_scale_writes_so() -> None:
    """TREC's junk is -2; -1 is no grade of this scale, and so not judged."""
    faults = Faults()
    qrels = b"T1 0 d1 -2\nT1 0 d2 0\nT1 0 d3 1\nT1 0 d4 -1\nT1 0 d5 2\n"
    found = list(read_grades(qrels, faults, topics={"T1"}, numbers={0: -2, 1: 0, 2: 1}))
    assert found == [("T1", "d1", 0), ("T1", "d2", 1), ("T1", "d3", 2), ("T1", "d4", None)]
    assert faults.examples[ImportFault.GRADE_OFF_SCALE] == [("topic T1", "d5 2")]


@pytest.mark.parametrize(
    ("grade", "words"),
    [(b"relevant", "whole"), (b"0.9", "whole"), (b"1,5", "whole"), (b"2\xb3", "UTF-8"), (b"nan", "whole")],
)
def test_grade_that_trec_eval_reads_up_to_an_odd_character_is_refused(grade: bytes, words: str) -> None:
    """trec_eval and the command read "relevant" as 0 and "0.9" as 0, with a warning."""
    qrels = b"T1 0 d1 2\nT1 0 d2 " + grade + b"\n"
    with pytest.raises(InputError, match=f"line 2.*{words}"):
        list(read_grades(qrels, Faults(), topics={"T1"}, numbers={0: 0, 1: 1, 2: 2}))
