"""Collect the passport of a judge from its job, its qrels and a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.results.qrels.models import Qrels, QrelsKind, QrelsQuerySet
from evaluation.results.reports.models import Report
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from judges.catalogue.models import OF_TRACKS, Judge
from judges.grades.models import Mapping as FrozenMapping
from judges.grades.provenance import mapping_facts, measure_work
from judges.jobs.embeddings import image_distance
from judges.jobs.looking import look_at, look_words, read_controls
from judges.jobs.models import Job
from judges.passports.calibrating import calibrate
from judges.passports.facts import (
    THOUSAND,
    Canaries,
    Controls,
    Passport,
    Probed,
    Rate,
    Reads,
    Repeat,
    ReportUses,
    SaidUse,
    Unknown,
)
from trackside.backends.registry import backend_class
from trackside.errors import InputError
from trackside.findings.provenance import TextsSeen
from trackside.judging.canaries import susceptibility
from trackside.judging.prompts import settings_facts
from trackside.reporting.views.uses import use_row
from trackside.statistics.agreement import confusion_matrix, kappa_of_matrix

NO_JOB = Unknown("No job of it has ended here. Start one on a pool of the task.")


def passport_of(*, judge: Judge, task: Task, report: Report | None) -> Passport:
    """Return what is known of the judge on the task; the uses are those of the report."""
    row, lacking = _row_of(judge, report), _lacking(judge)
    job = _job(judge, task, row)
    parts: dict[str, Any] = {
        "reads": lacking or _reads(judge, task),
        "self_test": lacking or _self_test(judge),
        "probes": lacking or probed(judge, task),
        "uses": _uses(judge, report) if report and row else _no_uses(report),
        "repeats": _repeats(judge, task),
        "calibration": _calibration(job, report) if job else NO_JOB,
    }
    for name, build in (("cut", _cut), ("controls", _controls), ("canaries", _canaries), ("rate", _rate)):
        parts[name] = lacking or (build(job) if job else NO_JOB)
    known: dict[str, Any] = {
        name: None if isinstance(part, Unknown) else part for name, part in parts.items()
    }
    settings = settings_facts(judge.settings) | {"backbone": judge.model_name, "answer": judge.answer}
    return Passport(
        judge=judge.name,
        task=str(task),
        pool=job.pool.name if job else "",
        settings=settings,
        unknown={name: part.words for name, part in parts.items() if isinstance(part, Unknown)},
        **known,
    )


def latest_report(task: Task) -> Report | None:
    """Return the latest report on all runs whose findings can be read; None without one."""
    report = Report.objects.filter(task=task).whole().defer("sections").order_by("-computed_at").first()
    return None if report is None or report.is_old else report


def qrels_of(report: Report) -> QrelsQuerySet:
    """Return the grades of models that a report compares."""
    hashes = [graded.sha256 for graded in report.summary.facts.qrels]
    rows = Qrels.objects.filter(task=report.task_id, kind=QrelsKind.MODEL, sha256__in=hashes)
    return rows.select_related("pool")


def _row_of(judge: Judge, report: Report | None) -> Qrels | None:
    """Return the judge's grades in the report."""
    rows = qrels_of(report).filter(name=judge.name).order_by("-version") if report else ()
    return next((row for row in rows if is_of(judge, row.provenance)), None)


def is_of(judge: Judge, provenance: Mapping[str, Any]) -> bool:
    """Return whether grades with this provenance are the judge's."""
    return bool(provenance.get("identity_sha256") == judge.identity_sha256)


def _job(judge: Judge, task: Task, row: Qrels | None) -> Job | None:
    """Return the completed job behind the row, else the one that ended last."""
    jobs = Job.objects.of_pools().completed().filter(judge=judge, pool__task=task).with_progress()
    jobs = jobs.select_related("judge", "pool__task__track").order_by("-finished_at")
    of_row = jobs.filter(pool=row.pool).first() if row else None
    return of_row or jobs.first()


def _lacking(judge: Judge) -> Unknown | None:
    """Return why parts about the model cannot be known."""
    if judge.backend in OF_TRACKS:
        return Unknown("Its scores come from a file, which does not say this. Ask who made it.")
    try:
        backend_class(judge.backend)
    except InputError as error:  # its package is not installed
        return Unknown(str(error))
    return None


def _reads(judge: Judge, task: Task) -> Reads:
    texts, pictures = Job(judge=judge, pool=Pool(task=task)).sides_read
    return Reads(
        texts=tuple(side.label for side in texts),
        pictures=tuple(side.label for side in pictures),
        fields=tuple(judge.text_fields),
        image_size=judge.image_size if pictures else "",
        image_distance=image_distance(Job(judge=judge)),
    )


def _cut(job: Job) -> TextsSeen | Unknown:
    return job.texts_seen or Unknown(
        "An endpoint does not say whether it cuts a text. Look at the limit of its model."
    )


def _self_test(judge: Judge) -> str | Unknown:
    if judge.endpoint:
        return Unknown("A model behind an endpoint has no test at load. Try the judge on a pair.")
    return judge.self_test or Unknown("The model was not loaded yet. Try the judge on a pair.")


def probed(judge: Judge, task: Task) -> Probed | Unknown:
    """Return what the judge's latest probe on the task shows."""
    probes = Job.objects.probes().filter(judge=judge, pool__task=task)
    job = probes.completed().order_by("-finished_at").first()
    if job is None:
        is_running = probes.unfinished().exists()
        return Unknown("Its probe is not over." if is_running else "Not probed. Start a probe.")
    facts = {name: job.probe[name] for name in ("seed", "margin", "pair_count", "people")}
    return Probed(
        job=job.pk,
        ended_at=job.finished_at.isoformat() if job.finished_at else "",
        rule=job.probe.get("rule", ""),
        gaps=job.probe.get("gaps", {}),
        results=tuple(job.probe.get("results", ())),
        error=job.probe.get("error", ""),
        request_count=job.ledger.count(),
        stored_count=job.calls.filter(is_from_store=True).count(),
        cost_micros=job.ledger.all().total(),
        **facts,
    )


def _controls(job: Job) -> Controls | Unknown:
    rows = read_controls(job)
    words = look_words(job, rows, job.pair_count)
    if not words:
        return Unknown("It has no controls: only a judge that answers in text and sees pictures has them.")
    return Controls(says=words, counts=look_at(job, rows) if rows else None)


def _uses(judge: Judge, report: Report) -> ReportUses:
    findings = report.summary
    graded = next(one for one in findings.judges if one.name == judge.name)
    row = use_row(findings, graded)
    cells = [(cell.head, cell) for cell in row.cells]
    uses = (
        SaidUse(head.name, head.title, head.margin, head.level, cell.word, cell.says) for head, cell in cells
    )
    return ReportUses(
        report_sha256=report.inputs_sha256,
        computed_at=report.computed_at.isoformat(),
        measure=findings.facts.measures[0],
        graded=row.graded,
        whole=row.whole,
        uses=tuple(uses),
        numbers=graded.uses,
    )


def _no_uses(report: Report | None) -> Unknown:
    if report is None:
        return Unknown("There is no report. Publish grades of people and of the judge, and accept runs.")
    return Unknown("The report has no grades of it. Publish those of its job.")


def _repeats(judge: Judge, task: Task) -> tuple[Repeat, ...] | Unknown:
    """Compare the judge's latest grades with those of judges that differ in the seed alone."""
    rows = list(Qrels.objects.filter(task=task, kind=QrelsKind.MODEL).current())
    own = next((row for row in rows if is_of(judge, row.provenance)), None)
    others = [row for row in rows if own and row != own and _differs_in_seed(own.provenance, row.provenance)]
    if own is None or not others:
        return Unknown(
            "Not measured. Make a judge with the same settings and another seed, let it judge the same pool, "
            "and publish the grades of both."
        )
    scale = Criteria.objects.current(task).scale
    return tuple(_repeat(own, other, scale) for other in others)


def _differs_in_seed(own: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    alike = all(own.get(name) and own.get(name) == other.get(name) for name in ("identity", "order"))
    return alike and own.get("seed") != other.get("seed")


def _repeat(own: Qrels, other: Qrels, scale: tuple[int, ...]) -> Repeat:
    first, second = (dict(_grades(rows)) for rows in (own, other))
    pairs = [pair for pair in first if pair in second]
    matrix = confusion_matrix([first[pair] for pair in pairs], [second[pair] for pair in pairs], scale)
    return Repeat(
        judge=other.name,
        seed=other.provenance.get("seed"),
        pair_count=len(pairs),
        same_count=int(matrix.trace()),
        kappa=kappa_of_matrix(matrix, scale, "quadratic").value,
    )


def _grades(qrels: Qrels) -> Iterator[tuple[tuple[str, str], int]]:
    for topic, docno, grade in qrels.pairs.graded().values_list("topic", "docno", "grade"):
        if grade is not None:
            yield (topic, docno), grade


def _canaries(job: Job) -> Canaries | Unknown:
    scores = job.canary_scores()
    if not scores:
        return Unknown("The job has no canaries: only jobs that ask or load a model have them.")
    mappings = FrozenMapping.objects.filter(judge=job.judge, pool=job.pool).select_related("pool", "people")
    mapping = mappings.order_by("-created_at").first()
    rows = susceptibility(scores, mapping.frozen if mapping else None)
    return Canaries(rule=mapping_facts(mapping) if mapping else None, rows=tuple(rows))


def _calibration(job: Job, report: Report | None) -> Any:
    people = Qrels.objects.filter(task=job.pool.task, kind=QrelsKind.HUMAN).order_by("-created_at")
    reference = report.reference if report else people.first()
    if reference is None:
        return Unknown("There are no grades of people to compare with. Publish them.")
    return calibrate(job=job, people=reference)


def _rate(job: Job) -> Rate | Unknown:
    work = measure_work(job=job)
    count = work.pair_count if work.asked_count is None else work.asked_count
    if not count:
        return Unknown("Every answer comes from an earlier job of the judge, which has its cost and time.")
    share = THOUSAND / count
    return Rate(
        work=work,
        cost_micros=None if work.cost_micros is None else work.cost_micros * share,
        seconds=None if work.duration_seconds is None else work.duration_seconds * share,
    )
