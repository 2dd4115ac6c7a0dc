import pytest

from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.reporting.design import ReportRun
from trackside.reporting.plain import (
    Choices,
    plain_study,
    read_runs_table,
)

RUNS = [
    Rankings.from_dict({"1": {"a": 2.0, "b": 1.0}}, tag="one"),
    Rankings.from_dict({"1": {"b": 2.0}}, tag="two"),
]
PEOPLE = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 0}}, name="people")
MODEL = Qrels.from_dict({"1": {"a": 3, "b": -1, "c": 0}}, name="model")


def test_clipping_moves_grades_to_the_scale_and_leaves_pairs_without_a_grade() -> None:
    choices = Choices(scale=(0, 1), is_clipped=True)
    study = plain_study(RUNS, [("human", PEOPLE), ("model", MODEL)], choices)
    assert study.sets[1].qrels.to_dict() == {"1": {"a": 1, "b": -1, "c": 0}}
    assert study.sets[1].facts.graded_count == 2


def test_clipping_asks_for_the_scale() -> None:
    with pytest.raises(InputError, match="scale to clip to"):
        plain_study(RUNS, [("human", PEOPLE), ("model", MODEL)], Choices(is_clipped=True))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("team,families\nA,dense\n", "the first line must name the columns tag,team,families"),
        ("tag,Team\none,A\n", "no column is called 'Team'. Rename it to one of tag, team, families"),
        ("tag,families\none,dense,neural\n", "the line of one has more columns than the first line"),
        ("tag,pool_depth\none,ten\n", "pool_depth ten: give a whole number"),
    ],
)
def test_tables_of_runs_with_lost_columns_are_refused(text: str, fault: str) -> None:
    """A team or family under another name would be left out in silence."""
    with pytest.raises(InputError) as caught:
        read_runs_table(text, "about.csv")
    assert fault in str(caught.value)


def test_level_above_the_scale_is_refused() -> None:
    """No grade of people's would be relevant, and every value 0."""
    with pytest.raises(InputError, match=r"level 4: the highest grade is 1"):
        plain_study(RUNS, [("human", PEOPLE), ("model", MODEL)], Choices(level=4))


@pytest.mark.parametrize("name", ["a\nb", "bell \x07", "half \ud800"])
def test_names_that_no_file_or_drawing_can_hold_are_refused(name: str) -> None:
    """Such as control characters, which SVG cannot have."""
    run = Rankings.from_dict({"1": {"a": 2.0}}, tag=name)
    sets = [("human", PEOPLE), ("model", Qrels.from_dict({"1": {"a": 1}}, name=name))]
    about = [ReportRun("one", "", ()), ReportRun("two", name, ())], [ReportRun("one", "", (name,))]
    for runs, chosen, described in (
        ([run], sets[:1], None),
        (RUNS, sets, None),
        *((RUNS, sets[:1], each) for each in about),
    ):
        with pytest.raises(InputError, match="has the character"):
            plain_study(runs, chosen, Choices(), about=described)


def test_run_that_is_described_twice_is_refused() -> None:
    """The second description would replace the first in silence."""
    about = [ReportRun("one", "Kestrel", ()), ReportRun("two", "", ()), ReportRun("one", "Nordlys", ())]
    with pytest.raises(InputError, match="one: described twice"):
        plain_study(RUNS, [("human", PEOPLE)], Choices(), about=about)
