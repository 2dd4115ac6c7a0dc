"""Judges and prompts of tracks, and the staff's ceiling on what a track may cost."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


# An ensemble or scores from a file belong to the track where they have a job, else to the first track there is.
GIVE_TO_TRACKS = """
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE judges_judge DISABLE TRIGGER USER;
    UPDATE judges_judge AS judge SET track_id = coalesce(
        (SELECT task.track_id FROM judges_job AS job
         JOIN evaluation_pool AS pool ON pool.id = job.pool_id JOIN evaluation_task AS task ON task.id = pool.task_id
         WHERE job.judge_id = judge.id ORDER BY job.id LIMIT 1),
        (SELECT min(id) FROM evaluation_track)
    ) WHERE backend IN ('ensemble', 'imported');
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE judges_judge ENABLE TRIGGER USER;
"""


class Migration(migrations.Migration):
    """Adds them, and fills them for the rows that are there."""


    dependencies = [
        ('evaluation', '0004_front'),
        ('judges', '0002_texts_and_prompts'),
        ('pghistory', '0007_auto_20250421_0444'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BudgetEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('cap_micros', models.PositiveBigIntegerField(blank=True, null=True)),
                ('ceiling_micros', models.PositiveBigIntegerField(blank=True, editable=False, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='judge',
            name='judges_are_immutable',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='judge',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='judge',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='judge',
            name='delete_delete',
        ),
        migrations.RemoveConstraint(
            model_name='prompt',
            name='prompt_version_once',
        ),
        migrations.AddField(
            model_name='budget',
            name='ceiling_micros',
            field=models.PositiveBigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='judge',
            name='track',
            field=models.ForeignKey(blank=True, help_text='Empty: the whole site.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judges', to='evaluation.track'),
        ),
        migrations.AddField(
            model_name='judgeevent',
            name='track',
            field=models.ForeignKey(blank=True, db_constraint=False, help_text='Empty: the whole site.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.track'),
        ),
        migrations.AddField(
            model_name='prompt',
            name='track',
            field=models.ForeignKey(blank=True, help_text='Empty: the whole site.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='prompts', to='evaluation.track'),
        ),
        migrations.AlterField(
            model_name='judge',
            name='identity_sha256',
            field=models.CharField(db_index=True, editable=False, max_length=64),
        ),
        migrations.AlterField(
            model_name='judge',
            name='name',
            field=models.SlugField(max_length=60),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='budget',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "judges_budgetevent" ("cap_micros", "ceiling_micros", "job_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."cap_micros", NEW."ceiling_micros", NEW."job_id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."track_id"); RETURN NULL;', hash='18c0451bc21b5e511ca6c8c6ce9418ced893475d', operation='INSERT', pgid='pgtrigger_insert_insert_bd6ff', table='judges_budget', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='budget',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."cap_micros" IS DISTINCT FROM (NEW."cap_micros") OR OLD."ceiling_micros" IS DISTINCT FROM (NEW."ceiling_micros"))', func='INSERT INTO "judges_budgetevent" ("cap_micros", "ceiling_micros", "job_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."cap_micros", NEW."ceiling_micros", NEW."job_id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='37ba346a2e4475392ad304bfae60f664a95012bf', operation='UPDATE', pgid='pgtrigger_update_update_23c9c', table='judges_budget', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judge',
            trigger=pgtrigger.compiler.Trigger(name='judges_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."track_id" IS DISTINCT FROM (NEW."track_id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."backend" IS DISTINCT FROM (NEW."backend") OR OLD."revision" IS DISTINCT FROM (NEW."revision") OR OLD."model" IS DISTINCT FROM (NEW."model") OR OLD."model_revision" IS DISTINCT FROM (NEW."model_revision") OR OLD."dtype" IS DISTINCT FROM (NEW."dtype") OR OLD."prompt" IS DISTINCT FROM (NEW."prompt") OR OLD."text_fields" IS DISTINCT FROM (NEW."text_fields") OR OLD."image_size" IS DISTINCT FROM (NEW."image_size") OR OLD."long_text" IS DISTINCT FROM (NEW."long_text") OR OLD."decoding" IS DISTINCT FROM (NEW."decoding") OR OLD."seed" IS DISTINCT FROM (NEW."seed") OR OLD."endpoint" IS DISTINCT FROM (NEW."endpoint") OR OLD."answer" IS DISTINCT FROM (NEW."answer") OR OLD."identity_sha256" IS DISTINCT FROM (NEW."identity_sha256") OR OLD."task_kinds" IS DISTINCT FROM (NEW."task_kinds") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."created_by_id" IS DISTINCT FROM (NEW."created_by_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4ded1012d97834cf1d5bb96e32e75a3faab201a2', operation='UPDATE', pgid='pgtrigger_judges_are_immutable_0aba0', table='judges_judge', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judge',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "judges_judgeevent" ("answer", "backend", "created_at", "created_by_id", "decoding", "dtype", "endpoint", "id", "identity_sha256", "image_size", "long_text", "model", "model_revision", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "prompt", "retired_at", "revision", "seed", "shutdown_on", "task_kinds", "text_fields", "track_id") VALUES (NEW."answer", NEW."backend", NEW."created_at", NEW."created_by_id", NEW."decoding", NEW."dtype", NEW."endpoint", NEW."id", NEW."identity_sha256", NEW."image_size", NEW."long_text", NEW."model", NEW."model_revision", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."prompt", NEW."retired_at", NEW."revision", NEW."seed", NEW."shutdown_on", NEW."task_kinds", NEW."text_fields", NEW."track_id"); RETURN NULL;', hash='5095b2eec124e872f70279d2bfbc306b3fdda1e0', operation='INSERT', pgid='pgtrigger_insert_insert_906fc', table='judges_judge', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judge',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "judges_judgeevent" ("answer", "backend", "created_at", "created_by_id", "decoding", "dtype", "endpoint", "id", "identity_sha256", "image_size", "long_text", "model", "model_revision", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "prompt", "retired_at", "revision", "seed", "shutdown_on", "task_kinds", "text_fields", "track_id") VALUES (NEW."answer", NEW."backend", NEW."created_at", NEW."created_by_id", NEW."decoding", NEW."dtype", NEW."endpoint", NEW."id", NEW."identity_sha256", NEW."image_size", NEW."long_text", NEW."model", NEW."model_revision", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."prompt", NEW."retired_at", NEW."revision", NEW."seed", NEW."shutdown_on", NEW."task_kinds", NEW."text_fields", NEW."track_id"); RETURN NULL;', hash='85ba2cdc4c81cce78b4fc1a4523a6da0de148d59', operation='UPDATE', pgid='pgtrigger_update_update_f0652', table='judges_judge', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judge',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "judges_judgeevent" ("answer", "backend", "created_at", "created_by_id", "decoding", "dtype", "endpoint", "id", "identity_sha256", "image_size", "long_text", "model", "model_revision", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "prompt", "retired_at", "revision", "seed", "shutdown_on", "task_kinds", "text_fields", "track_id") VALUES (OLD."answer", OLD."backend", OLD."created_at", OLD."created_by_id", OLD."decoding", OLD."dtype", OLD."endpoint", OLD."id", OLD."identity_sha256", OLD."image_size", OLD."long_text", OLD."model", OLD."model_revision", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."prompt", OLD."retired_at", OLD."revision", OLD."seed", OLD."shutdown_on", OLD."task_kinds", OLD."text_fields", OLD."track_id"); RETURN NULL;', hash='3bc81fcf8a1661c77404bf4ed6aece7937f1beb7', operation='DELETE', pgid='pgtrigger_delete_delete_cef5c', table='judges_judge', when='AFTER')),
        ),
        migrations.RunSQL(GIVE_TO_TRACKS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='budget',
            constraint=models.CheckConstraint(condition=models.Q(('cap_micros__isnull', True), ('ceiling_micros__isnull', True), ('cap_micros__lte', models.F('ceiling_micros')), _connector='OR'), name='budget_cap_up_to_its_ceiling'),
        ),
        migrations.AddConstraint(
            model_name='judge',
            constraint=models.UniqueConstraint(fields=('track', 'name'), name='judge_name_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='judge',
            constraint=models.UniqueConstraint(fields=('track', 'identity_sha256'), name='judge_identity_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='judge',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('backend__in', ('ensemble', 'imported')), _negated=True), ('track__isnull', False), _connector='OR'), name='judge_made_of_results_has_a_track'),
        ),
        migrations.AddConstraint(
            model_name='prompt',
            constraint=models.UniqueConstraint(fields=('track', 'name', 'version'), name='prompt_version_once', nulls_distinct=False),
        ),
        migrations.AddField(
            model_name='budgetevent',
            name='job',
            field=models.ForeignKey(db_constraint=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='judges.job'),
        ),
        migrations.AddField(
            model_name='budgetevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='budgetevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='job_track_cap_micros_ceiling_micros_events', to='judges.budget'),
        ),
        migrations.AddField(
            model_name='budgetevent',
            name='track',
            field=models.ForeignKey(db_constraint=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.track'),
        ),
    ]
