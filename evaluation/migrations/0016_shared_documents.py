"""Where people get the documents of a collection."""

import django.core.validators
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0015_image_to_image'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='collection',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='collection',
            name='delete_delete',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='collection',
            name='update_update',
        ),
        migrations.AddField(
            model_name='collection',
            name='address',
            field=models.CharField(blank=True, db_default='', default='', max_length=400, validators=[django.core.validators.URLValidator(['https', 'http'])], verbose_name='or get them from'),
        ),
        migrations.AddField(
            model_name='collection',
            name='is_shared',
            field=models.BooleanField(db_default=False, default=False, verbose_name='people download the documents here'),
        ),
        migrations.AddField(
            model_name='collectionevent',
            name='address',
            field=models.CharField(blank=True, db_default='', default='', max_length=400, validators=[django.core.validators.URLValidator(['https', 'http'])], verbose_name='or get them from'),
        ),
        migrations.AddField(
            model_name='collectionevent',
            name='is_shared',
            field=models.BooleanField(db_default=False, default=False, verbose_name='people download the documents here'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collection',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_collectionevent" ("address", "created_at", "description", "id", "is_shared", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."address", NEW."created_at", NEW."description", NEW."id", NEW."is_shared", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."track_id"); RETURN NULL;', hash='286628e3d404e885577a21c4c28a2cd8c679287a', operation='INSERT', pgid='pgtrigger_insert_insert_a278b', table='evaluation_collection', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collection',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."address" IS DISTINCT FROM (NEW."address") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."description" IS DISTINCT FROM (NEW."description") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."is_shared" IS DISTINCT FROM (NEW."is_shared") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."track_id" IS DISTINCT FROM (NEW."track_id"))', func='INSERT INTO "evaluation_collectionevent" ("address", "created_at", "description", "id", "is_shared", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."address", NEW."created_at", NEW."description", NEW."id", NEW."is_shared", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='f215b0fdf9c30fa4a5de6d18f112de7a02dc1fd4', operation='UPDATE', pgid='pgtrigger_update_update_36d27', table='evaluation_collection', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collection',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_collectionevent" ("address", "created_at", "description", "id", "is_shared", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (OLD."address", OLD."created_at", OLD."description", OLD."id", OLD."is_shared", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."track_id"); RETURN NULL;', hash='d639fb30df9c90f38e0022d309d0d4e5b2a8d7a2', operation='DELETE', pgid='pgtrigger_delete_delete_b9cb0', table='evaluation_collection', when='AFTER')),
        ),
    ]
