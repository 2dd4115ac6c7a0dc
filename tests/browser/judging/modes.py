"""Tasks whose items are practised or settled on the judging screen."""

from django.urls import reverse
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from assessment.models import AssignmentKind, Judgment, Purpose
from evaluation.models import Phase, Task, User
from tests.assessment.factories import judge, make_assignment
from tests.browser.judging.surface import fail_on_script_errors
from tests.browser.signing_in import sign_in
from tests.factories import (
    make_assessor,
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_task,
    make_topic,
)

SIZES = [(1440, 900), (720, 450), (360, 640), (320, 256)]


def make_pictures(count: int) -> Task:
    """Topics T1 and T2, and documents D1, D2 ... each with another picture."""
    task = make_task(phase=Phase.JUDGING)
    for number in ("T1", "T2"):
        make_topic(task, number=number)
    for place in range(1, count + 1):
        make_document(task.collection, docno=f"D{place}", image=make_image())
    return task


def open_page(context: BrowserContext, server: LiveServer, person: User, name: str, task: Task) -> Page:
    """The page as the person sees it; a script's error fails the test."""
    sign_in(context, person, server)
    page = context.new_page()
    fail_on_script_errors(page)
    page.goto(reverse(name, args=[task.track.slug, task.slug]))
    return page


def make_desk(*, is_commented: bool = True) -> tuple[Task, User]:
    """Three items on which two people disagree, the second of another topic."""
    task = make_pictures(4)
    pairs = [("T1", "D1"), ("T1", "D2"), ("T2", "D3"), ("T1", "D4")]
    pool = make_pool(task, pairs=pairs)
    people = [make_assessor(task.track, name=name) for name in ("Ann Sentinel", "Ben Sentinel")]
    for topic in ("T1", "T2"):
        for person, kind in zip(people, (AssignmentKind.OWNER, AssignmentKind.SECOND), strict=True):
            assignment = make_assignment(pool, topic=topic, assessor=person, kind=kind)
            for of, docno in pairs:
                if of == topic:
                    grade = 1 if docno == "D4" else 0 if kind == AssignmentKind.OWNER else 2
                    judge(assignment, docno, grade, comment=f"{docno} {grade}" if is_commented else "")
    return task, make_organizer(task.track)


def settled() -> list[tuple[str, int | str, str, str]]:
    """The current adjudications."""
    found = Judgment.objects.filter(purpose=Purpose.ADJUDICATION).current()
    return sorted((each.docno, each.mark, each.comment, each.mode) for each in found)
