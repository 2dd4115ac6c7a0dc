"""The tables of a test collection whose rows organizers correct or remove one by one."""

from typing import Any

from django import forms
from django.db.models import Model, QuerySet
from django.urls import reverse

from evaluation.collections.actions import delete_collection
from evaluation.collections.corpora import Corpus
from evaluation.collections.forms import DocumentForm, TopicForm
from evaluation.collections.models import Collection, Document, Picture, Topic
from evaluation.organizing.setup.actions import remove_empty
from evaluation.organizing.setup.forms import GuidelinesForm, NamedForm, RulesForm, SharingForm, TaskForm
from evaluation.platform.access.people import Membership, Role
from evaluation.platform.web.opened_forms import lock_row
from evaluation.platform.web.rows import RowTable, register_rows
from evaluation.submissions.pools.models import PoolItem
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.forms import SubmissionQuestionForm, TeamForm
from evaluation.submissions.runs.notes import RunNote
from evaluation.submissions.runs.submission import SubmissionQuestion, remove_question
from evaluation.submissions.teams.models import Team
from evaluation.tracks.announcements.models import Announcement
from evaluation.tracks.forms import TaskDatesForm
from evaluation.tracks.inquiries.actions import answer_inquiry
from evaluation.tracks.inquiries.forms import AnswerForm
from evaluation.tracks.inquiries.models import Inquiry
from evaluation.tracks.models import Task, Track
from trackside.errors import InputError


def _form(of: type[Model], *names: str) -> Any:
    return forms.modelform_factory(of, form=NamedForm, fields=names)


def _track_page(track: Track) -> str:
    return reverse("track_detail", args=[track.slug])


def _task_page(page: str, task: Task, *more: int) -> str:
    return reverse(page, args=[task.track.slug, task.slug, *more])


def _collection_page(collection: Collection, page: str, *more: int) -> str:
    """Return the page of the collection's first task; without a task that of the track."""
    task = collection.tasks.order_by("pk").first()
    return _task_page(page, task, *more) if task else _track_page(collection.track)


def _of_track(model: Any) -> Any:
    return lambda track: model.objects.filter(track=track)


def _of_tasks(model: Any, path: str = "task__track") -> Any:
    def rows(track: Track) -> QuerySet[Any]:
        queryset: QuerySet[Any] = model.objects.filter(**{path: track})
        return queryset.select_related(path)

    return rows


def remove_item(item: Topic | Document) -> None:
    """Remove a topic or a document. Raises row-in-use if it is judged, released or pooled."""
    pairs = (
        PoolItem.objects.filter(pool__task=item.task_id, topic=item.number)
        if isinstance(item, Topic)
        else PoolItem.objects.filter(pool__task__collection=item.collection_id, docno=item.docno)
    )
    if item.is_frozen or pairs.exists():
        raise InputError(f"{item} stays: it is judged, released or pooled.", code="row-in-use", status=409)
    item.delete()


def remove_membership(membership: Membership) -> None:
    """End a role in a track; what the person did stays. Raises last-organizer."""
    lock_row(membership.track)  # two organizers could remove each other
    others = Membership.objects.filter(track=membership.track_id, role=Role.ORGANIZER)
    if membership.role == Role.ORGANIZER and not others.exclude(pk=membership.pk).exists():
        raise InputError(
            f"{membership.user} is the only organizer of {membership.track}. Invite another one first.",
            code="last-organizer",
            status=409,
        )
    membership.delete()


TABLES = (
    RowTable("dates", _of_track(Task), lambda task: _task_page("setup_dates", task), TaskDatesForm),
    RowTable("rules", _of_track(Task), lambda task: _task_page("setup_runs", task), RulesForm),
    RowTable(
        "guidelines", _of_track(Task), lambda task: _task_page("setup_guidelines", task), GuidelinesForm
    ),
    RowTable(
        "track",
        lambda track: Track.objects.filter(pk=track.pk),
        _track_page,
        _form(
            Track,
            *("name", "year", "description", "guidelines"),
            *("licence", "citation", "doi", "has_public_runs"),
        ),
        remove=lambda track: remove_empty(track, "tasks"),
        page_without=lambda _: reverse("home"),
        has_parts=True,
    ),
    RowTable(
        "task",
        _of_track(Task),
        lambda task: _task_page("setup_dates", task),
        TaskForm,
        remove=lambda task: remove_empty(task, "runs", "pools"),
        page_without=lambda task: _track_page(task.track),
        has_parts=True,
    ),
    RowTable(
        "collection",
        _of_track(Collection),
        lambda collection: _collection_page(collection, "setup_collection"),
        _form(Collection, "name"),
        remove=lambda collection: delete_collection(collection=collection),
        has_parts=True,
    ),
    RowTable(
        "corpus",
        _of_tasks(Corpus, "collection__track"),
        lambda corpus: _collection_page(corpus.collection, "setup_runs"),
        remove=Corpus.delete,
    ),
    RowTable(
        "sharing",
        _of_track(Collection),
        lambda collection: _collection_page(collection, "setup_guidelines"),
        SharingForm,
    ),
    RowTable(
        "topic",
        _of_tasks(Topic),
        lambda topic: _task_page("topic_detail", topic.task, topic.pk),
        TopicForm,
        remove=remove_item,
        page_without=lambda topic: _task_page("topic_list", topic.task),
    ),
    RowTable(
        "document",
        _of_tasks(Document, "collection__track"),
        lambda document: _collection_page(document.collection, "document_detail", document.pk),
        DocumentForm,
        remove=remove_item,
        page_without=lambda document: _collection_page(document.collection, "document_list"),
    ),
    RowTable(
        "family",
        _of_tasks(Family),
        lambda family: _task_page("setup_runs", family.task),
        _form(Family, "name"),
        remove=Family.delete,
    ),
    RowTable(
        "question",
        _of_tasks(SubmissionQuestion),
        lambda question: _task_page("setup_runs", question.task),
        SubmissionQuestionForm,
        remove=lambda question: remove_question(question=question),
    ),
    RowTable(
        "picture",
        _of_tasks(Picture),
        lambda picture: _task_page("setup_guidelines", picture.task),
        remove=Picture.delete,
    ),
    RowTable(
        "note",
        _of_tasks(RunNote, "run__task__track"),
        lambda note: _task_page("run_detail", note.run.task, note.run.pk),
        _form(RunNote, "text"),
        remove=RunNote.delete,
    ),
    RowTable(
        "team",
        _of_track(Team),
        lambda team: reverse("team_detail", args=[team.track.slug, team.pk]),
        TeamForm,
        remove=Team.delete,
        page_without=lambda team: _track_page(team.track),
    ),
    RowTable(
        "membership",
        _of_track(Membership),
        lambda membership: _track_page(membership.track),
        remove=remove_membership,
    ),
    RowTable(
        "announcement",
        _of_track(Announcement),
        lambda announcement: _track_page(announcement.track),
        _form(Announcement, "subject", "text"),
        remove=Announcement.delete,
    ),
    RowTable(
        "inquiry",
        _of_tasks(Inquiry),
        lambda inquiry: _task_page("inquiry_list", inquiry.task),
        AnswerForm,
        save=lambda form, by: answer_inquiry(
            inquiry=form.instance, is_mailed="answer" in form.changed_data, by=by
        ),
        remove=Inquiry.delete,
    ),
)


def register_tables() -> None:
    """Register the tables, by name."""
    register_rows(*TABLES)
