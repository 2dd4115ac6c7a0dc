"""Add the qrels of an import."""

from collections.abc import Sequence

from django.db import transaction

from evaluation.collections.corpora import outside
from evaluation.collections.models import Document
from evaluation.organizing.imports.models import Import
from evaluation.organizing.imports.reading import note_progress, read_pairs
from evaluation.results.qrels.actions import GradedPair, NothingToPublish, publish_qrels
from evaluation.results.qrels.models import QrelsKind
from evaluation.results.qrels.practice import check_own
from evaluation.submissions.runs.reading import docno_parts
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.work.queueing import lock_claim
from trackside.files.near_names import hinted, near_names
from trackside.findings.provenance import ImportProvenance
from trackside.imports.faults import EXAMPLES, Faults, ImportFault

PAIR_BATCH = 10_000  # docnos per query


def import_qrels(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Publish the file's grades as the next version of the named qrels; a trial only counts them.

    Lines with a negative number that is no grade's are pooled pairs without a judgment. Raises
    InputError if the file cannot be read, qrels-not-released, and NothingToPublish if no line has a grade.
    """
    task = task_import.task
    with task_import.upload.open() as file:
        lines = list(
            read_pairs(
                task_import,
                file,
                faults,
                topics=set(task.topics.values_list("number", flat=True)),
                numbers=Criteria.objects.numbers(task.pk),
            )
        )
    pairs = [
        GradedPair(topic, docno, grade, None, "not judged" if grade is None else "ok")
        for topic, docno, grade in note_progress(lines, task_import=task_import)
    ]
    if not any(pair.grade is not None for pair in pairs):
        raise NothingToPublish(f"{task_import}: no line has a grade of this task. Import its topics first.")
    _note_unknown(task_import, [pair.docno for pair in pairs], faults)
    if task.is_practice:
        check_own(task, [(pair.topic, pair.docno, pair.grade) for pair in pairs if pair.grade is not None])
    if not is_trial:
        _publish(task_import, pairs)
    return {"added": len(pairs), "changed": 0, "same": 0}


def _publish(task_import: Import, pairs: Sequence[GradedPair]) -> None:
    name = task_import.options["name"]
    with transaction.atomic():
        lock_claim(task_import)
        # If a worker died after publishing, its qrels exist when the import runs again.
        if task_import.task.qrels.filter(name=name, provenance__import=task_import.pk).exists():
            return
        publish_qrels(
            task=task_import.task,
            name=name,
            kind=QrelsKind(task_import.options["kind"]),
            pairs=pairs,
            provenance=ImportProvenance(
                import_id=task_import.pk,
                file_name=task_import.file_name,
                file_sha256=task_import.upload_id,
                source=task_import.options.get("source", ""),
            ),
            by=task_import.confirmed_by or task_import.received_by,
        )


def _note_unknown(task_import: Import, docnos: Sequence[str], faults: Faults) -> None:
    documents = Document.objects.filter(collection=task_import.task.collection_id)
    distinct, unknown = sorted(set(docnos)), []
    for start in range(0, len(distinct), PAIR_BATCH):
        part = distinct[start : start + PAIR_BATCH]
        known = dict(documents.filter(docno__in=part).values_list("docno", "pk"))
        for docno in outside(task_import.task, known.items()):
            faults.add(ImportFault.OUTSIDE_CORPUS, "docno", docno)
        unknown += [docno for docno in part if docno not in known]
    parts = docno_parts(task_import.task.collection)
    near = near_names(unknown[:EXAMPLES], parts) if unknown else {}
    for docno in unknown:
        faults.add(ImportFault.DOCNO_UNKNOWN, "docno", hinted(docno, near))
