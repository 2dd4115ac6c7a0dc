"""The choice of runs and topics of a report, and the form that asks for one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from evaluation.platform.access.limits.views import post_view
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.results.reports.actions import ask_report, find_report
from evaluation.results.reports.models import Report
from evaluation.submissions.runs.models import Run
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from trackside.reporting.design import Choice
from trackside.reporting.findings import Findings, ReportFacts

ALL = "all"
MOST_BOXES = 300  # with more topics, the form has no check boxes for them


@dataclass(frozen=True)
class Option:
    """A group of a select list with its tags of runs or topics, or the check box of a single run or topic."""

    value: str
    words: str
    members: tuple[str, ...] = ()
    is_chosen: bool = False


@dataclass(frozen=True)
class ChoiceForm:
    """Groups, boxes and the choice in the URL; all are chosen if they have nothing in common (is_empty)."""

    choice: Choice
    run_groups: Sequence[Option]
    topic_groups: Sequence[Option]
    runs: Sequence[Option]
    topics: Sequence[Option]
    is_empty: bool

    @property
    def ticked_count(self) -> int:
        """Return the number of ticked boxes."""
        return sum(box.is_chosen for box in (*self.runs, *self.topics))


def choice_form(query: QueryDict, task: Task, facts: ReportFacts, measure: str) -> ChoiceForm:
    """Return the form of a task's whole report; unknown values in the URL are ignored."""
    reported = {run.tag for run in facts.runs}
    accepted = Run.objects.accepted().filter(task=task).select_related("team").order_by("tag")
    runs = [run for run in accepted if run.tag in reported]
    strata = facts.strata
    judged = {topic for groups in strata.values() for topics in groups.values() for topic in topics}
    run_groups = _with_choice(_run_groups(runs, facts, measure), query.get("runs"))
    topic_groups = _with_choice(_topic_groups(sorted(judged, key=str.encode), strata), query.get("topics"))
    run_boxes = [Option(str(run.pk), run.tag, is_chosen=str(run.pk) in query.getlist("run")) for run in runs]
    topic_boxes = [
        Option(topic, topic, is_chosen=topic in query.getlist("topic")) for topic in topic_groups[0].members
    ]
    tags = _selected(run_groups, run_boxes)
    topics = _selected(topic_groups, topic_boxes)
    is_empty = bool(runs) and not (tags and (topics or not judged))
    choice = (
        Choice()
        if is_empty
        else Choice.among(tags, topics, all_tags=run_groups[0].members, all_topics=topic_groups[0].members)
    )
    boxes = topic_boxes if len(topic_boxes) <= MOST_BOXES else []
    return ChoiceForm(choice, run_groups, topic_groups, run_boxes, boxes, is_empty)


def _run_groups(runs: Sequence[Run], facts: ReportFacts, measure: str) -> list[Option]:
    families_of = {run.tag: run.families for run in facts.runs}
    best = set(facts.best_of_teams[measure])
    groups = [
        _group(ALL, "all", (run.tag for run in runs)),
        _group("best", "best of each team", (run.tag for run in runs if run.tag in best)),
        _group("participants", "participants only", (run.tag for run in runs if not run.team.is_baseline)),
    ]
    groups += [
        _group(f"type:{name}", f"{name} runs", (run.tag for run in runs if run.type == name))
        for name in sorted({run.type for run in runs} - {""})
    ]
    groups += [
        _group(f"family:{name}", name, (run.tag for run in runs if name in families_of[run.tag]))
        for name in facts.families
    ]
    return [group for group in groups if group.value == ALL or 0 < len(group.members) < len(runs)]


def _topic_groups(topics: Sequence[str], strata: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[Option]:
    parts = [
        _group(f"{division}:{stratum}", f"{division}: {stratum}", members)
        for division, groups in strata.items()
        for stratum, members in groups.items()
        if members
    ]
    return [_group(ALL, "all", topics), *parts]


def _group(value: str, words: str, members: Iterable[str]) -> Option:
    names = tuple(members)
    return Option(value, f"{words} ({len(names):,})", names)


def _with_choice(groups: Sequence[Option], wanted: str | None) -> list[Option]:
    chosen = wanted if wanted in {group.value for group in groups} else ALL
    return [replace(group, is_chosen=group.value == chosen) for group in groups]


def _selected(groups: Sequence[Option], boxes: Sequence[Option]) -> list[str]:
    """Return the ticked members of the chosen group, or all its members if no box is ticked."""
    (members,) = [group.members for group in groups if group.is_chosen]
    ticked = {box.words for box in boxes if box.is_chosen}
    return [member for member in members if member in ticked or not ticked]


def asked_choice(query: QueryDict, task: Task, whole: Report) -> Choice:
    """Return the choice in the URL; all runs and topics while the whole report is of older software."""
    if whole.is_old:
        return Choice()
    facts = whole.summary.facts
    return choice_form(query, task, facts, facts.measures[0]).choice


@post_view("report")
def report_ask(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Queue the report of the runs and topics in the URL, and redirect to its page."""
    track_task = find_task(request, track, task)
    reports = Report.objects.visible_to(request.user).filter(task=track_task).whole()
    whole = reports.defer("sections").order_by("-computed_at").first()
    if whole is None:
        raise Http404
    choice = asked_choice(request.GET, track_task, whole)
    with error_shown(request):
        if find_report(task=track_task, choice=choice) is None:
            ask_report(task=track_task, choice=choice, by=request.user)
    return HttpResponseRedirect(f"{reverse('report_detail', args=[track, task])}?{request.GET.urlencode()}")


def chosen(query: QueryDict, findings: Findings) -> tuple[str, str | None]:
    """Return the measure and family in the URL, or the first ones."""
    facts = findings.facts
    measure = next((name for name in facts.measures if name == query.get("measure")), facts.measures[0])
    family = next((name for name in facts.families if name == query.get("family")), None)
    return measure, family or next(iter(facts.families), None)


def shared_query(request: HttpRequest, report: Report, measure: str, family: str | None) -> str:
    """Return the query of links between a report's pages: measure, family, and the key."""
    parts = {"measure": measure} | ({"family": family} if family else {})
    return urlencode(parts | ({"of": str(report.pk)} if report.choice or "of" in request.GET else {}))
