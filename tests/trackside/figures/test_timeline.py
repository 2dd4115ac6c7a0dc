from datetime import UTC, datetime

from trackside.figures.timeline import TimeSpan, timeline


def at(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 6, day, hour, tzinfo=UTC)


def test_timeline_places_bars_and_their_elapsed_part() -> None:
    # 10 days from 0 to 100 %: 10 % a day.
    chart = timeline([TimeSpan("Submissions", at(1), at(6)), TimeSpan("Judging", at(7), at(11))], now=at(3))
    assert [(bar.name, bar.y, bar.x, bar.width, bar.passed) for bar in chart.bars] == [
        ("Submissions", 42, 0.0, 50.0, 20.0),
        ("Judging", 86, 60.0, 40.0, 0.0),
    ]
    assert chart.now == 20.0


def test_timeline_of_the_past_has_elapsed_and_still_shows_now() -> None:
    chart = timeline([TimeSpan("Submissions", at(1), at(6))], now=at(11))
    assert (chart.bars[0].width, chart.bars[0].passed) == (50.0, 50.0)
    assert chart.now == 100.0


def test_timeline_marks_midnights_within_its_span() -> None:
    chart = timeline([TimeSpan("Submissions", at(1, 12), at(4, 12))], now=at(2))
    assert [tick.text for tick in chart.ticks] == ["2 Jun", "3 Jun", "4 Jun"]


def test_timeline_of_weeks_marks_mondays() -> None:
    # 1 June 2026 is a Monday; 29 days need steps of 7.
    chart = timeline([TimeSpan("Submissions", at(1, 1), at(30, 1))], now=at(2))
    assert [tick.text for tick in chart.ticks] == ["8 Jun", "15 Jun", "22 Jun", "29 Jun"]


def test_timeline_of_years_names_them_and_has_few_ticks() -> None:
    years = timeline([TimeSpan("Judging", at(1), datetime(2029, 5, 1, tzinfo=UTC))], now=at(1))
    assert [tick.text for tick in years.ticks][:3] == ["Jun 2026", "Sep 2026", "Dec 2026"]
    decades = timeline([TimeSpan("Judging", at(1), datetime(2090, 3, 1, tzinfo=UTC))], now=at(1))
    assert 6 <= len(decades.ticks) <= 12
