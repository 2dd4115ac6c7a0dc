"""The implementation of `trackside probe`: pairs with exchanged parts, asked as any others."""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

from trackside.backends.registry import backend_class
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.grading.choice import refuse_kind, rule_of, scale_of, settings_of
from trackside.grading.grading import Run, budget_of, estimate_lines, rates_of
from trackside.grading.journal import Journal
from trackside.grading.outputs import Grading, Result, grade, results_of, write_text
from trackside.grading.pairs import Pair, Pictures, kind_of, read_items
from trackside.grading.questions import Plan, plan_of
from trackside.imports.records import Record
from trackside.judging.answers import SCORED
from trackside.judging.asking import EndpointError
from trackside.judging.mappings.rules import Scored, grades_of
from trackside.judging.probes import UNGRADED, WORDS, Loss, Probe, loss_of_pairs, partners, sample_pairs
from trackside.judging.prompts import names_sides, shown_of
from trackside.judging.settings import Settings, digest
from trackside.text.counted import counted

PROBES = "probes.json"
ORIGINAL = ""
Items = tuple[dict[str, Record], dict[str, Record]]  # topics and documents by name
Variants = dict[str, dict[Pair, Pair]]  # by probe: the pair of each pair that is asked instead


def probe(arguments: argparse.Namespace) -> tuple[list[str], bool]:
    """Probe a judge on a sample of people's pairs; return the lines to print, and whether all were asked."""
    _refuse(arguments)
    settings, rates = settings_of(arguments), rates_of(arguments)
    scale, budget = scale_of(arguments, settings), budget_of(arguments, rates)
    rule, cuts = rule_of(arguments, scale)
    people = _people(arguments.pairs, scale)
    is_asked = backend_class(settings.backend).unit.is_asked
    with ExitStack() as files:
        items, kind = _items(arguments, people, files)
        refuse_kind(settings, kind)
        known = [pair for pair in people if pair[0] in items[0] and pair[1] in items[1]]
        pairs = sample_pairs(known, most=arguments.sample, seed=arguments.seed)
        variants = {ORIGINAL: dict(zip(pairs, pairs, strict=True))} | _variants(pairs, items, settings, kind)
        pictures = Pictures(settings, is_asked=is_asked)
        everything = list(dict.fromkeys(pair for of_probe in variants.values() for pair in of_probe))
        plan = plan_of(
            everything, items, settings=settings, kind=kind, pictures=pictures, rates=rates, is_asked=is_asked
        )
        if is_asked:
            variants[Probe.AGAIN] = _asked_again(plan, pairs)
        journal = files.enter_context(
            Journal(Path(arguments.out), is_retrying=arguments.retry_failed, is_read_only=arguments.dry_run)
        )
        if arguments.dry_run:
            return list(estimate_lines(plan, journal, kind, rates)), True
        run = Run(settings, plan, journal, pictures)
        stopped = run.ask(rates, budget) if is_asked else run.encode()
        results = {name: results_of(list(of), plan, journal, run.gaps) for name, of in variants.items()}
    grading = grade(results[ORIGINAL], settings, scale=scale, rule=rule, cuts=cuts)
    losses = {
        name: _loss(results[name], of_probe, grading, people, arguments.margin)
        for name, of_probe in variants.items()
        if name != ORIGINAL
    }
    _write(arguments, settings, grading, {name: loss for name, loss in losses.items() if loss})
    outcomes = Counter(line.outcome for lines in results.values() for line in lines)
    lines = list(_lines(losses, outcomes, len(pairs), arguments, stopped))
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


def _items(arguments: argparse.Namespace, people: Mapping[Pair, int], files: ExitStack) -> tuple[Items, str]:
    """Return the topics and documents of the pairs, and the kind of the pairs."""
    topics = read_items(arguments.topics, {topic for topic, _ in people}, files, is_topics=True)
    documents = read_items(arguments.documents, {docno for _, docno in people}, files, is_topics=False)
    return (topics, documents), kind_of(topics, documents, arguments.kind)


def _write(
    arguments: argparse.Namespace, settings: Settings, grading: Grading, losses: Mapping[str, Loss]
) -> None:
    facts = {"margin": arguments.margin, "judge": settings.identity_sha256, "rule": grading.rule}
    probes = {name: asdict(loss) for name, loss in losses.items()}
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


def _variants(
    pairs: Sequence[Pair],
    items: Items,
    settings: Settings,
    kind: str,
) -> Variants:
    """Return the exchanged pairs of each probe, and add the records that they need to the items.

    A part of the document is exchanged within its topic; if the judge reads that part of the topic only,
    among topics.
    """
    topics, documents = items
    variants: Variants = {}
    for probe_name, part, what in ((Probe.PICTURES, "pictures", "image"), (Probe.TEXTS, "fields", "text")):
        side = next((side for side in ("document", "topic") if _shows(settings, kind, side, what)), "")
        for (topic, docno), other in partners(pairs, side).items() if side else ():
            records, name = (documents, docno) if side == "document" else (topics, topic)
            variant = f"{name}\x1f{other}\x1f{part}"
            records[variant] = replace(records[name], **{part: getattr(records[other], part)})
            asked = (topic, variant) if side == "document" else (variant, docno)
            variants.setdefault(probe_name, {})[asked] = (topic, docno)
    return variants


def _shows(settings: Settings, kind: str, side: str, what: str) -> bool:
    """Return whether the judge reads an image, or a text, of the topic or the document."""
    if names_sides(settings.prompt):
        shown = shown_of(settings.prompt, side)
        return "image" in shown if what == "image" else any(name != "image" for name in shown)
    topic_kind, _, document_kind = kind.partition("-to-")
    return what == (topic_kind if side == "topic" else document_kind)


def _asked_again(plan: Plan, pairs: Sequence[Pair]) -> dict[Pair, Pair]:
    """Add a second request of each pair to the plan; return its pair by the name of the second."""
    again = {}
    for pair in pairs:
        if key := plan.keys.get(pair):
            name, second = (pair[0], f"{pair[1]}\x1fagain"), digest([key, "again"])
            plan.keys[name] = second
            plan.questions[second] = replace(plan.questions[key], key=second)
            again[name] = pair
    return again


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
