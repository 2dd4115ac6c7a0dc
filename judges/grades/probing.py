"""What a probe shows: the loss of agreement by each exchange."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from evaluation.results.qrels.models import Qrels
from judges.grades.publishing import choose_rule, scale_of
from judges.jobs.models import Job
from trackside.errors import InputError
from trackside.findings.plain import to_plain
from trackside.judging.mappings.rules import Scored, fit, grades_of
from trackside.judging.perturbing import sentence
from trackside.judging.probes import UNGRADED, WORDS, Pair, Probe, ProbeCode, loss_of_pairs

Grades = Mapping[Pair, int | None]
SAMPLED = ""  # the pairs themselves, beside the probes


def measure_probe(*, job: Job) -> dict[str, Any]:
    """Return the results of an ended probe as JSON: a row for each exchange, or the ``error``.

    ``gaps`` are the outcomes of pairs of the sample itself without a score.

    All grades follow from one rule, which is fitted on the sample as job pages fit one. Without people's
    grades the loss is of agreement with itself: what is lost when a part is exchanged, beyond what is lost
    when the judge is asked the same again.
    """
    scored, gaps = _read(job)
    sampled = scored[SAMPLED]
    if not sampled:
        return {"error": "The judge gave no pair of the sample a score."}
    scale, rule = scale_of(job), choose_rule(job=job, scored=list(sampled.values()))
    try:
        frozen = fit(rule, list(sampled.values()), scale=scale)
        grades: dict[str, Grades] = {
            probe: dict(zip(pairs, grades_of(frozen, list(pairs.values())), strict=True))
            for probe, pairs in scored.items()
        }
        return {
            "error": "",
            "rule": rule,
            "gaps": dict(gaps[SAMPLED]),
            "results": [_row(job, probe, grades, gaps[probe], scale) for probe in grades if probe != SAMPLED],
        }
    except InputError as error:  # its scores are not what its form of answer promises
        return {"error": str(error)}


def _read(job: Job) -> tuple[dict[str, dict[Pair, Scored]], dict[str, Counter[str]]]:
    """Return the scored pairs of the sample by probe, and the outcomes of those without a score."""
    exchanges, columns = job.exchanges, ("topic", "docno", "outcome", "raw_score", "expected_score")
    scored: dict[str, dict[Pair, Scored]] = {SAMPLED: {}}
    gaps: dict[str, Counter[str]] = defaultdict(Counter)
    for topic, docno, outcome, score, expected in job.calls.order_by("pk").values_list(*columns):
        probe = next((exchanges[name][0] for name in (topic, docno) if name in exchanges), SAMPLED)
        pair = tuple(exchanges[name][1] if name in exchanges else name for name in (topic, docno))
        of_probe = scored.setdefault(probe, {})
        if score is None:
            gaps[probe][outcome] += 1
        else:
            of_probe[pair[0], pair[1]] = Scored(pair[0], score, expected)
    return scored, gaps


def _row(
    job: Job, probe: str, grades: Mapping[str, Grades], gaps: Counter[str], scale: tuple[int, ...]
) -> dict[str, Any]:
    people, before = _people(job), grades[SAMPLED]
    if people is None:
        people = {pair: grade for pair, grade in before.items() if grade is not None}
        before = before if probe == Probe.AGAIN else grades.get(Probe.AGAIN, before)
    loss = loss_of_pairs(people, before, grades[probe], scale=scale, margin=job.probe["margin"])
    words = (WORDS[loss.code], loss.says) if loss else (WORDS[ProbeCode.OPEN], UNGRADED)
    whom = "people" if job.probe["people"] else "its own first ones"
    return {
        "probe": probe,
        "word": words[0],
        "means": sentence(probe, loss, whom=whom, gap_count=gaps.total()),
        "says": words[1],
        "loss": to_plain(loss),
        "gaps": dict(gaps),
    }


def _people(job: Job) -> dict[Pair, int] | None:
    """Return the grades of people that the probe was drawn from; None if there were none."""
    qrels = Qrels.objects.filter(pk=job.probe["qrels"]).first()
    if qrels is None:
        return None
    rows = qrels.pairs.graded().values_list("topic", "docno", "grade")
    return {(topic, docno): grade for topic, docno, grade in rows if grade is not None}
