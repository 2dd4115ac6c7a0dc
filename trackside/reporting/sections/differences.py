"""Where do people and judges differ: which pairs, and in which strata of topics and pairs?"""

from collections.abc import Iterator, Mapping

import numpy as np

from trackside.arrays import Flags, Ints
from trackside.files.pair_strata import Unmatched
from trackside.findings.strata import scores_of, stratum_finding
from trackside.reporting.findings import Findings
from trackside.reporting.sections.parts import COEFFICIENT, NEW_TOPICS, OTHER_TOPICS, compared
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import EVERY, Cell, Column, Section, Selector, table_of
from trackside.statistics.correlation import kendall_tau_b, kendall_tau_b_of_rows
from trackside.statistics.estimate import Estimate, Interval, Number, Reason
from trackside.text.counted import counted
from trackside.uncertainty.intervals import LEVEL
from trackside.uncertainty.ranks import rank_interval

TOP = 10
DIFFICULTY = "difficulty"
THIRDS = ("hard", "medium", "easy")
PAIRS_BY = f"runs with the pair in their first {TOP}"
NOT_COVERED = Interval.undefined(Reason.NOT_COVERED, LEVEL)
"""Of thirds by difficulty, which are chosen by the same values: under a noisy judge intervals cover 88 %."""

PAIRS = (
    Column("judge"),
    Column("topic"),
    Column("document"),
    Column("people", "d"),
    Column("judge's grade", "d"),
)
STRATA = (
    Column("measure", selector=Selector.MEASURE),
    Column("grades from"),
    Column("division"),
    Column("stratum"),
    Column("topics", ",d"),
    Column("pairs", ",d"),
    Column("kappa", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS),
    Column("same grade", ".0%", has_interval=True, estimand=NEW_TOPICS),
    Column("AUPRC", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS),
    Column("AUPRC by chance", COEFFICIENT),
    Column("tau", COEFFICIENT, has_interval=True, estimand=OTHER_TOPICS),
)


def differences_section(study: Study, findings: Findings) -> Section | None:
    """The pairs with the largest difference in grades, and agreement within strata."""
    if not compared(findings):
        return None
    pairs = (
        (judge.name, pair.topic, pair.docno, pair.people, pair.judge)
        for judge in findings.judges
        for pair in judge.differs.pairs
    )
    rows = [*_topic_strata(study), *_pair_strata(study)]
    tables = (
        table_of("differing-pairs", "Pairs on which people and a judge differ most.", PAIRS, pairs),
        table_of("strata", "Each judge within each stratum.", STRATA, rows, _strata_notes(study)),
    )
    return Section("differences", "Where people and models differ", _sentences(findings), tables)


def _sentences(findings: Findings) -> tuple[str, ...]:
    """Number of pairs on which each judge differs most from people."""
    return tuple(
        f"{judge.name} differs from people by {counted(judge.differs.gap, 'grade')} on "
        f"{counted(judge.differs.pair_count, 'pair')} of {judge.grades.pair_count:,}."
        for judge in findings.judges
        if judge.differs.gap
    )


def _strata_notes(study: Study) -> tuple[str, ...]:
    """What the strata and their numbers are, and which pairs are in none."""
    scored = ", ".join(study.name(judge) for judge in study.judges if _has_raw_scores(study, judge))
    design = study.design
    graded = [_pair(study, index) for index in study.shared_pairs(PEOPLE).tolist()]
    return (
        f"{_difficulty(study).capitalize()}: thirds of the topics by the median run's value under people. "
        f"{PAIRS_BY.capitalize()} and other strata of pairs have no order of runs. Same grade: accuracy. "
        f"AUPRC: area under the curve of precision and recall, relevant from grade {design.level}, by raw "
        f"scores of {scored or 'no judge'}, else by grades; by chance: the mean of the same scores "
        "in any order.",
        *(
            line
            for division, strata in design.pair_strata.items()
            for line in Unmatched.of(graded, strata).lines(division)
        ),
    )


def _pair(study: Study, index: int) -> tuple[str, str]:
    return study.topics[study.topic_of_pair[index]], study.docnos[index]


def _has_raw_scores(study: Study, judge: int) -> bool:
    scores = study.raw_scores[judge][study.shared_pairs(PEOPLE, judge)]
    return bool(scores.size) and not np.isnan(scores).any()


def _finding(study: Study, judge: int, is_in: Flags, *, has_interval: bool = True) -> tuple[Cell, ...]:
    """Topics, pairs and numbers of the flagged pairs that people and the judge graded."""
    shared = study.shared_pairs(PEOPLE, judge)
    people, grades = study.grades[[PEOPLE, judge]]
    scores = np.full(grades.size, np.nan)
    scores[shared] = scores_of(study.raw_scores[judge][shared], grades[shared])
    own = shared[is_in[shared]]
    found = stratum_finding(
        people[own],
        grades[own],
        scores[own],
        study.topic_of_pair[own],
        scale=study.design.scale,
        level=study.design.level,
    )
    numbers = [found.kappa, found.same_grade, found.auprc]
    if not has_interval:
        numbers = [Number.of(Estimate(number.value, number.reason), NOT_COVERED) for number in numbers]
    return found.topic_count, found.pair_count, *numbers, found.auprc_by_chance


def _topic_strata(study: Study) -> Iterator[tuple[Cell, ...]]:
    strata = [
        (division, name, members)
        for division, groups in _divisions(study).items()
        for name, members in groups.items()
    ]
    difficulty = _difficulty(study)
    for judge in (*study.seconds, *study.judges):
        topics = study.shared_topics(PEOPLE, judge)
        for division, name, members in strata:
            shared, by_values = np.intersect1d(members, topics), division == difficulty
            cells = _finding(study, judge, np.isin(study.topic_of_pair, shared), has_interval=not by_values)
            for index, measure in enumerate(study.measures):
                tau = _tau(study, index, judge, shared, is_chosen_by_values=by_values)
                yield (measure, study.name(judge), division, name, *cells, tau)


def _tau(study: Study, index: int, judge: int, topics: Ints, *, is_chosen_by_values: bool) -> Number:
    shared = study.shared_values(index, PEOPLE, judge, topics=topics)
    if not shared.runs.size:
        return Number(None, Reason.NO_SHARED_TOPIC)
    value = kendall_tau_b(*shared.means())
    if value is None:
        return Number(None, Reason.ALL_RUNS_EQUAL if shared.runs.size > 1 else Reason.ONE_RUN)
    if is_chosen_by_values:
        return Number(value, None, NOT_COVERED)
    samples = kendall_tau_b_of_rows(*(study.sampled_means(values) for values in shared.values))
    return Number(value, None, rank_interval(value, samples, topics.size))


def _pair_strata(study: Study) -> Iterator[tuple[Cell, ...]]:
    """Strata of pairs: those of the design, and by the runs that have them in their first ten."""
    divisions = _pair_divisions(study)
    for judge in (*study.seconds, *study.judges):
        for division, strata in divisions.items():
            for name, is_in in strata.items():
                yield (EVERY, study.name(judge), division, name, *_finding(study, judge, is_in), None)


def _pair_divisions(study: Study) -> dict[str, dict[str, Flags]]:
    """Flags of the pairs of each stratum of each division; by runs it is none, one, or several."""
    divisions: dict[str, dict[str, Flags]] = {}
    for division, strata in study.design.pair_strata.items():
        pairs = (_pair(study, index) for index in range(study.topic_of_pair.size))
        names = np.array([strata.get(topic, {}).get(docno, "") for topic, docno in pairs])
        divisions[division] = {name: names == name for name in sorted({*names.tolist()} - {""})}
    counts = np.zeros(study.topic_of_pair.size, np.int64)
    for run in study.retrieved:
        counts[run.pairs[run.ranks < TOP]] += 1
    by_runs = {"no run": counts == 0, "one run": counts == 1, "several runs": counts > 1}
    return divisions | {PAIRS_BY: by_runs}


def _divisions(study: Study) -> dict[str, dict[str, Ints]]:
    """Indices of the topics of each stratum of each division."""
    topic_index = {topic: index for index, topic in enumerate(study.topics)}
    divisions = {name: _grouped(stratum_of, topic_index) for name, stratum_of in study.design.strata.items()}
    return divisions | {_difficulty(study): _by_difficulty(study)}


def _difficulty(study: Study) -> str:
    """The name of the thirds of topics, which no division of the design has."""
    name = DIFFICULTY
    while name in study.design.strata or name in study.design.pair_strata:
        name += " for runs"
    return name


def topics_of_strata(study: Study) -> dict[str, dict[str, list[str]]]:
    """Topic names of each stratum of each division, as plain JSON."""
    return {
        division: {name: [study.topics[index] for index in members] for name, members in strata.items()}
        for division, strata in _divisions(study).items()
    }


def _grouped(stratum_of: Mapping[str, str], topic_index: Mapping[str, int]) -> dict[str, Ints]:
    groups: dict[str, list[int]] = {name: [] for name in sorted(set(stratum_of.values()))}
    for topic, name in stratum_of.items():
        if topic in topic_index:
            groups[name].append(topic_index[topic])
    return {name: np.array(sorted(topics), dtype=np.int64) for name, topics in groups.items()}


def _by_difficulty(study: Study) -> dict[str, Ints]:
    shared = study.shared_values(0, PEOPLE)
    if not shared.runs.size:
        return {name: np.empty(0, np.int64) for name in THIRDS}
    medians = np.median(shared.values[0], axis=0)
    order = shared.topics[np.argsort(medians, kind="stable")]
    return {name: np.sort(part) for name, part in zip(THIRDS, np.array_split(order, 3), strict=True)}
