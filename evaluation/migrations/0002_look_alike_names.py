"""Names of collections, families and pictures as they are compared."""

import evaluation.access.schema.names
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

from evaluation.core.text.names import folded

OWNERS = {"Collection": "track_id", "Family": "task_id", "Picture": "task_id"}


def fold_names(apps, schema_editor):
    """Fill the folded columns; of two names that look alike, number the later one."""
    for model, owner in OWNERS.items():
        rows = apps.get_model("evaluation", model).objects
        taken = set()
        for row in rows.order_by("pk"):
            longest, number = row.name[:50], 2
            while (getattr(row, owner), folded(row.name)) in taken:
                row.name, number = f"{longest} ({number})", number + 1
            taken.add((getattr(row, owner), folded(row.name)))
            rows.filter(pk=row.pk).update(name=row.name, name_folded=folded(row.name))


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0001_initial'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='collection',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='family',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='picture',
            name='update_update',
        ),
        migrations.RemoveConstraint(
            model_name='collection',
            name='collection_name_once_a_track',
        ),
        migrations.RemoveConstraint(
            model_name='family',
            name='family_name_once_a_task',
        ),
        migrations.RemoveConstraint(
            model_name='picture',
            name='picture_name_once_a_task',
        ),
        migrations.AddField(
            model_name='collection',
            name='name_folded',
            field=evaluation.access.schema.names.FoldedField(db_collation='C', default='', editable=False, max_length=1000, of='name'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='family',
            name='name_folded',
            field=evaluation.access.schema.names.FoldedField(db_collation='C', default='', editable=False, max_length=1000, of='name'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='picture',
            name='name_folded',
            field=evaluation.access.schema.names.FoldedField(db_collation='C', default='', editable=False, max_length=1000, of='name'),
            preserve_default=False,
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collection',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."description" IS DISTINCT FROM (NEW."description") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."track_id" IS DISTINCT FROM (NEW."track_id"))', func='INSERT INTO "evaluation_collectionevent" ("created_at", "description", "id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."created_at", NEW."description", NEW."id", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='8e4013a2db4fc7a7a004648dc81c8f9992e781a7', operation='UPDATE', pgid='pgtrigger_update_update_36d27', table='evaluation_collection', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='family',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."task_id" IS DISTINCT FROM (NEW."task_id"))', func='INSERT INTO "evaluation_familyevent" ("id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id") VALUES (NEW."id", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."task_id"); RETURN NULL;', hash='ae55e3c665001d46ea24a9c298349ac63290571e', operation='UPDATE', pgid='pgtrigger_update_update_520bf', table='evaluation_family', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='picture',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."image_id" IS DISTINCT FROM (NEW."image_id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."task_id" IS DISTINCT FROM (NEW."task_id"))', func='INSERT INTO "evaluation_pictureevent" ("id", "image_id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id") VALUES (NEW."id", NEW."image_id", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."task_id"); RETURN NULL;', hash='7a6880d71f025a591b6c3efb3e69af1097e6dc2a', operation='UPDATE', pgid='pgtrigger_update_update_2400e', table='evaluation_picture', when='AFTER')),
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.UniqueConstraint(fields=('track', 'name_folded'), name='collection_name_once_a_track'),
        ),
        migrations.AddConstraint(
            model_name='family',
            constraint=models.UniqueConstraint(fields=('task', 'name_folded'), name='family_name_once_a_task'),
        ),
        migrations.AddConstraint(
            model_name='picture',
            constraint=models.UniqueConstraint(fields=('task', 'name_folded'), name='picture_name_once_a_task'),
        ),
    ]
