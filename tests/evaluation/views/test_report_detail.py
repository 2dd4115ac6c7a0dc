import pytest
from django.test import Client

from evaluation.models import Phase, Report, Task
from tests.evaluation.report_content import report_content
from tests.factories import (
    make_assessor,
    make_organizer,
    make_pool,
    make_qrels,
    make_task,
    make_team,
    make_team_member,
    make_user,
)

pytestmark = pytest.mark.django_db


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/"


def _make_report(task: Task) -> Report:
    return Report.objects.create(
        task=task,
        reference=make_qrels(task),
        inputs_sha256="0" * 64,
        content=report_content(),
        code_version="1.2.3",
    )


@pytest.fixture
def page(client: Client) -> str:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    return client.get(_address(task)).content.decode()


def test_report_page_says_the_finding_and_the_key_figures(page: str) -> None:
    assert (
        "clipscore orders the 3 runs much as people do; its bias of +21.2 points to CLIP-based runs" in page
    )
    assert "tau 0.81" in page
    assert "kappa 0.31" in page
    assert "Exact p = 0.333 over 3 ways to name 2 of 3 runs. People: −11.2 %, clipscore: +10.0 %." in page


def test_report_page_ranks_the_runs_and_shows_a_gap_as_a_dash(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    rows = client.get(_address(task)).context["rows"]
    # People: bm25 0.75, clip-a 0.5, clip-b 0.25; the model has no value for bm25.
    assert [(row.tag, row.cells) for row in rows] == [
        ("bm25", ((0.75, 1), (None, None))),
        ("clip-a", ((0.5, 2), (0.6, 1))),
        ("clip-b", ((0.25, 3), (0.5, 2))),
    ]


def test_report_page_shows_sections_for_the_measure_and_family_chosen(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    first = client.get(_address(task)).content.decode()
    assert 'id="order"' in first
    assert "<small>0.60 to 0.92</small>" in first
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in first
    assert 'id="table-bias"' not in first  # it has rows of lexical runs only
    other = client.get(_address(task), {"measure": "AP", "family": "lexical"}).content.decode()
    assert "0.60 to 0.92" not in other
    assert "Ranks" not in other
    assert 'id="table-bias"' in other
    assert "−21.2" in other


def test_report_page_names_hashes_and_version(page: str) -> None:
    assert "Qrels by SHA-256: people abababababab." in page
    assert "code version 1.2.3" in page


def test_report_page_says_how_much_is_judged(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=20)
    _make_report(task)  # of 38 graded items
    pairs = [(f"T{topic}", f"D{number}") for topic in (1, 2) for number in range(1, 21)]
    make_pool(task, pairs=pairs)
    assert "people have judged 38 of 40 items of the pool" in client.get(_address(task)).content.decode()


def test_report_page_shows_the_undefined_with_its_reason(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    page = client.get(_address(task), {"measure": "AP"}).content.decode()
    assert "undefined (all values are equal)" in page
    assert "nan" not in page.lower()


def test_report_page_falls_back_to_the_first_choice(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    context = client.get(_address(task), {"measure": "no such", "family": "none"}).context
    assert (context["measure"], context["family"]) == ("nDCG@10", "CLIP-based")


def test_report_page_draws_without_style_attributes(page: str) -> None:
    assert "style=" not in page


def test_report_page_tells_organizers_what_is_missing(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    assert "No report yet" in client.get(_address(task)).content.decode()


def test_report_page_before_the_release_is_for_organizers_only(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    _make_report(task)
    for person in (make_user(), make_assessor(task.track), make_team_member(make_team(task.track))):
        client.force_login(person)
        assert client.get(_address(task)).status_code == 404
    client.force_login(make_organizer(task.track))
    assert client.get(_address(task)).status_code == 200


def test_report_page_after_the_release_is_for_all_but_the_track_s_assessors(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    assert client.get(_address(task)).status_code == 200
    client.force_login(make_assessor(task.track))
    assert client.get(_address(task)).status_code == 404
