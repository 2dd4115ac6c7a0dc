"""The implementation of `trackside judge`: plan, ask or encode what the journal lacks, map, write."""

import argparse
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path

from trackside.backends.registry import backend_class, loaded_encoder, loaded_generator
from trackside.cli.progress import ProgressLine
from trackside.errors import InputError
from trackside.findings.provenance import TextsSeen
from trackside.grading.asking import Asking
from trackside.grading.choice import numbers, refuse_kind, rule_of, scale_of, settings_of
from trackside.grading.encoding import Encoding
from trackside.grading.journal import Journal
from trackside.grading.outputs import (
    ANSWERS,
    PROVENANCE,
    QRELS,
    SCORES,
    Grading,
    Result,
    grade,
    provenance_of,
    results_of,
    work_of,
    write_outputs,
)
from trackside.grading.pairs import Pictures, kind_of, read_examples, read_items, read_pairs
from trackside.grading.questions import Plan, plan_of, with_shown
from trackside.imports.records import Record
from trackside.judging.asking import EndpointError
from trackside.judging.costs import FREE_OF_CHARGE, MICROS, Rates, amount
from trackside.judging.endpoints.breaker import Breaker
from trackside.judging.examples import example_topics
from trackside.judging.inputs import Gap
from trackside.judging.prompts import EVERY_FIELD, SIDES, field_names, shown_of
from trackside.judging.settings import Settings
from trackside.text.counted import counted


def grade_pairs(arguments: argparse.Namespace) -> tuple[list[str], bool]:
    """Judge the pairs; return the lines to print, and whether every pair has an answer or a gap."""
    settings, rates = settings_of(arguments), rates_of(arguments)
    scale = scale_of(arguments, settings)
    rule, cuts = rule_of(arguments, scale)
    budget = budget_of(arguments, rates)
    pairs = read_pairs(arguments.pairs, arguments.runs, arguments.depth)[: arguments.limit]
    examples = read_examples(arguments.examples)
    is_asked = backend_class(settings.backend).unit.is_asked
    with ExitStack() as files:
        every = [*pairs, *examples]
        topics = read_items(arguments.topics, {topic for topic, _ in every}, files, is_topics=True)
        documents = read_items(arguments.documents, {docno for _, docno in every}, files, is_topics=False)
        kind = kind_of(topics, documents, arguments.kind)
        refuse_kind(settings, kind)
        pictures = Pictures(settings, is_asked=is_asked)
        items = (topics, documents)
        settings = with_shown(settings, examples, items, kind=kind, pictures=pictures)
        plan = plan_of(
            pairs, items, settings=settings, kind=kind, pictures=pictures, rates=rates, is_asked=is_asked
        )
        _refuse_gaps_only(plan, settings, items)
        journal = files.enter_context(
            Journal(Path(arguments.out), is_retrying=arguments.retry_failed, is_read_only=arguments.dry_run)
        )
        if arguments.dry_run:
            return list(estimate_lines(plan, journal, kind, rates)), True
        run = Run(settings, plan, journal, pictures)
        stopped = run.ask(rates, budget) if is_asked else run.encode()
        results = results_of(pairs, plan, journal, run.gaps, example_topics(settings.prompt))
        grading = grade(results, settings, scale=scale, rule=rule, cuts=cuts)
        work = work_of(results, journal, is_asked=is_asked, has_price=rates != FREE_OF_CHARGE)
        name = Path(arguments.out).resolve().name
        provenance = provenance_of(name, settings, results, grading, work=work, texts=run.texts)
        write_outputs(Path(arguments.out), results, grading, provenance)
        left = sum(result.outcome == EndpointError.NOT_ASKED for result in results)
        return list(_summary(results, grading, journal, stopped, left, arguments.out)), not left


class Run:
    """The part of a plan that the journal has no answer for."""

    def __init__(self, settings: Settings, plan: Plan, journal: Journal, pictures: Pictures) -> None:
        self._settings, self._plan, self._journal, self._pictures = settings, plan, journal, pictures
        self._waiting = [question for key, question in plan.questions.items() if key not in journal.answers]
        # Answers of other judges, or of inputs that have changed since.
        self._others = len(journal.answers) - len(plan.questions) + len(self._waiting)
        self._line = ProgressLine()
        self.gaps: dict[str, Gap] = {}
        self.texts: TextsSeen | None = None

    def _show(self) -> None:
        done, total = len(self._journal.answers) - self._others, len(self._plan.questions)
        text = f"pairs: {done:,} of {total:,}, cost {amount(self._journal.spent)}"
        (self._line.end if done == total else self._line.show)(text)

    def ask(self, rates: Rates, budget: int | None) -> str:
        """Ask the judge; return why it was stopped, or ""."""
        if not self._waiting:
            return ""
        breaker = Breaker(topics := example_topics(self._settings.prompt), is_tried=self._is_tried(topics))
        asking = Asking(self._waiting, self._journal, self._pictures, rates, budget, self._show, breaker)
        asking.run(loaded_generator(self._settings))
        self.gaps = asking.gaps
        return asking.stopped

    def _is_tried(self, topics: Collection[str]) -> bool:
        """Whether the judge has answered a prompt with all its examples."""
        answers, faults = self._journal.answers, set(EndpointError)
        asked = [(answers[key], item) for key, item in self._plan.questions.items() if key in answers]
        return not topics or any(
            answer["outcome"] not in faults and item.pair[0] not in topics for answer, item in asked
        )

    def encode(self) -> str:
        """Encode the inputs and score the pairs."""
        encoder = loaded_encoder(self._settings)
        encoding = Encoding(self._plan, encoder, self._pictures, self._settings.long_text)
        encoding.run(self._waiting, self._journal, self._show)
        self.gaps, self.texts = encoding.gaps, encoding.texts_seen()
        return ""


def _refuse_gaps_only(plan: Plan, settings: Settings, items: Iterable[Mapping[str, Record]]) -> None:
    """Raise InputError if no pair can be judged, with the fields that the judge reads and those there are."""
    if plan.questions:
        return
    prompt = settings.prompt
    shown = [name for side in SIDES for name in shown_of(prompt, side)] or field_names(prompt)
    reads = settings.text_fields or [name for name in shown if name not in {"image", EVERY_FIELD}]
    names = dict.fromkeys(
        name for records in items for record in records.values() for name, _ in record.fields
    )
    raise InputError(
        f"no pair can be judged: {_listed(plan.gaps.values())}. The judge reads the fields "
        f"{', '.join(reads) or '(all)'}; the files have {', '.join(names) or 'none'}. Choose --fields, "
        "a prompt or a preset that reads these, or other files."
    )


def rates_of(arguments: argparse.Namespace) -> Rates:
    """Return the prices. Raises InputError."""
    if not arguments.price:
        return FREE_OF_CHARGE
    paid_in, paid_out = (Decimal(str(price)) for price in numbers("--price", arguments.price, 2))
    return Rates(paid_in, paid_out, arguments.image_tokens)


def budget_of(arguments: argparse.Namespace, rates: Rates) -> int | None:
    """Return the budget in micros, None without one. Raises InputError."""
    if arguments.budget is None:
        return None
    if rates == FREE_OF_CHARGE:
        raise InputError("--budget needs --price IN,OUT: without prices nothing costs anything.")
    return int(Decimal(str(numbers("--budget", arguments.budget, 1)[0])) * MICROS)


def estimate_lines(plan: Plan, journal: Journal, kind: str, rates: Rates) -> Iterator[str]:
    """Return what would be asked, and what it costs at most."""
    waiting = [question for key, question in plan.questions.items() if key not in journal.answers]
    pair_count = len(plan.keys) + len(plan.gaps)
    yield f"{counted(pair_count, 'pair')}, {kind}; {_listed(gap for gap in plan.gaps.values()) or 'no gaps'}"
    done = len(plan.questions) - len(waiting)
    tokens = sum(question.tokens for question in waiting)
    yield f"{counted(len(waiting), 'request')} to send, {done:,} answered before; about {tokens:,} tokens"
    if rates != FREE_OF_CHARGE:
        most = sum(question.bound for question in waiting)
        yield f"at most {amount(most)}, and {amount(journal.spent)} spent before"
    yield "Nothing was asked: --dry-run."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in Counter(map(str, names)).most_common())


def _summary(
    results: list[Result], grading: Grading, journal: Journal, stopped: str, left: int, out: str
) -> Iterator[str]:
    graded = sum(value is not None for value in grading.grades.values())
    gaps = [result.outcome for result in results if result.pair not in grading.grades]
    yield f"{counted(len(results), 'pair')}: {graded:,} graded; gaps: {_listed(gaps) or 'none'}"
    counts = zip(grading.scale, grading.counts(), strict=True)
    yield f"grades by {grading.rule}: {', '.join(f'{count:,} x {value}' for value, count in counts)}"
    if journal.spent:
        yield f"cost: {amount(journal.spent)}"
    yield f"{out}: {QRELS}, {SCORES}, {ANSWERS}, {PROVENANCE}"
    if left:
        reason = f": {stopped.rstrip('.')}" if stopped else ""
        yield f"{counted(left, 'pair')} not asked{reason}. Run the command again to continue."
