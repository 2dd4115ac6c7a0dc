"""Actions that a task needs from its organizers: failed long work, missing content, near dates."""

from collections.abc import Callable, Iterable
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.db.models.expressions import BaseExpression
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from evaluation.collections.models import Document
from evaluation.organizing.auditing.actions import AUDIT_GUARDS
from evaluation.organizing.pages.long_work import parked_facts
from evaluation.organizing.setup.actions import POOL_GUARDS, all_guards
from evaluation.organizing.setup.steps import Stage, checklist_of, show_steps, steps_with
from evaluation.platform.access.site_mail import sends_mail
from evaluation.submissions.pools.models import Pool, PoolItem
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.teams.registering import waiting_facts
from evaluation.tracks.archiving import Archiving
from evaluation.tracks.facts import CountOf, Facts, read_facts
from evaluation.tracks.inquiries.models import Inquiry
from evaluation.tracks.models import Phase, Task, TaskKind
from evaluation.tracks.panels import OpenAction, OpenActions

SOON = timedelta(days=3)
PATIENCE = timedelta(minutes=10)  # of an upload that waits for its check
DUE = {
    Phase.DRAFT: (Stage.OPEN, Stage.POOL),
    Phase.OPEN: (Stage.OPEN, Stage.POOL),
    Phase.CLOSED: tuple(Stage),
    Phase.JUDGING: (Stage.RELEASE,),
}


GUARDS: dict[Phase, Callable[[], list[OpenActions]]] = {
    Phase.DRAFT: lambda: [AUDIT_GUARDS],
    Phase.OPEN: lambda: [AUDIT_GUARDS, POOL_GUARDS],
    Phase.CLOSED: all_guards,
    Phase.JUDGING: all_guards,
    Phase.RELEASED: list,
}


def organizer_needs(task: Task) -> Iterable[OpenAction]:
    """Yield the open actions of organizers, except those of judging and jobs.

    One statement reads the facts of all of them.
    """
    phase = Phase(task.phase)
    stages = DUE.get(phase, ())
    steps = steps_with(task, stages)
    guards = GUARDS[phase]()
    sources = [step.facts for step in steps] + [guard.facts for guard in guards]
    parked, waiting, rows, *facts = read_facts(task, [parked_facts, waiting_facts, _row_facts, *sources])
    if rows["is_archived"]:
        address = reverse("track_detail", args=[task.track.slug])
        yield OpenAction("", "The track is archived", address, "so nothing can be changed")
        return
    yield from _of_work(task, sum(parked.values()), rows)
    if not sends_mail() and phase != Phase.RELEASED:
        address = reverse("member_invite", args=[task.track.slug])
        yield OpenAction("", "This site sends no mail", address, "so give people their links yourself")
    for need in checklist_of(show_steps(task, steps, facts[: len(steps)]), stages):
        yield OpenAction("warn", need.text.rstrip("."), need.link, f"missing {need.stage}")
    if count := waiting["waiting"]:
        words = "1 team waits" if count == 1 else f"{count:,} teams wait"
        address = reverse("track_registration", args=[task.track.slug])
        yield OpenAction("", words, address, "for your approval")
    if count := rows["questions"]:
        words = "1 question waits" if count == 1 else f"{count:,} questions wait"
        yield OpenAction("", words, _address("inquiry_list", task), "for your answer")
    yield from _of_pools(task, rows)
    for guard, of_guard in zip(guards, facts[len(steps) :], strict=True):
        yield from (action for action in guard.tell(task, of_guard) if action.state != "ok")
    yield from _of_dates(task)


def _row_facts(kind: TaskKind) -> dict[str, BaseExpression]:
    runs = Run.objects.filter(task=OuterRef("pk"))
    late = runs.filter(state=RunState.RECEIVED, received_at__lt=Now() - PATIENCE)
    bare = Document.objects.filter(collection=OuterRef(OuterRef("collection")), docno=OuterRef("docno"))
    items = PoolItem.objects.filter(Exists(bare.without_what_is_shown(kind)), pool__task=OuterRef("pk"))
    return {
        "is_archived": Exists(Archiving.objects.filter(track=OuterRef("track"))),
        "parked_runs": CountOf(runs.filter(state=RunState.PARKED)),
        "asked_runs": CountOf(runs.filter(state=RunState.ASKED)),
        "waiting_runs": CountOf(late),
        "bare_items": CountOf(items),
        "questions": CountOf(Inquiry.objects.filter(task=OuterRef("pk")).unanswered()),
        "has_pool": Exists(Pool.objects.filter(task=OuterRef("pk"))),
        "has_accepted": Exists(runs.filter(state=RunState.ACCEPTED)),
    }


def _of_work(task: Task, parked: int, rows: Facts) -> Iterable[OpenAction]:
    if parked:
        many = f"{parked:,} imports, scores, reports or operations are"
        words = "1 import, score, report or operation is" if parked == 1 else many
        yield OpenAction("bad", f"{words} parked", _address("work_list", task), "after failed attempts")
    if parked := rows["parked_runs"]:
        words = "1 check of an upload is" if parked == 1 else f"{parked:,} checks of uploads are"
        yield OpenAction("bad", f"{words} parked", _address("run_list", task), "after failed attempts")
    if asked := rows["asked_runs"]:
        words = "1 upload has" if asked == 1 else f"{asked:,} uploads have"
        rest = "ranks and scores disagree: their teams must confirm"
        yield OpenAction("warn", f"{words} a doubtful order", _address("run_list", task), rest)
    if waiting := rows["waiting_runs"]:
        words = "1 upload waits" if waiting == 1 else f"{waiting:,} uploads wait"
        yield OpenAction(
            "warn", words, _address("run_list", task), "for more than 10 minutes: is a worker running?"
        )


def _of_pools(task: Task, rows: Facts) -> Iterable[OpenAction]:
    if bare := rows["bare_items"]:
        what = "picture" if TaskKind(task.kind).retrieves_images else "text"
        words = f"1 pooled item has no {what}" if bare == 1 else f"{bare:,} pooled items have no {what}"
        yield OpenAction(
            "bad", words, _address("import_upload", task, "collection"), "import it before it is graded"
        )
    is_due = task.phase in (Phase.CLOSED, Phase.JUDGING)
    if is_due and not rows["has_pool"] and rows["has_accepted"]:
        yield OpenAction("warn", "Build the first pool", _address("pool_build", task), "the runs are in")


def _of_dates(task: Task) -> Iterable[OpenAction]:
    now = timezone.now()
    dates = {
        "Runs open": task.opens_at,
        "Runs close": task.closes_at,
        "Judging opens": task.judging_at,
        "Release": task.releases_at if task.is_release_confirmed else None,
    }
    date = task.releases_at
    if task.phase == Phase.JUDGING and date and not task.is_release_confirmed and date <= now + SOON:
        when = f"its date is in {_words(date - now)}" if date > now else "its date has passed"
        yield OpenAction("warn", "Confirm the release", _address("setup_release", task), when)
    for name, moment in dates.items():
        if moment and now <= moment <= now + SOON:
            yield OpenAction("", f"{name} in {_words(moment - now)}", _address("setup_dates", task))


def _words(left: timedelta) -> str:
    hours = max(round(left / timedelta(hours=1)), 1)
    return f"{hours} h" if hours < 48 else f"{hours // 24} d"


def _address(name: str, task: Task, *more: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *more])
