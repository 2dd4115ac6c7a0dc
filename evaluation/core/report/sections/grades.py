"""Does each judge grade as people do, pair by pair?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from evaluation.core.arrays import Ints
from evaluation.core.figures.svg.forest import forest_svg
from evaluation.core.findings.results import GradeFinding, JudgeFindings, SecondFinding
from evaluation.core.report.agreement import fewest_for_alpha, interval_scale, number_with_interval
from evaluation.core.report.findings import Findings
from evaluation.core.report.focus import series_of
from evaluation.core.report.questions import confusions
from evaluation.core.report.sections.matrices import kappa_matrix
from evaluation.core.report.sections.parts import COEFFICIENT, NEW_TOPICS, compared, forest_row, number
from evaluation.core.report.study import PEOPLE, Study
from evaluation.core.report.tables import Column, Figure, Number, Section, Table, View, table_of
from evaluation.core.report.views.sentences import grades_words, second_words
from evaluation.core.statistics.agreement.rows import alpha_at_cut_of_matrices, coefficients


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One set of grades against people; ``second`` is None for a second assessor. ``alphas`` are by cut."""

    name: str
    grades: GradeFinding
    second: SecondFinding | None
    linear: Number
    quadratic: Number
    ac1: Number
    same_grade: Number
    alphas: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """The pairs with one of people's grades: ``counts`` of the judge's, in the order of the scale."""

    name: str
    people: int
    counts: tuple[int, ...]

    @property
    def shares(self) -> tuple[float, ...] | None:
        """The counts as shares of the row; None without a pair."""
        total = sum(self.counts)
        return tuple(count / total for count in self.counts) if total else None


def grades_section(study: Study, findings: Findings) -> Section | None:
    """Coefficients of agreement, the confusion, and kappa of judges with each other."""
    if not compared(findings):
        return None
    places = {each.name: place for place, each in enumerate(study.sets)}
    matrices = {each.name: confusions(study, PEOPLE, places[each.name]) for each in compared(findings)}
    confusion = tuple(
        row
        for name, by_topic in matrices.items()
        for row in confusion_rows(name, by_topic, study.design.scale)
    )
    tables = (
        _agreement(study, findings, matrices),
        _confusion(study, confusion),
        kappa_matrix(study, findings),
    )
    return Section("grades", "Grades", _sentences(findings), tables, (_figure(study, findings),))


def _sentences(findings: Findings) -> tuple[str, ...]:
    """Agreement of the judge with the highest kappa, and how it compares with the second assessor."""
    known = [judge for judge in findings.judges if judge.grades.kappa is not None]
    best = max(known, key=lambda judge: judge.grades.kappa or 0.0, default=None)
    if best is None:
        return ()
    phrases = grades_words(best.grades), second_words(best.second)
    return tuple(f"{best.name} {phrase}." for phrase in phrases if phrase)


def _figure(study: Study, findings: Findings) -> Figure:
    """Kappa of the second assessors and of each judge with people."""
    series, known = series_of(study), compared(findings)
    title = next(iter(_sentences(findings)), "No kappa with people is defined").rstrip(".")
    svg = forest_svg(
        [forest_row(each.name, series[each.name], kappa_of(each.grades), COEFFICIENT) for each in known],
        name="kappa",
        title=title,
        desc="Kappa of each set of grades with people's; the values are in the table.",
        axis="kappa with people",
    )
    caption = "Kappa with people, 95 % interval over topics. A hollow mark has no interval."
    return Figure("kappa", title, caption, svg, "agreement")


def kappa_of(grades: GradeFinding) -> Number:
    """Kappa with its interval."""
    return number(grades.kappa, grades.low, grades.high, grades.reason)


def _agreement(study: Study, findings: Findings, matrices: dict[str, Ints]) -> Table:
    scale = study.design.scale
    rows = [
        agreement_row(
            each.name,
            each.grades,
            each.second if isinstance(each, JudgeFindings) else None,
            matrices[each.name],
            scale,
        )
        for each in compared(findings)
    ]
    notes = (
        "On the pairs that both graded, summed over topics; 95 % intervals by the jackknife over topics. "
        "Leniency: the judge's mean grade minus people's. alpha: Krippendorff's, of “this grade or more” "
        "against “less”. Second assessor: kappa of the judge minus that of the second assessor, on the pairs "
        "that all three graded, with one-sided 95 % ends.",
    )
    caption = "Agreement of each judge with people, pair by pair."
    return table_of("agreement", caption, (*AGREEMENT, *_alphas(scale)), rows, notes)


AGREEMENT: tuple[View[AgreementRow], ...] = (
    View(Column("grades from"), lambda row: row.name),
    View(Column("topics", ",d"), lambda row: row.grades.topic_count),
    View(Column("pairs", ",d"), lambda row: row.grades.pair_count),
    View(
        Column("kappa", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS),
        lambda row: kappa_of(row.grades),
    ),
    View(
        Column("leniency", "+z.2f", has_interval=True, estimand=NEW_TOPICS),
        lambda row: number(row.grades.leniency, row.grades.leniency_low, row.grades.leniency_high),
    ),
    View(
        Column("less the second assessor's kappa", "+z.2f", has_interval=True, estimand=NEW_TOPICS),
        lambda row: _difference(row.second) if row.second else None,
    ),
    View(Column("verdict"), lambda row: row.second.verdict.replace("_", " ") if row.second else None),
    View(
        Column("kappa, linear", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS), lambda row: row.linear
    ),
    View(
        Column("kappa, quadratic", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS),
        lambda row: row.quadratic,
    ),
    View(Column("AC1", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS), lambda row: row.ac1),
    View(Column("same grade", ".0%", has_interval=True, estimand=NEW_TOPICS), lambda row: row.same_grade),
)


def _difference(second: SecondFinding) -> Number:
    ends = second.low_difference, second.high_difference
    return number(second.difference, *ends, second.reason, level=0.9)  # one-sided 95 % ends


def _alphas(scale: tuple[int, ...]) -> Iterator[View[AgreementRow]]:
    for place, cut in enumerate(scale[1:]):
        column = Column(f"alpha, {cut} or more", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS)
        yield View(column, _alpha_at(place))


def _alpha_at(place: int) -> Callable[[AgreementRow], Number]:
    return lambda row: row.alphas[place]


def agreement_row(
    name: str,
    grades: GradeFinding,
    second: SecondFinding | None,
    by_topic: Ints,
    scale: tuple[int, ...],
) -> AgreementRow:
    """Add further coefficients, from the confusion matrices [topic, people, judge], to the findings."""
    known = coefficients(scale)

    def coefficient(statistic: str) -> Number:
        return number_with_interval(known[statistic], by_topic, *interval_scale(statistic, scale))

    return AgreementRow(
        name,
        grades,
        second,
        linear=coefficient("kappa, linear"),
        quadratic=coefficient("kappa, quadratic"),
        ac1=coefficient("AC1"),
        same_grade=coefficient("same grade"),
        alphas=tuple(_alpha(by_topic, scale, cut, place) for place, cut in enumerate(scale[1:])),
    )


def _alpha(by_topic: Ints, scale: tuple[int, ...], cut: int, place: int) -> Number:
    statistic = partial(alpha_at_cut_of_matrices, scale=scale, cut=cut)
    return number_with_interval(statistic, by_topic, "correlation", fewest_for_alpha(place))


def confusion_rows(name: str, by_topic: Ints, scale: tuple[int, ...]) -> list[ConfusionRow]:
    """A row for each of people's grades; none without a pair."""
    total = by_topic.sum(axis=0)
    if not total.any():
        return []
    return [ConfusionRow(name, grade, tuple(row)) for grade, row in zip(scale, total.tolist(), strict=True)]


def _confusion(study: Study, rows: tuple[ConfusionRow, ...]) -> Table:
    scale = study.design.scale
    views: list[View[ConfusionRow]] = [
        View(Column("grades from"), lambda row: row.name),
        View(Column("people's grade", "d"), lambda row: row.people),
        View(Column("pairs", ",d"), lambda row: sum(row.counts)),
        *(View(Column(f"graded {grade}", ",d"), _count_at(place)) for place, grade in enumerate(scale)),
        *(View(Column(f"{grade}, share", ".0%"), _share_at(place)) for place, grade in enumerate(scale)),
    ]
    return table_of("confusion", "Pairs by people's grade and the judge's.", views, rows)


def _count_at(place: int) -> Callable[[ConfusionRow], int]:
    return lambda row: row.counts[place]


def _share_at(place: int) -> Callable[[ConfusionRow], float | None]:
    return lambda row: row.shares[place] if row.shares else None
