"""Documents that are alike, by the vectors that a job has stored."""

from functools import partial

import numpy as np
from django.contrib.auth.models import AnonymousUser

from evaluation.access.people import User
from evaluation.panels import Likeness
from evaluation.tracks.models import Phase, Task
from judges.jobs.embeddings import Embedding
from judges.jobs.models import Job
from trackside.judging.judge import Unit

MOST = 12


def pool_likeness(task: Task, reader: User | AnonymousUser) -> Likeness | None:
    """Return ``nearest`` by the newest completed job with vectors, if the reader may see what was pooled.

    Only pooled documents have vectors: before the release, organizers alone see neighbours.
    """
    if task.phase != Phase.RELEASED and not Task.objects.organized_by(reader).filter(pk=task.pk).exists():
        return None
    jobs = Job.objects.completed().filter(pool__task=task).select_related("judge").order_by("-pk")
    job = next((job for job in jobs if job.judge.unit == Unit.INPUT), None)
    return partial(nearest, job) if job else None


def nearest(job: Job, docno: str) -> list[str]:
    """Return up to MOST docnos of the job's pool by falling cosine, ties by docno; none without a vector.

    A text in pieces has the mean of their vectors.
    """
    calls = job.calls.of_pool().order_by("docno").distinct("docno")
    inputs = dict(calls.values_list("docno", "document_input"))
    vectors = Embedding.objects.vectors(job.judge.settings.encoder_sha256, set(inputs.values()))
    docnos = [name for name, sha256 in inputs.items() if sha256 in vectors]
    if docno not in docnos:
        return []
    matrix = np.stack([np.atleast_2d(vectors[inputs[name]]).mean(axis=0) for name in docnos])
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    cosines = matrix @ matrix[docnos.index(docno)]
    order = np.argsort(-cosines, kind="stable")
    return [docnos[place] for place in order if docnos[place] != docno][:MOST]
