"""Pages of a report beside the first: sections, all tables, the whole, and the file."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Report, Task
from tests.evaluation.report_findings import stored_findings
from tests.factories import make_document, make_image, make_qrels, make_task

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


def _url(task: Task, name: str, *more: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *more])


def test_first_page_links_every_section(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_detail")).content.decode()
    for name in ("order", "families", "differences", "methods"):
        assert f'href="{_url(task, "report_section", name)}?measure=nDCG%4010&amp;family=CLIP-based"' in page
    assert "All tables (3)" in page


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
    assert '<details id="table-order" open>' in page
    assert '<details id="table-means" >' in page
    assert 'id="table-families"' not in page
    for address in ("tables/order.csv", "tables/means.tex", "figures/ranks-ndcg-10.svg", "methods.txt"):
        assert address in page


def test_section_pages_have_titles_of_their_own(client: Client, task: Task) -> None:
    titles = []
    for name in ("order", "families", "order"):
        page = client.get(_url(task, "report_section", name)).content.decode()
        (title,) = re.findall(r"<title>(.*?)</title>", page, re.DOTALL)
        titles.append(" ".join(title.split()))
    order = f"Order of the runs, report, {task.name} · Trackside"
    assert titles == [order, f"Families of runs, report, {task.name} · Trackside", order]


def test_section_page_gives_reasons_below_their_table(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_section", "order"), {"measure": "AP"}).content.decode()
    assert re.search(r'<td role="cell" class="n" data-l="[^"]+">undefined \(a\)</td>', page)
    assert '<p class="small text dim">(a) all values are equal.</p>' in page


def test_cells_carry_the_names_of_their_columns_for_cards_on_a_phone(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_section", "order")).content.decode()
    (table,) = re.findall(r'<details id="table-order".*?</table>', page, re.DOTALL)
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)</th>', table)
    cells = re.findall(r'<t[dh] [^>]*role="(?:cell|rowheader)"[^>]* data-l="([^"]+)"', table)
    assert cells[: len(heads)] == heads


def test_section_page_marks_the_judge_by_its_place(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_section", "order")).content.decode()
    (cell,) = set(re.findall(r"<t[dh][^>]*>(<svg class=\"mkey\".*?</svg>)clipscore", page))
    assert 'class="j1 sf"' in cell


def test_unknown_section_is_404(client: Client, task: Task) -> None:
    assert client.get(_url(task, "report_section", "no-such")).status_code == 404


def test_report_of_a_number_in_the_url_keeps_it_in_links_if_it_is_of_a_choice(
    client: Client, task: Task
) -> None:
    chosen = Report.objects.create(
        task=task,
        reference=Report.objects.get().reference,
        choice={"tags": ["bm25"]},
        inputs_sha256="1" * 64,
        **stored_findings(),
        code_version="1.2.3",
    )
    page = client.get(_url(task, "report_section", "order"), {"of": chosen.pk}).content.decode()
    assert f"family=CLIP-based&amp;of={chosen.pk}" in page
    assert f'<input type="hidden" name="of" value="{chosen.pk}">' in page


def test_whole_page_opens_every_table(client: Client, task: Task) -> None:
    page = client.get(_url(task, "report_whole")).content.decode()
    assert 'id="table-means" open' in page
    assert 'id="order-title"' in page


def test_file_needs_no_other_file(client: Client, task: Task) -> None:
    answer = client.get(_url(task, "report_file"))
    assert "attachment" in answer.headers["Content-Disposition"]
    page = answer.content.decode()
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"', page)
    assert "--j12:" in page
    assert ".beside-people" in page
    assert "data-copy" not in page
