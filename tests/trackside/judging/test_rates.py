from trackside.judging.rates import IMAGE_TOKENS, Meter, taken, tokens_of, wait


def sent_at(per_minute: int, minutes: float, cost: int = 1) -> list[float]:
    """Times at which requests leave, if one is tried every 10 ms."""
    sent, meters = list[float](), [Meter(per_minute, 0.0)]
    for tick in range(int(minutes * 6000)):
        now = 1000 + tick / 100
        count, meters = taken(meters, [[cost]] * 1000, now)
        sent += [now] * count
    return sent


def test_no_minute_holds_more_than_the_allowance_and_little_less() -> None:
    sent = sent_at(90, 3)

    within = [sum(first <= each < first + 60 for each in sent) for first in sent]
    assert max(within) <= 90
    assert len(sent) >= 3 * 87


def test_costs_count_instead_of_requests() -> None:
    # 6,000 a minute are 60 minutes' seconds: a request of 1,000 uses up 61/6 s.
    count, (meter,) = taken([Meter(6000, 0.0)], [[1000], [1000]], 100.0)

    assert count == 1
    assert meter.free_at == 99 + 61 / 6
    assert wait([meter], 100.0) == 99 + 61 / 6 - 100


def test_every_meter_must_be_free() -> None:
    free, used_up = Meter(60, 0.0), Meter(60, 105.0)

    assert taken([free, used_up], [[1, 1]], 100.0) == (0, [free, used_up])
    assert wait([free, used_up], 100.0) == 5


def test_request_leaves_at_the_moment_of_its_turn() -> None:
    assert taken([Meter(60, 100.0)], [[1]], 100.0)[0] == 1
    assert taken([Meter(60, 100.001)], [[1]], 100.0)[0] == 0


def test_request_larger_than_the_allowance_leaves_by_itself() -> None:
    count, (meter,) = taken([Meter(100, 0.0)], [[500], [500]], 100.0)

    assert (count, meter.free_at) == (1, 99 + 500 * 61 / 100)


def test_without_meters_everything_leaves() -> None:
    assert taken([], [[], []], 0.0) == (2, [])
    assert wait([], 0.0) == 0


def test_tokens_are_a_quarter_of_the_bytes_the_image_and_the_answer() -> None:
    assert tokens_of(["a" * 40, None], 85, 16) == 10 + 85 + 16
    assert tokens_of([None], 0, 0) == IMAGE_TOKENS
