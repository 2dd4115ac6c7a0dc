"""The status of each step that ``evaluation`` owns."""

from zoneinfo import ZoneInfo

from django.db.models import Count, Q
from django.urls import reverse

from evaluation.collections.models import Document
from evaluation.organizing.setup.steps import Need, Stage, Step, StepStatus, register_step
from evaluation.platform.access.people import TEAM_ROLES, Membership, Role
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import DATES, Phase, Task, TaskKind
from evaluation.tracks.work.table_rows import count_rows

DATE_WORDS = {
    "opens_at": "the opening",
    "closes_at": "the close",
    "judging_at": "the start of judging",
    "releases_at": "the release",
}


def dates_status(task: Task) -> StepStatus:
    """Return the status of the dates from the opening to the release."""
    missing = [DATE_WORDS[name] for name in DATES if getattr(task, name) is None]
    if not missing and task.opens_at and task.releases_at:
        zone = ZoneInfo(task.time_zone)
        first, last = task.opens_at.astimezone(zone), task.releases_at.astimezone(zone)
        return StepStatus(f"{first.day} {first:%b} to {last.day} {last:%b %Y}, {task.time_zone}")
    stage = Stage.OPEN if task.opens_at is None or task.closes_at is None else Stage.POOL
    return StepStatus(
        f"{len(DATES) - len(missing)} of {len(DATES)} dates",
        is_done=False,
        needs=(Need(stage, f"No date for {', '.join(missing)}."),),
    )


def collection_status(task: Task) -> StepStatus:
    """Return the status of the documents; those without the picture or text to judge are needs."""
    documents = Document.objects.filter(collection=task.collection_id)
    count = count_rows(documents)
    noun = "pictures" if TaskKind(task.kind).retrieves_images else "documents"
    if not count:
        needs = (Need(Stage.OPEN, "The collection is empty."),)
        return StepStatus("no documents", is_done=False, needs=needs)
    bare = count_rows(documents.without_what_is_shown(TaskKind(task.kind)))
    if not bare:
        return StepStatus(f"{count} {noun}")
    what = "picture" if TaskKind(task.kind).retrieves_images else "text"
    need = Need(Stage.POOL, f"Documents without a {what}, which nobody can judge: {bare} of {count}.")
    return StepStatus(f"{count} documents, {bare} without a {what}", needs=(need,))


def topics_status(task: Task) -> StepStatus:
    """Return the status of active topics and drafts."""
    counts = task.topics.aggregate(
        active=Count("pk", filter=Q(state="active")), drafts=Count("pk", filter=Q(state="draft"))
    )
    if not counts["active"]:
        return StepStatus("no topics", is_done=False, needs=(Need(Stage.OPEN, "There is no active topic."),))
    drafts = f", {counts['drafts']:,} drafts" if counts["drafts"] else ""
    return StepStatus(f"{counts['active']:,} topic{'s' * (counts['active'] > 1)}{drafts}")


def guidelines_status(task: Task) -> StepStatus:
    """Return the status of texts for participants, and of the licence."""
    has_text = bool(task.guidelines.strip() or task.track.guidelines.strip())
    needs = []
    if not has_text:
        needs.append(Need(Stage.OPEN, "There are no guidelines."))
    if not task.track.licence:
        needs.append(Need(Stage.RELEASE, "The test collection has no licence."))
    count = task.pictures.count()
    pictures = f", {count} picture{'s' if count > 1 else ''}" if count else ""
    return StepStatus(f"written{pictures}" if has_text else "none", is_done=has_text, needs=tuple(needs))


def teams_status(task: Task) -> StepStatus:
    """Return the status of teams, with and without people."""
    teams = Team.objects.filter(track=task.track_id, is_baseline=False)
    count = teams.count()
    empty = [team.name for team in teams.filter(memberships__isnull=True)]
    people = Membership.objects.filter(track=task.track_id, role__in=TEAM_ROLES).count()
    needs = (Need(Stage.POOL, f"Nobody is in {', '.join(empty)}."),) if empty else ()
    if not count:
        return StepStatus("none; people can create teams once a task is open", is_done=False)
    who = "person" if people == 1 else "people"
    return StepStatus(f"{count} team{'s' * (count > 1)}, {people} {who}", is_done=not empty, needs=needs)


def criteria_status(task: Task) -> StepStatus:
    """Return the status of the grade scale."""
    criteria = Criteria.objects.filter(task=task).order_by("-version").first()
    scale = criteria.scale if criteria else ()
    if not scale:
        return StepStatus("none", is_done=False, needs=(Need(Stage.OPEN, "There is no scale of grades."),))
    words = f"grades {', '.join(map(str, scale))}"
    if task.relevance_level not in scale:
        text = f"Relevant from {task.relevance_level}, which is no grade of the scale."
        return StepStatus(words, is_done=False, needs=(Need(Stage.OPEN, text),))
    return StepStatus(f"{words}; relevant from {task.relevance_level}")


def runs_status(task: Task) -> StepStatus:
    """Return the status of families and questions, which are optional."""
    families = list(Family.objects.filter(task=task).values_list("name", flat=True))
    count = SubmissionQuestion.objects.filter(task=task).count()
    words = [", ".join(families)] if families else []
    if count:
        words.append(f"{count} question{'s' * (count > 1)}")
    return StepStatus("; ".join(words) or "no family, no question", is_done=bool(words))


def people_status(task: Task) -> StepStatus:
    """Return the status of assessors, accepted and invited."""
    count = Membership.objects.filter(track=task.track_id, role=Role.ASSESSOR).count()
    invited = Invitation.objects.open().filter(track=task.track_id, role=Role.ASSESSOR).count()
    if not count + invited:
        return StepStatus("no assessor", is_done=False, needs=(Need(Stage.POOL, "There is no assessor."),))
    waiting = f", {invited} of them only invited" if invited else ""
    return StepStatus(f"{count + invited} assessor{'s' * (count + invited > 1)}{waiting}")


def opening_status(task: Task) -> StepStatus:
    """Return whether the task is open, and what its release needs."""
    phase = Phase(Task.objects.with_phase().get(pk=task.pk).phase)
    needs: tuple[Need, ...] = ()
    if not Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).exists():
        link = reverse("pool_build", args=[task.track.slug, task.slug])
        needs = (Need(Stage.RELEASE, "People's qrels are not published.", link),)
    return StepStatus(str(phase.label), is_done=phase != Phase.DRAFT, needs=needs)


def register_steps() -> None:
    """Register the steps. Called when Django starts."""
    for step in (
        Step(10, "dates", "Dates", dates_status),
        Step(20, "collection", "Collection", collection_status),
        Step(30, "topics", "Topics", topics_status),
        Step(40, "criteria", "Criteria", criteria_status),
        Step(50, "guidelines", "Guidelines", guidelines_status, (Stage.OPEN, Stage.RELEASE)),
        Step(60, "runs", "Families and questions", runs_status),
        Step(90, "people", "Assessors and organizers", people_status),
        Step(100, "teams", "Teams", teams_status),
        Step(120, "open", "Open", opening_status, (Stage.RELEASE,)),
    ):
        register_step(step)
