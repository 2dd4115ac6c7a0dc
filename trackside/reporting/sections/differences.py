"""Where do people and judges differ: which pairs, and in which strata of topics and pairs?"""

from collections.abc import Iterator, Mapping

import numpy as np

from trackside.arrays import Ints
from trackside.reporting.findings import Findings
from trackside.reporting.questions import confusions
from trackside.reporting.sections.parts import COEFFICIENT, OTHER_TOPICS, compared
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import EVERY, Cell, Column, Section, Selector, table_of
from trackside.statistics.agreement import confusion_matrix, kappa_of_matrix
from trackside.statistics.correlation import kendall_tau_b, kendall_tau_b_of_rows
from trackside.statistics.estimate import Interval, Number, Reason
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
    Column("kappa", COEFFICIENT),
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
    notes = (
        f"Difficulty: thirds of the topics by the median run's value under people. {PAIRS_BY.capitalize()}: "
        "strata of pairs, which have no order of runs.",
    )
    tables = (
        table_of("differing-pairs", "Pairs on which people and a judge differ most.", PAIRS, pairs),
        table_of("strata", "Each judge within each stratum.", STRATA, rows, notes),
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


def _topic_strata(study: Study) -> Iterator[tuple[Cell, ...]]:
    strata = [
        (division, name, members)
        for division, groups in _divisions(study).items()
        for name, members in groups.items()
    ]
    difficulty = strata[-1][0]  # the last division
    for judge in (*study.seconds, *study.judges):
        topics, by_topic = study.shared_topics(PEOPLE, judge), confusions(study, PEOPLE, judge)
        for division, name, members in strata:
            shared = np.intersect1d(members, topics)
            total = by_topic[np.isin(topics, shared)].sum(axis=0)
            for index, measure in enumerate(study.measures):
                yield (
                    measure,
                    study.name(judge),
                    division,
                    name,
                    shared.size,
                    int(total.sum()),
                    kappa_of_matrix(total, study.design.scale).value,
                    _tau(study, index, judge, shared, is_chosen_by_values=division == difficulty),
                )


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
    """Strata of pairs by how many runs have them in their first ten: none, one, or several."""
    counts = np.zeros(study.topic_of_pair.size, np.int64)
    for run in study.retrieved:
        counts[run.pairs[run.ranks < TOP]] += 1
    strata = {"no run": counts == 0, "one run": counts == 1, "several runs": counts > 1}
    scale = study.design.scale
    for judge in (*study.seconds, *study.judges):
        shared = study.shared_pairs(PEOPLE, judge)
        for name, is_in in strata.items():
            pairs = shared[is_in[shared]]
            people, grades = study.grades[[PEOPLE, judge]][:, pairs]
            total = confusion_matrix(people, grades, scale)
            topics = np.unique(study.topic_of_pair[pairs]).size
            kappa = kappa_of_matrix(total, scale).value
            yield (EVERY, study.name(judge), PAIRS_BY, name, topics, int(total.sum()), kappa, None)


def _divisions(study: Study) -> dict[str, dict[str, Ints]]:
    """Indices of the topics of each stratum of each division; difficulty comes last."""
    topic_index = {topic: index for index, topic in enumerate(study.topics)}
    divisions = {name: _grouped(stratum_of, topic_index) for name, stratum_of in study.design.strata.items()}
    name = DIFFICULTY
    while name in divisions:
        name += " for runs"
    return divisions | {name: _by_difficulty(study)}


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
