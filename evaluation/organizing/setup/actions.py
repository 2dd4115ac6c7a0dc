"""Change a task's setup: its collection, its pictures, its opening and its release."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef
from django.db.models.expressions import BaseExpression
from django.db.models.functions import Now
from django.urls import reverse

from evaluation.collections.models import Collection, Picture
from evaluation.collections.storing import store_image
from evaluation.organizing.auditing.actions import AUDIT_GUARDS
from evaluation.organizing.setup.steps import Stage, checklist
from evaluation.platform.access.schema.names import alike
from evaluation.results.qrels.models import Qrels
from evaluation.submissions.pools.actions import is_unpooled
from evaluation.submissions.runs.models import Run
from evaluation.tracks.facts import CountOf, Facts
from evaluation.tracks.models import Phase, Task, TaskKind, Track
from evaluation.tracks.panels import OpenAction, OpenActions, open_actions, release_guards
from evaluation.tracks.work.table_rows import count_rows
from trackside.errors import InputError
from trackside.text.counted import counted
from trackside.text.names import check_visible


@transaction.atomic
def choose_collection(*, task: Task, collection: Collection) -> None:
    """Give the task another collection of its track, all of it; delete the old one if empty and unused.

    Raises collection-stays.
    """
    if task.runs.exists():
        raise InputError(
            "Runs were checked against this collection. Make a new task instead.", code="collection-stays"
        )
    old = task.collection
    if old != collection:
        task.collection, task.corpus = collection, None
        task.save(update_fields=["collection", "corpus"])
    if old != collection and not old.tasks.exists() and not old.documents.exists():
        old.delete()


@transaction.atomic
def add_picture(*, task: Task, name: str, content: bytes, credit: str = "") -> Picture:
    """Store a picture for the guidelines, with a credit also for the front pages.

    Raises name-taken, hidden-character, ImageUnreadable.
    """
    check_visible(name)
    if known := alike(task.pictures.all(), name).first():
        raise InputError(
            f"A picture is called {known} already. Choose another name, or remove that one.",
            code="name-taken",
        )
    return Picture.objects.create(task=task, name=name, image=store_image(content=content), credit=credit)


@transaction.atomic
def open_now(*, task: Task, missing: list[str]) -> None:
    """Set the opening to this moment, by the database clock. Raises not-ready."""
    locked = Task.objects.select_for_update().with_phase().get(pk=task.pk)
    if missing:
        raise InputError(f"The task cannot open yet. {' '.join(missing)}", code="not-ready")
    if locked.phase == "draft":
        Task.objects.filter(pk=task.pk).update(opens_at=Now())


def next_place(task: Task) -> int:
    """Return the place after the task's last question."""
    last = task.submission_questions.aggregate(last=Max("place"))["last"]
    return (last or 0) + 1


def remove_empty(parent: Task | Track, *children: str) -> None:
    """Remove a row that has none of these children; none of them is read. Raises row-in-use."""
    for name in children:
        if getattr(parent, name).exists():
            raise InputError(f"{parent} stays: it has {name}.", code="row-in-use", status=409)
    parent.delete()


def _family_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    runs = Run.objects.accepted().filter(task=OuterRef("pk"))
    families = Run.families.through.objects.filter(run=OuterRef("pk"))
    return {"accepted": CountOf(runs), "bare": CountOf(runs.filter(~Exists(families)))}


def _family_guards(task: Task, facts: Facts) -> Iterable[OpenAction]:
    if bare := facts["bare"]:
        runs = f"{bare:,} of {counted(facts['accepted'], 'run')}"
        address = reverse("run_settings", args=[task.track.slug, task.slug])
        yield OpenAction(
            "warn", f"{runs} without a family", address, "a judge's favour is measured by families"
        )


def _pool_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    runs = Run.objects.accepted().filter(task=OuterRef("pk"))
    return {"unpooled": CountOf(runs.filter(is_unpooled(OuterRef(OuterRef("pk")))))}


def _pool_guards(task: Task, facts: Facts) -> Iterable[OpenAction]:
    if missed := facts["unpooled"]:
        words = "1 accepted run is in no pool" if missed == 1 else f"{missed:,} accepted runs are in no pool"
        address = reverse("pool_build", args=[task.track.slug, task.slug])
        yield OpenAction("warn", words, address, "what they alone found is unjudged")


FAMILY_GUARDS = OpenActions(_family_guards, _family_facts)
POOL_GUARDS = OpenActions(_pool_guards, _pool_facts)


def all_guards() -> list[OpenActions]:
    """Return what makes the release unsafe beside the checklist: faults, runs, people's grades, judges."""
    return [AUDIT_GUARDS, FAMILY_GUARDS, POOL_GUARDS, *release_guards()]


def unsafe(task: Task) -> list[OpenAction]:
    """Return all that speaks against the release, what fails first, and what is ok."""
    missing = (
        OpenAction("warn", need.text.rstrip("."), need.link) for need in checklist(task, (Stage.RELEASE,))
    )
    order = ("bad", "warn", "", "ok")
    return sorted([*missing, *open_actions(task, all_guards())], key=lambda action: order.index(action.state))


def made_public(task: Task) -> list[str]:
    """Return in words what everybody but the track's assessors sees from the release on.

    Of a practice task they see it from its opening on.
    """
    runs = Run.objects.accepted().filter(task=task).count()
    qrels = Qrels.objects.filter(task=task).current().values_list("name", flat=True)
    files = "with their files and the results of each topic"
    if not task.track.has_public_runs or task.is_practice:
        files = "with their values; their files and results stay with the teams"
    return [
        f"{counted(task.topics.active().count(), 'topic')}, with texts, pictures and strata",
        shared_words(task.collection),
        f"{counted(runs, 'accepted run')} {files}",
        f"the qrels {', '.join(sorted(qrels))}" if qrels else "no qrels: none are published",
        "the leaderboard" if task.is_practice else "the leaderboard and the report",
    ]


def shared_words(collection: Collection) -> str:
    """Return in words what can be downloaded of a collection."""
    documents = count_rows(collection.documents.all())
    if collection.is_shared:
        return f"{documents} documents, whose texts and pictures can be downloaded"
    return (
        f"{documents} documents, of which only the docnos can be downloaded: you do not share texts and "
        "pictures"
    )


@transaction.atomic
def confirm_release(*, task: Task, words: str, is_at_its_date: bool = False) -> None:
    """Release the task now, by the database clock, or at its date.

    The person confirms by writing the task's name. A date that is moved forward is to be confirmed again.
    Raises not-confirmed, not-in-judging, no-release-date.
    """
    locked = Task.objects.select_for_update(of=("self",)).with_phase().get(pk=task.pk)
    if locked.phase != Phase.JUDGING:
        raise InputError(
            f"{task.name} is {Phase(locked.phase).label}: only a task in judging can be released. "
            "Set its dates first.",
            code="not-in-judging",
        )
    if " ".join(words.split()).casefold() != task.name.casefold():
        raise InputError(f"Write “{task.name}” to confirm the release.", code="not-confirmed")
    if is_at_its_date and not locked.releases_at:
        raise InputError(
            f"{task.name} has no date of release. Set one first, or release it now.",
            code="no-release-date",
        )
    if is_at_its_date:
        Task.objects.filter(pk=task.pk).update(release_confirmed_for=F("releases_at"))
    else:
        Task.objects.filter(pk=task.pk).update(releases_at=Now(), release_confirmed_for=Now())
