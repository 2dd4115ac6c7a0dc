import pytest

from tests.references.rbo import Ties, groups_by_value, rank_biased_overlap

# Rankings and values published with Corsi and Urbano, SIGIR 2024 (columns ext, min, max of each variant).
FIRST = (
    [["i11"], ["i8", "i21"], ["i2", "i18"], ["i6", "i16", "i20"], ["i4", "i10"]],
    [["i8"], ["i9", "i20", "i21"], ["i2", "i3"], ["i13"], ["i1"], ["i11"], ["i14"], ["i19"]],
    0.93912403977192,
)
SECOND = (
    [["i3", "i5", "i6", "i8", "i9"]],
    [["i1", "i6"], ["i8", "i10"], ["i11"], ["i2"], ["i3", "i4"]],
    0.946588158477176,
)
PUBLISHED = [
    (FIRST, "w", (0.482369482292872, 0.346394412736983, 0.712103626756557)),
    (FIRST, "a", (0.46852753894333, 0.332552469387441, 0.698261683407016)),
    (FIRST, "b", (0.486650566878314, 0.350675497322425, 0.716384711341999)),
    (SECOND, "w", (0.481477824833812, 0.23269613702392, 0.802226864320287)),
    (SECOND, "a", (0.456505385192971, 0.207870074991659, 0.77813269033093)),
    (SECOND, "b", (0.482684075039396, 0.233899573241503, 0.804576609682389)),
]


@pytest.mark.parametrize(("given", "ties", "expected"), PUBLISHED)
def test_overlap_equals_published_values(
    given: tuple[list[list[str]], list[list[str]], float], ties: Ties, expected: tuple[float, float, float]
) -> None:
    x, y, p = given
    for left, right in ((x, y), (y, x)):
        overlap = rank_biased_overlap(left, right, p=p, ties=ties)
        assert (overlap.extrapolated, overlap.least, overlap.most) == pytest.approx(expected, abs=1e-12)
        assert overlap.residual == pytest.approx(expected[2] - expected[1])


def test_overlap_of_equal_rankings_of_the_same_runs_is_one() -> None:
    ranking = [["a"], ["b", "c"], ["d"]]
    assert rank_biased_overlap(ranking, ranking, p=0.9, ties="w").extrapolated == pytest.approx(1.0)


def test_overlap_of_two_runs_by_hand() -> None:
    # a b against b a: agreement 0 at depth 1, then 1 for ever: (1-p) (0 + p + p^2 + ...) = p.
    for ties in ("a", "b", "w"):
        overlap = rank_biased_overlap([["a"], ["b"]], [["b"], ["a"]], p=0.7, ties=ties)
        assert overlap.extrapolated == pytest.approx(0.7)


def test_groups_put_tied_values_together_best_first() -> None:
    values = {"x": 0.3, "y": 0.1 + 0.2, "z": 0.5, "w": 0.1}
    assert groups_by_value(values) == [["z"], ["x", "y"], ["w"]]


def test_overlap_refuses_a_persistence_outside_0_to_1_and_empty_rankings() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        rank_biased_overlap([["a"]], [["a"]], p=1.0)
    with pytest.raises(ValueError, match="empty"):
        rank_biased_overlap([], [["a"]], p=0.9)
