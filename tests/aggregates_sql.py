"""What triggers and actions update row by row, computed for whole tables at once."""

from django.db import connection, transaction

HEADS = """
    UPDATE evaluation_ranking SET head = (
        SELECT string_agg(substring(sha256(convert_to(docno, 'UTF8')) FOR 8), ''::bytea ORDER BY place)
        FROM unnest(string_to_array(docnos, E'\\n')) WITH ORDINALITY AS listed (docno, place)
        WHERE place <= 100
    )
"""
"""Fills the heads of all rankings."""

AGGREGATES = (
    """
    INSERT INTO assessment_judgeditem (task_id, topic, docno, grades, refusal_count, nominal_count,
        distance, is_refused, is_unseen, is_flagged, is_settled, is_disputed)
    SELECT task_id, topic, docno, '{}', 0, 0, 0, false, false, false, false, false
    FROM (
        SELECT task_id, topic, docno FROM assessment_judgment
        UNION SELECT task_id, topic, docno FROM assessment_remark
    ) AS named
    """,
    """
    INSERT INTO assessment_currentjudgment
        (judgment_id, task_id, item_id, assessor_id, purpose, grade, is_flagged, active_seconds, judged_at)
    SELECT latest.id, task_id, item.id, assessor_id, purpose, grade,
        CASE WHEN remark.made_at >= latest.judged_at THEN remark.is_flagged ELSE latest.is_flagged END,
        active_seconds, judged_at
    FROM (
        SELECT DISTINCT ON (task_id, topic, docno, assessor_id, purpose) *
        FROM assessment_judgment AS judgment
        WHERE undoes_id IS NULL
            AND NOT EXISTS (SELECT FROM assessment_judgment AS undo WHERE undo.undoes_id = judgment.id)
        ORDER BY task_id, topic, docno, assessor_id, purpose, id DESC
    ) AS latest
    JOIN assessment_judgeditem AS item USING (task_id, topic, docno)
    LEFT JOIN (
        SELECT DISTINCT ON (task_id, topic, docno, assessor_id, purpose)
            task_id, topic, docno, assessor_id, purpose, is_flagged, made_at
        FROM assessment_remark ORDER BY task_id, topic, docno, assessor_id, purpose, id DESC
    ) AS remark USING (task_id, topic, docno, assessor_id, purpose)
    WHERE (task_id, assessor_id, latest.id) NOT IN (
        SELECT event.task_id, event.assessor_id, event.id
        FROM assessment_judgment AS event JOIN assessment_exclusion AS excluded USING (task_id, assessor_id)
        WHERE undone_at IS NULL AND (excluded.topic = '' OR excluded.topic = event.topic)
            AND (since IS NULL OR judged_at >= since) AND (until IS NULL OR judged_at < until)
    )
    """,
    """
    INSERT INTO assessment_tally (task_id, topic, assessor_id, purpose, grade, count)
    SELECT item.task_id, topic, assessor_id, purpose, grade, count(*)
    FROM assessment_currentjudgment JOIN assessment_judgeditem AS item ON item.id = item_id
    GROUP BY item.task_id, topic, assessor_id, purpose, grade
    """,
    """
    UPDATE assessment_judgeditem AS item SET
        grades = found.grades,
        refusal_count = found.refusal_count,
        nominal_count = found.nominal_count,
        distance = found.distance,
        is_refused = found.answer_count = 0 AND found.refusal_count > 0,
        is_unseen = found.is_unseen,
        is_flagged = found.is_flagged,
        is_settled = found.is_settled,
        is_disputed = found.answer_count + found.refusal_count > 0 AND (
            found.kind_count > 1 OR found.is_flagged OR found.is_unseen
            OR (found.answer_count = 0 AND found.refusal_count > 0))
    FROM (
        SELECT
            item_id,
            coalesce(array_agg(grade ORDER BY grade) FILTER (WHERE is_work AND grade IS NOT NULL), '{}')
                AS grades,
            count(*) FILTER (WHERE is_work AND answer IS NULL) AS refusal_count,
            count(*) FILTER (WHERE is_work AND answer = 'nominal') AS nominal_count,
            count(answer) FILTER (WHERE is_work) AS answer_count,
            count(DISTINCT answer) FILTER (WHERE is_work) AS kind_count,
            coalesce(max(grade) FILTER (WHERE is_work) - min(grade) FILTER (WHERE is_work), 0) AS distance,
            coalesce(bool_or(is_work AND reason = 'image'), false) AS is_unseen,
            bool_or(is_flagged) AS is_flagged,
            bool_or(purpose = 'adjudication' AND answer IS NOT NULL) AS is_settled
        FROM (
            SELECT item_id, now.grade, now.purpose, now.is_flagged, reason, now.purpose = 'work' AS is_work,
                coalesce(now.grade::text, substring(reason FROM '^nominal')) AS answer
            FROM assessment_currentjudgment AS now
            JOIN assessment_judgment AS judgment ON judgment.id = judgment_id
        ) AS current
        GROUP BY item_id
    ) AS found
    WHERE found.item_id = item.id
    """,
    """
    UPDATE assessment_judgeditem AS item SET is_flagged = true, is_disputed = true
    FROM (
        SELECT DISTINCT ON (task_id, topic, docno, assessor_id, purpose)
            id, task_id, topic, docno, assessor_id, purpose, is_flagged
        FROM assessment_remark ORDER BY task_id, topic, docno, assessor_id, purpose, id DESC
    ) AS said
    WHERE said.is_flagged AND said.id NOT IN (
            SELECT remark.id
            FROM assessment_remark AS remark
            JOIN assessment_exclusion AS excluded USING (task_id, assessor_id)
            WHERE undone_at IS NULL AND (excluded.topic = '' OR excluded.topic = remark.topic)
                AND (since IS NULL OR remark.made_at >= since)
                AND (until IS NULL OR remark.made_at < until)
        ) AND (item.task_id, item.topic, item.docno) = (said.task_id, said.topic, said.docno)
        AND NOT EXISTS (
            SELECT FROM assessment_currentjudgment AS now
            WHERE now.item_id = item.id AND now.assessor_id = said.assessor_id AND now.purpose = said.purpose
        )
    """,
)
"""Fill the tables of `assessment` that triggers keep, from all judgments and remarks."""

QUARTERS = """
    INSERT INTO assessment_judgedquarter (task_id, topic, assessor_id, started_at, count)
    SELECT item.task_id, topic, assessor_id, date_bin('15 minutes', judged_at, 'epoch'), count(*)
    FROM assessment_currentjudgment JOIN assessment_judgeditem AS item ON item.id = item_id
    WHERE purpose NOT IN ('adjudication', 'extra') GROUP BY 1, 2, 3, 4
"""
"""Counts current judgments by quarters of an hour."""

SHARED = """
    INSERT INTO assessment_sharedtally (task_id, topic, assessor_id, other_id, grade, other_grade, count)
    SELECT item.task_id, topic, own.assessor_id, other.assessor_id, own.grade, other.grade, count(*)
    FROM assessment_currentjudgment AS own
    JOIN assessment_currentjudgment AS other USING (item_id)
    JOIN assessment_judgeditem AS item ON item.id = item_id
    WHERE own.assessor_id < other.assessor_id AND own.grade IS NOT NULL AND other.grade IS NOT NULL
        AND own.purpose = 'work' AND other.purpose = 'work'
    GROUP BY 1, 2, 3, 4, 5, 6
"""
"""Counts items that two people graded by topic and grades."""

ITEM_COUNTS = (
    """
    INSERT INTO assessment_assignedcount (assignment_id, item_count, mixed_count)
    SELECT assignment_id, count(*), count(*) FILTER (WHERE purpose <> 'work')
    FROM assessment_assigneditem GROUP BY assignment_id
    """,
    """
    INSERT INTO assessment_assignedcount AS counted
        (assignment_id, item_count, mixed_count, slot_count, filled_count)
    SELECT assignment_id, 0, 0, count(*), count(*) FILTER (WHERE expires_at IS NULL)
    FROM assessment_slot WHERE assignment_id IS NOT NULL GROUP BY assignment_id
    ON CONFLICT (assignment_id) DO UPDATE
        SET slot_count = excluded.slot_count, filled_count = excluded.filled_count
    """,
    """
    INSERT INTO assessment_queuedtopic (pool_id, topic, slot_count)
    SELECT pool_id, topic, count(*) FROM assessment_slot GROUP BY pool_id, topic
    """,
    """
    INSERT INTO evaluation_pooltopic (pool_id, topic, item_count, numbers)
    SELECT pool_id, topic, count(*),
        string_agg(substring(sha256(convert_to(docno, 'UTF8')) FOR 8), ''::bytea)
    FROM evaluation_poolitem GROUP BY pool_id, topic
    """,
)
"""Count the items and slots of assignments and of the topics of pools."""

COUNTED_TABLES = (
    "assessment_assignedcount",
    "assessment_currentjudgment",
    "assessment_judgeditem",
    "assessment_judgedquarter",
    "assessment_queuedtopic",
    "assessment_sharedtally",
    "assessment_tally",
    "evaluation_pooltopic",
)


def recount() -> None:
    """Empty the tables that triggers keep, and fill them from all judgments, remarks and items."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # without triggers
        cursor.execute("SET LOCAL statement_timeout = 0")  # that of a web request is for its few rows
        # Statistics of an emptied table promise one row: nested loops would run for minutes.
        cursor.execute("SET LOCAL enable_nestloop = off")
        for table in COUNTED_TABLES:
            cursor.execute(f"DELETE FROM {table}")
        for statement in (*AGGREGATES, QUARTERS, SHARED, *ITEM_COUNTS):
            cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = origin")
