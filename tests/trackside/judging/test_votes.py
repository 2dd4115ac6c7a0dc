"""Votes of several judges. Numbers by hand."""

from pathlib import Path

import numpy as np
import pytest

from trackside.cli.main import main
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.judging.inputs import Gap
from trackside.judging.votes import (
    MemberAgreement,
    VotingRule,
    agreement,
    count_votes,
    difficulties,
    vote,
)

NAN = float("nan")


# Three judges on six pairs. By hand: two 1s beat a 2; 0, 1, 2 are even and the first judge decides; 2, 2
# without the first; one grade alone is below a quorum of two; 0 against 1 is a tie of two that the first
# decides; 1 against 2 is one that nobody decides, since the first has no grade.
BALLOTS = np.array([[1, 1, 2], [0, 1, 2], [NAN, 2, 2], [NAN, NAN, 1], [0, 1, NAN], [NAN, 1, 2]])
PAIRS = [("T1", f"D{number}") for number in range(len(BALLOTS))]
FILES = {
    name: "".join(f"T1 0 D{row} {int(grade)}\n" for row, grade in enumerate(column) if not np.isnan(grade))
    for name, column in zip("abc", BALLOTS.T, strict=True)
}


def test_majority_is_the_most_common_grade_and_the_first_judge_decides_ties() -> None:
    found = count_votes(PAIRS, BALLOTS, VotingRule.MAJORITY, quorum=2)

    np.testing.assert_array_equal(found.scores, [1, 0, 2, NAN, 0, NAN])
    assert found.gaps == (None, None, None, Gap.TOO_FEW_MEMBERS, None, Gap.TIED)
    assert found.agreeing.tolist() == [2, 1, 2, 1, 1, 1]
    assert found.present.tolist() == [3, 3, 2, 1, 2, 2]


def test_first_judge_decides_only_between_the_grades_that_lead() -> None:
    # 0, 0, 2, 2 and the first judge's 1: it is none of those that lead.
    found = count_votes(PAIRS[:1], np.array([[1, 0, 0, 2, 2.0]]), VotingRule.MAJORITY, quorum=1)

    assert np.isnan(found.scores).all()
    assert found.gaps == (Gap.TIED,)


def test_mean_is_over_the_judges_that_have_a_grade() -> None:
    found = count_votes(PAIRS, BALLOTS, VotingRule.MEAN, quorum=2)

    np.testing.assert_allclose(found.scores, [4 / 3, 1, 2, NAN, 0.5, 1.5])
    assert found.gaps == (None, None, None, Gap.TOO_FEW_MEMBERS, None, None)
    nothing = count_votes(PAIRS[:2], np.full((2, 3), NAN), VotingRule.MEAN, quorum=1)
    assert nothing.gaps == (Gap.TOO_FEW_MEMBERS, Gap.TOO_FEW_MEMBERS)
    assert np.isnan(nothing.scores).all()


@pytest.mark.parametrize(
    ("agreeing", "present", "expected"),
    [
        (5, 5, MemberAgreement.UNANIMOUS),
        (4, 5, MemberAgreement.MAJORITY),
        (3, 5, MemberAgreement.SPLIT),
        (3, 3, MemberAgreement.UNANIMOUS),
        (2, 3, MemberAgreement.SPLIT),
        (3, 4, MemberAgreement.MAJORITY),
        (2, 4, MemberAgreement.SPLIT),
        (1, 2, MemberAgreement.SPLIT),
    ],
)
def test_agreement_follows_from_the_number_of_equal_ballots(
    agreeing: int, present: int, expected: MemberAgreement
) -> None:
    assert agreement(agreeing, present) is expected


def test_pairs_that_a_judge_did_not_grade_or_marked_as_not_judged_are_no_ballots() -> None:
    judges = [
        Qrels.from_dict({"T1": {"D1": 2, "D2": -1}}, name="a"),
        Qrels.from_dict({"T1": {"D1": 2}, "T2": {"D1": 1}}, name="b"),
    ]
    found = vote(judges)
    assert found.pairs == (("T1", "D1"), ("T2", "D1"))
    assert found.gaps == (None, Gap.TOO_FEW_MEMBERS)
    assert vote(judges, quorum=1).scores.tolist() == [2, 1]


@pytest.mark.parametrize(("count", "quorum"), [(1, None), (2, 0), (2, 3)])
def test_votes_that_cannot_be_counted_are_refused(count: int, quorum: int | None) -> None:
    judges = [Qrels.from_dict({"T1": {"D1": 2}}, name=str(number)) for number in range(count)]
    with pytest.raises(InputError, match=r"at least two judges|cannot have a quorum"):
        vote(judges, quorum=quorum)


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ([], ["T1 0 D0 1", "T1 0 D1 0", "T1 0 D2 2", "T1 0 D4 0"]),
        (
            ["--rule", "mean", "--quorum", "3"],
            ["topic,docno,score", "T1,D0,1.3333333333333333", "T1,D1,1.0"],
        ),
    ],
)
def test_command_writes_qrels_or_scores_and_says_how_far_judges_agree(
    options: list[str], lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in FILES.items():
        (tmp_path / f"{name}.qrels").write_text(text)

    assert main(["vote", *options, *(str(tmp_path / f"{name}.qrels") for name in FILES)]) == 0

    written = capsys.readouterr()
    assert written.out.splitlines() == lines
    of_kinds = "1 unanimous, 0 majority, 3 split; no grade: 1 tied, 1 too few members"
    of_mean = "0 unanimous, 0 majority, 2 split; no grade: 4 too few members"
    assert (of_mean if options else of_kinds) in written.err


def test_a_grade_of_one_judge_is_no_agreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / name) for name in "ab"]
    for path, text in zip(paths, ("1 0 D1 2\n1 0 D2 1\n", "1 0 D1 2\n"), strict=True):
        Path(path).write_text(text)
    assert main(["vote", "--quorum", "1", *paths]) == 0
    assert "2 of 2 pairs: 1 unanimous, 0 majority, 0 split, 1 by one judge\n" in capsys.readouterr().err


def test_difficulty_is_the_share_of_judges_that_give_peoples_grade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 30 judges 21 are more than two thirds and 9 fewer than a third; 20 and 10 are neither."""
    right = {"D9": 9, "D10": 10, "D20": 20, "D21": 21, "D30": 30}
    judges = [
        Qrels.from_dict({"T1": {docno: int(number < count) for docno, count in right.items()}})
        for number in range(30)
    ]
    people = Qrels.from_dict({"T1": dict.fromkeys(right, 1) | {"D0": 0, "none": -1}})
    found = difficulties(judges, people)
    assert {docno: str(difficulty) for (_, docno), difficulty in found.by_pair.items()} == {
        "D9": "hard", "D10": "medium", "D20": "medium", "D21": "easy", "D30": "easy"
    }  # fmt: skip
    assert found.too_few == (("T1", "D0"),)
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    Path("people").write_text("T1 0 D0 1\nT1 0 D2 1\nT1 0 D3 1\nT1 0 D1 1\n")
    assert main(["vote", *FILES, "--difficulty", "people"]) == 0
    printed = capsys.readouterr()
    # D0 has 1, 1 and 2; D1 has 0, 1 and 2: a third are right; D2 has 2 and 2; D3 has one grade.
    assert printed.out == "T1\tD0\tmedium\nT1\tD1\tmedium\nT1\tD2\thard\n"
    assert printed.err == "3 of 4 pairs: 0 easy, 2 medium, 1 hard; too few judges: 1 (T1 D3)\n"
    assert main(["vote", *FILES, "--difficulty", "people", "--rule", "mean"]) == 2
