"""The statements of the triggers that update aggregates: of a new judgment or remark, and of an exclusion."""

from trackside.criteria import NOMINAL

QUARTER = "date_bin('15 minutes', {moment}, 'epoch')"
IS_PACED = "{purpose} NOT IN ('adjudication', 'extra')"

# Whether an event of judging counts, by its time: no exclusion in force covers it (`Exclusion`).
COUNTS = """NOT EXISTS (
            SELECT FROM assessment_exclusion AS excluded
            WHERE excluded.task_id = {row}.task_id AND excluded.assessor_id = {row}.assessor_id
                AND excluded.undone_at IS NULL AND excluded.topic IN ('', {row}.topic)
                AND coalesce(excluded.since, '-infinity') <= {moment}
                AND {moment} < coalesce(excluded.until, 'infinity')
        )"""

# A new judgment or remark, NEW, changes the rows of its item. The first statement locks the item's row:
# concurrent events of the item wait, and the later statements read what those events have stored.
AGGREGATE_VARIABLES = [("kept", "bigint")]
_UPDATE = f"""
    INSERT INTO assessment_judgeditem AS item (task_id, topic, docno, grades, refusal_count, nominal_count,
        distance, is_refused, is_unseen, is_flagged, is_settled, is_disputed)
    VALUES (NEW.task_id, NEW.topic, NEW.docno, '{{}}', 0, 0, 0, false, false, false, false, false)
    ON CONFLICT (task_id, topic, docno) DO UPDATE SET distance = item.distance
    RETURNING item.id INTO kept;

    WITH gone AS (
        DELETE FROM assessment_currentjudgment AS former
        WHERE former.item_id = kept AND former.assessor_id = NEW.assessor_id AND former.purpose = NEW.purpose
        RETURNING former.grade, former.judged_at
    ), slower AS (
        UPDATE assessment_judgedquarter AS quarter SET count = quarter.count - 1 FROM gone
        WHERE quarter.task_id = NEW.task_id AND quarter.assessor_id = NEW.assessor_id
            AND quarter.topic = NEW.topic AND quarter.started_at = {QUARTER.format(moment="gone.judged_at")}
            AND {IS_PACED.format(purpose="NEW.purpose")}
    )
    UPDATE assessment_tally AS tally SET count = tally.count - 1 FROM gone
    WHERE tally.task_id = NEW.task_id AND tally.topic = NEW.topic AND tally.assessor_id = NEW.assessor_id
        AND tally.purpose = NEW.purpose AND tally.grade IS NOT DISTINCT FROM gone.grade;

    WITH latest AS (
        INSERT INTO assessment_currentjudgment
            (judgment_id, task_id, item_id, assessor_id, purpose, grade, is_flagged, active_seconds,
                judged_at)
        SELECT judgment.id, NEW.task_id, kept, NEW.assessor_id, NEW.purpose, judgment.grade,
            CASE WHEN remark.made_at >= judgment.judged_at THEN remark.is_flagged
                ELSE judgment.is_flagged END,
            judgment.active_seconds, judgment.judged_at
        FROM (
            SELECT * FROM assessment_judgment AS event
            WHERE event.task_id = NEW.task_id AND event.topic = NEW.topic AND event.docno = NEW.docno
                AND event.assessor_id = NEW.assessor_id AND event.purpose = NEW.purpose
                AND event.undoes_id IS NULL
                AND NOT EXISTS (SELECT FROM assessment_judgment AS undo WHERE undo.undoes_id = event.id)
            ORDER BY event.id DESC LIMIT 1
        ) AS judgment
        LEFT JOIN LATERAL (
            SELECT made_at, is_flagged FROM assessment_remark
            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno
                AND assessor_id = NEW.assessor_id AND purpose = NEW.purpose
            ORDER BY id DESC LIMIT 1
        ) AS remark ON true
        WHERE {COUNTS.format(row="judgment", moment="judgment.judged_at")}
        RETURNING grade, judged_at
    ), faster AS (
        INSERT INTO assessment_judgedquarter AS quarter (task_id, topic, assessor_id, started_at, count)
        SELECT NEW.task_id, NEW.topic, NEW.assessor_id, {QUARTER.format(moment="latest.judged_at")}, 1
        FROM latest WHERE {IS_PACED.format(purpose="NEW.purpose")}
        ON CONFLICT (task_id, assessor_id, topic, started_at) DO UPDATE SET count = quarter.count + 1
    )
    INSERT INTO assessment_tally AS tally (task_id, topic, assessor_id, purpose, grade, count)
    SELECT NEW.task_id, NEW.topic, NEW.assessor_id, NEW.purpose, latest.grade, 1 FROM latest
    ON CONFLICT (task_id, topic, assessor_id, purpose, grade) DO UPDATE SET count = tally.count + 1;

    UPDATE assessment_judgeditem AS item SET
        grades = found.grades,
        refusal_count = found.refusal_count,
        nominal_count = found.nominal_count,
        distance = found.distance,
        is_refused = found.grades = '{{}}' AND found.nominal_count = 0 AND found.refusal_count > 0,
        is_unseen = found.is_unseen,
        is_flagged = found.is_flagged OR said.is_flagged,
        is_settled = found.is_settled,
        is_disputed = (found.grades <> '{{}}' OR found.refusal_count > 0 OR found.nominal_count > 0
            OR said.is_flagged) AND (
            found.distance > 0 OR (found.grades <> '{{}}' AND found.nominal_count > 0)
            OR found.is_flagged OR said.is_flagged OR found.is_unseen
            OR (found.grades = '{{}}' AND found.nominal_count = 0 AND found.refusal_count > 0))
    FROM (
        SELECT
            coalesce(array_agg(grade ORDER BY grade) FILTER (WHERE is_work AND grade IS NOT NULL), '{{}}')
                AS grades,
            count(*) FILTER (WHERE is_work AND grade IS NULL AND NOT is_nominal) AS refusal_count,
            count(*) FILTER (WHERE is_work AND is_nominal) AS nominal_count,
            coalesce(max(grade) FILTER (WHERE is_work) - min(grade) FILTER (WHERE is_work), 0)
                AS distance,
            coalesce(bool_or(is_work AND reason = 'image'), false) AS is_unseen,
            coalesce(bool_or(is_flagged), false) AS is_flagged,
            coalesce(bool_or(purpose = 'adjudication' AND (grade IS NOT NULL OR is_nominal)), false)
                AS is_settled
        FROM (
            SELECT now.grade, now.purpose, now.is_flagged, judgment.reason, now.purpose = 'work' AS is_work,
                starts_with(judgment.reason, '{NOMINAL}') AS is_nominal
            FROM assessment_currentjudgment AS now
            JOIN assessment_judgment AS judgment ON judgment.id = judgment_id
            WHERE now.item_id = kept
        ) AS current
    ) AS found, (
        SELECT coalesce(bool_or(is_flagged), false) AS is_flagged FROM (
            SELECT DISTINCT ON (assessor_id, purpose) * FROM assessment_remark
            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno
            ORDER BY assessor_id, purpose, id DESC
        ) AS remark
        WHERE {COUNTS.format(row="remark", moment="remark.made_at")} AND NOT EXISTS (
            SELECT FROM assessment_currentjudgment AS now
            WHERE now.item_id = kept AND now.assessor_id = remark.assessor_id AND now.purpose = remark.purpose
        )
    ) AS said
    WHERE item.id = kept;
"""  # noqa: S608 - our own constants
UPDATE_AGGREGATES = f"{_UPDATE}    RETURN NULL;\n"

# An exclusion that is made or undone changes the rows of all items that its assessor judged or remarked on.
EXCLUDED_VARIABLES = [*AGGREGATE_VARIABLES, ("pair", "record")]
UPDATE_EXCLUDED = f"""
    FOR pair IN
        SELECT task_id, topic, docno, assessor_id, purpose FROM assessment_judgment
        WHERE task_id = NEW.task_id AND assessor_id = NEW.assessor_id AND NEW.topic IN ('', topic)
        UNION
        SELECT task_id, topic, docno, assessor_id, purpose FROM assessment_remark
        WHERE task_id = NEW.task_id AND assessor_id = NEW.assessor_id AND NEW.topic IN ('', topic)
        ORDER BY topic, docno, purpose
    LOOP
{_UPDATE.replace("NEW.", "pair.")}    END LOOP;
    RETURN NULL;
"""  # noqa: S608 - our own constants
