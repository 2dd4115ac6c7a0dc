"""Public functions: the report, how far other qrels can replace people's, as by ``trackside report``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from numbers import Integral
from pathlib import Path
from typing import Any

from trackside.code_version import code_version
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.findings.use_results import TuneUse
from trackside.findings.verdicts import Margins
from trackside.library.evaluating import Measures, several
from trackside.library.inputs import QrelsInput, RunInput, each_qrels, each_run, read_qrels
from trackside.library.stratifying import StrataInput, strata_of_pairs
from trackside.reporting.build import build_report, refuse_off_scale
from trackside.reporting.design import SEED, ReportRun
from trackside.reporting.findings import Findings
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.plain import Choices, margins_of, plain_study, read_runs_table
from trackside.reporting.study import Study
from trackside.reporting.uses import uses_of
from trackside.reporting.writers.bundle import read_bundle as study_of_bundle
from trackside.uncertainty.ranks import REPLICATES


def report(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    reference: QrelsInput,
    judges: QrelsInput | Iterable[QrelsInput] | Mapping[str, QrelsInput] = (),
    *,
    people: QrelsInput | Iterable[QrelsInput] | Mapping[str, QrelsInput] = (),
    raw_scores: Mapping[str, Mapping[tuple[str, str], float]] | None = None,
    about: Sequence[ReportRun] | str | Path | None = None,
    topics: Iterable[str] = (),
    strata: Mapping[str, Mapping[str, str]] | None = None,
    pair_strata: Mapping[str, StrataInput] | None = None,
    measures: Measures = (),
    level: int | None = None,
    scale: Sequence[int] = (),
    is_clipped: bool = False,
    margins: Margins | None = None,
    seed: int = SEED,
    resamples: int = REPLICATES,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Findings:
    """Compute the report on runs under people's qrels and those of judges.

    ``reference`` are people's qrels, ``judges`` those of models, ``people`` those of second assessors, the
    yardstick of the judges and never one of them. ``raw_scores`` maps the name of a judge's qrels to its
    score of each (topic, docno).
    ``about`` gives team, families, backbone, type and pool depth of each run, as ``ReportRun`` or in a CSV
    file with the header tag,team,families,backbone,type,pool_depth. ``topics`` restricts the report to these.
    ``strata`` divides topics, such as ``{"page": {"301": "seen"}}``, ``pair_strata`` pairs, such as
    ``{"difficulty": "difficulty.tsv"}``, as in `split_qrels`. ``measures`` default to nDCG@10 and AP
    at each level. ``level`` is the lowest relevant grade (1), ``scale`` the possible grades (up to people's
    highest). ``is_clipped`` moves grades beyond the scale to its ends. ``margins`` are those of the uses,
    such as ``Margins(kappa=0.1)``. ``resamples`` is the number of resamples.

    The result has ``judges`` with typed findings (``judges[0].order("nDCG@10").tau``), ``yardsticks`` (second
    assessors), ``facts``, and ``sections`` with sentences, tables and figures; ``write_report`` writes them.
    The same input gives the same findings. Raises InputError.
    """
    _refuse_numbers(level, seed, resamples, scale)
    if isinstance(topics, str):
        raise InputError(f"topics: {topics!r} is one text. Give a list, such as ['301', '302'].")
    _refuse_strata(strata or {})
    choices = Choices(
        scale=tuple(sorted(set(scale))),
        level=level,
        measures=tuple(map(str, several(measures))),
        topics=frozenset(map(str, topics)),
        is_clipped=is_clipped,
        strata=strata or {},
        pair_strata={name: strata_of_pairs(of_pairs) for name, of_pairs in (pair_strata or {}).items()},
        margins=margins_of(asdict(margins)) if margins else Margins(),
        seed=seed,
        replicates=resamples,
    )
    sets = [("human", read_qrels(reference)), *_several("second", people), *_several("model", judges)]
    each_qrels([qrels for _, qrels in sets])  # refuses two of one name
    study = plain_study(each_run(runs), sets, choices, about=_about(about), raw_scores=raw_scores)
    return build_report(study, code_version=code_version(), on_progress=on_progress)


def exchange_rate(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    reference: QrelsInput,
    judge: QrelsInput,
    *,
    people: QrelsInput | Iterable[QrelsInput] | Mapping[str, QrelsInput] = (),
    measure: str = "nDCG@10",
    level: int | None = None,
    scale: Sequence[int] = (),
    seed: int = SEED,
) -> TuneUse:
    """Of what runs gain by pleasing the judge, the share that people's grades see.

    Each run's first 20 results that both graded are re-ordered by the judge's grades among their ranks. The
    ``rate`` is people's gain over the judge's, with its 95 % interval over topics; the arguments are those of
    `report`. Raises InputError.
    """
    study = judged_study(
        runs, reference, judge, people=people, measure=measure, level=level, scale=scale, seed=seed
    )
    return uses_of(study, study.judges[0], hardly_graded(study)).tune


def judged_study(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    reference: QrelsInput,
    judge: QrelsInput,
    *,
    people: QrelsInput | Iterable[QrelsInput] | Mapping[str, QrelsInput] = (),
    about: Sequence[ReportRun] | str | Path | None = None,
    measure: str = "nDCG@10",
    level: int | None = None,
    scale: Sequence[int] = (),
    seed: int = SEED,
) -> Study:
    """The study of one judge by one measure, with the arguments of `report`. Raises InputError."""
    _refuse_numbers(level, seed, REPLICATES, scale)
    choices = Choices(
        scale=tuple(sorted(set(scale))), level=level, measures=tuple(map(str, several(measure))), seed=seed
    )
    sets = [("human", read_qrels(reference)), *_several("second", people), ("model", read_qrels(judge))]
    study = plain_study(each_run(runs), sets, choices, about=_about(about))
    refuse_off_scale(study)
    return study


def _refuse_numbers(level: Any, seed: Any, resamples: Any, scale: Sequence[Any]) -> None:
    for name, value, least in (("level", level, 1), ("seed", seed, 0), ("resamples", resamples, 10)):
        if not isinstance(value, Integral) and (name, value) != ("level", None):
            raise InputError(f"{name} {value!r}: give a whole number.")
        if value is not None and int(value) < least:
            noun = "number" if name == "resamples" else name
            raise InputError(f"{name} {value}: give a {noun} of {least} or more.")
    if not all(isinstance(grade, Integral) and int(grade) >= 0 for grade in scale):
        raise InputError(f"scale {scale!r}: give grades from 0 up, such as [0, 1, 2].")


def _refuse_strata(strata: Any) -> None:
    divisions = strata.values() if isinstance(strata, Mapping) else [None]
    if not all(isinstance(division, Mapping) for division in divisions):
        raise InputError(f"strata {strata!r}: give a mapping of names to mappings of topics to strata.")


def read_bundle(path: str | Path) -> Findings:
    """Compute the report of a bundle, the zip that a site offers, from its runs and qrels.

    Raises InputError if the bundle is damaged or was changed.
    """
    return build_report(study_of_bundle(path), code_version=code_version())


def _several(kind: str, sources: Any) -> list[tuple[str, Qrels]]:
    is_empty = isinstance(sources, (tuple, dict)) and not sources
    return [] if is_empty else [(kind, qrels) for qrels in each_qrels(sources)]


def _about(about: Sequence[ReportRun] | str | Path | None) -> Sequence[ReportRun] | None:
    if not isinstance(about, (str, Path)):
        return about
    try:
        text = Path(about).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{about}: cannot be read as UTF-8 text ({error}). Check the path.") from error
    return read_runs_table(text, str(about))
