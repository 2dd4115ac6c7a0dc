"""The status of each step that ``evaluation`` owns."""

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.expressions import BaseExpression
from django.urls import reverse

from evaluation.collections.chosen_fields import ImportKind
from evaluation.collections.models import Document, Picture, Topic, TopicState
from evaluation.organizing.setup.steps import Need, Stage, Step, StepStatus, register_step
from evaluation.platform.access.people import TEAM_ROLES, Membership, Role
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.facts import CountOf, Facts
from evaluation.tracks.models import DATES, Phase, Task, TaskKind
from evaluation.tracks.work import table_rows

DATE_WORDS = {
    "opens_at": "the opening",
    "closes_at": "the close",
    "judging_at": "the start of judging",
    "releases_at": "the release",
}


def dates_status(task: Task, _facts: Facts) -> StepStatus:
    """Return the status of the dates from the opening to the release; a practice task only opens."""
    if task.is_practice:
        opens = task.opens_at and task.opens_at.astimezone(ZoneInfo(task.time_zone))
        words = f"opens {opens.day} {opens:%b %Y}, {task.time_zone}" if opens else "not set"
        return StepStatus(words, is_done=bool(opens))
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


def collection_facts(kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the numbers of documents, and of those without what is judged, up to MOST_COUNTED + 1."""
    documents = Document.objects.filter(collection=OuterRef("collection"))
    bare = documents.without_what_is_shown(kind)
    return {
        "documents": CountOf(documents, most=table_rows.MOST_COUNTED + 1),
        "bare_documents": CountOf(bare, most=table_rows.MOST_COUNTED + 1),
    }


def collection_status(task: Task, facts: Facts) -> StepStatus:
    """Return the status of the documents; those without the picture or text to judge are needs."""
    documents = Document.objects.filter(collection=task.collection_id)
    count = table_rows.row_count(documents, facts["documents"])
    noun = "pictures" if TaskKind(task.kind).retrieves_images else "documents"
    if not count:
        needs = (Need(Stage.OPEN, "The collection is empty."),)
        return StepStatus("no documents", is_done=False, needs=needs)
    bare = table_rows.row_count(documents.without_what_is_shown(TaskKind(task.kind)), facts["bare_documents"])
    if not bare:
        return StepStatus(f"{count} {noun}")
    what = "picture" if TaskKind(task.kind).retrieves_images else "text"
    need = Need(Stage.POOL, f"Documents without a {what}, which nobody can judge: {bare} of {count}.")
    return StepStatus(f"{count} documents, {bare} without a {what}", needs=(need,))


def topics_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the numbers of active topics and of drafts."""
    topics = Topic.objects.filter(task=OuterRef("pk"))
    return {
        "active_topics": CountOf(topics.filter(state=TopicState.ACTIVE)),
        "draft_topics": CountOf(topics.filter(state=TopicState.DRAFT)),
    }


def topics_status(_task: Task, facts: Facts) -> StepStatus:
    """Return the status of active topics and drafts."""
    active_count, draft_count = facts["active_topics"], facts["draft_topics"]
    if not active_count:
        return StepStatus("no topics", is_done=False, needs=(Need(Stage.OPEN, "There is no active topic."),))
    drafts = f", {draft_count:,} drafts" if draft_count else ""
    return StepStatus(f"{active_count:,} topic{'s' * (active_count > 1)}{drafts}")


def guidelines_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the number of pictures of the guidelines."""
    return {"pictures": CountOf(Picture.objects.filter(task=OuterRef("pk")))}


def guidelines_status(task: Task, facts: Facts) -> StepStatus:
    """Return the status of texts for participants, and of the licence."""
    has_text = bool(task.guidelines.strip() or task.track.guidelines.strip())
    needs = []
    if not has_text:
        needs.append(Need(Stage.OPEN, "There are no guidelines."))
    if not task.track.licence:
        needs.append(Need(Stage.RELEASE, "The test collection has no licence."))
    count = facts["pictures"]
    pictures = f", {count} picture{'s' if count > 1 else ''}" if count else ""
    return StepStatus(f"written{pictures}" if has_text else "none", is_done=has_text, needs=tuple(needs))


def teams_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the number of teams, the names of those without people, and the number of people."""
    teams = Team.objects.filter(track=OuterRef("track"), is_baseline=False)
    people = Membership.objects.filter(track=OuterRef("track"), role__in=TEAM_ROLES)
    return {
        "teams": CountOf(teams),
        "empty_teams": ArraySubquery(teams.filter(memberships__isnull=True).values("name")),
        "team_people": CountOf(people),
    }


def teams_status(_task: Task, facts: Facts) -> StepStatus:
    """Return the status of teams, with and without people."""
    count, empty, people = facts["teams"], facts["empty_teams"], facts["team_people"]
    needs = (Need(Stage.POOL, f"Nobody is in {', '.join(empty)}."),) if empty else ()
    if not count:
        return StepStatus("none; people can create teams once a task is open", is_done=False)
    who = "person" if people == 1 else "people"
    return StepStatus(f"{count} team{'s' * (count > 1)}, {people} {who}", is_done=not empty, needs=needs)


def criteria_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the grades of the latest criteria; null without any."""
    criteria = Criteria.objects.filter(task=OuterRef("pk")).order_by("-version")
    return {"grades": Subquery(criteria.values("grades")[:1])}


def criteria_status(task: Task, facts: Facts) -> StepStatus:
    """Return the status of the grade scale."""
    scale = Criteria(grades=facts["grades"]).scale if facts["grades"] else ()
    if not scale:
        return StepStatus("none", is_done=False, needs=(Need(Stage.OPEN, "There is no scale of grades."),))
    words = f"grades {', '.join(map(str, scale))}"
    if task.relevance_level not in scale:
        text = f"Relevant from {task.relevance_level}, which is no grade of the scale."
        return StepStatus(words, is_done=False, needs=(Need(Stage.OPEN, text),))
    return StepStatus(f"{words}; relevant from {task.relevance_level}")


def runs_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the names of families, and the number of questions."""
    return {
        "families": ArraySubquery(Family.objects.filter(task=OuterRef("pk")).values("name")),
        "questions": CountOf(SubmissionQuestion.objects.filter(task=OuterRef("pk"))),
    }


def runs_status(_task: Task, facts: Facts) -> StepStatus:
    """Return the status of families and questions, which are optional."""
    families, count = facts["families"], facts["questions"]
    words = [", ".join(families)] if families else []
    if count:
        words.append(f"{count} question{'s' * (count > 1)}")
    return StepStatus("; ".join(words) or "no family, no question", is_done=bool(words))


def people_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the numbers of assessors and of people who are invited to assess."""
    of_track = {"track": OuterRef("track"), "role": Role.ASSESSOR}
    return {
        "assessors": CountOf(Membership.objects.filter(**of_track)),
        "invited": CountOf(Invitation.objects.open().filter(**of_track)),
    }


def people_status(_task: Task, facts: Facts) -> StepStatus:
    """Return the status of assessors, accepted and invited."""
    count, invited = facts["assessors"], facts["invited"]
    if not count + invited:
        return StepStatus("no assessor", is_done=False, needs=(Need(Stage.POOL, "There is no assessor."),))
    waiting = f", {invited} of them only invited" if invited else ""
    return StepStatus(f"{count + invited} assessor{'s' * (count + invited > 1)}{waiting}")


def opening_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the phase, and whether people's qrels are published."""
    tasks: QuerySet[Any] = Task.objects.with_phase().filter(pk=OuterRef("pk"))
    people = Qrels.objects.filter(task=OuterRef("pk"), kind=QrelsKind.HUMAN)
    return {"phase": Subquery(tasks.values("phase")), "has_human_qrels": Exists(people)}


def opening_status(task: Task, facts: Facts) -> StepStatus:
    """Return whether the task is open, and what its release needs."""
    phase = Phase(facts["phase"])
    needs: tuple[Need, ...] = ()
    if not facts["has_human_qrels"] and task.is_practice:
        link = reverse("import_upload", args=[task.track.slug, task.slug, ImportKind.QRELS])
        needs = (Need(Stage.OPEN, "There are no qrels, so runs cannot be scored. Import them.", link),)
    elif not facts["has_human_qrels"]:
        link = reverse("pool_build", args=[task.track.slug, task.slug])
        needs = (Need(Stage.RELEASE, "People's qrels are not published.", link),)
    return StepStatus(str(phase.label), is_done=phase != Phase.DRAFT, needs=needs)


def register_steps() -> None:
    """Register the steps. Called when Django starts."""
    both, late = (Stage.OPEN, Stage.POOL), (Stage.OPEN, Stage.RELEASE)
    for step in (
        Step(10, "dates", "Dates", dates_status, is_of_practice=True),
        Step(20, "collection", "Collection", collection_status, both, collection_facts, is_of_practice=True),
        Step(30, "topics", "Topics", topics_status, both, topics_facts, is_of_practice=True),
        Step(40, "criteria", "Criteria", criteria_status, both, criteria_facts, is_of_practice=True),
        Step(50, "guidelines", "Guidelines", guidelines_status, late, guidelines_facts, is_of_practice=True),
        Step(60, "runs", "Families and questions", runs_status, both, runs_facts, is_of_practice=True),
        Step(90, "people", "Assessors and organizers", people_status, both, people_facts),
        Step(100, "teams", "Teams", teams_status, both, teams_facts, is_of_practice=True),
        Step(120, "open", "Open", opening_status, late, opening_facts, is_of_practice=True),
    ):
        register_step(step)
