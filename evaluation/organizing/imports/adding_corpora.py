"""Add the corpus of an import: the documents of the collection that a list names."""

import numpy as np
from django.db import connection, transaction

from evaluation.collections.corpora import Corpus
from evaluation.organizing.imports.adding_items import add_examples, load_rows
from evaluation.organizing.imports.models import Import
from evaluation.tracks.work.queueing import lock_claim
from trackside.errors import InputError
from trackside.imports.faults import EXAMPLES, Faults, ImportFault

KEYS = """
    SELECT string_agg(int8send(known.id), ''::bytea) FROM loaded
    JOIN evaluation_document known ON known.collection_id = %s AND known.docno = loaded.name
"""
ABSENT = """
    SELECT place, name, count(*) OVER () FROM loaded WHERE NOT EXISTS (
        SELECT FROM evaluation_document known WHERE known.collection_id = %s AND known.docno = loaded.name)
    ORDER BY loaded.ctid LIMIT %s
"""


def import_corpus(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Make a corpus of the task's collection; a trial only counts. Documents that it lacks are refused.

    Raises corpus-empty, corpus-name-taken, and InputError if the file cannot be read.
    """
    collection, name = task_import.task.collection, task_import.options["name"]
    with connection.cursor() as cursor:
        load_rows(cursor, task_import=task_import, faults=faults, is_trial=is_trial)
        with transaction.atomic():
            lock_claim(task_import)
            cursor.execute(ABSENT, [collection.pk, EXAMPLES])
            add_examples(faults, ImportFault.DOCNO_ABSENT, cursor.fetchall())
            cursor.execute(KEYS, [collection.pk])
            keys = np.frombuffer(cursor.fetchone()[0] or b"", ">i8").astype(np.int64)
            if not len(keys):
                raise InputError(
                    f"{task_import}: no line is a docno of {collection}. Write one docno per line.",
                    code="corpus-empty",
                )
            made = Corpus.of_keys(collection, name, keys)
            is_new = _is_new(made)
            if is_new and not is_trial:
                made.save()
        cursor.execute("DROP TABLE loaded")
    return {"added": made.size * is_new, "changed": 0, "same": made.size * (not is_new)}


def _is_new(corpus: Corpus) -> bool:
    """Whether the collection has no such corpus; a worker that died may have stored it.

    Raises corpus-name-taken.
    """
    known = Corpus.objects.filter(collection=corpus.collection, name=corpus.name).first()
    if known and (known.first, bytes(known.members)) != (corpus.first, corpus.members):
        raise InputError(
            f"{corpus.collection} has another corpus {known}. Choose another name, or remove that one.",
            code="corpus-name-taken",
        )
    return known is None
