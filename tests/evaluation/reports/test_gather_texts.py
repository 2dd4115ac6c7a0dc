"""Lengths and overlaps of the texts that people graded, for the report."""

from __future__ import annotations

import pytest

from evaluation.core.report.choice import Choice
from evaluation.core.report.texts import PairText
from evaluation.models import Phase
from evaluation.reports.inputs import gather_inputs, gather_texts
from tests.factories import make_document, make_qrels, make_run, make_task, make_topic

pytestmark = pytest.mark.django_db


def test_words_of_graded_documents_are_counted_over_all_fields() -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=0, document_count=0)
    make_topic(task, number="T1", fields=[["title", "Red barn"], ["body", "a house"]])
    make_topic(task, number="T2", fields=[["title", "Trees"]])
    make_document(task.collection, docno="D1", fields=[["caption", "A red red barn"], ["alt", "hill"]])
    make_document(task.collection, docno="D2", fields=[])
    make_document(task.collection, docno="D3", fields=[["caption", "not graded"]])
    make_run(task, tag="one", results={"T1": ["D1", "D2"], "T2": ["D1"]})
    grades = {("T1", "D1"): 2, ("T1", "D2"): 0, ("T2", "D1"): 1, ("T2", "D2"): None}
    make_qrels(task, grades=grades)
    inputs = gather_inputs(task=task, choice=Choice())
    assert inputs
    # D1 has five words, four of them distinct; T1 has four and shares a, red and barn, T2 shares none.
    assert gather_texts(inputs=inputs) == {("T1", "D1"): PairText(5, 0.75), ("T2", "D1"): PairText(5, 0.0)}
    chosen = gather_inputs(task=task, choice=Choice(topics=("T2",)))
    assert chosen
    assert set(gather_texts(inputs=chosen)) == {("T2", "D1")}
