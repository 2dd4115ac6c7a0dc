"""The world of a seed."""

from collections import Counter

import pytest

from evaluation.demo.world import ArticleSection, DemoTask, World, make_world


@pytest.fixture(scope="module")
def full_world() -> World:
    return make_world(1)


def truths(task: DemoTask, topic: str) -> Counter[int]:
    return Counter(task.truth(topic, document.id) for document in task.documents)


def test_make_world_has_the_sizes_of_the_demo(full_world: World) -> None:
    suggestion, promotion = full_world.suggestion, full_world.promotion
    assert (len(suggestion.topics), len(suggestion.documents)) == (40, 600)
    assert (len(promotion.topics), len(promotion.documents)) == (10, 165)


def test_make_world_gives_every_item_its_own_id(full_world: World) -> None:
    tasks = (full_world.suggestion, full_world.promotion)
    names = [item.id for task in tasks for item in (*task.topics, *task.documents)]
    assert len(set(names)) == len(names)


def test_make_world_shares_aspects_out_as_stated(full_world: World) -> None:
    """40 topics: 55 % on settings, 25 % on styles, 20 % on colours."""
    sections = [topic for topic in full_world.suggestion.topics if isinstance(topic, ArticleSection)]
    assert Counter(section.subject.aspect for section in sections) == {
        "setting": 22,
        "style": 10,
        "colour": 8,
    }
    assert max(Counter(section.subject.thing for section in sections).values()) <= 2


def test_make_world_gives_every_topic_something_to_find(full_world: World) -> None:
    for task, least in ((full_world.suggestion, 2), (full_world.promotion, 1)):
        assert all(truths(task, topic.id)[2] >= least for topic in task.topics)
        assert all(truths(task, topic.id)[0] > len(task.documents) / 2 for topic in task.topics)


def test_make_world_differs_from_seed_to_seed(full_world: World) -> None:
    assert make_world(2).suggestion != full_world.suggestion


def test_truth_is_symmetric_in_its_arguments(full_world: World) -> None:
    there = full_world.suggestion
    back = DemoTask("promotion", topics=there.documents, documents=there.topics)
    topic, docno = there.topics[0].id, there.documents[0].id
    assert there.truth(topic, docno) == back.truth(docno, topic)


def test_truth_knows_no_stranger(full_world: World) -> None:
    with pytest.raises(KeyError):
        full_world.suggestion.truth("s01", "nowhere")
