"""The form of an import's fields: what is chosen there is what the next trial shows."""

import json
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.collections.chosen_fields import ImportKind
from evaluation.organizing.imports.forms import field_rows, posted_choice
from evaluation.organizing.imports.models import Import
from trackside.imports.faults import Faults
from trackside.imports.fields import FieldChoice, FieldsRefused
from trackside.imports.readers import records_of
from trackside.imports.records import RecordMaker
from trackside.imports.text_files import text_rows
from trackside.text.roles import ROLES

ROWS: list[dict[str, Any]] = [
    {
        "id": str(number),
        "docid": f"d{number}",
        "title": "mill",
        "query": "weir",
        "Note": "n",
        "stratum": "s",
        "image": f"{number}.jpg",
        "kind": "nav",
        "answer": "gold",
        "turns": [{"turn_id": 1, "utterance": "u"}],
    }
    for number in (1, 2)
]


def _tried(kind: ImportKind, choice: FieldChoice) -> Import:
    """An import as its trial with the choice leaves it."""
    maker = RecordMaker(Faults(), choice, is_topics=kind == ImportKind.TOPICS)
    list(records_of(text_rows("\n".join(map(json.dumps, ROWS)).encode(), maker.faults), maker))
    return Import(kind=kind, fields=maker.counts.to_json(), choice=choice.to_json(), samples=[])


def _posted(tried: Import, changes: dict[str, tuple[str, str]]) -> QueryDict:
    """What a browser sends: each select and order as it stands, with changes of (use, role) by field."""
    posted = QueryDict(mutable=True)
    for row in field_rows(tried):
        use, role = changes.get(row["name"], (row["use"], row["role"]))
        posted[f"use-{row['number']}"], posted[f"order-{row['number']}"] = use, str(row["order"])
        posted[f"role-{row['number']}"] = role
    return posted


def _shown(tried: Import, names: set[str]) -> dict[str, tuple[str, str]]:
    rows = [row for row in field_rows(tried) if row["name"] in names]
    return {row["name"]: (row["use"], row["role"] if row["is_text"] else "") for row in rows}


@pytest.mark.parametrize("kind", [ImportKind.TOPICS, ImportKind.COLLECTION])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_option_of_every_select_reads_back_equal(kind: ImportKind, data: st.DataObject) -> None:
    tried = _tried(kind, FieldChoice())
    rows = field_rows(tried)
    some = data.draw(st.lists(st.sampled_from(rows), max_size=5, unique_by=lambda row: row["name"]))
    changes = {
        row["name"]: (data.draw(st.sampled_from(row["uses"])), data.draw(st.sampled_from(["", *ROLES])))
        for row in some
    }
    posted = _posted(tried, changes)
    try:
        choice = posted_choice(tried, posted)
    except FieldsRefused:  # two fields of one single use or role, which the page names
        return
    chosen = {
        row["name"]: (
            use := posted[f"use-{row['number']}"],
            posted[f"role-{row['number']}"] if use == "text" else "",
        )
        for row in rows
    }
    again = _tried(kind, FieldChoice.from_json(json.loads(json.dumps(choice.to_json()))))
    shown = _shown(again, chosen.keys() - {"turns"} if chosen["turns"][0] == "text" else set(chosen))
    assert shown == {name: chosen[name] for name in shown}
    assert len(shown) >= len(rows) - 1 or chosen["turns"][0] == "rows"


def test_note_chosen_by_the_organizer_is_seen_by_nobody_else() -> None:
    tried = _tried(ImportKind.TOPICS, FieldChoice(texts=("title", "query")))
    choice = posted_choice(tried, _posted(tried, {"Note": ("left out", ""), "kind": ("note", "")}))
    assert (choice.note, "kind" in choice.texts) == ("kind", False)
    maker = RecordMaker(Faults(), choice)
    record = next(records_of(text_rows(json.dumps(ROWS[0]).encode(), maker.faults), maker))
    assert (record.note, record.fields) == ("nav", (("title", "mill"), ("query", "weir")))
