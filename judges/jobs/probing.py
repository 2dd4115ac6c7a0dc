"""Probes: a judge scores a sample of pairs, and each again with a part of another item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from judges.catalogue.models import Judge
from judges.jobs.calls import Call
from judges.jobs.models import Job, Side
from judges.jobs.money import Budget, Price
from judges.jobs.starting import check_judge, find_rates, plan_job
from trackside.errors import InputError
from trackside.judging.inputs import shown_pair
from trackside.judging.probes import MARGIN, Pair, Probe, partners, sample_pairs

LONGEST = 200  # characters of an item's name in that of an exchange; a column has 255


@dataclass(frozen=True)
class ProbeEstimate:
    """What a probe asks for: a request for each pair of ``Job.probe``, at most once if nothing fails.

    ``request_count`` and ``bound_micros`` are 0 for a judge that runs in the worker without requests;
    ``bound_micros`` is None without a price.
    """

    pair_count: int
    request_count: int
    bound_micros: int | None
    people: str


@transaction.atomic
def start_probe(*, judge: Judge, task: Task, by: User, cap_micros: int | None = None, seed: int = 0) -> Job:
    """Store a job with a waiting call for each pair of the sample and each exchange, and queue its shards.

    Answers that the site stores are reused. Raises probe-exists, the errors of ``draw_probe``, price-missing.
    """
    Judge.objects.select_for_update().get(pk=judge.pk)  # serialises concurrent starts
    job, pairs = draw_probe(judge=judge, task=task, seed=seed)
    if Job.objects.probes().unfinished().filter(judge=judge, pool__task=task).exists():
        raise InputError(
            f'A probe of "{judge}" is not over. Wait for its end, or cancel it.', code="probe-exists"
        )
    job.created_by = by
    for name, value in asdict(find_rates(judge=judge, pool=job.pool, cap_micros=cap_micros)).items():
        setattr(job, name, value)
    job.save(force_insert=True)
    Budget.objects.create(job=job, cap_micros=cap_micros)
    Budget.objects.of_track(task.track)
    Call.objects.bulk_create(Call(job=job, topic=topic, docno=docno) for topic, docno in pairs)
    plan_job(job=job)
    return job


def draw_probe(*, judge: Judge, task: Task, seed: int = 0) -> tuple[Job, list[Pair]]:
    """Return an unsaved job with its sample in ``probe``, and the pairs of its calls.

    The sample is from the latest grades of people, or from the latest pool if there are none. ``probe`` has
    the seed, the margin, the number of sampled pairs, the key and name of people's grades (null and empty
    without), and for each item with an exchanged part: the probe, the item, and the other item. Raises
    no-pool, too-few-topics, and the errors of ``check_judge``.
    """
    people = Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).order_by("-created_at").first()
    pool = (people and people.pool) or task.pools.order_by("-created_at").first()
    if pool is None:
        raise InputError("There is no pool to draw pairs from. Freeze one first.", code="no-pool")
    check_judge(judge, pool)
    scale = Criteria.objects.current(task).scale
    rows = people.pairs.filter(grade__in=scale) if people else pool.items.all()
    known = list(rows.values_list("topic", "docno"))
    job, sample = Job(judge=judge, pool=pool), sample_pairs(known, seed=seed)
    exchanges: dict[str, list[str]] = {}
    pairs = [*sample, *_exchanges(job, sample, exchanges)]
    facts = {"seed": seed, "margin": MARGIN, "pair_count": len(sample), "exchanges": exchanges}
    job.probe = facts | {"qrels": people and people.pk, "people": str(people or "")}
    return job, pairs


def _exchanges(job: Job, sample: Sequence[Pair], exchanges: dict[str, list[str]]) -> Iterator[Pair]:
    """Yield the pairs of what the judge reads and can be exchanged, and add their items to the exchanges.

    Only a judge that answers is asked again: an encoder has one vector of an input.
    """
    texts, pictures = (next(reversed(sides), None) for sides in job.sides_read)
    names: dict[tuple[str, str, str], str] = {}
    for probe, side in ((Probe.PICTURES, pictures), (Probe.TEXTS, texts), (Probe.AGAIN, Side.DOCUMENT)):
        if side is None or (probe == Probe.AGAIN and not job.judge.unit.is_asked):
            continue
        others = {pair: pair[1] for pair in sample} if probe == Probe.AGAIN else partners(sample, side)
        for (topic, docno), other in others.items():
            own = topic if side == Side.TOPIC else docno
            name = names.setdefault((probe, own, other), f"{own[:LONGEST]}~{probe.name.lower()}~{len(names)}")
            exchanges[name] = [probe.value, own, other]
            yield (name, docno) if side == Side.TOPIC else (topic, name)


def probe_words(task: Task) -> dict[int, str]:
    """Return the verdicts of the latest ended probe of each judge, by its key."""
    probes = Job.objects.probes().completed().filter(pool__task=task, probe__has_key="results")
    rows = probes.order_by("finished_at").values_list("judge", "probe__results")
    return {judge: "; ".join(f"{row['probe']}: {row['word']}" for row in results) for judge, results in rows}


def estimate_probe(*, judge: Judge, task: Task) -> ProbeEstimate:
    """Return what a probe would ask; stored answers count as requests. Raises as ``draw_probe``."""
    job, pairs = draw_probe(judge=judge, task=task)
    facts = job.probe["pair_count"], job.probe["people"]
    if not judge.unit.is_asked:
        return ProbeEstimate(facts[0], 0, 0, facts[1])
    inputs = job.pair_inputs(pairs)
    prompts = [prompt[0] for pair in inputs if (prompt := shown_pair(judge.prompt, *pair))]
    price = Price.objects.of(judge)
    rates = price and price.rates_for(judge.unit)
    bound = sum(rates.bound(texts, judge.max_tokens) for texts in prompts) if rates else None
    return ProbeEstimate(facts[0], len(prompts), bound, facts[1])
