"""What a release freezes, and what a task's runs were checked for, stays; dates are of this age."""

import datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0008_settled'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='document',
            name='document_text_is_frozen',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='document',
            name='document_stays_once_judged',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='topic',
            name='topic_text_is_frozen',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='topic',
            name='topic_stays_once_judged',
        ),
        migrations.RemoveConstraint(
            model_name='task',
            name='task_grace_not_negative',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='document_text_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.fields IS DISTINCT FROM NEW.fields OR OLD.image_id IS DISTINCT FROM NEW.image_id OR OLD.collection_id IS DISTINCT FROM NEW.collection_id OR OLD.docno IS DISTINCT FROM NEW.docno OR (OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NULL))', func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE collection_id = OLD.collection_id AND (releases_at <= now() OR release_noted_at IS NOT NULL)) THEN\n                    RAISE EXCEPTION 'the document is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                NEW.version := OLD.version + 1;\n                RETURN NEW;\n            ", hash='705999c3b54c8e614c7e97cc1cacc485834c4a64', operation='UPDATE', pgid='pgtrigger_document_text_is_frozen_66c68', table='evaluation_document', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='document_stays_once_judged', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE collection_id = OLD.collection_id AND (releases_at <= now() OR release_noted_at IS NOT NULL)) THEN\n                    RAISE EXCEPTION 'the document is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                RETURN OLD;\n            ", hash='fb0a41836b243ce392280424ba5bf44ebf6b1a3a', operation='DELETE', pgid='pgtrigger_document_stays_once_judged_d5fbf', table='evaluation_document', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='task',
            trigger=pgtrigger.compiler.Trigger(name='a_task_stays_what_its_runs_were_checked_for', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."collection_id" IS DISTINCT FROM (NEW."collection_id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."track_id" IS DISTINCT FROM (NEW."track_id"))', func="\n                    IF EXISTS (SELECT FROM evaluation_run WHERE task_id = OLD.id) THEN\n                        RAISE EXCEPTION 'task %: it has runs, so its track, collection and kind stay', OLD.id\n                        USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='d4a5ff4a4d36911622ef594c15ecbdbd8cdef579', operation='UPDATE', pgid='pgtrigger_a_task_stays_what_its_runs_were_checked_for_4ad7b', table='evaluation_task', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='topic_text_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.fields IS DISTINCT FROM NEW.fields OR OLD.image_id IS DISTINCT FROM NEW.image_id OR OLD.task_id IS DISTINCT FROM NEW.task_id OR OLD.number IS DISTINCT FROM NEW.number OR (OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NULL))', func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND (releases_at <= now() OR release_noted_at IS NOT NULL)) THEN\n                    RAISE EXCEPTION 'the topic is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                NEW.version := OLD.version + 1;\n                RETURN NEW;\n            ", hash='2f57dfa8b1e2fedf8e2e90323b621dc1b1810fff', operation='UPDATE', pgid='pgtrigger_topic_text_is_frozen_dff04', table='evaluation_topic', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='topic_stays_once_judged', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND (releases_at <= now() OR release_noted_at IS NOT NULL)) THEN\n                    RAISE EXCEPTION 'the topic is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                RETURN OLD;\n            ", hash='c77269eed0b36d7c1167f2ebe6bf885c73be5d4c', operation='DELETE', pgid='pgtrigger_topic_stays_once_judged_3bf71', table='evaluation_topic', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='topic_state_stays_once_released', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))', func="\n        IF EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND (releases_at <= now() OR release_noted_at IS NOT NULL)) THEN\n            RAISE EXCEPTION 'topic %: its task is released, so its state stays', OLD.id\n            USING ERRCODE = 'TS001';\n        END IF;\n        RETURN NEW;\n    ", hash='c4beb389d5ac064ac863642357ea2eef023c9a5b', operation='UPDATE', pgid='pgtrigger_topic_state_stays_once_released_a20d9', table='evaluation_topic', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.CheckConstraint(condition=models.Q(('grace__gte', datetime.timedelta(0)), ('grace__lte', datetime.timedelta(days=366))), name='task_grace_up_to_a_year', violation_error_message='The grace lasts up to 366 days.'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('opens_at', None), ('opens_at__range', (datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))), _connector='OR'), models.Q(('closes_at', None), ('closes_at__range', (datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))), _connector='OR'), models.Q(('judging_at', None), ('judging_at__range', (datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))), _connector='OR'), models.Q(('releases_at', None), ('releases_at__range', (datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))), _connector='OR')), name='task_dates_of_this_age'),
        ),
    ]
