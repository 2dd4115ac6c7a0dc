"""Files of the report; the content is tests/evaluation/report_findings.py."""

import pytest
from django.test import Client

from evaluation.models import Phase, Report, Task
from tests.evaluation.report_findings import stored_findings
from tests.factories import make_organizer, make_qrels, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    task = make_task(phase=Phase.RELEASED)
    Report.objects.create(
        task=task,
        reference=make_qrels(task),
        inputs_sha256="0" * 64,
        **stored_findings(),
        code_version="1.2.3",
    )
    return task


def _address(task: Task, rest: str) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/{rest}"


def test_report_table_has_the_rows_of_the_measure_in_the_address(client: Client, task: Task) -> None:
    answer = client.get(_address(task, "tables/order.csv"), {"measure": "AP"})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.content.decode().splitlines() == [
        "measure,judge,tau,tau low,tau high,tau interval",
        "AP,clipscore,undefined (all values are equal),,,",
    ]


def test_report_table_is_there_as_json_and_latex(client: Client, task: Task) -> None:
    assert client.get(_address(task, "tables/order.json")).json()["rows"][0][2]["interval"]["low"] == 0.6
    assert b"\\toprule" in client.get(_address(task, "tables/order.tex")).content


def test_report_figure_is_a_file_with_its_own_rules(client: Client, task: Task) -> None:
    text = client.get(_address(task, "figures/ranks-ndcg-10.svg")).content.decode()
    assert "<style>" in text
    assert 'width="9" height="9"' in text


def test_report_figure_is_a_pdf_of_one_page(client: Client, task: Task) -> None:
    answer = client.get(_address(task, "figures/ranks-ndcg-10.pdf"))
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert answer.content.count(b"/Type /Page\n") == 1


def test_report_files_are_of_the_report_whose_number_the_address_has(client: Client, task: Task) -> None:
    number = Report.objects.get().pk
    assert client.get(_address(task, f"methods.txt?of={number}")).status_code == 200
    for wrong in (number + 1, "x", "9" * 30):
        assert client.get(_address(task, f"methods.txt?of={wrong}")).status_code == 404


def test_report_methods_are_text(client: Client, task: Task) -> None:
    assert client.get(_address(task, "methods.txt")).content.startswith(b"Three runs were evaluated.")


@pytest.mark.parametrize(
    "rest", ["tables/nothing.csv", "tables/order.pdf", "figures/nothing.svg", "figures/nothing.pdf"]
)
def test_report_has_no_other_files(client: Client, task: Task, rest: str) -> None:
    assert client.get(_address(task, rest)).status_code == 404


def test_report_bundle_is_for_organizers_who_learn_that_it_is_outdated(client: Client, task: Task) -> None:
    """Runs of the content are not there: those that are get theirs in test_bundle_report."""
    assert client.get(_address(task, "bundle.zip")).status_code == 404
    client.force_login(make_organizer(task.track))
    answer = client.post(_address(task, "pack/"), follow=True)
    assert answer.status_code == 409
    assert b"Recompute the report" in answer.content
