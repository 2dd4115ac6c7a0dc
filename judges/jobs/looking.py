"""What the controls of a job show: whether the judge's grades fall when the picture is exchanged."""

from __future__ import annotations

from dataclasses import dataclass

from judges.jobs.calls import Call
from judges.jobs.exchanges import exchanges_of, keys_of
from judges.jobs.models import Job
from trackside.judging.controls import FEWEST, Looked, Looks, control_count, looked
from trackside.judging.forms import answer_form


@dataclass(frozen=True)
class Control:
    """A control beside its pair, and the pair whose pictures it shows."""

    call: Call
    pair: Call
    other: Call


def read_controls(job: Job) -> list[Control]:
    """Return the job's controls by topic and document, also those without a grade."""
    read = job.calls.defer("raw_answer")  # thousands of them, and the counts need none
    calls = {call.topic: call for call in read.controls()}
    exchanges = exchanges_of(calls)
    pairs = read.in_bulk(keys_of(exchanges))
    rows = [Control(calls[name], *(pairs[key] for key in keys)) for name, keys in exchanges.items()]
    return sorted(rows, key=lambda row: (row.pair.topic, row.pair.docno))


def look_at(job: Job, controls: list[Control]) -> Looked:
    """Count the controls with a grade, and those whose grade stayed."""
    grades = [(row.pair.raw_score, row.call.raw_score) for row in controls]
    scored = [(before, after) for before, after in grades if before is not None and after is not None]
    return looked(answer_form(job.judge.answer), scored) if scored else Looked(0, 0)


def ignores_pictures(job: Job) -> bool:
    """Return whether the controls show that the grades stay when the picture is exchanged."""
    return look_at(job, read_controls(job)).looks is Looks.STAYS


def look_words(job: Job, controls: list[Control], pair_count: int) -> str:
    """Return what the controls show, or why there are none; empty for a judge that sees no picture."""
    if job.picture_side is None:
        return ""
    if controls:
        return look_at(job, controls).sentence
    if not control_count(pair_count):
        return f"not tested: at most a tenth of the pairs are controls, and {FEWEST} are needed"
    if not job.is_completed:
        return "not tested yet"
    return (
        f"not tested: fewer than {FEWEST} pairs are graded above its lowest and can be asked again with a "
        "picture of another topic"
    )
