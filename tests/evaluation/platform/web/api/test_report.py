"""The report by API."""

import pytest

from evaluation.models import Phase, Scope
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.evaluation.report_findings import OLD_FORM, make_report, report_findings
from tests.factories import make_organizer, make_task
from trackside.reporting.writers.stored import to_json

pytestmark = pytest.mark.django_db


def test_report_is_that_of_all_runs_and_topics() -> None:
    """Also if a reader requested the report of a choice after it."""
    task = make_task(phase=Phase.RELEASED)
    make_report(task)
    make_report(task, inputs_sha256="1" * 64, choice={"tags": ["bm25"], "topics": []})
    answer = program_of(make_organizer(task.track), Scope.READ).get(address_of(task, "/report")).json()
    assert answer["inputs_sha256"] == "0" * 64
    assert answer["report"] == to_json(report_findings())


def test_report_of_older_software_is_sent_as_it_was() -> None:
    task = make_task(phase=Phase.RELEASED)
    make_report(task, **OLD_FORM)
    answer = program_of(make_organizer(task.track), Scope.READ).get(address_of(task, "/report")).json()
    assert answer["report"] == {"form": 1, **OLD_FORM}
