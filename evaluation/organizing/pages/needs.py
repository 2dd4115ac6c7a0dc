"""Actions that a task needs from its organizers: failed long work, missing content, near dates."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone

from evaluation.organizing.pages.long_work import count_parked
from evaluation.organizing.setup.actions import release_guards
from evaluation.organizing.setup.steps import Stage, checklist
from evaluation.platform.access.site_mail import sends_mail
from evaluation.submissions.pools.models import PoolItem
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.teams.registering import waiting_count
from evaluation.tracks.archiving import Archiving
from evaluation.tracks.models import Phase, Task, TaskKind
from evaluation.tracks.panels import OpenAction

SOON = timedelta(days=3)
PATIENCE = timedelta(minutes=10)  # of an upload that waits for its check
DUE = {
    Phase.DRAFT: (Stage.OPEN, Stage.POOL),
    Phase.OPEN: (Stage.OPEN, Stage.POOL),
    Phase.CLOSED: tuple(Stage),
    Phase.JUDGING: (Stage.RELEASE,),
}


def organizer_needs(task: Task) -> Iterable[OpenAction]:
    """Yield the open actions of organizers, except those of judging and jobs."""
    if Archiving.objects.filter(track=task.track_id).exists():
        address = reverse("track_detail", args=[task.track.slug])
        yield OpenAction("", "The track is archived", address, "so nothing can be changed")
        return
    yield from _of_work(task)
    if not sends_mail() and task.phase != Phase.RELEASED:
        address = reverse("member_invite", args=[task.track.slug])
        yield OpenAction("", "This site sends no mail", address, "so give people their links yourself")
    for need in checklist(task, DUE.get(Phase(task.phase), ())):
        yield OpenAction("warn", need.text.rstrip("."), need.link, f"missing {need.stage}")
    if waiting := waiting_count(task.track):
        words = "1 team waits" if waiting == 1 else f"{waiting:,} teams wait"
        address = reverse("track_registration", args=[task.track.slug])
        yield OpenAction("", words, address, "for your approval")
    yield from _of_pools(task)
    if task.phase in (Phase.CLOSED, Phase.JUDGING):
        yield from release_guards(task)
    yield from _of_dates(task)


def _of_work(task: Task) -> Iterable[OpenAction]:
    if parked := count_parked(task):
        many = f"{parked:,} imports, scores, reports or operations are"
        words = "1 import, score, report or operation is" if parked == 1 else many
        yield OpenAction("bad", f"{words} parked", _address("work_list", task), "after failed attempts")
    is_late = Q(received_at__lt=timezone.now() - PATIENCE)
    runs = Run.objects.filter(task=task).aggregate(
        parked=Count("pk", filter=Q(state=RunState.PARKED)),
        asked=Count("pk", filter=Q(state=RunState.ASKED)),
        waiting=Count("pk", filter=Q(state=RunState.RECEIVED) & is_late),
    )
    if parked := runs["parked"]:
        words = "1 check of an upload is" if parked == 1 else f"{parked:,} checks of uploads are"
        yield OpenAction("bad", f"{words} parked", _address("run_list", task), "after failed attempts")
    if asked := runs["asked"]:
        words = "1 upload has" if asked == 1 else f"{asked:,} uploads have"
        rest = "ranks and scores disagree: their teams must confirm"
        yield OpenAction("warn", f"{words} a doubtful order", _address("run_list", task), rest)
    if waiting := runs["waiting"]:
        words = "1 upload waits" if waiting == 1 else f"{waiting:,} uploads wait"
        yield OpenAction(
            "warn", words, _address("run_list", task), "for more than 10 minutes: is a worker running?"
        )


def _of_pools(task: Task) -> Iterable[OpenAction]:
    if bare := PoolItem.objects.bare(task).count():
        what = "picture" if TaskKind(task.kind).retrieves_images else "text"
        words = f"1 pooled item has no {what}" if bare == 1 else f"{bare:,} pooled items have no {what}"
        yield OpenAction(
            "bad", words, _address("import_upload", task, "collection"), "import it before it is graded"
        )
    is_due = task.phase in (Phase.CLOSED, Phase.JUDGING)
    if is_due and not task.pools.exists() and task.runs.filter(state=RunState.ACCEPTED).exists():
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
    return f"{hours} h" if hours < 48 else f"{left.days} d"


def _address(name: str, task: Task, *more: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *more])
