"""Pages of a report beside the first, and its files; the content is tests/evaluation/report_findings.py."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Report, Task
from tests.evaluation.report_findings import make_report
from tests.factories import make_document, make_image, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    task = make_task(phase=Phase.RELEASED)
    make_report(task)
    return task


def _url(task: Task, name: str, *more: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *more])


def test_first_page_links_every_section(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_detail")).content.decode()
    for name in ("order", "families", "differences", "methods"):
        assert f'href="{_url(task, "report_section", name)}?measure=nDCG%4010&amp;family=CLIP-based"' in page
    assert "All tables (3)" in page
    whole = client.get(_url(task, "report_whole")).content.decode()
    assert 'id="table-means" open' in whole
    assert 'id="order-title"' in whole
    assert client.get(_url(task, "report_section", "no-such")).status_code == 404


def test_all_tables_are_listed_by_section_with_a_search(client: Client, task: Task) -> None:
    listed = {
        words: re.findall(
            r"tables/([a-z]+)\.csv", client.get(_url(task, "report_tables"), {"q": words}).content.decode()
        )
        for words in ("", "MEANS", "families", "people order", "nothing")
    }
    assert listed == {
        "": ["order", "means", "families"],
        "MEANS": ["means"],  # its caption
        "families": ["families"],
        "people order": ["means"],  # a column, and the title of the section
        "nothing": [],
    }
    page = client.get(_url(task, "report_tables"), {"q": "nothing"}).content.decode()
    assert "No table has all these words." in page


def test_differences_show_the_beginnings_of_texts(client: Client, task: Task) -> None:
    make_document(task.collection, docno="D2", fields=[["caption", "A red balloon over hills"]])
    page = client.get(_url(task, "report_section", "differences")).content.decode()
    assert "A red balloon over hills" in page
    assert "7 pairs with 2 grades between people and clipscore" in " ".join(page.split())
    assert "people <b>0</b>, judge <b>2</b>" in page


def test_differences_and_the_link_to_them_show_pictures(client: Client, task: Task) -> None:
    document = make_document(task.collection, docno="D2", image=make_image())
    address = reverse("image", args=[document.image_id, "thumbnail"])
    assert address in client.get(_url(task, "report_section", "differences")).content.decode()
    assert address in client.get(_url(task, "report_detail")).content.decode()


def test_section_page_has_its_tables_figures_and_downloads_alone(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_section", "order")).content.decode()
    assert 'aria-current="page"' in page
    assert '<details id="table-means" >' in page
    assert 'id="table-families"' not in page
    for address in ("tables/order.csv", "tables/means.tex", "figures/ranks-ndcg-10.svg", "methods.txt"):
        assert address in page
    (table,) = re.findall(r'<details id="table-order" open>.*?</table>', page, re.DOTALL)
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)</th>', table)
    cells = re.findall(r'<t[dh] [^>]*role="(?:cell|rowheader)"[^>]* data-l="([^"]+)"', table)
    assert cells[: len(heads)] == heads, "a phone shows the name of the column in each cell"
    (judge,) = set(re.findall(r"<t[dh][^>]*>(<svg class=\"mkey\".*?</svg>)clipscore", page))
    assert 'class="j1 sf"' in judge, "its mark is of its place"


def test_section_pages_have_titles_of_their_own(client: Client, task: Task) -> None:
    titles = []
    for name in ("order", "families"):
        page = client.get(_url(task, "report_section", name)).content.decode()
        (title,) = re.findall(r"<title>(.*?)</title>", page, re.DOTALL)
        titles.append(" ".join(title.split()))
    names = ("Order of the runs", "Families of runs")
    assert titles == [f"{name}, report, {task.name} · Trackside" for name in names]


def test_section_page_gives_reasons_below_their_table(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_section", "order"), {"measure": "AP"}).content.decode()
    assert re.search(r'<td role="cell" class="n" data-l="[^"]+">undefined \(a\)</td>', page)
    assert '<p class="small text dim">(a) all values are equal.</p>' in page


def test_report_of_a_number_in_the_url_keeps_it_in_links_if_it_is_of_a_choice(
    client: Client, task: Task
) -> None:
    chosen = make_report(task, choice={"tags": ["bm25"]}, inputs_sha256="1" * 64)
    page = client.get(_url(task, "report_section", "order"), {"of": chosen.pk}).content.decode()
    assert f"family=CLIP-based&amp;of={chosen.pk}" in page
    assert f'<input type="hidden" name="of" value="{chosen.pk}">' in page


def test_file_needs_no_other_file(client: Client, task: Task) -> None:
    answer = client.get(_url(task, "report_file"))
    assert "attachment" in answer.headers["Content-Disposition"]
    page = answer.content.decode()
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"', page)
    assert "--j12:" in page
    assert ".uses" in page
    assert "data-copy" not in page


def _address(task: Task, rest: str) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/{rest}"


def test_report_tables_and_methods_are_files_of_the_measure_in_the_address(
    client: Client, task: Task
) -> None:
    answer = client.get(_address(task, "tables/order.csv"), {"measure": "AP"})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.content.decode().splitlines() == [
        "measure,judge,tau,tau low,tau high,tau interval",
        "AP,clipscore,undefined (all values are equal),,,",
    ]
    assert client.get(_address(task, "tables/order.json")).json()["rows"][0][2]["interval"]["low"] == 0.6
    assert b"\\toprule" in client.get(_address(task, "tables/order.tex")).content
    assert client.get(_address(task, "methods.txt")).content.startswith(b"Three runs were evaluated.")


def test_report_figure_is_a_file_with_its_own_rules_or_a_pdf_of_one_page(client: Client, task: Task) -> None:
    text = client.get(_address(task, "figures/ranks-ndcg-10.svg")).content.decode()
    assert "<style>" in text
    assert 'width="9" height="9"' in text
    answer = client.get(_address(task, "figures/ranks-ndcg-10.pdf"))
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert answer.content.count(b"/Type /Page\n") == 1


def test_report_files_are_of_the_report_whose_number_the_address_has(client: Client, task: Task) -> None:
    number = Report.objects.get().pk
    assert client.get(_address(task, f"methods.txt?of={number}")).status_code == 200
    for wrong in (number + 1, "x", "9" * 30):
        assert client.get(_address(task, f"methods.txt?of={wrong}")).status_code == 404


@pytest.mark.parametrize(
    "rest", ["tables/nothing.csv", "tables/order.pdf", "figures/nothing.svg", "figures/nothing.pdf"]
)
def test_report_has_no_other_files(client: Client, task: Task, rest: str) -> None:
    assert client.get(_address(task, rest)).status_code == 404
