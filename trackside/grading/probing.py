"""The implementation of `trackside probe`: pairs with exchanged parts, asked as any others."""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path

from trackside.backends.registry import backend_class
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.grading.choice import refuse_kind, rule_of, scale_of, settings_of
from trackside.grading.grading import Run, budget_of, estimate_lines, rates_of
from trackside.grading.journal import Journal
from trackside.grading.outputs import Grading, Result, grade, results_of, write_text
from trackside.grading.pairs import Pair, Pictures, kind_of, read_examples, read_items
from trackside.grading.questions import Plan, add_pair, plan_of, with_shown
from trackside.imports.records import Record
from trackside.judging.answers import SCORED
from trackside.judging.asking import EndpointError
from trackside.judging.examples import example_topics
from trackside.judging.inputs import Gap, Input
from trackside.judging.mappings.rules import Scored, grades_of
from trackside.judging.perturbing import (
    CHANGED,
    DEFAULT,
    EXCHANGED,
    MARKS,
    changed,
    changed_side,
    chosen_names,
    exchanged_part,
    exchanged_side,
    name_of,
    refusals_of,
    sentence,
    split_name,
    turned,
)
from trackside.judging.probes import UNGRADED, WORDS, Loss, Probe, loss_of_pairs, partners, sample_pairs
from trackside.judging.prompts import SIDES
from trackside.judging.settings import Settings
from trackside.text.counted import counted

PROBES = "probes.json"
ORIGINAL = ""
Items = tuple[dict[str, Record], dict[str, Record]]  # topics and documents by name
Adding = Callable[..., None]  # adds a pair to the plan


def probe(arguments: argparse.Namespace) -> tuple[list[str], bool]:
    """Probe a judge on a sample of people's pairs; return the lines to print, and whether all were asked."""
    _refuse(arguments)
    settings, rates = settings_of(arguments), rates_of(arguments)
    scale, budget = scale_of(arguments, settings), budget_of(arguments, rates)
    rule, cuts = rule_of(arguments, scale)
    people, examples = _people(arguments.pairs, scale), read_examples(arguments.examples)
    is_asked = backend_class(settings.backend).unit.is_asked
    with ExitStack() as files:
        items, kind = _items(arguments, [*people, *examples], files)
        refuse_kind(settings, kind)
        pictures = Pictures(settings, is_asked=is_asked)
        settings = with_shown(settings, examples, items, kind=kind, pictures=pictures)
        left_out = example_topics(settings.prompt)
        known = [each for each in people if each[0] in items[0].keys() - left_out and each[1] in items[1]]
        pairs = sample_pairs(known, most=arguments.sample, seed=arguments.seed)
        plan = plan_of(
            pairs, items, settings=settings, kind=kind, pictures=pictures, rates=rates, is_asked=is_asked
        )
        inputs = [(plan.topics[topic], plan.documents[docno]) for topic, docno in pairs]
        refusals = refusals_of(settings, inputs, is_asked=is_asked)
        names = chosen_names(arguments.probes, refusals)
        add = partial(add_pair, plan, settings=settings, rates=rates, is_asked=is_asked)
        variants = {name: _add_changes(name, plan, pairs, add, settings) for name in names}
        journal = files.enter_context(
            Journal(Path(arguments.out), is_retrying=arguments.retry_failed, is_read_only=arguments.dry_run)
        )
        if arguments.dry_run:
            offers = _offers(plan, pairs, names, refusals, settings)
            return [*offers, *estimate_lines(plan, journal, kind, rates)], True
        run = Run(settings, plan, journal, pictures)
        stopped = run.ask(rates, budget) if is_asked else run.encode()
        variants = {ORIGINAL: dict(zip(pairs, pairs, strict=True))} | variants
        results = {name: results_of(list(of), plan, journal, run.gaps) for name, of in variants.items()}
    grading = grade(results[ORIGINAL], settings, scale=scale, rule=rule, cuts=cuts)
    losses = {name: _loss(results[name], variants[name], grading, people, arguments.margin) for name in names}
    _write(arguments, settings, grading, losses, results)
    outcomes = Counter(line.outcome for lines in results.values() for line in lines)
    lines = list(_lines(losses, outcomes, len(pairs), arguments, stopped))
    lines += _refused({code: refusals[code] for code in DEFAULT})
    return lines, not outcomes[EndpointError.NOT_ASKED]


def _refuse(arguments: argparse.Namespace) -> None:
    if arguments.runs or not arguments.pairs:
        raise InputError("a probe needs --pairs FILE: people's qrels.")
    if arguments.limit:
        raise InputError("--limit is for trackside judge. Give the number of pairs by --sample.")
    if not 0 < arguments.margin < 1:
        raise InputError(
            f"--margin {arguments.margin:g}: write a loss of kappa between 0 and 1, such as 0.05."
        )


def _items(arguments: argparse.Namespace, pairs: Sequence[Pair], files: ExitStack) -> tuple[Items, str]:
    """Return the topics and documents of the pairs, and the kind of the pairs."""
    topics = read_items(arguments.topics, {topic for topic, _ in pairs}, files, is_topics=True)
    documents = read_items(arguments.documents, {docno for _, docno in pairs}, files, is_topics=False)
    return (topics, documents), kind_of(topics, documents, arguments.kind)


def _write(
    arguments: argparse.Namespace,
    settings: Settings,
    grading: Grading,
    losses: Mapping[str, Loss | None],
    results: Mapping[str, Sequence[Result]],
) -> None:
    facts = {"margin": arguments.margin, "judge": settings.identity_sha256, "rule": grading.rule}
    gaps = {name: sum(result.score is None for result in results[name]) for name in losses}
    probes = {
        name: asdict(loss) | {"says": sentence(name, loss, whom="people", gap_count=gaps[name])}
        for name, loss in losses.items()
        if loss
    }
    write_text(Path(arguments.out) / PROBES, json.dumps(facts | {"probes": probes}, indent=1) + "\n")


def _people(path: str, scale: tuple[int, ...]) -> dict[Pair, int]:
    """Return people's grades on the scale, by pair."""
    grades = {
        (topic, docno): value
        for topic, of_topic in Qrels.from_file(path).items()
        for docno, value in of_topic.items()
        if value in scale
    }
    if not grades:
        raise InputError(
            f"{path}: no grade of the scale {', '.join(map(str, scale))}. Name people's --scale."
        )
    return grades


def _changes(
    name: str, plan: Plan, pairs: Sequence[Pair], settings: Settings
) -> Iterator[tuple[Pair, str, str, Input | Gap]]:
    """Yield each pair that the probe changes, with the side, the name of its new input, and that input."""
    probe, _ = split_name(name)
    inputs = {pair: (plan.topics[pair[0]], plan.documents[pair[1]]) for pair in pairs}
    by_side = {"topic": plan.topics, "document": plan.documents}
    if probe in EXCHANGED:
        side = exchanged_side(list(inputs.values()), probe)
        for pair, other in partners(pairs, side).items():
            own, of_side = pair[SIDES.index(side)], by_side[side]
            yield pair, side, f"{own}\x1f{other}", exchanged_part(of_side[own], of_side[other], probe)
        return
    for pair, parts in inputs.items():
        side = changed_side(settings, parts, name) if probe in CHANGED else SIDES[-1]
        if side:
            own = pair[SIDES.index(side)]
            yield pair, side, own, changed(settings, side, by_side[side][own], name)


def _add_changes(
    name: str, plan: Plan, pairs: Sequence[Pair], add: Adding, settings: Settings
) -> dict[Pair, Pair]:
    """Add to the plan what the probe asks instead of each pair; return the pair by what is asked."""
    probe, _ = split_name(name)
    prompt = turned(settings.prompt, settings.answer) if probe is Probe.OPTIONS else None
    asked = {}
    for pair, side, variant, part in list(_changes(name, plan, pairs, settings)):
        variant = f"{variant}\x1f{name}"
        (plan.topics if side == "topic" else plan.documents)[variant] = part
        asked_pair = (variant, pair[1]) if side == "topic" else (pair[0], variant)
        add(pair=asked_pair, prompt=prompt or "", mark=MARKS.get(probe, ""))
        asked[asked_pair] = pair
    return asked


def _offers(
    plan: Plan, pairs: Sequence[Pair], names: Sequence[str], refusals: Mapping[str, str], settings: Settings
) -> Iterator[str]:
    """Yield how many requests each probe is at most, of those that are chosen and of the others."""
    counts = {
        code: f"{code} {len(list(_changes(name_of(code), plan, pairs, settings))):,}"
        for code, refusal in refusals.items()
        if not refusal
    }
    asked = [count for code, count in counts.items() if name_of(code) in names]
    others = [count for code, count in counts.items() if name_of(code) not in names]
    yield f"requests at most: the pairs {len(pairs):,}, {', '.join(asked)}"
    if others:
        yield f"not chosen by --probes: {', '.join(others)}"
    yield from _refused(refusals)


def _refused(refusals: Mapping[str, str]) -> list[str]:
    return [f"not possible: {name_of(code)}: {refusal}" for code, refusal in refusals.items() if refusal]


def _loss(
    results: Sequence[Result],
    of_probe: Mapping[Pair, Pair],
    grading: Grading,
    people: Mapping[Pair, int],
    margin: float,
) -> Loss | None:
    """Return the loss over the pairs with both grades, by one rule for all; None if there is none."""
    scored = [
        (of_probe[result.pair], Scored(of_probe[result.pair][0], result.score, result.line.get("expected")))
        for result in results
        if result.outcome in SCORED and result.score is not None
    ]
    if grading.frozen is None or not scored:
        return None
    grades = grades_of(grading.frozen, [pair for _, pair in scored])
    after = dict(zip([pair for pair, _ in scored], grades, strict=True))
    return loss_of_pairs(people, grading.grades, after, scale=grading.scale, margin=margin)


def _lines(
    losses: Mapping[str, Loss | None],
    outcomes: Counter[str],
    pair_count: int,
    arguments: argparse.Namespace,
    stopped: str,
) -> Iterator[str]:
    yield f"{counted(pair_count, 'judged pair')}; loss of kappa with people, margin {arguments.margin:g}:"
    for name, loss in losses.items():
        says = f"{loss.says}: {WORDS[loss.code]}" if loss else UNGRADED
        yield f"  {name}: {says}"
    silent = {*SCORED, EndpointError.NOT_ASKED}
    gaps = [(name, count) for name, count in outcomes.most_common() if name not in silent]
    if gaps:
        yield f"answers without a grade: {', '.join(f'{count:,} {name}' for name, count in gaps)}"
    yield f"{arguments.out}: {PROBES}"
    if left := outcomes[EndpointError.NOT_ASKED]:
        yield f"{counted(left, 'pair')} not asked: {stopped.rstrip('.')}. Run the command again to continue."
