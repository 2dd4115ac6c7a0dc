"""Fields and triggers that names, frozen rows and long work changed together."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('judges', '0004_record'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='budget',
            name='update_update',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='budget',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."cap_micros" IS DISTINCT FROM (NEW."cap_micros") OR OLD."ceiling_micros" IS DISTINCT FROM (NEW."ceiling_micros") OR OLD."job_id" IS DISTINCT FROM (NEW."job_id") OR OLD."track_id" IS DISTINCT FROM (NEW."track_id"))', func='INSERT INTO "judges_budgetevent" ("cap_micros", "ceiling_micros", "job_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."cap_micros", NEW."ceiling_micros", NEW."job_id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='4c8a73e31e6003fc87aa58199c0f540a4088b40d', operation='UPDATE', pgid='pgtrigger_update_update_23c9c', table='judges_budget', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='budget',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "judges_budgetevent" ("cap_micros", "ceiling_micros", "job_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (OLD."cap_micros", OLD."ceiling_micros", OLD."job_id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."track_id"); RETURN NULL;', hash='4e2aec4fe4ecb5c0cdc52df22e43028600c678d4', operation='DELETE', pgid='pgtrigger_delete_delete_ad4e2', table='judges_budget', when='AFTER')),
        ),
    ]
