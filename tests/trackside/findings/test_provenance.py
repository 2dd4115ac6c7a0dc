import pytest

from trackside.findings.plain import PlainUnfit
from trackside.findings.provenance import (
    FieldSeen,
    ImportProvenance,
    JudgeProvenance,
    MappingFacts,
    Overlap,
    PeopleProvenance,
    ReadingOrder,
    Susceptibility,
    TextsSeen,
    Work,
)

OLD_JUDGE = {
    "judge": "clip",
    "identity": "ab",
    "order": {"image": None, "fields": ["title"]},
    "seed": 3,
    "backbone": "tiny-clip",
    "prompt": "A photo depicts",
    "prompt_version": None,
    "mapping": {"rule": "paper-2024", "thresholds": [0.1, None], "by_topic": {}, "people": None},
    "texts": {
        "count": 2,
        "cut_count": 1,
        "fields": [{"field": "title", "texts": 2, "tokens": 8, "seen_tokens": 6, "never_seen_count": 0}],
    },
    "work": {"pair_count": 8, "asked_count": None, "duration_seconds": 2},
    "susceptibility": [{"place": "title", "shift": 0.5, "scene_count": 4, "raised_count": 1, "gap_count": 0}],
    "ensemble": {"rule": "mean", "backbones": ["a", "b"]},
    "of_a_later_version": 1,
}


def test_records_of_earlier_code_are_read() -> None:
    record = JudgeProvenance.from_json(OLD_JUDGE)

    assert record.order == ReadingOrder(image=None, fields=("title",))
    assert record.mapping == MappingFacts(rule="paper-2024", thresholds=(0.1, None))
    assert record.texts == TextsSeen(2, 1, (FieldSeen("title", 2, 8, 6, 0),))
    assert record.work == Work(pair_count=8, duration_seconds=2)
    assert record.susceptibility == (Susceptibility("title", 0.5, 4, 1, 0),)
    assert record.backbones == ("tiny-clip", "a", "b")
    assert (record.prompt_version, record.outcomes) == (None, {})


def test_records_survive_json() -> None:
    judge = JudgeProvenance.from_json(OLD_JUDGE)
    people = PeopleProvenance(rule="owner", assessors={"A1": 2}, overlap=Overlap(topics=1, pairs=2))

    assert JudgeProvenance.from_json(judge.to_json()) == judge
    assert PeopleProvenance.from_json(people.to_json()) == people
    assert ImportProvenance(import_id=7, file_name="a.qrels", file_sha256="0").to_json()["import"] == 7


@pytest.mark.parametrize(
    ("stored", "path"),
    [
        ({"seed": "one"}, "seed"),
        ({"work": {"pair_count": None}}, "work.pair_count"),
        ({"work": {}}, "work"),
        ({"texts": {"count": 1, "cut_count": 0, "fields": [3]}}, r"texts.fields\[0\]"),
        ({"ensemble": []}, "ensemble"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(stored: dict[str, object], path: str) -> None:
    with pytest.raises(PlainUnfit, match=path):
        JudgeProvenance.from_json(stored)
