"""A study from plain runs and qrels, with defaults for all options that are not given."""

import csv
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from numbers import Real
from unicodedata import category

from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.files.pair_strata import PairStrata, graded_pairs
from trackside.findings.verdicts import Margins
from trackside.measuring import parse_measures
from trackside.reporting.design import SEED, Choice, Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.study import Study, study_of
from trackside.uncertainty.ranks import REPLICATES

Scores = Mapping[tuple[str, str], float]

FIELDS = ("tag", "team", "families", "backbone", "type", "pool_depth")


@dataclass(frozen=True)
class Choices:
    """The options of a report on plain files; the defaults are those of every report.

    ``scale`` are the grades that could be given (up to people's highest), ``level`` the lowest relevant grade
    (1), ``measures`` names (nDCG@10, and AP at each level). ``topics`` restricts the report to these.
    ``is_clipped`` moves grades beyond the scale to its ends. ``strata`` are divisions of the topics by name,
    ``pair_strata`` those of pairs. The rest is as in ``Design``.
    """

    scale: tuple[int, ...] = ()
    level: int | None = None
    measures: tuple[str, ...] = ()
    topics: frozenset[str] = frozenset()
    is_clipped: bool = False
    strata: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pair_strata: Mapping[str, PairStrata] = field(default_factory=dict)
    margins: Margins = field(default_factory=Margins)
    seed: int = SEED
    replicates: int = REPLICATES


def margins_of(values: Mapping[str, float]) -> Margins:
    """The default margins with these values, by the fields' names. Raises InputError."""
    names = [margin.name for margin in fields(Margins)]
    for name, value in values.items():
        if name not in names:
            raise InputError(f"margin {name}: there is none. Choose one of {', '.join(names)}.")
        if not isinstance(value, Real) or not 0 <= value < math.inf:
            raise InputError(f"margin {name}={value}: give a number from 0 up.")
    return Margins(**{name: float(value) for name, value in values.items()})


def plain_study(
    runs: Iterable[Rankings],
    sets: Sequence[tuple[str, Qrels]],
    choices: Choices,
    *,
    about: Sequence[ReportRun] | None = None,
    raw_scores: Mapping[str, Scores] | None = None,
) -> Study:
    """The study of runs under sets of qrels, each with its kind, "human" first. Raises InputError."""
    scores = dict(raw_scores or {})
    kinds, qrels_sets = [kind for kind, _ in sets], [qrels for _, qrels in sets]
    if unknown := sorted(scores.keys() - {qrels.name for qrels in qrels_sets}):
        raise InputError(f"raw scores of {unknown[0]}: no qrels have this name. Use one of their names.")
    tags = Counter(run.tag for run in about or ())
    for run in about or ():
        if tags[run.tag] > 1:
            raise InputError(f"run {run.tag}: described twice. Delete one.")
        for name in (run.team, *run.families):
            _refuse_name(f"run {run.tag}: team or family", name)
    for qrels in qrels_sets:
        _refuse_name("qrels", qrels.name)
        _refuse_scores(qrels, scores.get(qrels.name, {}))
    _refuse_pair_strata(qrels_sets[0], choices)
    if choices.is_clipped:
        qrels_sets = [_clipped(qrels, choices.scale) for qrels in qrels_sets]
    chosen = ""
    if choices.topics:
        topics = {topic for qrels in qrels_sets for topic in qrels.topics}
        choice = Choice.among((), set(choices.topics), all_tags=(), all_topics=topics)
        chosen = choice.words(run_count=0, topic_count=len(topics))
        qrels_sets = [_within(qrels, choices.topics) for qrels in qrels_sets]
    graded = [
        GradedSet(SetFacts.of(qrels, kind), qrels, scores.get(qrels.name, {}))
        for kind, qrels in zip(kinds, qrels_sets, strict=True)
    ]
    return study_of(_design(choices, qrels_sets, chosen), about, _with_fit_tags(runs), graded)


def _with_fit_tags(runs: Iterable[Rankings]) -> Iterator[Rankings]:
    for run in runs:
        _refuse_name("run", run.tag)
        yield run


def _refuse_name(kind: str, name: str) -> None:
    """Raise InputError for control characters and half surrogates, which SVG and UTF-8 cannot hold."""
    if stray := next((char for char in name if category(char) in ("Cc", "Cs")), None):
        raise InputError(f"{kind} {name!r}: the name has the character {stray!r}. Write it without.")


def _refuse_scores(qrels: Qrels, scores: Scores) -> None:
    """Raise InputError if no scored pair has a grade, or if a score is not a finite number."""
    for pair, score in scores.items():
        if not isinstance(score, Real) or not math.isfinite(score):
            raise InputError(f"raw scores of {qrels.name}: {score!r} of {pair} is not a finite number.")
    grades = qrels.to_dict()
    if scores and not any(pair[1] in grades.get(pair[0], {}) for pair in scores if len(pair) == 2):
        raise InputError(
            f"raw scores of {qrels.name}: none of its {qrels.pair_count:,} pairs has one. Name pairs "
            "(topic, docno) as the qrels do."
        )


def _refuse_pair_strata(people: Qrels, choices: Choices) -> None:
    """Raise InputError if people graded no pair of a division, or one of topics has its name."""
    for name, strata in choices.pair_strata.items():
        if name in choices.strata:
            raise InputError(f"strata {name}: of topics and of pairs. Name one of the two differently.")
        if not any(docno in strata.get(topic, {}) for topic, docno in graded_pairs(people)):
            raise InputError(
                f"strata of pairs {name}: people graded none of its pairs. Name topics and docnos as the "
                "qrels do."
            )


def read_runs_table(text: str, name: str) -> list[ReportRun]:
    """Read descriptions of runs from CSV; ``name`` is its name in errors. Raises InputError."""
    reader = csv.DictReader(text.splitlines())
    if "tag" not in (reader.fieldnames or ()):
        raise InputError(f"{name}: the first line must name the columns {','.join(FIELDS)}.")
    if unknown := [field for field in reader.fieldnames or () if field not in FIELDS]:
        raise InputError(
            f"{name}: no column is called '{unknown[0]}'. Rename it to one of {', '.join(FIELDS)}, or "
            "delete it."
        )
    rows = list(reader)
    if uneven := [row["tag"] for row in rows if None in row]:
        raise InputError(
            f"{name}: the line of {uneven[0]} has more columns than the first line. Separate families with ;."
        )
    return [
        ReportRun(
            row["tag"],
            row.get("team") or "",
            tuple(family.strip() for family in (row.get("families") or "").split(";") if family.strip()),
            row.get("backbone") or "",
            row.get("type") or "",
            _depth(name, row.get("pool_depth") or ""),
        )
        for row in rows
    ]


def _depth(name: str, text: str) -> int | None:
    if text and not text.isdecimal():
        raise InputError(f"{name}: pool_depth {text}: give a whole number, or nothing if unknown.")
    return int(text) if text else None


def _design(choices: Choices, qrels_sets: Sequence[Qrels], chosen: str) -> Design:
    scale = choices.scale or _peoples_scale(qrels_sets)
    if scale and choices.level and choices.level > scale[-1]:
        raise InputError(f"level {choices.level}: the highest grade is {scale[-1]}. Give a lower level.")
    levels = [grade for grade in scale if grade >= (choices.level or 1)]
    names = choices.measures or ("nDCG@10", *(f"AP(rel={grade})" for grade in levels))
    return Design(
        scale=scale,
        level=choices.level or 1,
        measures=tuple(  # a level in the name takes precedence
            str(measure if measure.level is not None else measure.at_level(choices.level or 1))
            for measure in parse_measures(names)
        ),
        strata=choices.strata,
        pair_strata=choices.pair_strata,
        chosen=chosen,
        margins=choices.margins,
        seed=choices.seed,
        replicates=choices.replicates,
    )


def _peoples_scale(qrels_sets: Sequence[Qrels]) -> tuple[int, ...]:
    """The grades in all qrels that are not beyond people's, which are the first."""
    people = [int(grade) for grade in set(qrels_sets[0].grades.tolist()) if grade >= 0]
    grades = {int(grade) for qrels in qrels_sets for grade in set(qrels.grades.tolist())}
    return tuple(sorted(grade for grade in grades if people and 0 <= grade <= max(people)))


def _within(qrels: Qrels, topics: frozenset[str]) -> Qrels:
    selected = {topic: grades for topic, grades in qrels.items() if topic in topics}
    if not selected:
        raise InputError(f"topics: {qrels.name} has none of these topics. Write them as in the qrels.")
    return Qrels.from_dict(selected, name=qrels.name)


def _clipped(qrels: Qrels, scale: tuple[int, ...]) -> Qrels:
    """Clip grades to the ends of the scale; pairs without a grade (below 0) stay without."""
    if not scale:
        raise InputError("clipping needs the scale to clip to, such as 0, 1, 2.")
    clipped = {
        topic: {
            docno: min(max(grade, scale[0]), scale[-1]) if grade >= 0 else grade
            for docno, grade in grades.items()
        }
        for topic, grades in qrels.items()
    }
    return Qrels.from_dict(clipped, name=qrels.name)
