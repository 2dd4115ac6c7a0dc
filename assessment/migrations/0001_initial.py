"""People at work: all tables of `assessment`, with their constraints, indexes and triggers."""

import datetime
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

from evaluation.access.schema.migrating import CreateModels, install_triggers


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("evaluation", "0001_initial"),
        ("pghistory", "0007_auto_20250421_0444"),
    ]

    operations = [
        CreateModels([
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("owner", "qrels"),
                            ("second", "agreement"),
                            ("items", "qrels and agreement, item by item"),
                            ("adjudication", "adjudication"),
                        ],
                        default="owner",
                        max_length=12,
                    ),
                ),
                (
                    "assigned_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("paused_at", models.DateTimeField(editable=False, null=True)),
                ("ended_at", models.DateTimeField(editable=False, null=True)),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "assigned_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="evaluation.pool",
                    ),
                ),
            ],
            options={
                "ordering": ["pool", "topic", "kind"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True), ("kind", "owner")),
                        fields=("pool", "topic"),
                        name="assignment_one_owner_a_topic",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("pool", "topic", "assessor"),
                        name="assignment_not_twice_to_one_assessor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                            models.Q(("ended_at__isnull", False), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="assignment_ended_by_someone",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="assignments_are_not_changed",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."pool_id" IS DISTINCT FROM (NEW."pool_id") OR OLD."topic" IS DISTINCT FROM (NEW."topic") OR OLD."assessor_id" IS DISTINCT FROM (NEW."assessor_id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."assigned_at" IS DISTINCT FROM (NEW."assigned_at") OR OLD."assigned_by_id" IS DISTINCT FROM (NEW."assigned_by_id"))',
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                            hash="6f5c59f7aa4f913f046cbec553d18e586891c68a",
                            operation="UPDATE",
                            pgid="pgtrigger_assignments_are_not_changed_d3fcb",
                            table="assessment_assignment",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="ended_assignments_stay_so",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."ended_at" IS NOT NULL)',
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                            hash="d9decd4461772b8e1721802d3cf5d41f29ff0139",
                            operation="UPDATE",
                            pgid="pgtrigger_ended_assignments_stay_so_a2b71",
                            table="assessment_assignment",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="assignment_stays_once_judged",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF EXISTS (\n                        SELECT FROM assessment_judgment AS judgment\n                        JOIN evaluation_pool AS pool ON pool.task_id = judgment.task_id\n                        WHERE pool.id = OLD.pool_id\n                          AND judgment.topic = OLD.topic AND judgment.assessor_id = OLD.assessor_id\n                    ) THEN\n                        RAISE EXCEPTION 'assignment % has judgments and stays', OLD.id;\n                    END IF;\n                    RETURN OLD;\n                ",
                            hash="44db55e9aa57852442769b5e63f69fba11c128be",
                            operation="DELETE",
                            pgid="pgtrigger_assignment_stays_once_judged_8883c",
                            table="assessment_assignment",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                ("docno", models.CharField(db_collation="C", max_length=255)),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("work", "of the pool"),
                            ("repeat", "shown a second time"),
                            ("gold", "with a known grade"),
                            ("adjudication", "graded differently by others"),
                            ("extra", "of the pool, graded after somebody else got the item"),
                        ],
                        default="work",
                        max_length=12,
                    ),
                ),
                ("image_sha256", models.CharField(blank=True, db_collation="C", max_length=64)),
                (
                    "text_sha256",
                    models.CharField(blank=True, db_collation="C", editable=False, max_length=64),
                ),
                (
                    "topic_sha256",
                    models.CharField(blank=True, db_collation="C", editable=False, max_length=64),
                ),
                ("grade", models.SmallIntegerField(null=True)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("image", "Image does not show or is cut off"),
                            ("topic", "Topic cannot be understood"),
                            ("language", "Text in a language I do not read"),
                            ("upset", "I would rather not look at it"),
                        ],
                        max_length=8,
                    ),
                ),
                ("comment", models.TextField(blank=True)),
                (
                    "is_flagged",
                    models.BooleanField(
                        default=False, help_text="Organizers look at flagged items.", verbose_name="flagged"
                    ),
                ),
                (
                    "replies",
                    models.JSONField(default=dict, help_text="Replies to the task's extra questions, by the questions' names."),
                ),
                ("client_uuid", models.UUIDField(unique=True)),
                (
                    "shown_at",
                    models.DateTimeField(help_text="By the assessor's clock. Empty for an undo.", null=True),
                ),
                (
                    "active_seconds",
                    models.FloatField(help_text="Seconds of activity on the item, without idle time.", null=True),
                ),
                (
                    "judged_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "criteria",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to="evaluation.criteria",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to="evaluation.task",
                    ),
                ),
                (
                    "undoes",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="undo",
                        to="assessment.judgment",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["task", "topic", "docno", "assessor"], name="judgment_pair"),
                    models.Index(fields=["assessor", "judged_at"], name="judgment_of_a_day"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("grade__isnull", False), ("reason", ""), ("undoes__isnull", True)),
                            models.Q(
                                ("grade__isnull", True),
                                ("reason__in", ["image", "topic", "language", "upset"]),
                                ("undoes__isnull", True),
                            ),
                            models.Q(("grade__isnull", True), ("reason", ""), ("undoes__isnull", False)),
                            _connector="OR",
                        ),
                        name="judgment_is_grade_reason_or_undo",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("shown_at__isnull", False), ("undoes__isnull", False), _connector="OR"
                        ),
                        name="judgment_was_shown",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("shown_at__isnull", True),
                            (
                                "shown_at__range",
                                (
                                    datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc),
                                    datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.timezone.utc),
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="judgment_was_shown_in_this_age",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("active_seconds__isnull", True), ("active_seconds__gte", 0), _connector="OR"
                        ),
                        name="judgment_active_seconds_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("image_sha256__regex", "^([0-9a-f]{64})?$")),
                        name="judgment_image_is_sha256",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="judgments_are_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="f944900114ea03038fb0fbc79fc4995322b07ed3",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_judgments_are_append_only_ed236",
                            table="assessment_judgment",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="judgments_freeze_what_they_name",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n    UPDATE evaluation_criteria SET frozen_at = clock_timestamp()\n    WHERE id = NEW.criteria_id AND frozen_at IS NULL;\n    UPDATE evaluation_topic SET frozen_at = clock_timestamp()\n    WHERE task_id = NEW.task_id AND number = NEW.topic AND frozen_at IS NULL;\n    UPDATE evaluation_document SET frozen_at = clock_timestamp()\n    WHERE docno = NEW.docno AND frozen_at IS NULL\n        AND collection_id = (SELECT collection_id FROM evaluation_task WHERE id = NEW.task_id);\n    NEW.topic_sha256 := coalesce((\n        SELECT encode(sha256(convert_to(\n            jsonb_build_array(topic.fields, coalesce(topic.image_id, ''))::text, 'UTF8')), 'hex')\n        FROM evaluation_topic AS topic WHERE task_id = NEW.task_id AND number = NEW.topic\n    ), '');\n    NEW.text_sha256 := coalesce((\n        SELECT encode(sha256(convert_to(document.fields::text, 'UTF8')), 'hex')\n        FROM evaluation_document AS document JOIN evaluation_task AS task USING (collection_id)\n        WHERE task.id = NEW.task_id AND document.docno = NEW.docno\n    ), '');\n    RETURN NEW;\n",
                            hash="e4fb8b003c47d4451fcd6200bea433000aedc41e",
                            operation="INSERT",
                            pgid="pgtrigger_judgments_freeze_what_they_name_d5e27",
                            table="assessment_judgment",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="undo_names_a_judgment_of_its_pair",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."undoes_id" IS NOT NULL)',
                            func="\n                    IF NOT EXISTS (\n                        SELECT FROM assessment_judgment AS undone\n                        WHERE undone.id = NEW.undoes_id AND undone.undoes_id IS NULL\n                          AND undone.task_id = NEW.task_id AND undone.topic = NEW.topic\n                          AND undone.docno = NEW.docno AND undone.assessor_id = NEW.assessor_id\n                          AND undone.purpose = NEW.purpose\n                    ) THEN\n                        RAISE EXCEPTION 'an undo names a judgment of the same pair and assessor';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="7d8603d22901df9c349c22164508481f550d3f3d",
                            operation="INSERT",
                            pgid="pgtrigger_undo_names_a_judgment_of_its_pair_96e0a",
                            table="assessment_judgment",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="judgments_are_kept_in_short",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept bigint;",
                            func="\n    INSERT INTO assessment_judgeditem AS item (task_id, topic, docno, grades, refusal_count, distance,\n        is_refused, is_unseen, is_flagged, is_settled, is_disputed)\n    VALUES (NEW.task_id, NEW.topic, NEW.docno, '{}', 0, 0, false, false, false, false, false)\n    ON CONFLICT (task_id, topic, docno) DO UPDATE SET distance = item.distance\n    RETURNING item.id INTO kept;\n\n    WITH gone AS (\n        DELETE FROM assessment_currentjudgment AS former\n        WHERE former.item_id = kept AND former.assessor_id = NEW.assessor_id AND former.purpose = NEW.purpose\n        RETURNING former.grade\n    )\n    UPDATE assessment_tally AS tally SET count = tally.count - 1 FROM gone\n    WHERE tally.task_id = NEW.task_id AND tally.topic = NEW.topic AND tally.assessor_id = NEW.assessor_id\n        AND tally.purpose = NEW.purpose AND tally.grade IS NOT DISTINCT FROM gone.grade;\n\n    WITH latest AS (\n        INSERT INTO assessment_currentjudgment\n            (judgment_id, task_id, item_id, assessor_id, purpose, grade, is_flagged, active_seconds,\n                judged_at)\n        SELECT judgment.id, NEW.task_id, kept, NEW.assessor_id, NEW.purpose, judgment.grade,\n            CASE WHEN remark.made_at >= judgment.judged_at THEN remark.is_flagged\n                ELSE judgment.is_flagged END,\n            judgment.active_seconds, judgment.judged_at\n        FROM assessment_judgment AS judgment\n        LEFT JOIN LATERAL (\n            SELECT made_at, is_flagged FROM assessment_remark\n            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno\n                AND assessor_id = NEW.assessor_id AND purpose = NEW.purpose\n            ORDER BY id DESC LIMIT 1\n        ) AS remark ON true\n        WHERE judgment.task_id = NEW.task_id AND judgment.topic = NEW.topic AND judgment.docno = NEW.docno\n            AND judgment.assessor_id = NEW.assessor_id AND judgment.purpose = NEW.purpose\n            AND judgment.undoes_id IS NULL\n            AND NOT EXISTS (SELECT FROM assessment_judgment AS undo WHERE undo.undoes_id = judgment.id)\n        ORDER BY judgment.id DESC LIMIT 1\n        RETURNING grade\n    )\n    INSERT INTO assessment_tally AS tally (task_id, topic, assessor_id, purpose, grade, count)\n    SELECT NEW.task_id, NEW.topic, NEW.assessor_id, NEW.purpose, latest.grade, 1 FROM latest\n    ON CONFLICT (task_id, topic, assessor_id, purpose, grade) DO UPDATE SET count = tally.count + 1;\n\n    UPDATE assessment_judgeditem AS item SET\n        grades = found.grades,\n        refusal_count = found.refusal_count,\n        distance = found.distance,\n        is_refused = found.grades = '{}' AND found.refusal_count > 0,\n        is_unseen = found.is_unseen,\n        is_flagged = found.is_flagged OR said.is_flagged,\n        is_settled = found.is_settled,\n        is_disputed = (found.grades <> '{}' OR found.refusal_count > 0 OR said.is_flagged) AND (\n            found.distance > 0 OR found.is_flagged OR said.is_flagged OR found.is_unseen\n            OR (found.grades = '{}' AND found.refusal_count > 0))\n    FROM (\n        SELECT\n            coalesce(array_agg(grade ORDER BY grade) FILTER (WHERE is_work AND grade IS NOT NULL), '{}')\n                AS grades,\n            count(*) FILTER (WHERE is_work AND grade IS NULL) AS refusal_count,\n            coalesce(max(grade) FILTER (WHERE is_work) - min(grade) FILTER (WHERE is_work), 0)\n                AS distance,\n            coalesce(bool_or(is_work AND reason = 'image'), false) AS is_unseen,\n            coalesce(bool_or(is_flagged), false) AS is_flagged,\n            coalesce(bool_or(purpose = 'adjudication' AND grade IS NOT NULL), false) AS is_settled\n        FROM (\n            SELECT now.grade, now.purpose, now.is_flagged, judgment.reason, now.purpose = 'work' AS is_work\n            FROM assessment_currentjudgment AS now\n            JOIN assessment_judgment AS judgment ON judgment.id = judgment_id\n            WHERE now.item_id = kept\n        ) AS current\n    ) AS found, (\n        SELECT coalesce(bool_or(is_flagged), false) AS is_flagged FROM (\n            SELECT DISTINCT ON (assessor_id, purpose) assessor_id, purpose, is_flagged FROM assessment_remark\n            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno\n            ORDER BY assessor_id, purpose, id DESC\n        ) AS remark\n        WHERE NOT EXISTS (\n            SELECT FROM assessment_currentjudgment AS now\n            WHERE now.item_id = kept AND now.assessor_id = remark.assessor_id AND now.purpose = remark.purpose\n        )\n    ) AS said\n    WHERE item.id = kept;\n    RETURN NULL;\n",
                            hash="51e3b646c203d9c5735cbaf72d13204bbd3d9a83",
                            operation="INSERT",
                            pgid="pgtrigger_judgments_are_kept_in_short_55335",
                            table="assessment_judgment",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtraQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "place",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Questions are shown in ascending order."
                    ),
                ),
                (
                    "name",
                    models.SlugField(help_text="Names the reply in exports: confidence.", max_length=40),
                ),
                ("text", models.CharField(max_length=200)),
                (
                    "choices",
                    models.TextField(blank=True, help_text="One a line. Empty: the reply is free text."),
                ),
                (
                    "is_required",
                    models.BooleanField(default=True, help_text="No grade is accepted without a reply."),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extra_questions",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "ordering": ["task", "place", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("task", "name"), name="extra_question_name_once_a_task"),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="extra_question_has_a_text"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='INSERT INTO "assessment_extraquestionevent" ("choices", "id", "is_required", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (NEW."choices", NEW."id", NEW."is_required", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."place", NEW."task_id", NEW."text"); RETURN NULL;',
                            hash="7a3c788f5c8c96f20b418648197d88d91906cdbe",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_c03c8",
                            table="assessment_extraquestion",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "assessment_extraquestionevent" ("choices", "id", "is_required", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (NEW."choices", NEW."id", NEW."is_required", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."place", NEW."task_id", NEW."text"); RETURN NULL;',
                            hash="704bd632d0afa05d842d1a6c6c467312842ce6a8",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_696be",
                            table="assessment_extraquestion",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='INSERT INTO "assessment_extraquestionevent" ("choices", "id", "is_required", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (OLD."choices", OLD."id", OLD."is_required", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."place", OLD."task_id", OLD."text"); RETURN NULL;',
                            hash="036b2cbbfa30d6ff45612e5177b881c6a873da17",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_fc71b",
                            table="assessment_extraquestion",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                ("docno", models.CharField(db_collation="C", max_length=255)),
                ("grade", models.SmallIntegerField()),
                (
                    "use",
                    models.CharField(
                        choices=[
                            ("mixed", "mixed in among the work"),
                            ("practice", "practice, with the right grade shown afterwards"),
                            ("exam", "exam, before the work"),
                        ],
                        default="mixed",
                        max_length=8,
                    ),
                ),
                ("explanation", models.TextField(blank=True, help_text="Why, shown after a practice item.")),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="gold_items",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "ordering": ["task", "topic", "docno"],
                "constraints": [
                    models.UniqueConstraint(fields=("task", "topic", "docno"), name="gold_item_once")
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='INSERT INTO "assessment_golditemevent" ("docno", "explanation", "grade", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "topic", "use") VALUES (NEW."docno", NEW."explanation", NEW."grade", NEW."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."task_id", NEW."topic", NEW."use"); RETURN NULL;',
                            hash="efdccb7c3cab1cdc876bc3b465fae258fcef977f",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_08744",
                            table="assessment_golditem",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "assessment_golditemevent" ("docno", "explanation", "grade", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "topic", "use") VALUES (NEW."docno", NEW."explanation", NEW."grade", NEW."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."task_id", NEW."topic", NEW."use"); RETURN NULL;',
                            hash="b38e91370a536bb79c4f7fa56bc0db9ce5d9fc29",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_b29e4",
                            table="assessment_golditem",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='INSERT INTO "assessment_golditemevent" ("docno", "explanation", "grade", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "topic", "use") VALUES (OLD."docno", OLD."explanation", OLD."grade", OLD."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."task_id", OLD."topic", OLD."use"); RETURN NULL;',
                            hash="0310ca1e2e86695768541af6cfa34b78d8cc5b19",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_11b72",
                            table="assessment_golditem",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JudgedItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                ("docno", models.CharField(db_collation="C", max_length=255)),
                (
                    "grades",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.SmallIntegerField(), size=None
                    ),
                ),
                ("refusal_count", models.PositiveIntegerField()),
                ("distance", models.PositiveSmallIntegerField()),
                ("is_refused", models.BooleanField()),
                ("is_unseen", models.BooleanField()),
                ("is_flagged", models.BooleanField()),
                ("is_settled", models.BooleanField(help_text="An adjudicator has graded it.")),
                ("is_disputed", models.BooleanField()),
                (
                    "task",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_disputed", True)),
                        fields=[
                            "task",
                            "is_settled",
                            "-is_flagged",
                            "-is_refused",
                            "-distance",
                            "topic",
                            "docno",
                        ],
                        name="judged_item_disputed",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("task", "topic", "docno"), name="judged_item_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="JudgingPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "gold_percent",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Gold items mixed in, per cent of an assessor's items in a topic.",
                    ),
                ),
                (
                    "repeat_percent",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Items shown a second time, per cent of an assessor's items in a topic.",
                    ),
                ),
                (
                    "pass_percent",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Exam items to grade right before the real work, per cent. Empty: there is no exam.",
                        null=True,
                    ),
                ),
                (
                    "lease_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="How long items are reserved for an assessor if a pool is judged item by item.",
                    ),
                ),
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="judging_plan",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("gold_percent__lte", 30), ("repeat_percent__lte", 30)),
                        name="plan_rates_not_too_high",
                        violation_error_message="Mix in 30 per cent at most.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("lease_minutes__gte", 1)), name="plan_lease_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("pass_percent__isnull", True), ("pass_percent__lte", 100), _connector="OR"
                        ),
                        name="plan_pass_is_a_share",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="insert_insert",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='INSERT INTO "assessment_judgingplanevent" ("gold_percent", "id", "lease_minutes", "pass_percent", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "repeat_percent", "task_id") VALUES (NEW."gold_percent", NEW."id", NEW."lease_minutes", NEW."pass_percent", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."repeat_percent", NEW."task_id"); RETURN NULL;',
                            hash="7f793e78929782159a9c00e05a3e1b6decf85a7b",
                            operation="INSERT",
                            pgid="pgtrigger_insert_insert_637d9",
                            table="assessment_judgingplan",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="update_update",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                            func='INSERT INTO "assessment_judgingplanevent" ("gold_percent", "id", "lease_minutes", "pass_percent", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "repeat_percent", "task_id") VALUES (NEW."gold_percent", NEW."id", NEW."lease_minutes", NEW."pass_percent", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."repeat_percent", NEW."task_id"); RETURN NULL;',
                            hash="08075f60b8072350b754271ecfd45509e8587e5a",
                            operation="UPDATE",
                            pgid="pgtrigger_update_update_832ea",
                            table="assessment_judgingplan",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="delete_delete",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func='INSERT INTO "assessment_judgingplanevent" ("gold_percent", "id", "lease_minutes", "pass_percent", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "repeat_percent", "task_id") VALUES (OLD."gold_percent", OLD."id", OLD."lease_minutes", OLD."pass_percent", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."repeat_percent", OLD."task_id"); RETURN NULL;',
                            hash="a5ade6b3705616bc40c6b339db56c45dc744fcc9",
                            operation="DELETE",
                            pgid="pgtrigger_delete_delete_ed1e7",
                            table="assessment_judgingplan",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                ("docno", models.CharField(db_collation="C", max_length=255)),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("work", "of the pool"),
                            ("repeat", "shown a second time"),
                            ("gold", "with a known grade"),
                            ("adjudication", "graded differently by others"),
                            ("extra", "of the pool, graded after somebody else got the item"),
                        ],
                        default="work",
                        max_length=12,
                    ),
                ),
                ("comment", models.TextField(blank=True)),
                (
                    "is_flagged",
                    models.BooleanField(
                        default=False, help_text="Organizers look at flagged items.", verbose_name="flagged"
                    ),
                ),
                ("client_uuid", models.UUIDField(unique=True)),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["task", "topic", "docno", "assessor"], name="remark_pair")],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="remarks_are_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                            hash="475dd4ca5d69c2b54a6675835b1bef754b17b1a4",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_remarks_are_append_only_4d08d",
                            table="assessment_remark",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="remarks_are_kept_in_short",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept bigint;",
                            func="\n    INSERT INTO assessment_judgeditem AS item (task_id, topic, docno, grades, refusal_count, distance,\n        is_refused, is_unseen, is_flagged, is_settled, is_disputed)\n    VALUES (NEW.task_id, NEW.topic, NEW.docno, '{}', 0, 0, false, false, false, false, false)\n    ON CONFLICT (task_id, topic, docno) DO UPDATE SET distance = item.distance\n    RETURNING item.id INTO kept;\n\n    WITH gone AS (\n        DELETE FROM assessment_currentjudgment AS former\n        WHERE former.item_id = kept AND former.assessor_id = NEW.assessor_id AND former.purpose = NEW.purpose\n        RETURNING former.grade\n    )\n    UPDATE assessment_tally AS tally SET count = tally.count - 1 FROM gone\n    WHERE tally.task_id = NEW.task_id AND tally.topic = NEW.topic AND tally.assessor_id = NEW.assessor_id\n        AND tally.purpose = NEW.purpose AND tally.grade IS NOT DISTINCT FROM gone.grade;\n\n    WITH latest AS (\n        INSERT INTO assessment_currentjudgment\n            (judgment_id, task_id, item_id, assessor_id, purpose, grade, is_flagged, active_seconds,\n                judged_at)\n        SELECT judgment.id, NEW.task_id, kept, NEW.assessor_id, NEW.purpose, judgment.grade,\n            CASE WHEN remark.made_at >= judgment.judged_at THEN remark.is_flagged\n                ELSE judgment.is_flagged END,\n            judgment.active_seconds, judgment.judged_at\n        FROM assessment_judgment AS judgment\n        LEFT JOIN LATERAL (\n            SELECT made_at, is_flagged FROM assessment_remark\n            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno\n                AND assessor_id = NEW.assessor_id AND purpose = NEW.purpose\n            ORDER BY id DESC LIMIT 1\n        ) AS remark ON true\n        WHERE judgment.task_id = NEW.task_id AND judgment.topic = NEW.topic AND judgment.docno = NEW.docno\n            AND judgment.assessor_id = NEW.assessor_id AND judgment.purpose = NEW.purpose\n            AND judgment.undoes_id IS NULL\n            AND NOT EXISTS (SELECT FROM assessment_judgment AS undo WHERE undo.undoes_id = judgment.id)\n        ORDER BY judgment.id DESC LIMIT 1\n        RETURNING grade\n    )\n    INSERT INTO assessment_tally AS tally (task_id, topic, assessor_id, purpose, grade, count)\n    SELECT NEW.task_id, NEW.topic, NEW.assessor_id, NEW.purpose, latest.grade, 1 FROM latest\n    ON CONFLICT (task_id, topic, assessor_id, purpose, grade) DO UPDATE SET count = tally.count + 1;\n\n    UPDATE assessment_judgeditem AS item SET\n        grades = found.grades,\n        refusal_count = found.refusal_count,\n        distance = found.distance,\n        is_refused = found.grades = '{}' AND found.refusal_count > 0,\n        is_unseen = found.is_unseen,\n        is_flagged = found.is_flagged OR said.is_flagged,\n        is_settled = found.is_settled,\n        is_disputed = (found.grades <> '{}' OR found.refusal_count > 0 OR said.is_flagged) AND (\n            found.distance > 0 OR found.is_flagged OR said.is_flagged OR found.is_unseen\n            OR (found.grades = '{}' AND found.refusal_count > 0))\n    FROM (\n        SELECT\n            coalesce(array_agg(grade ORDER BY grade) FILTER (WHERE is_work AND grade IS NOT NULL), '{}')\n                AS grades,\n            count(*) FILTER (WHERE is_work AND grade IS NULL) AS refusal_count,\n            coalesce(max(grade) FILTER (WHERE is_work) - min(grade) FILTER (WHERE is_work), 0)\n                AS distance,\n            coalesce(bool_or(is_work AND reason = 'image'), false) AS is_unseen,\n            coalesce(bool_or(is_flagged), false) AS is_flagged,\n            coalesce(bool_or(purpose = 'adjudication' AND grade IS NOT NULL), false) AS is_settled\n        FROM (\n            SELECT now.grade, now.purpose, now.is_flagged, judgment.reason, now.purpose = 'work' AS is_work\n            FROM assessment_currentjudgment AS now\n            JOIN assessment_judgment AS judgment ON judgment.id = judgment_id\n            WHERE now.item_id = kept\n        ) AS current\n    ) AS found, (\n        SELECT coalesce(bool_or(is_flagged), false) AS is_flagged FROM (\n            SELECT DISTINCT ON (assessor_id, purpose) assessor_id, purpose, is_flagged FROM assessment_remark\n            WHERE task_id = NEW.task_id AND topic = NEW.topic AND docno = NEW.docno\n            ORDER BY assessor_id, purpose, id DESC\n        ) AS remark\n        WHERE NOT EXISTS (\n            SELECT FROM assessment_currentjudgment AS now\n            WHERE now.item_id = kept AND now.assessor_id = remark.assessor_id AND now.purpose = remark.purpose\n        )\n    ) AS said\n    WHERE item.id = kept;\n    RETURN NULL;\n",
                            hash="ed20f532164d2b752058cca795c22c960018767e",
                            operation="INSERT",
                            pgid="pgtrigger_remarks_are_kept_in_short_c4e11",
                            table="assessment_remark",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("work", "of the pool"),
                            ("repeat", "shown a second time"),
                            ("gold", "with a known grade"),
                            ("adjudication", "graded differently by others"),
                            ("extra", "of the pool, graded after somebody else got the item"),
                        ],
                        max_length=12,
                    ),
                ),
                ("grade", models.SmallIntegerField(null=True)),
                ("count", models.IntegerField()),
                (
                    "assessor",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "tallies",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("task", "topic", "assessor", "purpose", "grade"),
                        name="tally_once",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(condition=models.Q(("count__gte", 0)), name="tally_not_negative"),
                ],
            },
        ),
        migrations.CreateModel(
            name="AssignedItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.PositiveIntegerField()),
                ("docno", models.CharField(db_collation="C", max_length=255)),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("work", "of the pool"),
                            ("repeat", "shown a second time"),
                            ("gold", "with a known grade"),
                            ("adjudication", "graded differently by others"),
                            ("extra", "of the pool, graded after somebody else got the item"),
                        ],
                        default="work",
                        max_length=12,
                    ),
                ),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="assessment.assignment",
                    ),
                ),
            ],
            options={
                "ordering": ["assignment", "place"],
                "constraints": [
                    models.UniqueConstraint(fields=("assignment", "place"), name="assigned_place_once"),
                    models.UniqueConstraint(
                        fields=("assignment", "docno", "purpose"), name="assigned_item_once"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="assigned_items_are_not_changed",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                            hash="455e3f9c1207a63909b569c3f5708d73ea991274",
                            operation="UPDATE",
                            pgid="pgtrigger_assigned_items_are_not_changed_e7441",
                            table="assessment_assigneditem",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtraQuestionEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                (
                    "place",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Questions are shown in ascending order."
                    ),
                ),
                (
                    "name",
                    models.SlugField(
                        db_index=False, help_text="Names the reply in exports: confidence.", max_length=40
                    ),
                ),
                ("text", models.CharField(max_length=200)),
                (
                    "choices",
                    models.TextField(blank=True, help_text="One a line. Empty: the reply is free text."),
                ),
                (
                    "is_required",
                    models.BooleanField(default=True, help_text="No grade is accepted without a reply."),
                ),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="assessment.extraquestion",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="GoldItemEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                ("docno", models.CharField(db_collation="C", max_length=255)),
                ("grade", models.SmallIntegerField()),
                (
                    "use",
                    models.CharField(
                        choices=[
                            ("mixed", "mixed in among the work"),
                            ("practice", "practice, with the right grade shown afterwards"),
                            ("exam", "exam, before the work"),
                        ],
                        default="mixed",
                        max_length=8,
                    ),
                ),
                ("explanation", models.TextField(blank=True, help_text="Why, shown after a practice item.")),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="assessment.golditem",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="JudgingPlanEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("id", models.BigIntegerField()),
                (
                    "gold_percent",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Gold items mixed in, per cent of an assessor's items in a topic.",
                    ),
                ),
                (
                    "repeat_percent",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Items shown a second time, per cent of an assessor's items in a topic.",
                    ),
                ),
                (
                    "pass_percent",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Exam items to grade right before the real work, per cent. Empty: there is no exam.",
                        null=True,
                    ),
                ),
                (
                    "lease_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="How long items are reserved for an assessor if a pool is judged item by item.",
                    ),
                ),
                (
                    "pgh_context",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="pghistory.context",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="assessment.judgingplan",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(db_collation="C", max_length=255)),
                ("docno", models.CharField(db_collation="C", max_length=255)),
                ("turn", models.PositiveSmallIntegerField()),
                ("position", models.PositiveIntegerField(help_text="Place in the pool's seeded order.")),
                ("expires_at", models.DateTimeField(null=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="slots",
                        to="assessment.assignment",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slots",
                        to="evaluation.pool",
                    ),
                ),
            ],
            options={
                "ordering": ["pool", "turn", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "topic", "docno", "turn"), name="slot_once"),
                    models.UniqueConstraint(
                        fields=("assignment", "docno"), name="slot_not_twice_to_one_assessor"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainingReply",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("grade", models.SmallIntegerField()),
                (
                    "replied_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="training_replies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="training_replies",
                        to="assessment.golditem",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "training replies",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("item", "assessor"), name="training_reply_once")
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="training_replies_are_not_changed",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                            hash="a0cda13fb76fa94f0c753432e191d399d12c7b3e",
                            operation="UPDATE",
                            pgid="pgtrigger_training_replies_are_not_changed_76176",
                            table="assessment_trainingreply",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CurrentJudgment",
            fields=[
                (
                    "judgment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="kept",
                        serialize=False,
                        to="assessment.judgment",
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("work", "of the pool"),
                            ("repeat", "shown a second time"),
                            ("gold", "with a known grade"),
                            ("adjudication", "graded differently by others"),
                            ("extra", "of the pool, graded after somebody else got the item"),
                        ],
                        max_length=12,
                    ),
                ),
                ("grade", models.SmallIntegerField(null=True)),
                ("is_flagged", models.BooleanField()),
                ("active_seconds", models.FloatField(null=True)),
                ("judged_at", models.DateTimeField()),
                (
                    "assessor",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="current",
                        to="assessment.judgeditem",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="evaluation.task",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["task", "assessor"], name="current_judgment_of_assessor")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "assessor", "purpose"), name="current_judgment_once"
                    )
                ],
            },
        ),
        ]),
        install_triggers("assessment"),
    ]
