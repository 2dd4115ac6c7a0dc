"""Read answers that earlier revisions of a judge got anew, at no cost."""

from dataclasses import replace

from django.db import connection

from judges.catalogue.models import Judge
from judges.jobs.models import Job
from judges.jobs.shards import JobState
from trackside.code_version import code_version
from trackside.judging.answers import SCORED, read_answer
from trackside.judging.prompts import reading_form

OF_ENDPOINTS = ("openai_chat", "openai_batch")  # backends whose revisions send equal requests

STORED = """
    SELECT call.id, stored.raw_answer, stored.finish_reason, stored.raw_score, stored.expected_score,
        stored.input_tokens, stored.output_tokens
    FROM judges_call AS call CROSS JOIN LATERAL (
        SELECT earlier.* FROM judges_call AS earlier JOIN judges_job AS job ON job.id = earlier.job_id
        WHERE job.judge_id = ANY(%s) AND earlier.topic = call.topic AND earlier.docno = call.docno
            AND earlier.topic_input = call.topic_input AND earlier.document_input = call.document_input
            AND earlier.raw_answer <> ''
        ORDER BY earlier.ended_at LIMIT 1
    ) AS stored
    WHERE call.job_id = %s AND call.state = 'waiting'
"""
END_CALLS = """
    UPDATE judges_call AS call SET
        state = reading.state, outcome = reading.outcome, raw_score = reading.raw_score,
        expected_score = reading.expected_score, raw_answer = reading.raw_answer,
        finish_reason = reading.finish_reason, input_tokens = reading.input_tokens,
        output_tokens = reading.output_tokens, code_version = %s, is_from_store = true, ended_at = now()
    FROM unnest(
        %s::bigint[], %s::text[], %s::text[], %s::float8[], %s::float8[], %s::text[], %s::text[], %s::int[],
        %s::int[]
    ) AS reading (
        id, state, outcome, raw_score, expected_score, raw_answer, finish_reason, input_tokens, output_tokens
    )
    WHERE call.id = reading.id
"""


def reread_answers(*, job: Job) -> None:
    """End calls of a new job by the answers of judges that differ in an earlier revision only.

    The texts are read as the job's judge reads them; an answer without a score is a gap, which a retry asks
    again. An expected score stays if the score does.
    """
    judge = job.judge
    if job.state != JobState.PLANNED or judge.backend not in OF_ENDPOINTS:
        return
    earlier = Judge.objects.filter(
        backend=judge.backend, model=judge.model, endpoint=judge.endpoint, revision__lt=judge.revision
    )
    same = [old.pk for old in earlier if replace(old.settings, revision=judge.revision) == judge.settings]
    if not same:
        return
    form = reading_form(judge.settings)
    rows = []
    with connection.cursor() as cursor:
        cursor.execute(STORED, [same, job.pk])
        for key, text, finish_reason, old_score, expected, *tokens in cursor.fetchall():
            reading = read_answer(text, finish_reason, form)
            state = "done" if reading.outcome in SCORED else "failed"
            kept = expected if reading.score is not None and reading.score == old_score else None
            rows.append((key, state, reading.outcome, reading.score, kept, text, finish_reason, *tokens))
        if rows:
            columns = [list(column) for column in zip(*rows, strict=True)]
            cursor.execute(END_CALLS, [code_version(), *columns])
