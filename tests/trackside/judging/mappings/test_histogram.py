from trackside.judging.mappings.histogram import histogram


def test_histogram_counts_each_score_of_few_and_steps_of_many() -> None:
    assert histogram([3, 1, 3, 2.5]) == [("1", 1), ("2.5", 1), ("3", 2)]

    steps = histogram(range(401))  # 40 steps of 10: ten scores each, the last one eleven

    assert len(steps) == 40
    assert steps[0][0] == "0 to 10"
    assert sum(count for _, count in steps) == 401
    assert steps[-1] == ("390 to 400", 11)
