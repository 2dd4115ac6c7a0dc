"""Agreements that owners of teams sign become texts in guidelines; organizers approve the teams instead."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

from evaluation.access.schema.retiring import retired_rows

OF_TEAM = 'SELECT track_id FROM evaluation_team WHERE id = kept.team_id'
# The text stays where teams read it.
SHOWN = """
    UPDATE evaluation_track AS track
    SET guidelines = concat_ws(E'\\n\\n', nullif(track.guidelines, ''), '## Agreement', rules.agreement)
    FROM evaluation_entryrules AS rules WHERE rules.track_id = track.id AND btrim(rules.agreement) <> ''
"""
# Until the release, teams that have not signed must not upload. Those that have signed wait for approval.
IS_RUNNING = """
    btrim(rules.agreement) <> '' AND NOT rules.needs_approval
    AND NOT coalesce((
        SELECT bool_and(releases_at IS NOT NULL AND releases_at <= now())
        FROM evaluation_task WHERE track_id = rules.track_id
    ), false)
"""
APPLIED = f"""
    INSERT INTO evaluation_application (team_id, state, words, applied_at, applied_by_id, note)
    SELECT team.id, 'waiting', 'Signed the agreement with the SHA-256 ' || agreement_sha256, signed_at,
        signed_by_id, ''
    FROM evaluation_signature JOIN evaluation_team AS team ON team.id = team_id
    JOIN evaluation_entryrules AS rules ON rules.track_id = team.track_id
    WHERE agreement_sha256 = encode(sha256(convert_to(rules.agreement, 'UTF8')), 'hex') AND {IS_RUNNING}
        AND NOT team.is_baseline
    ON CONFLICT (team_id) DO NOTHING
"""
APPROVED = f"UPDATE evaluation_entryrules AS rules SET needs_approval = true WHERE {IS_RUNNING}"
CHECKED = 'SET CONSTRAINTS ALL IMMEDIATE'  # PostgreSQL cannot alter a table with pending foreign key checks


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0019_retired_rows'),
    ]

    operations = [
        retired_rows('evaluation_signature', track=OF_TEAM),
        retired_rows('evaluation_signatureevent', track=OF_TEAM, key='pgh_id'),
        retired_rows('evaluation_entryrules', track='kept.track_id', where="kept.agreement <> ''"),
        retired_rows(
            'evaluation_entryrulesevent', track='kept.track_id', where="kept.agreement <> ''", key='pgh_id'
        ),
        migrations.RunSQL([SHOWN, APPLIED, APPROVED, CHECKED, 'SET CONSTRAINTS ALL DEFERRED'], migrations.RunSQL.noop),
        migrations.DeleteModel(
            name='SignatureEvent',
        ),
        migrations.DeleteModel(
            name='Signature',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='entryrules',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='entryrules',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='entryrules',
            name='delete_delete',
        ),
        migrations.RemoveField(
            model_name='entryrules',
            name='agreement',
        ),
        migrations.RemoveField(
            model_name='entryrulesevent',
            name='agreement',
        ),
        migrations.AlterField(
            model_name='entryrules',
            name='needs_approval',
            field=models.BooleanField(default=False, help_text='Only approved teams can upload runs. Each team applies on its page. Link an agreement to sign in the guidelines, and approve the teams that have signed it.', verbose_name='organizers approve teams'),
        ),
        migrations.AlterField(
            model_name='entryrulesevent',
            name='needs_approval',
            field=models.BooleanField(default=False, help_text='Only approved teams can upload runs. Each team applies on its page. Link an agreement to sign in the guidelines, and approve the teams that have signed it.', verbose_name='organizers approve teams'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entryrules',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_entryrulesevent" ("id", "needs_approval", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."id", NEW."needs_approval", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."track_id"); RETURN NULL;', hash='cca4e655515dd25c7921703edc3485fddaa5c079', operation='INSERT', pgid='pgtrigger_insert_insert_24592', table='evaluation_entryrules', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entryrules',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_entryrulesevent" ("id", "needs_approval", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."id", NEW."needs_approval", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='f9e493d31dceb4c9629b25281f4b51c8c68007e3', operation='UPDATE', pgid='pgtrigger_update_update_428e6', table='evaluation_entryrules', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entryrules',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_entryrulesevent" ("id", "needs_approval", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (OLD."id", OLD."needs_approval", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."track_id"); RETURN NULL;', hash='dfbcd528f924955515471b73b65f6a2878615848', operation='DELETE', pgid='pgtrigger_delete_delete_a95cd', table='evaluation_entryrules', when='AFTER')),
        ),
    ]
