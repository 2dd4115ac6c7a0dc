"""Changes of budgets and rates are kept."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0007_record'),
        ('judges', '0003_front'),
        ('pghistory', '0007_auto_20250421_0444'),
    ]

    operations = [
        migrations.CreateModel(
            name='RateEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('endpoint', models.CharField(help_text='base URL, as judges name it', max_length=1000)),
                ('model', models.CharField(blank=True, help_text='empty: all models there together', max_length=255)),
                ('requests_per_minute', models.PositiveIntegerField(blank=True, null=True)),
                ('tokens_per_minute', models.PositiveIntegerField(blank=True, null=True)),
                ('in_flight', models.PositiveIntegerField(blank=True, help_text='of all workers together; each of them has 64 at most', null=True, verbose_name='requests under way at once')),
            ],
            options={
                'abstract': False,
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rate',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "judges_rateevent" ("endpoint", "in_flight", "model", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "requests_per_minute", "tokens_per_minute") VALUES (NEW."endpoint", NEW."in_flight", NEW."model", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."requests_per_minute", NEW."tokens_per_minute"); RETURN NULL;', hash='457d2fb53a236be83ac8d9661e7a0502255e2765', operation='INSERT', pgid='pgtrigger_insert_insert_509a8', table='judges_rate', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rate',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."endpoint" IS DISTINCT FROM (NEW."endpoint") OR OLD."in_flight" IS DISTINCT FROM (NEW."in_flight") OR OLD."model" IS DISTINCT FROM (NEW."model") OR OLD."requests_per_minute" IS DISTINCT FROM (NEW."requests_per_minute") OR OLD."tokens_per_minute" IS DISTINCT FROM (NEW."tokens_per_minute"))', func='INSERT INTO "judges_rateevent" ("endpoint", "in_flight", "model", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "requests_per_minute", "tokens_per_minute") VALUES (NEW."endpoint", NEW."in_flight", NEW."model", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."requests_per_minute", NEW."tokens_per_minute"); RETURN NULL;', hash='ce3b1901524eb1dcfa60f4e40eea3cd99205c14e', operation='UPDATE', pgid='pgtrigger_update_update_0a1e8', table='judges_rate', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rate',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "judges_rateevent" ("endpoint", "in_flight", "model", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "requests_per_minute", "tokens_per_minute") VALUES (OLD."endpoint", OLD."in_flight", OLD."model", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."requests_per_minute", OLD."tokens_per_minute"); RETURN NULL;', hash='969bcb630f66d38026e3d59aba1da5512fd0cd79', operation='DELETE', pgid='pgtrigger_delete_delete_b62c2', table='judges_rate', when='AFTER')),
        ),
        migrations.AddField(
            model_name='rateevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='rateevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='endpoint_model_requests_per_minute_tokens_per_minute_in_flight_events', to='judges.rate'),
        ),
    ]
