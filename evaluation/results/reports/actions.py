"""Find, request and compute reports."""

from collections.abc import Callable

from django.db import transaction
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.results.reports.inputs import ReportInputs, gather_inputs
from evaluation.results.reports.models import Report
from evaluation.results.values.actions import compute_values, rankings_of
from evaluation.submissions.pools.actions import freeze_pairs
from evaluation.submissions.pools.models import THIRD, Pool, PoolKind
from evaluation.tracks.models import Task
from evaluation.tracks.work.queueing import ClaimLost, end_work, queue_work
from evaluation.tracks.work.recomputing.actions import ask_results
from evaluation.tracks.work.recomputing.models import ReportProgress
from trackside.code_version import code_version
from trackside.errors import InputError
from trackside.findings.results import FamilyFinding
from trackside.reporting.build import build_report
from trackside.reporting.design import Choice
from trackside.reporting.findings import Findings
from trackside.reporting.study import study_of
from trackside.reporting.writers.stored import to_json

OnProgress = Callable[[int, int], None]


def find_report(*, task: Task, choice: Choice) -> Report | ReportProgress | None:
    """The report of the current inputs, its failed progress, or None; without inputs the latest report."""
    inputs = gather_inputs(task=task, choice=choice)
    if inputs is None:
        return Report.objects.filter(task=task, choice=choice.to_json()).order_by("-computed_at").first()
    same = Report.objects.filter(task=task, inputs_sha256=inputs.sha256).defer("sections")
    failed = ReportProgress.objects.filter(task=task, inputs_sha256=inputs.sha256).exclude(problem="")
    return same.first() or failed.first()


def ask_outdated() -> None:
    """Queue reports of older inputs, as after an upgrade, unless queued, parked or of archived tracks."""
    under_way = ReportProgress.objects.filter(choice={}, queued_at__isnull=False)
    tasks = Task.objects.filter(reports__choice={}, track__archiving__isnull=True).distinct()
    for task in tasks.exclude(pk__in=under_way.values("task")):
        if find_report(task=task, choice=Choice()) is None:
            ask_results(task_id=task.pk)


MOST_WAITING = 3  # choices per task in the queue, so that a public form cannot occupy all workers


@transaction.atomic
def ask_report(*, task: Task, choice: Choice, by: User) -> ReportProgress:
    """Queue the report unless it is queued or parked; one choice a person. Raises InputError."""
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    rows = ReportProgress.objects.filter(task=task)
    known = rows.filter(choice_sha256=choice.sha256, queued_at__isnull=False).first()
    if known:
        return known
    if not choice.is_all:
        _check_limits(task, by)
    progress, _ = ReportProgress.objects.get_or_create(
        task=task, choice_sha256=choice.sha256, defaults={"choice": choice.to_json()}
    )
    queue_work(row=progress, by=by, ended_at=None, done_count=0, problem="")
    return progress


def _check_limits(task: Task, by: User) -> None:
    waiting = ReportProgress.objects.pending().exclude(choice={})
    work = waiting.filter(queued_by=by).select_related("task__track").first()
    if work:
        raise InputError(
            f"Another choice of yours is being computed, for {work.task}. Request this one when that is done."
        )
    if waiting.filter(task=task).count() >= MOST_WAITING:
        raise InputError(f"{task}: {MOST_WAITING} other choices are being computed. Try again in a minute.")


MOST_CHOSEN = 30  # reports of choices kept per task, the latest ones


def compute_report(
    *, task: Task, choice: Choice | None = None, on_progress: OnProgress | None = None
) -> Report | None:
    """The report of the chosen runs; None without runs or qrels of people. Raises InputError."""
    inputs = gather_inputs(task=task, choice=choice or Choice())
    return store_report(inputs=inputs, on_progress=on_progress) if inputs else None


def store_report(*, inputs: ReportInputs, on_progress: OnProgress | None = None) -> Report:
    """Compute and store the report, or make the stored one the latest. Raises InputError."""
    inputs_sha256 = inputs.sha256
    known = Report.objects.filter(task=inputs.task, inputs_sha256=inputs_sha256)
    if not known.update(computed_at=Now()):
        computed = to_json(_computed(inputs, on_progress or (lambda _done, _total: None)))
        made = Report(
            task=inputs.task,
            reference=inputs.reference,
            choice=inputs.choice.to_json(),
            inputs_sha256=inputs_sha256,
            sections=computed.pop("sections"),
            facts=computed,
            code_version=code_version(),
            computed_at=Now(),
        )
        Report.objects.bulk_create([made], ignore_conflicts=True)
        chosen = Report.objects.filter(task=inputs.task).exclude(choice={}).order_by("-computed_at")
        Report.objects.filter(pk__in=list(chosen.values_list("pk", flat=True)[MOST_CHOSEN:])).delete()
    return known.get()


def _computed(inputs: ReportInputs, on_progress: OnProgress) -> Findings:
    for qrels in inputs.qrels:
        compute_values(qrels=qrels, runs=inputs.runs, measures=inputs.design.measures)
    study = study_of(inputs.design, inputs.described, rankings_of(inputs.runs), inputs.graded_sets())
    return build_report(study, code_version=code_version(), on_progress=on_progress)


def run_report(*, progress: ReportProgress) -> None:
    """Compute the report of a claimed row, or store its InputError as ``problem``. Raises ClaimLost."""
    progress.as_claimed().update(ended_at=None, done_count=0, problem="", inputs_sha256="")
    problem = {"problem": "", "inputs_sha256": ""}
    try:
        inputs = gather_inputs(task=progress.task, choice=Choice.from_json(progress.choice))
        problem["inputs_sha256"] = inputs.sha256 if inputs else ""
        if inputs:
            store_report(inputs=inputs, on_progress=_store_progress_in(progress))
    except InputError as error:
        problem["problem"] = str(error)
    end_work(progress, ended_at=Now(), **problem)


def _store_progress_in(progress: ReportProgress) -> Callable[[int, int], None]:
    def store(done: int, total: int) -> None:
        if not progress.as_claimed().update(done_count=done, section_count=total):
            raise ClaimLost(f"{progress}: another worker has taken over.")

    return store


@transaction.atomic
def freeze_third_pool(*, report: Report, judge: str, family: str, by: User) -> Pool:
    """Freeze the results that decide whether the judge favours the family, for a third person to grade.

    Raises nothing-to-check, third-pool-exists.
    """
    finding = next(
        (finding for name, finding in third_choices(report) if (name, finding.family) == (judge, family)),
        None,
    )
    if finding is None:
        raise InputError(
            f"{report.task}: the report has nothing to check of {judge}, {family}. Choose one of its list.",
            code="nothing-to-check",
        )
    reason = {"method": THIRD, "judge": judge, "family": family, "report": report.inputs_sha256}
    pools = Pool.objects.filter(task=report.task_id, kind=PoolKind.CHECK, recipe__method=THIRD)
    if pools.filter(recipe=reason).exists():
        raise InputError(
            f"{report.task} has a pool of these results already. Assign it, or publish its grades.",
            code="third-pool-exists",
        )
    pairs = [(pair.topic, pair.docno) for pair in finding.deciding]
    # Assessors see the name of a pool: it names neither judge nor family.
    name = f"third person {pools.count() + 1}"
    return freeze_pairs(task=report.task, name=name, pairs=pairs, reason=reason, seed=report.pk, by=by)


def third_choices(report: Report) -> list[tuple[str, FamilyFinding]]:
    """Return the judges with the families whose excess a third person's grades would narrow."""
    if report.is_old:
        return []
    return [
        (judge.name, finding)
        for judge in report.summary.judges
        for finding in judge.families
        if finding.deciding
    ]
