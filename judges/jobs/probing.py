"""Probes: a judge scores a sample of pairs, and each again with something changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice

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
from trackside.judging.inputs import PairInputs, shown_pair
from trackside.judging.perturbing import (
    CHANGED,
    DEFAULT,
    EXCHANGED,
    changed_side,
    chosen_names,
    exchanged_side,
    name_of,
    refusals_of,
    split_name,
)
from trackside.judging.probes import MARGIN, Pair, Probe, partners, sample_pairs
from trackside.judging.prompts import SIDES

AGAIN = Probe.AGAIN.name.lower()
LONGEST = 200  # characters of an item's name in that of an exchange; a column has 255


@dataclass(frozen=True)
class ProbePrice:
    """What one probe, or with an empty code the sample itself, asks for: at most, if no request fails.

    ``request_count`` and ``bound_micros`` are 0 for a judge that runs in the worker without requests;
    ``bound_micros`` is None without a price. ``refusal`` says why the probe cannot be asked, else empty.
    """

    code: str
    name: str
    request_count: int = 0
    bound_micros: int | None = 0
    refusal: str = ""


@dataclass(frozen=True)
class ProbeEstimate:
    """What can be asked about a sample of ``pair_count`` pairs; ``people`` names the grades it is from."""

    pair_count: int
    people: str
    prices: tuple[ProbePrice, ...]

    def chosen(self, codes: Sequence[str]) -> tuple[ProbePrice, ...]:
        """The prices of the sample and of these probes; without people's grades also of asking again."""
        asked = ("", *codes) if self.people else ("", AGAIN, *codes)
        return tuple(price for price in self.prices if not price.refusal and price.code in asked)

    @property
    def usual(self) -> tuple[str, ...]:
        """The codes of the probes that are asked if none is chosen."""
        return tuple(price.code for price in self.prices if price.code in DEFAULT and not price.refusal)


@transaction.atomic
def start_probe(
    *,
    judge: Judge,
    task: Task,
    by: User,
    cap_micros: int | None = None,
    seed: int = 0,
    probes: Sequence[str] = (),
) -> Job:
    """Store a job with a waiting call for each pair of the sample and each exchange, and queue its shards.

    Answers that the site stores are reused. Raises probe-exists, the errors of ``draw_probe``, price-missing.
    """
    Judge.objects.select_for_update().get(pk=judge.pk)  # serialises concurrent starts
    job, pairs = draw_probe(judge=judge, task=task, seed=seed, probes=probes)
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


def draw_probe(
    *, judge: Judge, task: Task, seed: int = 0, probes: Sequence[str] = ()
) -> tuple[Job, list[Pair]]:
    """Return an unsaved job with its sample in ``probe``, and the pairs of its calls.

    ``probe`` has what ``_draw_sample`` writes, and for each item that is asked instead of another one: the
    probe, the item, and the item whose part it has. ``probes`` are codes of ``refusals_of``; without
    people's grades a judge that answers is also asked again. Raises the errors of ``_draw_sample`` and
    ``chosen_names``.
    """
    job, sample = _draw_sample(judge=judge, task=task, seed=seed)
    inputs = job.pair_inputs(sample)
    if probes and not job.probe["people"] and judge.unit.is_asked:
        probes = [*probes, AGAIN]
    names = chosen_names(probes, _refusals(job, inputs))
    exchanged = (_add_exchanges(job, sample, inputs, name) for name in names)
    return job, [*sample, *chain.from_iterable(exchanged)]


def _draw_sample(*, judge: Judge, task: Task, seed: int = 0) -> tuple[Job, list[Pair]]:
    """Return an unsaved job, and its sample: pairs of people's latest grades, or else of the latest pool.

    ``probe`` has the seed, the margin, the number of sampled pairs, the key and name of people's grades (null
    and empty without), and no exchanges. Raises no-pool, too-few-topics, and the errors of ``check_judge``.
    """
    people = Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).order_by("-created_at").first()
    pool = (people and people.pool) or task.pools.order_by("-created_at").first()
    if pool is None:
        raise InputError("There is no pool to draw pairs from. Freeze one first.", code="no-pool")
    check_judge(judge, pool)
    scale = Criteria.objects.current(task).scale
    rows = people.pairs.filter(grade__in=scale) if people else pool.items.all()
    known = list(rows.exclude(topic__in=judge.example_topics).values_list("topic", "docno"))
    job, sample = Job(judge=judge, pool=pool), sample_pairs(known, seed=seed)
    facts = {"seed": seed, "margin": MARGIN, "pair_count": len(sample), "exchanges": {}}
    job.probe = facts | {"qrels": people and people.pk, "people": str(people or "")}
    return job, sample


def _refusals(job: Job, inputs: Sequence[PairInputs]) -> dict[str, str]:
    return refusals_of(job.judge.settings, inputs, is_asked=job.judge.unit.is_asked)


def _add_exchanges(
    job: Job, sample: Sequence[Pair], inputs: Sequence[PairInputs], probe: str
) -> Iterator[Pair]:
    """Yield what the probe asks instead of each pair that it changes, and add its items to the exchanges."""
    names = {tuple(exchange): name for name, exchange in job.exchanges.items()}
    kind, _ = split_name(probe)
    others: Iterable[tuple[Pair, str, str]]
    if kind in EXCHANGED:
        side = exchanged_side(inputs, kind)
        others = ((pair, side, other) for pair, other in partners(sample, side).items())
    elif kind in CHANGED:
        sides = (changed_side(job.judge.settings, parts, probe) for parts in inputs)
        changes = zip(sample, sides, strict=True)
        others = ((pair, side, pair[SIDES.index(side)]) for pair, side in changes if side)
    else:
        others = ((pair, Side.DOCUMENT, pair[1]) for pair in sample)
    for (topic, docno), side, other in others:
        own = topic if side == Side.TOPIC else docno
        exchange = (probe, own, other)
        if exchange not in names:
            names[exchange] = f"{own[:LONGEST]}~{kind.name.lower()}~{len(job.exchanges)}"
            job.exchanges[names[exchange]] = list(exchange)
        yield (names[exchange], docno) if side == Side.TOPIC else (topic, names[exchange])


def probe_words(task: Task) -> dict[int, str]:
    """Return the verdicts of the latest ended probe of each judge, by its key."""
    probes = Job.objects.probes().completed().filter(pool__task=task, probe__has_key="results")
    rows = probes.order_by("finished_at").values_list("judge", "probe__results")
    return {judge: "; ".join(f"{row['probe']}: {row['word']}" for row in results) for judge, results in rows}


def estimate_probe(*, judge: Judge, task: Task) -> ProbeEstimate:
    """Return what each probe would ask; stored answers count as requests. Raises as ``_draw_sample``."""
    job, sample = _draw_sample(judge=judge, task=task)
    inputs = job.pair_inputs(sample)
    refusals = _refusals(job, inputs)
    pairs = {
        code: list(_add_exchanges(job, sample, inputs, name_of(code)))
        for code, refusal in refusals.items()
        if not refusal
    }
    asked = iter(job.pair_inputs(list(chain.from_iterable(pairs.values()))))
    prices = [_priced(job, "", "the pairs themselves", inputs)]
    for code, refusal in refusals.items():
        if refusal:
            prices.append(ProbePrice(code, name_of(code), refusal=refusal))
        else:
            prices.append(_priced(job, code, name_of(code), list(islice(asked, len(pairs[code])))))
    return ProbeEstimate(job.probe["pair_count"], job.probe["people"], tuple(prices))


def _priced(job: Job, code: str, name: str, inputs: Sequence[PairInputs]) -> ProbePrice:
    judge = job.judge
    if not judge.unit.is_asked:
        return ProbePrice(code, name)
    shown = (shown_pair(judge.prompt, *parts) for parts in inputs)
    prompts = [prompt[0] for prompt in shown if prompt]
    price = Price.objects.of(judge)
    rates = price.rates_for(judge.unit) if price else None
    bound = sum(rates.bound(texts, judge.max_tokens) for texts in prompts) if rates else None
    return ProbePrice(code, name, len(prompts), bound)
