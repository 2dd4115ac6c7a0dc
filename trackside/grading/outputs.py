"""What a folder of `trackside judge` holds: qrels, raw scores, answers and provenance."""

import json
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trackside.code_version import code_version
from trackside.errors import InputError
from trackside.findings.provenance import JudgeProvenance, MappingFacts, TextsSeen, Work
from trackside.grading.journal import Journal
from trackside.grading.pairs import Pair
from trackside.grading.questions import Plan
from trackside.judging.answers import SCORED
from trackside.judging.asking import EndpointError
from trackside.judging.encoding import unseen_warnings
from trackside.judging.examples import example_topics, left_out_words
from trackside.judging.inputs import Gap
from trackside.judging.mappings.mapping import QuantileMapping
from trackside.judging.mappings.rules import (
    Frozen,
    PerTopic,
    Scored,
    cuts_of,
    default_rule,
    empty_grade_warning,
    fit,
    grades_of,
)
from trackside.judging.prompts import reading_form, settings_facts
from trackside.judging.settings import Settings
from trackside.reporting.writers.bundle import scores_text

QRELS, SCORES, ANSWERS, PROVENANCE = "judge.qrels", "scores.tsv", "answers.jsonl", "provenance.json"


@dataclass(frozen=True)
class Result:
    """A pair with its outcome; ``line`` is the journal's line of its request, or empty."""

    pair: Pair
    outcome: str
    line: Mapping[str, Any]

    @property
    def score(self) -> float | None:
        """The raw score; None for a gap."""
        score: float | None = self.line.get("score")
        return score


def results_of(
    pairs: Sequence[Pair],
    plan: Plan,
    journal: Journal,
    gaps: Mapping[str, Gap],
    left_out: Collection[str] = (),
) -> list[Result]:
    """Return the result of each pair; NOT_ASKED for those without an answer so far.

    Scores of the topics that are left out are HELD_OUT: the judge was shown people's grades of them.
    """
    results = []
    for pair in pairs:
        key = plan.keys.get(pair, "")
        line = journal.answers.get(key, {})
        gap = plan.gaps.get(pair) or gaps.get(key)
        outcome = line.get("outcome") or gap or EndpointError.NOT_ASKED
        is_held_out = pair[0] in left_out and outcome in SCORED
        results.append(Result(pair, str(Gap.HELD_OUT if is_held_out else outcome), line))
    return results


@dataclass(frozen=True)
class Grading:
    """The grades of scored pairs, None where the rule gives none, and the rule by which they were given."""

    rule: str
    frozen: Frozen | None
    grades: Mapping[Pair, int | None]
    scale: tuple[int, ...]

    def counts(self) -> list[int]:
        """The number of pairs of each grade of the scale."""
        counts = Counter(self.grades.values())
        return [counts[grade] for grade in self.scale]

    def facts(self) -> MappingFacts:
        """The rule as the provenance has it."""
        cuts = cuts_of(self.frozen) if self.frozen else ()
        by_topic = self.frozen.by_topic if isinstance(self.frozen, PerTopic) else {}
        return MappingFacts(
            rule=self.rule,
            thresholds=tuple(cut if math.isfinite(cut) else None for cut in cuts),
            by_topic={topic: [*row.thresholds, row.n] for topic, row in by_topic.items()},
            n=self.frozen.n if isinstance(self.frozen, QuantileMapping) else len(self.grades),
        )


def grade(
    results: Sequence[Result],
    settings: Settings,
    *,
    scale: tuple[int, ...],
    rule: str | None,
    cuts: Sequence[float],
) -> Grading:
    """Map the scores to grades. Raises InputError where the rule does not fit them."""
    with_score = [result for result in results if result.outcome in SCORED and result.score is not None]
    scored = [
        Scored(result.pair[0], float(result.score or 0), result.line.get("expected")) for result in with_score
    ]
    gives_grades = bool(settings.answer) and reading_form(settings).is_within(scale)
    rule = rule or default_rule(scored, scale, gives_grades=gives_grades)
    if not scored:
        return Grading(rule, None, {}, scale)
    frozen = fit(rule, scored, scale=scale, cuts=cuts)
    pairs = [result.pair for result in with_score]
    return Grading(rule, frozen, dict(zip(pairs, grades_of(frozen, scored), strict=True)), scale)


def write_outputs(
    folder: Path, results: Sequence[Result], grading: Grading, provenance: JudgeProvenance
) -> None:
    """Write the files; each replaces its earlier version as a whole."""
    qrels = [
        f"{topic} 0 {docno} {grade}\n"
        for (topic, docno), grade in grading.grades.items()
        if grade is not None
    ]
    scores = {pair: result.score for result in results if (pair := result.pair) in grading.grades}
    answers = [
        json.dumps(
            {"topic": result.pair[0], "docno": result.pair[1], "outcome": result.outcome}
            | {name: value for name, value in result.line.items() if name not in NOT_SHOWN}
            | ({"grade": grading.grades[result.pair]} if result.pair in grading.grades else {}),
            ensure_ascii=False,
        )
        + "\n"
        for result in results
    ]
    contents = {
        QRELS: "".join(qrels),
        SCORES: scores_text({pair: score for pair, score in scores.items() if score is not None}),
        ANSWERS: "".join(answers),
        PROVENANCE: json.dumps(provenance.to_json(), ensure_ascii=False, indent=1) + "\n",
    }
    for name, content in contents.items():
        write_text(folder / name, content)


def write_text(path: Path, content: str) -> None:
    """Write a file, or replace it as a whole. Raises InputError."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(content, encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}. Make room, and run the command again.") from error


NOT_SHOWN = ("key", "outcome", "cost", "latency_ms")  # they differ after a retry


def provenance_of(
    name: str,
    settings: Settings,
    results: Sequence[Result],
    grading: Grading,
    *,
    work: Work,
    texts: TextsSeen | None,
) -> JudgeProvenance:
    """Return where the grades come from, as a site publishes it with qrels."""
    empty = empty_grade_warning(grading.rule, grading.counts(), grading.scale) if grading.grades else None
    words = [*(unseen_warnings(texts) if texts else ()), empty, left_out_words(settings.prompt)]
    return JudgeProvenance(
        judge=name,
        **settings_facts(settings),
        texts=texts,
        work=work,
        mapping=grading.facts(),
        left_out_topics=example_topics(settings.prompt),
        warnings=tuple(filter(None, words)),
        code_version=code_version(),
        outcomes=dict(Counter(result.outcome for result in results).most_common()),
    )


def work_of(results: Sequence[Result], journal: Journal, *, is_asked: bool, has_price: bool) -> Work:
    """Return the work of all runs of the command in the folder."""
    asked = {str(result.line["key"]): result.line for result in results if result.line}
    sums = {
        name: sum(line.get(name, 0) for line in asked.values())
        for name in ("input_tokens", "output_tokens", "latency_ms")
    }
    return Work(
        pair_count=len(results),
        asked_count=len(asked) if is_asked else None,
        request_count=journal.request_count if is_asked else None,
        input_tokens=sums["input_tokens"] if is_asked else None,
        output_tokens=sums["output_tokens"] if is_asked else None,
        cost_micros=journal.spent if has_price else None,
        latency_seconds=sums["latency_ms"] / 1000 if is_asked else None,
    )
