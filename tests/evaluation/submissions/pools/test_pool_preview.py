import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import TopicState
from evaluation.submissions.pools.actions import draw_pool
from evaluation.submissions.pools.preview import DEPTHS, preview_draw, preview_pools
from evaluation.tracks.panels import Workload
from tests.factories import (
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
    make_topic,
)
from trackside.pooling.recipes import BudgetRecipe

pytestmark = pytest.mark.django_db

UNMEASURED = Workload(None, 0)


def test_preview_counts_items_new_items_and_uniques_by_depth() -> None:
    task = make_task()
    team = make_team(task.track)
    # Depth 5: run a gives D1-D5, run b D4-D8: 8 items, 6 of them from one run. Depth 10 and more: a gives
    # D1-D6, b D4-D9: 9 items, 6 from one run.
    first = make_run(task, team, results={"T1": [f"D{n}" for n in range(1, 7)]}, pool_depth=5)
    second = make_run(task, team, results={"T1": [f"D{n}" for n in range(4, 10)]}, pool_depth=10)
    make_pool(task, pairs=[("T1", "D1"), ("T1", "D4"), ("T2", "D1")])
    preview = preview_pools(task, [first, second], UNMEASURED)
    assert [(row.depth, row.size, row.new_count) for row in preview.rows[:2]] == [(5, 8, 6), (10, 9, 7)]
    assert [row.unique_share for row in preview.rows[:2]] == [6 / 8, 6 / 9]
    assert [row.width for row in preview.rows[:2]] == [88.9, 100.0]
    # At their own depths: a D1-D5, b D4-D9; alone in a: D1-D3, alone in b: D6-D9.
    assert preview.unique_counts == {str(first.pk): 3, str(second.pk): 4}
    assert preview.team_counts == {team.name: 9}  # one team has all
    # Depth 5: ten places hold eight items. One topic, so the smallest is the largest.
    assert preview.rows[0].overlap == pytest.approx(0.2)
    assert (preview.rows[0].least, preview.rows[0].most, preview.rows[0].hours) == (8, 8, None)


def test_preview_reads_no_more_of_a_ranking_than_its_deepest_row_needs() -> None:
    run = make_run(results={"T1": [f"D{n}" for n in range(1, 201)]})
    preview = preview_pools(run.task, [run], Workload(12.0, 2))
    assert preview.rows[-1].size == DEPTHS[-1] == 100
    # Five new items at 12 s are a minute, half of it for each of two.
    assert preview.rows[0].hours == pytest.approx(0.5 / 60)
    nothing = preview_pools(run.task, [], UNMEASURED)
    assert (nothing.rows, nothing.unique_counts) == ((), {})


def test_unique_items_of_a_deep_run_are_counted_to_the_rank_that_pages_name(client: Client) -> None:
    run = make_run(results={"T1": [f"D{n}" for n in range(1, 201)]}, pool_depth=150)
    client.force_login(make_organizer(run.task.track))
    answer = client.get(reverse("pool_build", args=[run.task.track.slug, run.task.slug]))
    assert answer.context["preview"].unique_counts == {str(run.pk): 100}
    assert "down to rank 100 at most" in " ".join(answer.content.decode().split())


def test_preview_of_a_draw_counts_by_topic_what_is_new() -> None:
    task = make_task()
    make_run(task, results={"T1": ["D1", "D2", "D3"], "T2": ["D4", "D5"]})
    make_run(task, results={"T1": ["D2", "D6"]})
    draw = draw_pool(task=task, seed=7, recipe=BudgetRecipe("rrf", 3))
    preview = preview_draw(draw, {("T1", "D2"), ("T2", "D9")}, Workload(36.0, 2))
    # T1 has four documents and a budget of three, D2 first and pooled before; T2 has two, both new.
    assert preview.topics == (("T1", 3, 2), ("T2", 2, 2))
    assert (preview.size, preview.new_count, preview.least, preview.most) == (5, 4, 2, 3)
    assert preview.hours == pytest.approx(0.02)  # four at 36 s, by two


def test_preview_and_draw_leave_topics_in_draft_out() -> None:
    task = make_task()
    make_topic(task, number="T1")
    make_topic(task, number="T2", state=TopicState.DRAFT)
    run = make_run(task, results={"T1": ["D1"], "T2": ["D2"]})
    assert preview_pools(run.task, [run], UNMEASURED).rows[0].size == 1
    assert list(draw_pool(task=task, seed=1).drawn) == ["T1"]


def test_preview_follows_depths_pools_drafts_and_documents() -> None:
    """Counts are kept in the cache until something changes that they depend on."""
    task = make_task()
    topic = make_topic(task, number="T1")
    document = make_document(task.collection, docno="D1")
    run = make_run(task, results={"T1": ["D1", "D2", "D3"]}, pool_depth=2)

    def counts() -> tuple[int, int, int, int]:
        preview = preview_pools(task, [run], UNMEASURED)
        uniques = preview.unique_counts[str(run.pk)]
        row = preview.rows[0] if preview.rows else None
        return row.size if row else 0, row.new_count if row else 0, uniques, preview.bare_count

    assert counts() == counts() == (3, 3, 2, 1)
    run.pool_depth = 3
    assert counts() == (3, 3, 3, 1)
    make_pool(task, pairs=[("T1", "D2")])
    assert counts() == (3, 2, 3, 1)
    type(document).objects.filter(pk=document.pk).update(image=make_image())
    assert counts() == (3, 2, 3, 0)
    type(topic).objects.filter(pk=topic.pk).update(state=TopicState.DRAFT)
    assert counts() == (0, 0, 0, 0)
