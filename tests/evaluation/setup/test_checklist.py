"""The checklist of a task names what is missing."""

import pytest
from django.test import Client

from evaluation.models import Phase, Task
from evaluation.setup.steps import Stage, checklist
from tests.evaluation.setup.setup_pages import address, needs
from tests.factories import make_document, make_image

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("stage", Stage)
def test_checklist_of_one_stage_is_that_part_of_the_whole(task: Task, stage: Stage) -> None:
    """A page may compute the checks of one stage only."""
    whole = checklist(task)
    assert {need.stage for need in whole} == set(Stage)
    assert checklist(task, [stage]) == [need for need in whole if need.stage == stage]


def test_checklist_names_what_is_missing_and_the_task_opens_without_it(organizer: Client, task: Task) -> None:
    assert needs(task, Stage.OPEN) == [
        "No date for the opening, the close, the start of judging, the release.",
        "The collection is empty.",
        "There are no guidelines.",
    ]
    refused = organizer.post(address(task, "open"), follow=True)
    assert "The task cannot open yet." in refused.content.decode()
    make_document(task.collection, image=make_image())
    make_document(task.collection)
    Task.objects.update(guidelines="Read.", opens_at="2090-01-01T00:00Z", closes_at="2090-02-01T00:00Z")
    assert needs(task, Stage.OPEN) == []
    assert "Documents without a picture, which nobody can judge: 1 of 2." in needs(task, Stage.POOL)
    organizer.post(address(task, "open"))
    assert Task.objects.with_phase().get().phase == Phase.OPEN
