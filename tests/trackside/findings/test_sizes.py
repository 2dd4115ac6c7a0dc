"""Sizes and powers of the verdicts on a few drawn tracks by fixed seeds, and the stored ones on many.

Bounds are those of a binomial with the right rate, 999 in 1,000 times.
"""

import numpy as np
import pytest
from scipy.stats import binom

from tests.simulations import stacked
from tests.simulations.__main__ import PARTS
from tests.simulations.families import (
    JUDGES,
    MEASURES,
    MadeSource,
    is_named,
    is_said,
    run_blind_reports,
    taste_finding,
)
from tests.simulations.made import FAMILY
from tests.simulations.orders import _sampler, _tracks
from tests.simulations.page import BOUNDS, PAGE, page, parts, rows_of
from tests.simulations.planted import HONEST_BESIDE, planted_findings
from tests.simulations.takes import WORLDS, Setting, drawn_track, favoured_track, takes_figures
from tests.simulations.tracks import JUDGES as ORDERING
from tests.simulations.tracks import SPREADS, UNLIKE_PEOPLE, World
from trackside.findings.excess import ALPHA
from trackside.findings.verdicts import GeneralVerdict, OrderVerdict
from trackside.reporting.questions import family_findings

FIVE_TEAMS = MadeSource(5)
LONG_TRACKS = 200


def most(count: int, rate: float) -> int:
    """How often something with this rate happens at most."""
    return int(binom.ppf(0.999, count, rate))


def fewest(count: int, rate: float) -> int:
    """How often something with this rate happens at least."""
    return int(binom.ppf(0.001, count, rate))


def test_run_blind_judges_are_rarely_said_to_rate_a_family_above_or_below() -> None:
    reports = run_blind_reports(FIVE_TEAMS, 12, seed=1)
    judges = [findings for report in reports for findings in report]
    count = len(judges)
    assert count == 12 * JUDGES
    for column in zip(*judges, strict=True):
        rejected = sum(finding.p is not None and finding.p <= ALPHA for finding in column)
        assert rejected <= most(count, ALPHA)
    any_measure = [[finding for finding in each if finding.measure == MEASURES[0]] for each in judges]
    assert sum(any(map(is_said, findings)) for findings in any_measure) <= most(count, 0.06)
    every = [finding for findings in judges for finding in findings]
    assert sum(finding.p is not None and finding.p <= ALPHA for finding in every) >= fewest(len(every), 0.03)


def test_judges_at_once_are_found_as_each_alone() -> None:
    rng = np.random.default_rng(9)
    drawn = FIVE_TEAMS.draw(rng)
    models = np.array([drawn.judge(rng, judge) for judge in range(2)])
    study = drawn.track.study(drawn.people, models, measures=MEASURES)
    found = stacked.tested(drawn.track, drawn.people, models, MEASURES)
    for judge, findings in enumerate(found, start=1):
        for one, other in zip(findings, family_findings(study, judge, None), strict=True):
            assert (one.measure, one.family) == (other.measure, other.family)
            assert (one.low, one.high, one.p, one.p_holm) == pytest.approx(
                (other.low, other.high, other.p, other.p_holm)
            )
            assert one.general.p == pytest.approx(other.general.p)


def test_raised_grades_are_found_and_the_judge_named_beside_seven() -> None:
    judges = FIVE_TEAMS.kinds[FIVE_TEAMS.name]
    found = [
        planted
        for at in range(12)
        for planted in planted_findings(FIVE_TEAMS, judges[at % len(judges)], [2, at])
        if planted.share == 0.5
    ]
    assert all(planted.finding.verdict.is_above for planted in found)
    assert all(is_named(planted.finding, 1 + HONEST_BESIDE) for planted in found)
    excess = np.mean([planted.finding.excess or 0.0 for planted in found])
    assert excess == pytest.approx(np.mean([planted.points for planted in found]), rel=0.25)


def test_families_drawn_at_random_are_rarely_said_to_gain_in_general() -> None:
    found = [taste_finding(MadeSource(8), 0.3, "half of the teams", [3, at]) for at in range(40)]
    shown = sum(finding.general.verdict is GeneralVerdict.SHOWN for finding in found)
    assert shown <= most(len(found), 0.06)
    assert sum(map(is_said, found)) > len(found) / 4  # for these runs the judge does rate them so


def test_tau_of_other_topics_is_in_the_interval() -> None:
    random = np.random.default_rng(4)
    world = World.draw(random, 12, SPREADS["spread runs"], ORDERING["lenient"])
    tracks = _tracks(_sampler(world, random, 25), 80)
    held = [(each.low or 0) <= tracks.expected <= (each.high or 0) for each in tracks.findings]
    assert sum(held) >= fewest(len(held), 0.93)
    assert max((each.high or 0) - (each.low or 0) for each in tracks.findings) < 0.6


def test_judge_in_reverse_is_never_said_to_order_as_people_do() -> None:
    random = np.random.default_rng(5)
    world = World.draw(random, 12, SPREADS["spread runs"], UNLIKE_PEOPLE["reversed"])
    verdicts = {finding.verdict for finding in _tracks(_sampler(world, random, 25), 40).findings}
    assert verdicts <= {OrderVerdict.REVERSE, OrderVerdict.NO_RELATION}
    assert OrderVerdict.REVERSE in verdicts


def test_what_a_favour_would_take_is_not_said_of_random_errors_nor_more_than_people_err() -> None:
    """Where both people miss hard items it is said, with a lower end at most what they grade too low."""
    tracks = 20

    def figures(world: str) -> dict[str, float | None]:
        rngs = (np.random.default_rng([7, at]) for at in range(tracks))
        return takes_figures([drawn_track(WORLDS[world], rng) for rng in rngs])

    assert (figures("random errors, family finds hard items")["said"] or 0) * tracks <= most(tracks, 0.05)
    hard = figures("both miss hard items, 10 and 50 %")
    assert (hard["said"] or 0) * tracks >= fewest(tracks, 0.9)
    assert (hard["wrong"] or 0) * tracks <= most(tracks, 0.05)
    assert (figures("people alone miss hard items")["said"] or 0) * tracks <= most(tracks, 0.05)


def test_tipping_point_accuses_only_the_judge_that_favours() -> None:
    """Without a favour fewer results need to be wrong than are; with one, more."""
    for favour, is_accused in ((0.0, False), (0.5, True)):
        track = favoured_track(Setting(favour=favour), np.random.default_rng(8))
        finding = track.without_second()
        assert finding.family == FAMILY
        assert finding.tipping is not None
        share = finding.tipping.share if finding.tipping.fewest else 2.0
        assert (share is not None and share > track.wrong_share(1.0)) == is_accused


def test_stored_shares_are_inside_their_bounds_unless_a_reason_is_stored() -> None:
    stored = parts()
    for bound in BOUNDS:
        rows = rows_of(bound, stored)
        assert rows, bound.sentence
        missed = [row for _, row in rows if bound.is_missed(row)]
        assert bool(missed) == bool(bound.excuse), (bound.sentence, missed)


def test_page_shows_the_stored_tables() -> None:
    """`python -m tests.simulations --render` writes it."""
    assert PAGE.read_text() == page()
    assert page().count("\n") <= 300


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_parts_run_again_are_inside_their_bounds(part: str) -> None:
    rows = [
        {
            "statistic": row.statistic,
            "setting": row.setting,
            "tracks": row.tracks,
            "figures": dict(row.figures),
        }
        | ({} if row.topics is None else {"topics": row.topics})
        for row in PARTS[part](LONG_TRACKS, 9)
    ]
    for bound in BOUNDS:
        if not bound.excuse:
            found = rows_of(bound, {part: rows})
            assert sum(bound.is_missed(row) for _, row in found) <= max(1, len(found) // 10), bound.sentence
