"""The hashes of judged texts, and more tables of changes."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


# What was judged before the columns were there. How its texts read at that time is not known.
FREEZE = '''
    UPDATE evaluation_criteria AS criteria SET frozen_at = now()
    WHERE EXISTS (SELECT FROM assessment_judgment WHERE criteria_id = criteria.id);
    UPDATE evaluation_topic AS topic SET frozen_at = now()
    FROM (SELECT DISTINCT task_id, topic FROM assessment_judgment) AS judged
    WHERE topic.task_id = judged.task_id AND topic.number = judged.topic;
    UPDATE evaluation_document AS document SET frozen_at = now()
    FROM (
        SELECT DISTINCT collection_id, docno FROM assessment_judgment
        JOIN evaluation_task ON evaluation_task.id = task_id
    ) AS judged
    WHERE document.collection_id = judged.collection_id AND document.docno = judged.docno;
'''


class Migration(migrations.Migration):

    dependencies = [
        ('assessment', '0001_initial'),
        ('evaluation', '0007_record'),
        ('pghistory', '0007_auto_20250421_0444'),
    ]

    operations = [
        migrations.CreateModel(
            name='ExtraQuestionEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('place', models.PositiveSmallIntegerField(default=1, help_text='Questions stand in rising order.')),
                ('name', models.SlugField(db_index=False, help_text='Names the reply in exports: confidence.', max_length=40)),
                ('text', models.CharField(max_length=200)),
                ('choices', models.TextField(blank=True, help_text='One a line. Empty: the reply is free text.')),
                ('is_required', models.BooleanField(default=True, help_text='No grade is taken without a reply.')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='GoldItemEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('grade', models.SmallIntegerField()),
                ('use', models.CharField(choices=[('mixed', 'mixed in among the work'), ('practice', 'practice, with the right grade told afterwards'), ('exam', 'exam, before the work')], default='mixed', max_length=8)),
                ('explanation', models.TextField(blank=True, help_text='Why, told after a practice item.')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='JudgingPlanEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('gold_percent', models.PositiveSmallIntegerField(default=0, help_text="Gold items mixed in, per cent of an assessor's items in a topic.")),
                ('repeat_percent', models.PositiveSmallIntegerField(default=0, help_text="Items shown a second time, per cent of an assessor's items in a topic.")),
                ('pass_percent', models.PositiveSmallIntegerField(blank=True, help_text='Exam items to grade right before the real work, per cent. Empty: there is no exam.', null=True)),
                ('lease_minutes', models.PositiveSmallIntegerField(default=30, help_text="How long items are an assessor's own where a pool is judged item by item.")),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='judgment',
            name='text_sha256',
            field=models.CharField(blank=True, db_collation='C', editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='judgment',
            name='topic_sha256',
            field=models.CharField(blank=True, db_collation='C', editable=False, max_length=64),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='extraquestion',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "assessment_extraquestionevent" ("choices", "id", "is_required", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (NEW."choices", NEW."id", NEW."is_required", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."place", NEW."task_id", NEW."text"); RETURN NULL;', hash='7a3c788f5c8c96f20b418648197d88d91906cdbe', operation='INSERT', pgid='pgtrigger_insert_insert_c03c8', table='assessment_extraquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='extraquestion',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "assessment_extraquestionevent" ("choices", "id", "is_required", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (NEW."choices", NEW."id", NEW."is_required", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."place", NEW."task_id", NEW."text"); RETURN NULL;', hash='704bd632d0afa05d842d1a6c6c467312842ce6a8', operation='UPDATE', pgid='pgtrigger_update_update_696be', table='assessment_extraquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='extraquestion',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "assessment_extraquestionevent" ("choices", "id", "is_required", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (OLD."choices", OLD."id", OLD."is_required", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."place", OLD."task_id", OLD."text"); RETURN NULL;', hash='036b2cbbfa30d6ff45612e5177b881c6a873da17', operation='DELETE', pgid='pgtrigger_delete_delete_fc71b', table='assessment_extraquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='golditem',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "assessment_golditemevent" ("docno", "explanation", "grade", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "topic", "use") VALUES (NEW."docno", NEW."explanation", NEW."grade", NEW."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."task_id", NEW."topic", NEW."use"); RETURN NULL;', hash='efdccb7c3cab1cdc876bc3b465fae258fcef977f', operation='INSERT', pgid='pgtrigger_insert_insert_08744', table='assessment_golditem', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='golditem',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "assessment_golditemevent" ("docno", "explanation", "grade", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "topic", "use") VALUES (NEW."docno", NEW."explanation", NEW."grade", NEW."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."task_id", NEW."topic", NEW."use"); RETURN NULL;', hash='b38e91370a536bb79c4f7fa56bc0db9ce5d9fc29', operation='UPDATE', pgid='pgtrigger_update_update_b29e4', table='assessment_golditem', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='golditem',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "assessment_golditemevent" ("docno", "explanation", "grade", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "topic", "use") VALUES (OLD."docno", OLD."explanation", OLD."grade", OLD."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."task_id", OLD."topic", OLD."use"); RETURN NULL;', hash='0310ca1e2e86695768541af6cfa34b78d8cc5b19', operation='DELETE', pgid='pgtrigger_delete_delete_11b72', table='assessment_golditem', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgingplan',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "assessment_judgingplanevent" ("gold_percent", "id", "lease_minutes", "pass_percent", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "repeat_percent", "task_id") VALUES (NEW."gold_percent", NEW."id", NEW."lease_minutes", NEW."pass_percent", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."repeat_percent", NEW."task_id"); RETURN NULL;', hash='7f793e78929782159a9c00e05a3e1b6decf85a7b', operation='INSERT', pgid='pgtrigger_insert_insert_637d9', table='assessment_judgingplan', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgingplan',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "assessment_judgingplanevent" ("gold_percent", "id", "lease_minutes", "pass_percent", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "repeat_percent", "task_id") VALUES (NEW."gold_percent", NEW."id", NEW."lease_minutes", NEW."pass_percent", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."repeat_percent", NEW."task_id"); RETURN NULL;', hash='08075f60b8072350b754271ecfd45509e8587e5a', operation='UPDATE', pgid='pgtrigger_update_update_832ea', table='assessment_judgingplan', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgingplan',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "assessment_judgingplanevent" ("gold_percent", "id", "lease_minutes", "pass_percent", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "repeat_percent", "task_id") VALUES (OLD."gold_percent", OLD."id", OLD."lease_minutes", OLD."pass_percent", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."repeat_percent", OLD."task_id"); RETURN NULL;', hash='a5ade6b3705616bc40c6b339db56c45dc744fcc9', operation='DELETE', pgid='pgtrigger_delete_delete_ed1e7', table='assessment_judgingplan', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgment',
            trigger=pgtrigger.compiler.Trigger(name='judgments_freeze_what_they_name', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n    UPDATE evaluation_criteria SET frozen_at = clock_timestamp()\n    WHERE id = NEW.criteria_id AND frozen_at IS NULL;\n    UPDATE evaluation_topic SET frozen_at = clock_timestamp()\n    WHERE task_id = NEW.task_id AND number = NEW.topic AND frozen_at IS NULL;\n    UPDATE evaluation_document SET frozen_at = clock_timestamp()\n    WHERE docno = NEW.docno AND frozen_at IS NULL\n        AND collection_id = (SELECT collection_id FROM evaluation_task WHERE id = NEW.task_id);\n    NEW.topic_sha256 := coalesce((\n        SELECT encode(sha256(convert_to(\n            jsonb_build_array(topic.fields, coalesce(topic.image_id, ''))::text, 'UTF8')), 'hex')\n        FROM evaluation_topic AS topic WHERE task_id = NEW.task_id AND number = NEW.topic\n    ), '');\n    NEW.text_sha256 := coalesce((\n        SELECT encode(sha256(convert_to(document.fields::text, 'UTF8')), 'hex')\n        FROM evaluation_document AS document JOIN evaluation_task AS task USING (collection_id)\n        WHERE task.id = NEW.task_id AND document.docno = NEW.docno\n    ), '');\n    RETURN NEW;\n", hash='e4fb8b003c47d4451fcd6200bea433000aedc41e', operation='INSERT', pgid='pgtrigger_judgments_freeze_what_they_name_d5e27', table='assessment_judgment', when='BEFORE')),
        ),
        migrations.AddField(
            model_name='extraquestionevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='extraquestionevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='assessment.extraquestion'),
        ),
        migrations.AddField(
            model_name='extraquestionevent',
            name='task',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task'),
        ),
        migrations.AddField(
            model_name='golditemevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='golditemevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='assessment.golditem'),
        ),
        migrations.AddField(
            model_name='golditemevent',
            name='task',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task'),
        ),
        migrations.AddField(
            model_name='judgingplanevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='judgingplanevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='assessment.judgingplan'),
        ),
        migrations.AddField(
            model_name='judgingplanevent',
            name='task',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task'),
        ),
        migrations.RunSQL(FREEZE, migrations.RunSQL.noop),
    ]
