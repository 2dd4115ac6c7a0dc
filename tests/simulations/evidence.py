"""Do codes get better with better judges, and never by less evidence? The same tracks, more or less of them.

Changes of shares are paired by track and given in standard errors of their difference.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tests.simulations.made import SCALE
from tests.simulations.rows import Row
from tests.simulations.uses import ERRORS, MISSES, study_of_misses
from trackside.arrays import Floats, Ints
from trackside.findings.use_results import USES, UseCode, Uses
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.study import Study
from trackside.reporting.uses import uses_of

TOPICS, FEW = 74, 20
CLOSED = (UseCode.AS_PEOPLE, UseCode.DIFFERS)
OF_JUDGES = ("rank", "best", "tune", "label")  # families differ from people where people err
Codes = Floats  # [track, use, as people or differs], 0 or 1


def codes_of(uses: Uses) -> list[list[bool]]:
    """Whether each use is as people, and whether it differs."""
    return [[use.code is code for code in CLOSED] for _, use in uses.named()]


def rise(less: Floats, more: Floats) -> float:
    """How far a share rises with ``less`` evidence, paired by track, in standard errors; 0 if equal."""
    steps = less - more
    error = float(steps.std(ddof=1)) / np.sqrt(steps.size)
    return float(steps.mean() / error) if error > 0 else 0.0


def by_evidence(tracks: int, seed: int) -> Iterator[Row]:
    """Codes of the same tracks with topics and grades left out."""
    drawn: dict[str, list[list[list[bool]]]] = {name: [] for name in PARTS}
    for number in range(tracks):
        study = mixed_study(np.random.default_rng([seed, 10, number]))
        for name, part in PARTS.items():
            kept = part(study, np.random.default_rng([seed, 11, number]))
            drawn[name].append(codes_of(uses_of(kept, 1, hardly_graded(kept))))
    codes = {name: np.array(rows, dtype=np.float64) for name, rows in drawn.items()}
    for name, less in codes.items():
        figures: dict[str, float | None] = dict(_shares(less))
        for more in FROM.get(name, ()):
            rises = _rises(less, codes[more])
            figures |= {**rises, "largest rise": max(rises.values())}
        yield Row("left out", name, tracks, figures, topics=TOPICS)


def mixed_study(rng: np.random.Generator) -> Study:
    """Judges from good to bad, people who miss at random or hard items, and in one track of two a favour."""
    missed = list(MISSES.values())[int(rng.integers(len(MISSES)))]
    study = study_of_misses(rng, TOPICS, missed, float(rng.choice([0.0, 0.1, 0.3, 0.6])))
    if rng.random() < 0.5:
        exposure = np.zeros(study.grades.shape[1])
        for run, retrieved in zip(study.runs, study.retrieved, strict=True):
            exposure[retrieved.pairs[retrieved.ranks < 10]] += 1 if run.families else -1
        is_raised = (exposure > 0) & (rng.random(exposure.size) < rng.choice([0.1, 0.3]))
        study = _graded(study, judge=np.minimum(study.grades[1] + is_raised, SCALE[-1]))
    return study


def _graded(study: Study, **changed: Ints) -> Study:
    """The study with other grades of people, the judge or the second assessor."""
    names = ("people", "judge", "second")
    rows = [changed.get(name, row) for name, row in zip(names, study.grades, strict=True)]
    grades = np.array(rows, dtype=study.grades.dtype)
    return replace(
        study, grades=grades, values=np.array([study.values_under(row, study.measures) for row in grades])
    )


def _of_topics(study: Study, _rng: np.random.Generator, *, count: int) -> Study:
    part = _graded(study, people=np.where(study.topic_of_pair < count, study.grades[0], -1))
    return replace(part, is_judged=part.is_judged & (np.arange(len(study.topics)) < count))


def _of_people(study: Study, rng: np.random.Generator, *, share: float) -> Study:
    is_kept = rng.random(study.grades.shape[1]) < share
    return _graded(study, people=np.where(is_kept, study.grades[0], -1))


def _of_second(study: Study, rng: np.random.Generator, *, share: float) -> Study:
    is_kept = rng.random(study.grades.shape[1]) < share
    return _graded(study, second=np.where(is_kept, study.grades[2], -1))


def _of_judge(study: Study, rng: np.random.Generator, *, share: float) -> Study:
    is_kept = rng.random(study.grades.shape[1]) < share
    return _graded(study, judge=np.where(is_kept, study.grades[1], -1))


Part = Callable[[Study, np.random.Generator], Study]
WHOLE = "nothing"
PARTS: dict[str, Part] = {
    WHOLE: lambda study, _rng: study,
    "half of the topics": lambda study, rng: _of_topics(study, rng, count=TOPICS // 2),
    "all but 20 topics": lambda study, rng: _of_topics(study, rng, count=FEW),
    "a tenth of people's grades": lambda study, rng: _of_people(study, rng, share=0.9),
    "four tenths of people's grades": lambda study, rng: _of_people(study, rng, share=0.6),
    "three quarters of the second assessor's": lambda study, rng: _of_second(study, rng, share=0.25),
    "the second assessor": lambda study, rng: _of_second(study, rng, share=0.0),
    "a hundredth of the judge's grades": lambda study, rng: _of_judge(study, rng, share=0.99),
    "a tenth of the judge's grades": lambda study, rng: _of_judge(study, rng, share=0.9),
}
FROM: dict[str, tuple[str, ...]] = {name: (WHOLE,) for name in PARTS if name != WHOLE}


def _shares(codes: Floats) -> Iterator[tuple[str, float]]:
    for use, by_code in zip(USES, codes.mean(axis=0), strict=True):
        for code, share in zip(CLOSED, by_code, strict=True):
            yield f"{use} {code}", float(share)


def _rises(less: Floats, more: Floats) -> dict[str, float]:
    return {
        f"{use} {code} rises": rise(less[:, use_index, code_index], more[:, use_index, code_index])
        for use_index, use in enumerate(USES)
        for code_index, code in enumerate(CLOSED)
    }


def by_finer_error(tracks: int, seed: int) -> Iterator[Row]:
    """Codes from a judge by chance to a perfect one on the same tracks, with 20 topics and with 74.

    ``rises`` is how far people's share of codes falls, or that of `differs` rises, from the next worse judge.
    """
    for miss_index, (name, missed) in enumerate(MISSES.items()):
        of_few: Mapping[float, Floats] = {}
        for topics in (FEW, TOPICS):
            codes = _codes_by_error(tracks, [seed, 12, miss_index], topics, missed)
            for error, worse in zip(ERRORS, (*ERRORS[1:], None), strict=True):
                figures: dict[str, float | None] = dict(_shares(codes[error]))
                if worse is not None:
                    steps = _worsened(codes[error], codes[worse])
                    figures |= {**steps, "largest step": max(steps.values())}
                if of_few:
                    steps = _opened(codes[error], of_few[error])
                    others = [step for name, step in steps.items() if not name.startswith("rank")]
                    figures |= {**steps, "largest opening": max(others)}
                yield Row(f"missed {name}", f"wrong {error:.0%}", tracks, figures, topics=topics)
            of_few = codes


def _codes_by_error(
    tracks: int, seed: Sequence[int], topics: int, missed: tuple[float, float]
) -> dict[float, Floats]:
    codes: dict[float, list[list[list[bool]]]] = {error: [] for error in ERRORS}
    for number in range(tracks):
        for error, rows in codes.items():
            study = study_of_misses(np.random.default_rng([*seed, number]), TOPICS, missed, error)
            part = _of_topics(study, np.random.default_rng(0), count=topics) if topics < TOPICS else study
            rows.append(codes_of(uses_of(part, 1, hardly_graded(part))))
    return {error: np.array(rows, dtype=np.float64) for error, rows in codes.items()}


def _worsened(better: Floats, worse: Floats) -> dict[str, float]:
    """Whether the better judge is as people less often, or differs more often."""
    figures = {}
    for use_index, use in enumerate(USES):
        if use in OF_JUDGES:
            figures[f"{use} as_people falls"] = rise(worse[:, use_index, 0], better[:, use_index, 0])
            figures[f"{use} differs grows"] = rise(better[:, use_index, 1], worse[:, use_index, 1])
    return figures


def _opened(many: Floats, few: Floats) -> dict[str, float]:
    """Whether more topics leave a use open more often."""
    is_open = [1 - codes.sum(axis=2) for codes in (many, few)]
    return {
        f"{use} open grows": rise(is_open[0][:, index], is_open[1][:, index])
        for index, use in enumerate(USES)
    }
