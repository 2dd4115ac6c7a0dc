import html
import json
import re
from dataclasses import replace

import pytest
from django.test import Client

from evaluation.models import Phase, Report, Task
from evaluation.tasks import run_reports
from tests.evaluation.made_uses import made_uses
from tests.evaluation.report_findings import (
    OLD_FORM,
    make_report,
    many_judges,
    people_alone,
    report_findings,
    stored_findings,
)
from tests.factories import (
    dates_of,
    make_organizer,
    make_pool,
    make_task,
    make_user,
)
from trackside.findings.use_results import TuneUse, UseCode
from trackside.statistics.estimate import Reason

pytestmark = pytest.mark.django_db


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/"


@pytest.fixture
def page(client: Client) -> str:
    task = make_task(phase=Phase.RELEASED)
    make_report(task)
    return client.get(_address(task)).content.decode()


def _cells(page: str) -> list[str]:
    """The cells of the table of judges, without markup and drawings."""
    table = re.sub(r"<svg.*?</svg>", "", page[page.index("<tbody") : page.index("</tbody>")], flags=re.DOTALL)
    cells = re.findall(r"<t[dh].*?</t[dh]>", table, re.DOTALL)
    texts = (re.sub(r"<.*?>", " ", cell, flags=re.DOTALL) for cell in cells)
    return [html.unescape(" ".join(text.split())) for text in texts]


def test_report_page_shows_people_and_then_the_judge(page: str) -> None:
    people, *numbers, judge, rank, best, families, tune, label = _cells(page)
    assert people == "Yardstick second assessor, 38 results of 12 topics"
    assert not any(word in number for number in numbers for word in ("As people", "Cannot tell"))
    assert judge == "clipscore all 38 results graded"
    assert rank.startswith("Cannot tell tau .81 (.60 to .92): 90 of 100 run pairs in people's order.")
    assert "1 kept , 1 undecided, 1 reversed" in rank
    assert best == "As people bm25 , .01 below the best (at most .04)"
    assert families.startswith("Not as people CLIP-based +21 (11 to 32)")
    assert tune == (
        "Cannot tell of 12 points gained by it, people see 6: 48 % (39 to 57). "
        "About 190 topics in all would tell"
    )
    assert label == "Not as people kappa .31 (.25 to .37), .21 below a second assessor"
    assert page.count("nothing is said about other teams&#x27; runs") == 1


def test_report_page_draws_intervals_and_a_scatter_with_the_runs_that_both_have(page: str) -> None:
    # tau's axis is from -0.5 at 6 to 1 at 106: 0.60 is at 79.3 and 0.92 at 100.7, the margin 0.8 at 92.7.
    assert '<path class="wl" d="M79.3 11H100.7"/>' in page
    assert '<path class="mg" d="M92.7 0V22"/>' in page
    assert "style=" not in page
    panels = re.findall(r'<svg[^>]* class="chart".*?</svg>', page, re.DOTALL)
    assert len(panels) == 1
    assert re.findall("<title>(.*?)</title>", panels[0]) == [
        "clip-a: people 0.5000, clipscore 0.6000",
        "clip-b: people 0.2500, clipscore 0.5000",
    ]
    assert panels[0].count('class="fam sf"') == 2


def test_report_page_has_a_paragraph_to_paste_and_its_table_in_latex(client: Client, page: str) -> None:
    assert 'data-copy="paragraph"' in page
    assert re.search(r'<p id="paragraph"[^>]*>On 3 runs of 1 team and 12 topics', page)
    (address,) = re.findall(r'href="([^"]*report\.tex[^"]*)"', page)
    answer = client.get(html.unescape(address))
    assert answer.headers["Content-Type"] == "application/x-tex; charset=utf-8"
    assert "clipscore & Cannot tell: tau .81" in answer.content.decode()


def test_report_page_warns_of_runs_whose_ids_hardly_meet_people_s(client: Client, page: str) -> None:
    warning = "clip-b: 1 of 12 topics"
    assert warning not in page
    task = make_task(phase=Phase.RELEASED)
    make_report(task, **stored_findings(report_findings(unmet=(warning,))))
    assert client.get(_address(task)).content.decode().count(warning) == 1


def test_report_page_folds_judges_after_the_eighth(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    make_report(task, **stored_findings(many_judges(10)))
    page = client.get(_address(task)).content.decode()
    assert "<summary>All judges: 2 more</summary>" in page
    before, folded = page.split("All judges: 2 more")
    assert before.count('<th scope="row"') == 9  # people, and eight judges
    assert folded.split("</details>")[0].count('<th scope="row"') == 2
    assert page.count('class="chart') == 4


def test_report_page_of_people_alone_ranks_the_runs_without_a_word_on_judges(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    make_report(task, **stored_findings(people_alone()))
    page = client.get(_address(task)).content.decode()
    assert '<h1 class="lead">bm25 leads; people do not tell it apart from clip-a.</h1>' in page
    assert re.findall(r'<th scope="row"[^>]*>(.*?)</th>', page) == ["bm25", "clip-a", "clip-b"]
    assert re.findall(r'data-l="Mean nDCG@10">(.*?)</td>', page) == ["0.7500", "0.5000", "0.2500"]
    main = page[page.index("<main") : page.index("</main>")]
    assert not re.search(r"judge|paste|tau", re.sub(r"<.*?>", "", main))


@pytest.mark.parametrize(
    "asked", ["", "tables/", "sections/in-short/", "whole/", "report.html", "report.tex"]
)
def test_pages_of_a_report_of_older_software_do_not_fail(client: Client, asked: str) -> None:
    task = make_task(phase=Phase.RELEASED)
    make_report(task, **OLD_FORM)
    assert client.get(_address(task) + asked).status_code == (404 if asked else 200)
    assert client.get(_address(task) + "tables/judges.csv").status_code == 404
    assert client.get(_address(task) + "figures/old.svg").status_code == 404
    assert client.get(_address(task) + "methods.txt").status_code == 404


def test_report_of_older_software_shows_its_tables_as_they_were(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    report = make_report(task, **OLD_FORM)
    for address in (_address(task), f"{_address(task)}?of={report.pk}"):
        page = client.get(address).content.decode()
        assert "An earlier version of the software (1.2.3) computed this report." in page
        for text in (
            "0.81<small>0.60 to 0.92</small>",
            "no sign of favour",
            "a reason that is gone",
            "A note.",
        ):
            assert text in page


def test_report_of_older_software_is_computed_again(client: Client, running: Task) -> None:
    Report.objects.update(**OLD_FORM, inputs_sha256="0" * 64)
    client.force_login(make_user())
    assert "Compute it again" in client.get(_address(running)).content.decode()
    client.post(f"{_address(running)}ask/?")
    run_reports()
    page = client.get(_address(running)).content.decode()
    assert "An earlier version" not in page
    assert "Versions of this report (2)" in page


def test_report_page_shows_sections_for_the_measure_and_family_chosen(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    make_report(task)
    chosen = {"measure": "AP", "family": "lexical"}
    assert ".60 to .92" in client.get(_address(task), chosen).content.decode()  # uses are by one measure
    order, families = (f"{_address(task)}sections/{name}/" for name in ("order", "families"))
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in client.get(order).content.decode()
    assert "Ranks" not in client.get(order, chosen).content.decode()
    assert 'id="table-families"' not in client.get(families).content.decode()  # its rows are of lexical runs
    page = client.get(families, chosen).content.decode()
    assert 'id="table-families"' in page
    assert "−21.2" in page
    context = client.get(_address(task), {"measure": "no such", "family": "none"}).context
    assert (context["measure"], context["family"]) == ("nDCG@10", "CLIP-based")
    methods = client.get(f"{_address(task)}sections/methods/").content.decode()
    assert "Qrels by SHA-256: people abababababab." in methods
    assert "code version 1.2.3" in methods


def test_report_page_shows_how_much_is_judged(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=20)
    make_report(task)  # its qrels have grades of D1 and D2 on T1
    pairs = [(f"T{topic}", f"D{number}") for topic in (1, 2) for number in range(1, 21)]
    make_pool(task, pairs=pairs)
    assert "people have judged 2 of 40 items of the pools." in client.get(_address(task)).content.decode()


def test_report_page_shows_the_undefined_with_its_reason(client: Client) -> None:
    uses = made_uses()
    undefined = replace(uses, tune=TuneUse(code=UseCode.OPEN, reason=Reason.NO_GAIN_SEEN))
    report = report_findings()
    judges = tuple(replace(judge, uses=undefined) for judge in report.judges)
    task = make_task(phase=Phase.RELEASED)
    make_report(task, **stored_findings(replace(report, judges=judges)))
    page = client.get(_address(task), {"measure": "AP"}).content.decode()
    assert Reason.NO_GAIN_SEEN.words in html.unescape(page)
    assert "nan" not in page.lower()


def test_report_page_without_a_report_asks_organizers_again_by_itself(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    page = client.get(_address(task)).content.decode()
    assert "No report yet" in page
    assert 'hx-trigger="every 10s"' in page
    part = client.get(_address(task), headers={"HX-Request": "true"})
    assert "HX-Refresh" not in part.headers
    assert 'hx-trigger="every 10s"' in part.content.decode()
    make_report(task)
    assert client.get(_address(task), headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    assert "Bundle (zip)" in client.get(_address(task)).content.decode()
    assert "Bundle (zip)" not in Client().get(_address(task)).content.decode(), "it is the organizers' alone"


def test_report_page_shows_the_parts_of_the_latest_report(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    first = make_report(task)
    assert "0.81" in client.get(_address(task)).content.decode()
    later = json.loads(json.dumps(stored_findings()).replace("0.81", "0.42"))
    make_report(task, inputs_sha256="1" * 64, **later)
    page = client.get(_address(task)).content.decode()
    assert "0.42" in page
    assert "0.81" not in page
    old = client.get(_address(task), {"of": first.pk}).content.decode()
    assert "0.81" in old
    assert "This is the version of" in old
