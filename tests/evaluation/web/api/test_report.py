"""The report by API."""

import pytest

from evaluation.models import Phase, Report, Scope
from tests.evaluation.report_findings import OLD_FORM, report_findings, stored_findings
from tests.evaluation.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_qrels, make_task
from trackside.reporting.writers.stored import to_json

pytestmark = pytest.mark.django_db


def test_report_is_that_of_all_runs_and_topics() -> None:
    """Also if a reader requested the report of a choice after it."""
    task = make_task(phase=Phase.RELEASED)
    made = {"task": task, "reference": make_qrels(task), "code_version": "1.2.3"}
    Report.objects.create(**made, **stored_findings(), inputs_sha256="0" * 64)
    Report.objects.create(
        **made, facts={}, sections=[], inputs_sha256="1" * 64, choice={"tags": ["bm25"], "topics": []}
    )
    answer = program_of(make_organizer(task.track), Scope.READ).get(address_of(task, "/report")).json()
    assert answer["inputs_sha256"] == "0" * 64
    assert answer["report"] == to_json(report_findings())


def test_report_of_older_software_is_sent_as_it_was() -> None:
    task = make_task(phase=Phase.RELEASED)
    Report.objects.create(
        task=task, reference=make_qrels(task), code_version="1.2.3", inputs_sha256="0" * 64, **OLD_FORM
    )
    answer = program_of(make_organizer(task.track), Scope.READ).get(address_of(task, "/report")).json()
    assert answer["report"] == {"form": 1, **OLD_FORM}
