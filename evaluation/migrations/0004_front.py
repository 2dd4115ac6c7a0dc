"""Names as they are compared, rates of people, who made teams and asked for reports."""

import django.db.models.deletion
import django.db.models.functions.text
import evaluation.access.names
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

from evaluation.core.text.names import folded


def fold_names(apps, schema_editor):
    """Fill the folded columns of rows that are there."""
    for model, source, target in (
        ("Run", "tag", "tag_folded"),
        ("Team", "name", "name_folded"),
        ("Track", "name", "name_folded"),
    ):
        rows = apps.get_model("evaluation", model).objects
        for key, value in rows.values_list("pk", source):
            rows.filter(pk=key).update(**{target: folded(value)})


class Migration(migrations.Migration):
    """Adds them, and fills them for the rows that are there."""


    dependencies = [
        ('evaluation', '0003_report_findings'),
    ]

    operations = [
        migrations.CreateModel(
            name='RateMeter',
            fields=[
                ('key', models.CharField(db_collation='C', max_length=200, primary_key=True, serialize=False)),
                ('full_at', models.DateTimeField()),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='team',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='team',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='team',
            name='delete_delete',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='track',
            name='update_update',
        ),
        migrations.RemoveConstraint(
            model_name='run',
            name='run_tag_once_a_task',
        ),
        migrations.RemoveConstraint(
            model_name='team',
            name='team_name_once_a_track',
        ),
        migrations.AddField(
            model_name='reportprogress',
            name='asked_by',
            field=models.ForeignKey(help_text='empty: the site itself', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='run',
            name='tag_folded',
            field=evaluation.access.names.FoldedField(db_collation='C', default='', editable=False, max_length=50, of='tag'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='team',
            name='created_by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='team',
            name='name_folded',
            field=evaluation.access.names.FoldedField(db_collation='C', default='', editable=False, max_length=1000, of='name'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='teamevent',
            name='created_by',
            field=models.ForeignKey(db_constraint=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='track',
            name='name_folded',
            field=evaluation.access.names.FoldedField(db_collation='C', default='', editable=False, max_length=1000, of='name'),
            preserve_default=False,
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        pgtrigger.migrations.AddTrigger(
            model_name='team',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_teamevent" ("created_at", "created_by_id", "has_link", "id", "is_baseline", "link_version", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."created_at", NEW."created_by_id", NEW."has_link", NEW."id", NEW."is_baseline", NEW."link_version", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."track_id"); RETURN NULL;', hash='95527a798e7505f330c9089ab7d6c9d62e0637dc', operation='INSERT', pgid='pgtrigger_insert_insert_e2a00', table='evaluation_team', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='team',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."created_by_id" IS DISTINCT FROM (NEW."created_by_id") OR OLD."has_link" IS DISTINCT FROM (NEW."has_link") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."is_baseline" IS DISTINCT FROM (NEW."is_baseline") OR OLD."link_version" IS DISTINCT FROM (NEW."link_version") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."track_id" IS DISTINCT FROM (NEW."track_id"))', func='INSERT INTO "evaluation_teamevent" ("created_at", "created_by_id", "has_link", "id", "is_baseline", "link_version", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."created_at", NEW."created_by_id", NEW."has_link", NEW."id", NEW."is_baseline", NEW."link_version", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='e122523a3af93fcb24985a775511ef032a04983f', operation='UPDATE', pgid='pgtrigger_update_update_81c3b', table='evaluation_team', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='team',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_teamevent" ("created_at", "created_by_id", "has_link", "id", "is_baseline", "link_version", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (OLD."created_at", OLD."created_by_id", OLD."has_link", OLD."id", OLD."is_baseline", OLD."link_version", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."track_id"); RETURN NULL;', hash='41eb887ef3157600a2295f573763422cb86af131', operation='DELETE', pgid='pgtrigger_delete_delete_a2a93', table='evaluation_team', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='track',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."citation" IS DISTINCT FROM (NEW."citation") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."description" IS DISTINCT FROM (NEW."description") OR OLD."doi" IS DISTINCT FROM (NEW."doi") OR OLD."guidelines" IS DISTINCT FROM (NEW."guidelines") OR OLD."has_public_runs" IS DISTINCT FROM (NEW."has_public_runs") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."licence" IS DISTINCT FROM (NEW."licence") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."year" IS DISTINCT FROM (NEW."year"))', func='INSERT INTO "evaluation_trackevent" ("citation", "created_at", "description", "doi", "guidelines", "has_public_runs", "id", "licence", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug", "year") VALUES (NEW."citation", NEW."created_at", NEW."description", NEW."doi", NEW."guidelines", NEW."has_public_runs", NEW."id", NEW."licence", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."slug", NEW."year"); RETURN NULL;', hash='7b729002b249e4954e7127d144112fb9f5da1c54', operation='UPDATE', pgid='pgtrigger_update_update_a1209', table='evaluation_track', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(models.F('task'), django.db.models.functions.text.Lower('tag'), condition=models.Q(('state', 'accepted')), name='run_tag_once_a_task', violation_error_message='Another accepted run has this tag; capitals do not count.'),
        ),
        migrations.AddConstraint(
            model_name='team',
            constraint=models.UniqueConstraint(fields=('track', 'name_folded'), name='team_name_once_a_track'),
        ),
        migrations.AddConstraint(
            model_name='team',
            constraint=models.CheckConstraint(condition=models.Q(('name__regex', '[\\u0001-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F-\\u1160\\u17B4-\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF\\U000F0000-\\U0010FFFD]'), _negated=True), name='team_name_is_visible', violation_error_message='The name has an invisible character. Type it again without.'),
        ),
        migrations.AddConstraint(
            model_name='track',
            constraint=models.UniqueConstraint(fields=('year', 'name_folded'), name='track_name_once_a_year'),
        ),
        migrations.AddConstraint(
            model_name='track',
            constraint=models.CheckConstraint(condition=models.Q(('name__regex', '[\\u0001-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F-\\u1160\\u17B4-\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF\\U000F0000-\\U0010FFFD]'), _negated=True), name='track_name_is_visible', violation_error_message='The name has an invisible character. Type it again without.'),
        ),
        migrations.AddIndex(
            model_name='ratemeter',
            index=models.Index(fields=['full_at'], name='rate_meter_full_at'),
        ),
        migrations.RunSQL(
            "ALTER TABLE evaluation_ratemeter SET UNLOGGED", "ALTER TABLE evaluation_ratemeter SET LOGGED"
        ),
    ]
