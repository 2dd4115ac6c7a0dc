"""Verdicts leave the rows of their runs; attempts of checks are counted."""

import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.lookups
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


# A verdict keeps the number of its run. The counts by topic are what made old ones large; they stay behind.
MOVE = """
    INSERT INTO evaluation_runverdict (id, content)
    SELECT id, jsonb_set(
        old_verdict, '{summary}',
        old_verdict -> 'summary' || '{"results": [], "least": null, "median": null, "most": null}'
    ) FROM evaluation_run WHERE old_verdict IS NOT NULL;
    UPDATE evaluation_run SET verdict_id = id WHERE old_verdict IS NOT NULL;
    SELECT setval(
        pg_get_serial_sequence('evaluation_runverdict', 'id'),
        (SELECT max(id) FROM evaluation_runverdict) + 1, false
    ) WHERE EXISTS (SELECT FROM evaluation_runverdict);
    SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0004_front'),
    ]

    operations = [
        migrations.CreateModel(
            name='RunVerdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.JSONField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='run',
            name='run_verdict_once_checked',
        ),
        migrations.RemoveConstraint(
            model_name='run',
            name='run_tag_iff_accepted',
        ),
        migrations.AddField(
            model_name='run',
            name='check_attempt_count',
            field=models.PositiveSmallIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name='run',
            name='check_error',
            field=models.TextField(blank=True, editable=False),
        ),
        migrations.AlterField(
            model_name='run',
            name='state',
            field=models.CharField(choices=[('received', 'received'), ('parked', 'parked'), ('rejected', 'rejected'), ('accepted', 'accepted'), ('replaced', 'replaced'), ('withdrawn', 'withdrawn')], default='received', editable=False, max_length=9),
        ),
        migrations.AddConstraint(
            model_name='runverdict',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(models.Func(django.db.models.functions.comparison.Cast('content', models.TextField()), function='octet_length', output_field=models.IntegerField()), 64000), name='run_verdict_is_small'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='runverdict',
            trigger=pgtrigger.compiler.Trigger(name='verdicts_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='ff3f215b2939fee55944bdb9b8d7e4a6af49665c', operation='UPDATE OR DELETE', pgid='pgtrigger_verdicts_are_immutable_3aef7', table='evaluation_runverdict', when='BEFORE')),
        ),
        migrations.RenameField(model_name='run', old_name='verdict', new_name='old_verdict'),
        migrations.AddField(
            model_name='run',
            name='verdict',
            field=models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, to='evaluation.runverdict'),
        ),
        migrations.RunSQL(MOVE, migrations.RunSQL.noop),
        migrations.RemoveField(model_name='run', name='old_verdict'),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('checked_at__isnull', True), ('state__in', ('received', 'parked')), ('verdict__isnull', True)), models.Q(models.Q(('state__in', ('received', 'parked')), _negated=True), ('checked_at__isnull', False), ('verdict__isnull', False)), _connector='OR'), name='run_verdict_once_checked'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ('received', 'parked', 'rejected')), ('tag', '')), models.Q(models.Q(('state__in', ('received', 'parked', 'rejected')), _negated=True), ('tag__regex', '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$')), _connector='OR'), name='run_tag_iff_accepted'),
        ),
    ]
