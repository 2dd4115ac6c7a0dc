"""Corpora of a collection: their import, the task that names one, and what it then refuses and gives away."""

from typing import Any

import numpy as np
import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from evaluation.models import Corpus, ImportKind, ImportState, Qrels, RunState, Task
from evaluation.organizing.setup.actions import choose_collection
from evaluation.organizing.setup.forms import RulesForm
from tests.evaluation.organizing.imports.importing import add_import, codes_of, try_import
from tests.evaluation.submissions.runs.checking import checked, codes, receive
from tests.factories import make_collection, make_organizer, make_run, make_task, make_team

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


def task_of_small(*docnos: str, **fields: Any) -> Task:
    """A task of four documents whose corpus, small, has these."""
    task = make_task(topic_count=1, document_count=4, **fields)
    add_import(try_import(task, ImportKind.CORPUS, "\n".join(docnos).encode(), name="small"))
    task.corpus = Corpus.objects.get(collection=task.collection)
    task.save()
    return task


def test_list_becomes_a_corpus_without_docnos_that_the_collection_lacks() -> None:
    task = make_task(document_count=4)
    content = b"D1\nD3\nD3\nx\n"
    tried = try_import(task, ImportKind.CORPUS, content, name="small")
    assert (tried.counts, codes_of(tried)) == (
        {"added": 2, "changed": 0, "same": 0, "refused": 2},
        {"name_twice": 1, "docno_absent": 1},
    )
    assert not Corpus.objects.exists()
    add_import(tried)
    (corpus,) = Corpus.objects.all()
    docnos = dict(task.collection.documents.values_list("docno", "pk"))
    is_in = corpus.holds(np.array([docnos[docno] for docno in ("D1", "D2", "D3", "D4")]))
    assert (corpus.size, is_in.tolist()) == (2, [True, False, True, False])
    again = try_import(task, ImportKind.CORPUS, b"D3\nD1\n", name="small")
    assert again.counts == {"added": 0, "changed": 0, "same": 2, "refused": 0}


@pytest.mark.parametrize("content", [b"x\ny\n", b"T1 0 D1 1\nT1 0 D2 0\n"])
def test_list_without_a_docno_of_the_collection_fails(content: bytes) -> None:
    tried = try_import(make_task(document_count=2), ImportKind.CORPUS, content, name="small")
    assert (tried.state, "no line is a docno" in tried.error) == (ImportState.FAILED, True)


def test_other_documents_under_a_known_name_are_refused() -> None:
    task = task_of_small("D1")
    tried = try_import(task, ImportKind.CORPUS, b"D2\n", name="small")
    assert (tried.state, "another corpus small" in tried.error) == (ImportState.FAILED, True)


def test_keys_far_apart_are_told_apart() -> None:
    rng = np.random.default_rng(1)
    keys = np.sort(rng.choice(10_000, 500, replace=False)) + 10**12
    corpus = Corpus.of_keys(make_collection(), "small", keys)
    asked = np.arange(10**12 - 20, 10**12 + 10_020)
    assert (corpus.size, asked[corpus.holds(asked)].tolist()) == (500, keys.tolist())


def test_run_may_list_documents_of_the_corpus_alone() -> None:
    task = task_of_small("D1", "D3")
    team = make_team(task.track)
    refused = checked(receive(task, team, b"T1 Q0 D1 1 3 a\nT1 Q0 D2 2 2 a\nT1 Q0 zz 3 1 a\n"))
    assert codes(refused) == ["unknown_docno", "outside_corpus"]
    assert refused.verdict is not None
    assert [fault["count"] for fault in refused.verdict.faults] == [1, 1]
    sound = checked(receive(task, team, b"T1 Q0 D1 1 3 b\nT1 Q0 D3 2 2 b\n"))
    assert sound.state == RunState.ACCEPTED
    task.corpus = None
    with pytest.raises(IntegrityError, match="corpus and kind stay"), transaction.atomic():
        task.save()


def test_qrels_import_names_grades_outside() -> None:
    task = task_of_small("D1", "D3")
    tried = try_import(
        task, ImportKind.QRELS, b"T1 0 D1 1\nT1 0 D2 2\nT1 0 zz 1\n", name="people", kind="human"
    )
    assert codes_of(tried) == {"outside_corpus": 1, "docno_unknown": 1}
    assert add_import(tried).counts == {"added": 3, "changed": 0, "same": 0, "refused": 0}
    assert Qrels.objects.get().pair_count == 3


def test_file_of_docnos_has_the_corpus(client: Client) -> None:
    task = task_of_small("D1", "D3")
    client.force_login(make_organizer(task.track))
    answer: Any = client.get(reverse("docnos_file", args=[task.track.slug, task.slug]))
    assert b"".join(answer.streaming_content) == b"D1\nD3\n"


def test_rules_offer_corpora_of_the_collection_until_a_run_arrives() -> None:
    task, other = task_of_small("D1"), make_task(document_count=1)
    add_import(try_import(other, ImportKind.CORPUS, b"D1\n", name="small"))
    sent = {"max_per_topic": 1000, "pool_depth": 30, "baseline_pool_depth": 25, "corpus": ""}
    foreign = RulesForm(sent | {"corpus": Corpus.objects.get(collection=other.collection).pk}, instance=task)
    assert "corpus" in foreign.errors
    assert RulesForm(sent, instance=Task.objects.get(pk=task.pk)).is_valid()
    make_run(task)
    assert "corpus" in RulesForm(sent, instance=Task.objects.get(pk=task.pk)).errors


def test_corpus_is_of_the_task_s_collection() -> None:
    task, other = task_of_small("D1"), make_collection()
    task.collection = other
    with pytest.raises(IntegrityError, match="of another collection"), transaction.atomic():
        task.save()
    task.refresh_from_db()
    choose_collection(task=task, collection=make_collection(task.track))
    task.refresh_from_db()
    assert task.corpus is None


def test_corpus_that_a_task_names_is_not_removed(client: Client) -> None:
    task = task_of_small("D1")
    corpus = Corpus.objects.get()
    client.force_login(make_organizer(task.track))
    address = reverse("row_remove", args=[task.track.slug, "corpus", corpus.pk])
    client.post(address)
    assert Corpus.objects.exists()
    Task.objects.filter(pk=task.pk).update(corpus=None)
    client.post(address)
    assert not Corpus.objects.exists()


def test_page_of_a_list_does_not_show_its_documents_as_empty(client: Client) -> None:
    """The list has docnos alone, and the collection the texts and pictures that assessors will see."""
    task = make_task(document_count=2)
    tried = try_import(task, ImportKind.CORPUS, b"D1\n", name="small")
    client.force_login(make_organizer(task.track))
    page = client.get(reverse("import_detail", args=[task.track.slug, task.slug, tried.pk]))
    assert b"as assessors and models will see them" not in page.content
