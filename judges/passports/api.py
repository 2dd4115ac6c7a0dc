"""Web API: probes of judges."""

from typing import Any

from django.db.models import QuerySet
from ninja import Router
from pydantic import Field

from evaluation.platform.web.api.bearer import TokenRequest, organizer, reader
from evaluation.platform.web.api.changes import change, read_form
from evaluation.platform.web.api.operations import TASK
from judges.jobs.api import JobOut
from judges.jobs.forms import ProbeForm
from judges.jobs.models import Job
from judges.jobs.pages import find_job
from judges.jobs.probing import start_probe
from judges.passports.pages import find_judge
from trackside.judging.costs import amount

router = Router(tags=["Judging"], auth=reader)
PROBES = f"{TASK}/judges/{{int:judge}}/probes"


class ProbeOut(JobOut):
    """A probe of a judge: a job on a sample of pairs. Its results come at its end, a row for each change.

    `people` names the grades of people that it compares with, empty for its own. A result has the `probe`,
    the verdict as `word`, what that `means` (not in older ones), what it `says` in numbers, the `loss`, and
    `gaps` by outcome. `error` is why there are none.
    """

    seed: int = Field(alias="probe.seed")
    people: str = Field(alias="probe.people")
    results: list[dict[str, Any]]
    error: str
    request_count: int = Field(alias="ledger.count")
    cost: str

    @staticmethod
    def resolve_results(job: Job) -> Any:
        """Return the rows; none before the end."""
        return job.probe.get("results", [])

    @staticmethod
    def resolve_error(job: Job) -> str:
        """Return why it has no results."""
        return str(job.probe.get("error", ""))

    @staticmethod
    def resolve_cost(job: Job) -> str:
        """Return the cost of its requests."""
        return amount(job.ledger.all().total())


@router.get(PROBES, response=list[ProbeOut], url_name="probe_list", auth=organizer)
def probe_list(request: TokenRequest, track: str, task: str, judge: int) -> QuerySet[Job]:
    """List the probes of a judge on a task that you organize, the newest first."""
    track_task, task_judge = find_judge(request, track, task, judge)
    probes = Job.objects.probes().filter(judge=task_judge, pool__task=track_task).with_progress()
    return probes.select_related("judge").order_by("-pk")


@change(router, PROBES, ProbeOut, reads=ProbeForm, name="probe_list", status=201)
def judge_probe(request: TokenRequest, track: str, task: str, judge: int) -> Job:
    """Ask a judge about a sample of pairs and again with changes, within a budget if you give one.

    Pause, resume or cancel it as a job.
    """
    track_task, task_judge = find_judge(request, track, task, judge)
    form = read_form(ProbeForm, request)
    job = start_probe(judge=task_judge, task=track_task, by=request.user, **form.order)
    return find_job(request, track, task, job.pk)
