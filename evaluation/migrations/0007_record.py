"""Frozen items and criteria, recorded withdrawals, folded names, and more tables of changes."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import evaluation.access.folding
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0006_queues'),
        ('pghistory', '0007_auto_20250421_0444'),
    ]

    operations = [
        migrations.CreateModel(
            name='CollectionEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('name', models.CharField(max_length=120)),
                ('description', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CriteriaEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('instructions', models.TextField(blank=True)),
                ('grades', models.JSONField(help_text='Written as in [{"grade": 0, "name": "Non-relevant", "text": "…"}, {"grade": 1, "name": "Relevant", "text": "…"}].')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='DocumentEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('fields', models.JSONField(blank=True, default=list)),
                ('version', models.PositiveIntegerField(db_default=1, default=1, editable=False, help_text='Raised by each change of texts or image.')),
                ('docno', models.CharField(db_collation='C', max_length=255)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='FamilyEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('name', models.CharField(max_length=60)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='SubmissionQuestionEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('place', models.PositiveSmallIntegerField(default=1, help_text='Questions stand in rising order.')),
                ('name', models.SlugField(db_index=False, help_text='Names the reply in exports and in the API: training.', max_length=40)),
                ('text', models.CharField(max_length=300)),
                ('kind', models.CharField(choices=[('text', 'free text'), ('choice', 'one of several choices'), ('yes-no', 'yes or no')], default='text', max_length=6)),
                ('choices', models.TextField(blank=True, help_text='One a line, for a question with choices.')),
                ('is_required', models.BooleanField(default=False, help_text='No run is taken without a reply.')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TeamLimitEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('id', models.BigIntegerField()),
                ('max_runs', models.PositiveSmallIntegerField(blank=True, help_text='Empty: any number.', null=True, verbose_name='accepted runs, at most')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TokenEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('name', models.CharField(max_length=60)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read what you may see, but for what you see as an organizer'), ('submit', 'submit and withdraw runs'), ('organize', 'do both as the organizer that you are')], max_length=8), size=None)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='UserEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('name', models.CharField(blank=True, max_length=120)),
                ('is_active', models.BooleanField(default=True)),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
            ],
            options={
                'abstract': False,
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='criteria',
            name='criteria_are_immutable',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='run',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='run',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='topic',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='topic',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='topic',
            name='delete_delete',
        ),
        migrations.RemoveConstraint(
            model_name='collection',
            name='collection_name_once_a_track',
        ),
        migrations.RemoveConstraint(
            model_name='family',
            name='family_name_once_a_task',
        ),
        migrations.AddField(
            model_name='criteria',
            name='frozen_at',
            field=models.DateTimeField(editable=False, help_text='When somebody first judged by it; it stays from then on.', null=True),
        ),
        migrations.AddField(
            model_name='document',
            name='frozen_at',
            field=models.DateTimeField(editable=False, help_text='When it was first judged; texts and image stay from then on.', null=True),
        ),
        migrations.AddField(
            model_name='document',
            name='version',
            field=models.PositiveIntegerField(db_default=1, default=1, editable=False, help_text='Raised by each change of texts or image.'),
        ),
        migrations.AddField(
            model_name='run',
            name='withdrawal_reason',
            field=models.TextField(blank=True, editable=False, help_text='Of a withdrawal by the organizers; the leaderboard shows it.'),
        ),
        migrations.AddField(
            model_name='run',
            name='withdrawn_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='withdrawn_by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='runevent',
            name='is_late',
            field=models.BooleanField(default=False, editable=False, help_text='Received in the grace period after the close.'),
        ),
        migrations.AddField(
            model_name='runevent',
            name='state',
            field=models.CharField(choices=[('received', 'received'), ('rejected', 'rejected'), ('accepted', 'accepted'), ('replaced', 'replaced'), ('withdrawn', 'withdrawn')], default='received', editable=False, max_length=9),
        ),
        migrations.AddField(
            model_name='runevent',
            name='withdrawal_reason',
            field=models.TextField(blank=True, editable=False, help_text='Of a withdrawal by the organizers; the leaderboard shows it.'),
        ),
        migrations.AddField(
            model_name='runevent',
            name='withdrawn_by',
            field=models.ForeignKey(db_constraint=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='topic',
            name='frozen_at',
            field=models.DateTimeField(editable=False, help_text='When it was first judged; texts and image stay from then on.', null=True),
        ),
        migrations.AddField(
            model_name='topic',
            name='version',
            field=models.PositiveIntegerField(db_default=1, default=1, editable=False, help_text='Raised by each change of texts or image.'),
        ),
        migrations.AddField(
            model_name='topicevent',
            name='version',
            field=models.PositiveIntegerField(db_default=1, default=1, editable=False, help_text='Raised by each change of texts or image.'),
        ),
        migrations.AlterField(
            model_name='criteria',
            name='grades',
            field=models.JSONField(help_text='Written as in [{"grade": 0, "name": "Non-relevant", "text": "…"}, {"grade": 1, "name": "Relevant", "text": "…"}].'),
        ),
        migrations.AlterField(
            model_name='runevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='task_tag_state_withdrawn_by_withdrawal_reason_is_late_description_type_backbone_suggested_family_replies_pool_depth_pool_priority_events', to='evaluation.run'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collection',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_collectionevent" ("created_at", "description", "id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."created_at", NEW."description", NEW."id", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."track_id"); RETURN NULL;', hash='9fdaf948c39361a202425eb38edb232ff883bb23', operation='INSERT', pgid='pgtrigger_insert_insert_a278b', table='evaluation_collection', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collection',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_collectionevent" ("created_at", "description", "id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."created_at", NEW."description", NEW."id", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='a59b6471c07c312e525643fc74e6544c6f24d996', operation='UPDATE', pgid='pgtrigger_update_update_36d27', table='evaluation_collection', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collection',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_collectionevent" ("created_at", "description", "id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (OLD."created_at", OLD."description", OLD."id", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."track_id"); RETURN NULL;', hash='63a479c99c9e2c9a31532d13f3d40e54d7a3888c', operation='DELETE', pgid='pgtrigger_delete_delete_b9cb0', table='evaluation_collection', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='criteria',
            trigger=pgtrigger.compiler.Trigger(name='criteria_stay_once_used', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."frozen_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='17180eeabeb3570459c711a6debda80936add494', operation='UPDATE OR DELETE', pgid='pgtrigger_criteria_stay_once_used_bed63', table='evaluation_criteria', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='criteria',
            trigger=pgtrigger.compiler.Trigger(name='criteria_grades_are_a_scale', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE is_scale boolean;', func="\n    IF jsonb_typeof(NEW.grades) = 'array' THEN\n        SELECT count(*) BETWEEN 2 AND 20 AND bool_and(is_grade) AND count(DISTINCT name) = count(*)\n            AND bool_and(grade > coalesce(before, -1))\n        INTO is_scale\n        FROM (\n            SELECT *, lag(grade) OVER (ORDER BY place) AS before FROM (\n                SELECT place, is_grade, CASE WHEN is_grade THEN (each->>'grade')::int END AS grade,\n                    CASE WHEN is_grade THEN each->>'name' END AS name\n                FROM (\n                    SELECT place, each, CASE WHEN jsonb_typeof(each) = 'object' THEN\n                        each ?& array['grade', 'name', 'text']\n                        AND each - array['grade', 'name', 'text'] = '{}'\n                        AND jsonb_typeof(each->'grade') = 'number'\n                        AND (each->>'grade') ~ '^([0-9]|[1-9][0-9]|100)$'\n                        AND jsonb_typeof(each->'name') = 'string' AND (each->>'name') ~ '[^[:space:]]'\n                        AND length(each->>'name') <= 60\n                        AND jsonb_typeof(each->'text') = 'string' AND length(each->>'text') <= 2000\n                    ELSE false END AS is_grade\n                    FROM jsonb_array_elements(NEW.grades) WITH ORDINALITY AS entries(each, place)\n                ) AS entries\n            ) AS read\n        ) AS compared;\n    END IF;\n    IF is_scale IS NOT TRUE THEN\n        RAISE EXCEPTION 'criteria: the grades are not a scale' USING ERRCODE = 'check_violation';\n    END IF;\n    RETURN NEW;\n", hash='1f456b97abecfcbc4c1c28ce3b3705bcdee2f343', operation='INSERT OR UPDATE OF "grades"', pgid='pgtrigger_criteria_grades_are_a_scale_6399f', table='evaluation_criteria', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='criteria',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_criteriaevent" ("created_at", "grades", "id", "instructions", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "version") VALUES (NEW."created_at", NEW."grades", NEW."id", NEW."instructions", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."task_id", NEW."version"); RETURN NULL;', hash='6a4fa8fedb15d24a15d150103ee66d5b1c28cc85', operation='INSERT', pgid='pgtrigger_insert_insert_bcca7', table='evaluation_criteria', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='criteria',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."grades" IS DISTINCT FROM (NEW."grades") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."instructions" IS DISTINCT FROM (NEW."instructions") OR OLD."task_id" IS DISTINCT FROM (NEW."task_id") OR OLD."version" IS DISTINCT FROM (NEW."version"))', func='INSERT INTO "evaluation_criteriaevent" ("created_at", "grades", "id", "instructions", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "version") VALUES (NEW."created_at", NEW."grades", NEW."id", NEW."instructions", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."task_id", NEW."version"); RETURN NULL;', hash='c314317443b81ef3b204bc44df8504d2f895e6b2', operation='UPDATE', pgid='pgtrigger_update_update_f138b', table='evaluation_criteria', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='criteria',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_criteriaevent" ("created_at", "grades", "id", "instructions", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "version") VALUES (OLD."created_at", OLD."grades", OLD."id", OLD."instructions", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."task_id", OLD."version"); RETURN NULL;', hash='5a7fb8624b063c54d4f232a3bf89f732bc1f98c8', operation='DELETE', pgid='pgtrigger_delete_delete_20baf', table='evaluation_criteria', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='document_text_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.fields IS DISTINCT FROM NEW.fields OR OLD.image_id IS DISTINCT FROM NEW.image_id OR OLD.collection_id IS DISTINCT FROM NEW.collection_id OR OLD.docno IS DISTINCT FROM NEW.docno OR (OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NULL))', func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE collection_id = OLD.collection_id AND releases_at <= now()) THEN\n                    RAISE EXCEPTION 'the document is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                NEW.version := OLD.version + 1;\n                RETURN NEW;\n            ", hash='f417fbf44e07376651a28a38d0c1533deb59202a', operation='UPDATE', pgid='pgtrigger_document_text_is_frozen_66c68', table='evaluation_document', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='document_stays_once_judged', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE collection_id = OLD.collection_id AND releases_at <= now()) THEN\n                    RAISE EXCEPTION 'the document is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                RETURN OLD;\n            ", hash='9086a343ce148ce3d65f37927d83a0c31b725df0', operation='DELETE', pgid='pgtrigger_document_stays_once_judged_d5fbf', table='evaluation_document', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_documentevent" ("collection_id", "docno", "fields", "id", "image_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "version") VALUES (NEW."collection_id", NEW."docno", NEW."fields", NEW."id", NEW."image_id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."version"); RETURN NULL;', hash='4332effeb55da52d2bf9300a3d01307b5145bb65', operation='INSERT', pgid='pgtrigger_insert_insert_d0439', table='evaluation_document', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."collection_id" IS DISTINCT FROM (NEW."collection_id") OR OLD."docno" IS DISTINCT FROM (NEW."docno") OR OLD."fields" IS DISTINCT FROM (NEW."fields") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."image_id" IS DISTINCT FROM (NEW."image_id") OR OLD."version" IS DISTINCT FROM (NEW."version"))', func='INSERT INTO "evaluation_documentevent" ("collection_id", "docno", "fields", "id", "image_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "version") VALUES (NEW."collection_id", NEW."docno", NEW."fields", NEW."id", NEW."image_id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."version"); RETURN NULL;', hash='8dac17dd80ff98b0618777a46be5466a6d255236', operation='UPDATE', pgid='pgtrigger_update_update_13183', table='evaluation_document', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_documentevent" ("collection_id", "docno", "fields", "id", "image_id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "version") VALUES (OLD."collection_id", OLD."docno", OLD."fields", OLD."id", OLD."image_id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."version"); RETURN NULL;', hash='76be1d5651656a6c0a2fd4698c8e53a32ab9bf33', operation='DELETE', pgid='pgtrigger_delete_delete_dffd2', table='evaluation_document', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='family',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_familyevent" ("id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id") VALUES (NEW."id", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."task_id"); RETURN NULL;', hash='75d3e860266945233b9d8556fe58643dddc149e9', operation='INSERT', pgid='pgtrigger_insert_insert_a3e9d', table='evaluation_family', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='family',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_familyevent" ("id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id") VALUES (NEW."id", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."task_id"); RETURN NULL;', hash='0c055265363dfc0d6b3a481fa32950d23dbf9c2d', operation='UPDATE', pgid='pgtrigger_update_update_520bf', table='evaluation_family', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='family',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_familyevent" ("id", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id") VALUES (OLD."id", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."task_id"); RETURN NULL;', hash='5eba301239279dc13b30fb454318863462728515', operation='DELETE', pgid='pgtrigger_delete_delete_c24a3', table='evaluation_family', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='qrelspair',
            trigger=pgtrigger.compiler.Trigger(name='graded_items_are_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func='\n    UPDATE evaluation_topic AS topic SET frozen_at = clock_timestamp()\n    FROM (\n        SELECT DISTINCT task_id, topic FROM graded JOIN evaluation_qrels ON evaluation_qrels.id = qrels_id\n        WHERE grade IS NOT NULL\n    ) AS found\n    WHERE topic.task_id = found.task_id AND topic.number = found.topic AND frozen_at IS NULL;\n    UPDATE evaluation_document AS document SET frozen_at = clock_timestamp()\n    FROM (\n        SELECT DISTINCT collection_id, docno FROM graded\n        JOIN evaluation_qrels ON evaluation_qrels.id = qrels_id\n        JOIN evaluation_task ON evaluation_task.id = task_id WHERE grade IS NOT NULL\n    ) AS found\n    WHERE document.collection_id = found.collection_id AND document.docno = found.docno AND frozen_at IS NULL;\n    RETURN NULL;\n', hash='d7d2e764a4e5e1fd75c1566048da49bc019837b0', level='STATEMENT', operation='INSERT', pgid='pgtrigger_graded_items_are_frozen_d55e6', referencing='REFERENCING NEW TABLE AS graded ', table='evaluation_qrelspair', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='run',
            trigger=pgtrigger.compiler.Trigger(name='a_withdrawal_after_the_close_has_a_reason', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."state" = \'withdrawn\')', func="\n                    IF OLD.state = 'withdrawn' THEN\n                        RAISE EXCEPTION 'run % is withdrawn, and that is final', OLD.id;\n                    END IF;\n                    IF NEW.withdrawal_reason = '' AND (\n                        EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND closes_at < now())\n                        OR EXISTS (SELECT FROM evaluation_poolrun WHERE run_id = OLD.id)\n                    ) THEN\n                        RAISE EXCEPTION 'run % is closed or pooled: its withdrawal needs a reason', OLD.id;\n                    END IF;\n                    RETURN NEW;\n                ", hash='8dc839d24d567e5e9e2b9abb3141a93a50cb036e', operation='UPDATE OF "state", "withdrawal_reason"', pgid='pgtrigger_a_withdrawal_after_the_close_has_a_reason_896ec', table='evaluation_run', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='run',
            trigger=pgtrigger.compiler.Trigger(name='what_no_longer_counts_stays_so', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (OLD.state <> NEW.state AND (OLD.state IN ('rejected', 'replaced', 'withdrawn') OR (OLD.state = 'accepted' AND NEW.state IN ('received', 'rejected'))))", func='RAISE EXCEPTION \'pgtrigger: Cannot update of "state" rows from % table\', TG_TABLE_NAME;', hash='0ada2f38b872c8d3a789fc7e1bf62ad1427171af', operation='UPDATE OF "state"', pgid='pgtrigger_what_no_longer_counts_stays_so_16992', table='evaluation_run', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='run',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_runevent" ("backbone", "description", "is_late", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pool_depth", "pool_priority", "replies", "state", "suggested_family", "tag", "task_id", "type", "withdrawal_reason", "withdrawn_by_id") VALUES (NEW."backbone", NEW."description", NEW."is_late", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."pool_depth", NEW."pool_priority", NEW."replies", NEW."state", NEW."suggested_family", NEW."tag", NEW."task_id", NEW."type", NEW."withdrawal_reason", NEW."withdrawn_by_id"); RETURN NULL;', hash='a51a1f417d0b50039ce1eca0b076c7c05a4de95c', operation='INSERT', pgid='pgtrigger_insert_insert_3f1ef', table='evaluation_run', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='run',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."backbone" IS DISTINCT FROM (NEW."backbone") OR OLD."description" IS DISTINCT FROM (NEW."description") OR OLD."is_late" IS DISTINCT FROM (NEW."is_late") OR OLD."pool_depth" IS DISTINCT FROM (NEW."pool_depth") OR OLD."pool_priority" IS DISTINCT FROM (NEW."pool_priority") OR OLD."replies" IS DISTINCT FROM (NEW."replies") OR OLD."state" IS DISTINCT FROM (NEW."state") OR OLD."suggested_family" IS DISTINCT FROM (NEW."suggested_family") OR OLD."type" IS DISTINCT FROM (NEW."type") OR OLD."withdrawal_reason" IS DISTINCT FROM (NEW."withdrawal_reason") OR OLD."withdrawn_by_id" IS DISTINCT FROM (NEW."withdrawn_by_id"))', func='INSERT INTO "evaluation_runevent" ("backbone", "description", "is_late", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pool_depth", "pool_priority", "replies", "state", "suggested_family", "tag", "task_id", "type", "withdrawal_reason", "withdrawn_by_id") VALUES (NEW."backbone", NEW."description", NEW."is_late", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."pool_depth", NEW."pool_priority", NEW."replies", NEW."state", NEW."suggested_family", NEW."tag", NEW."task_id", NEW."type", NEW."withdrawal_reason", NEW."withdrawn_by_id"); RETURN NULL;', hash='f574d9645180d661cc29e5ddd01dbb0f93113300', operation='UPDATE', pgid='pgtrigger_update_update_71874', table='evaluation_run', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submissionquestion',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_submissionquestionevent" ("choices", "id", "is_required", "kind", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (NEW."choices", NEW."id", NEW."is_required", NEW."kind", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."place", NEW."task_id", NEW."text"); RETURN NULL;', hash='8d904a86c5e39df9d30e4ea5d3c4cdce693cb8e9', operation='INSERT', pgid='pgtrigger_insert_insert_52b18', table='evaluation_submissionquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submissionquestion',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_submissionquestionevent" ("choices", "id", "is_required", "kind", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (NEW."choices", NEW."id", NEW."is_required", NEW."kind", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."place", NEW."task_id", NEW."text"); RETURN NULL;', hash='e54371ab86487f9a1ae3d5e8efc557e7027db1ca', operation='UPDATE', pgid='pgtrigger_update_update_84b52', table='evaluation_submissionquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submissionquestion',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_submissionquestionevent" ("choices", "id", "is_required", "kind", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "task_id", "text") VALUES (OLD."choices", OLD."id", OLD."is_required", OLD."kind", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."place", OLD."task_id", OLD."text"); RETURN NULL;', hash='ce463b940a1e82f8bed98812118389a5f1f15712', operation='DELETE', pgid='pgtrigger_delete_delete_50145', table='evaluation_submissionquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='teamlimit',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_teamlimitevent" ("id", "max_runs", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "team_id") VALUES (NEW."id", NEW."max_runs", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."task_id", NEW."team_id"); RETURN NULL;', hash='abfacb7b0dc58f9b8d383b81798aa128c2628407', operation='INSERT', pgid='pgtrigger_insert_insert_e2498', table='evaluation_teamlimit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='teamlimit',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_teamlimitevent" ("id", "max_runs", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "team_id") VALUES (NEW."id", NEW."max_runs", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."task_id", NEW."team_id"); RETURN NULL;', hash='0f872206bcf05722cdb2a30c0a7621fc690959b6', operation='UPDATE', pgid='pgtrigger_update_update_41c4f', table='evaluation_teamlimit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='teamlimit',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_teamlimitevent" ("id", "max_runs", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "task_id", "team_id") VALUES (OLD."id", OLD."max_runs", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."task_id", OLD."team_id"); RETURN NULL;', hash='fb88b2b5880bac67c25ea131b44aaa6c3fdd7c69', operation='DELETE', pgid='pgtrigger_delete_delete_feb42', table='evaluation_teamlimit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='token',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_tokenevent" ("created_at", "expires_at", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "revoked_at", "scopes", "user_id") VALUES (NEW."created_at", NEW."expires_at", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."revoked_at", NEW."scopes", NEW."user_id"); RETURN NULL;', hash='a0861081c6fda1fd4d3ade5e4164c5db6fae0998', operation='INSERT', pgid='pgtrigger_insert_insert_de534', table='evaluation_token', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='token',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."expires_at" IS DISTINCT FROM (NEW."expires_at") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."revoked_at" IS DISTINCT FROM (NEW."revoked_at") OR OLD."scopes" IS DISTINCT FROM (NEW."scopes") OR OLD."user_id" IS DISTINCT FROM (NEW."user_id"))', func='INSERT INTO "evaluation_tokenevent" ("created_at", "expires_at", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "revoked_at", "scopes", "user_id") VALUES (NEW."created_at", NEW."expires_at", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."revoked_at", NEW."scopes", NEW."user_id"); RETURN NULL;', hash='04e59f3cb6915844b5d469e75af9a880edf20969', operation='UPDATE', pgid='pgtrigger_update_update_02820', table='evaluation_token', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='token',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_tokenevent" ("created_at", "expires_at", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "revoked_at", "scopes", "user_id") VALUES (OLD."created_at", OLD."expires_at", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."revoked_at", OLD."scopes", OLD."user_id"); RETURN NULL;', hash='36de1b5cbb4d157af168ec3f76d3918865713118', operation='DELETE', pgid='pgtrigger_delete_delete_d9a22', table='evaluation_token', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='topic_text_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.fields IS DISTINCT FROM NEW.fields OR OLD.image_id IS DISTINCT FROM NEW.image_id OR OLD.task_id IS DISTINCT FROM NEW.task_id OR OLD.number IS DISTINCT FROM NEW.number OR (OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NULL))', func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND releases_at <= now()) THEN\n                    RAISE EXCEPTION 'the topic is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                NEW.version := OLD.version + 1;\n                RETURN NEW;\n            ", hash='4300400875f96ed08cd44d6a32f9b779fb3a66c9', operation='UPDATE', pgid='pgtrigger_topic_text_is_frozen_dff04', table='evaluation_topic', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='topic_stays_once_judged', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                IF OLD.frozen_at IS NOT NULL OR EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND releases_at <= now()) THEN\n                    RAISE EXCEPTION 'the topic is judged or released: its text and image stay' USING ERRCODE = 'TS001';\n                END IF;\n                RETURN OLD;\n            ", hash='b12c47f9ed9533188a94a3a6a99fbf50e7a7c1d0', operation='DELETE', pgid='pgtrigger_topic_stays_once_judged_3bf71', table='evaluation_topic', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_topicevent" ("fields", "id", "image_id", "note", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "state", "task_id", "version") VALUES (NEW."fields", NEW."id", NEW."image_id", NEW."note", NEW."number", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."state", NEW."task_id", NEW."version"); RETURN NULL;', hash='d542738a9e7078df2c14d0da5e3922cda09e808d', operation='INSERT', pgid='pgtrigger_insert_insert_c40bc', table='evaluation_topic', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."fields" IS DISTINCT FROM (NEW."fields") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."image_id" IS DISTINCT FROM (NEW."image_id") OR OLD."note" IS DISTINCT FROM (NEW."note") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."state" IS DISTINCT FROM (NEW."state") OR OLD."task_id" IS DISTINCT FROM (NEW."task_id") OR OLD."version" IS DISTINCT FROM (NEW."version"))', func='INSERT INTO "evaluation_topicevent" ("fields", "id", "image_id", "note", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "state", "task_id", "version") VALUES (NEW."fields", NEW."id", NEW."image_id", NEW."note", NEW."number", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."state", NEW."task_id", NEW."version"); RETURN NULL;', hash='14ae0bf56284805d7172471d66f041ccf601f175', operation='UPDATE', pgid='pgtrigger_update_update_a95ea', table='evaluation_topic', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topic',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_topicevent" ("fields", "id", "image_id", "note", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "state", "task_id", "version") VALUES (OLD."fields", OLD."id", OLD."image_id", OLD."note", OLD."number", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."state", OLD."task_id", OLD."version"); RETURN NULL;', hash='34a69118220ca1476a20b2a57f1dac06e24e21c4', operation='DELETE', pgid='pgtrigger_delete_delete_88430', table='evaluation_topic', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_userevent" ("email", "is_active", "is_superuser", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."email", NEW."is_active", NEW."is_superuser", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id"); RETURN NULL;', hash='163403df427f2d4c7283db432cdcf8a310fedad7', operation='INSERT', pgid='pgtrigger_insert_insert_02847', table='evaluation_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."email" IS DISTINCT FROM (NEW."email") OR OLD."is_active" IS DISTINCT FROM (NEW."is_active") OR OLD."is_superuser" IS DISTINCT FROM (NEW."is_superuser") OR OLD."name" IS DISTINCT FROM (NEW."name"))', func='INSERT INTO "evaluation_userevent" ("email", "is_active", "is_superuser", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."email", NEW."is_active", NEW."is_superuser", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id"); RETURN NULL;', hash='29f05e4cba5ce8e59f8c0712aa1286755d931aea', operation='UPDATE', pgid='pgtrigger_update_update_22464', table='evaluation_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_userevent" ("email", "is_active", "is_superuser", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (OLD."email", OLD."is_active", OLD."is_superuser", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id"); RETURN NULL;', hash='b310ed8dca63202f10f23e9037e2159708a8fc3d', operation='DELETE', pgid='pgtrigger_delete_delete_58d75', table='evaluation_user', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.UniqueConstraint(models.F('track'), django.db.models.functions.text.Lower(evaluation.access.folding.Normalized('name')), name='collection_name_once_a_track'),
        ),
        migrations.AddConstraint(
            model_name='family',
            constraint=models.UniqueConstraint(models.F('task'), django.db.models.functions.text.Lower(evaluation.access.folding.Normalized('name')), name='family_name_once_a_task'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('withdrawal_reason', ''), ('withdrawn_at__isnull', True), ('withdrawn_by__isnull', True)), models.Q(('state', 'withdrawn'), ('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False)), _connector='OR'), name='run_withdrawal_by_somebody'),
        ),
        migrations.AddField(
            model_name='collectionevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='collectionevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.collection'),
        ),
        migrations.AddField(
            model_name='collectionevent',
            name='track',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.track'),
        ),
        migrations.AddField(
            model_name='criteriaevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='criteriaevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.criteria'),
        ),
        migrations.AddField(
            model_name='criteriaevent',
            name='task',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task'),
        ),
        migrations.AddField(
            model_name='documentevent',
            name='collection',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.collection'),
        ),
        migrations.AddField(
            model_name='documentevent',
            name='image',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.image'),
        ),
        migrations.AddField(
            model_name='documentevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='documentevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.document'),
        ),
        migrations.AddField(
            model_name='familyevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='familyevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.family'),
        ),
        migrations.AddField(
            model_name='familyevent',
            name='task',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task'),
        ),
        migrations.AddField(
            model_name='submissionquestionevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='submissionquestionevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.submissionquestion'),
        ),
        migrations.AddField(
            model_name='submissionquestionevent',
            name='task',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task'),
        ),
        migrations.AddField(
            model_name='teamlimitevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='teamlimitevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.teamlimit'),
        ),
        migrations.AddField(
            model_name='teamlimitevent',
            name='task',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task'),
        ),
        migrations.AddField(
            model_name='teamlimitevent',
            name='team',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.team'),
        ),
        migrations.AddField(
            model_name='tokenevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='tokenevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='user_name_scopes_created_at_expires_at_revoked_at_events', to='evaluation.token'),
        ),
        migrations.AddField(
            model_name='tokenevent',
            name='user',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='userevent',
            name='pgh_context',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context'),
        ),
        migrations.AddField(
            model_name='userevent',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='email_name_is_active_is_superuser_events', to=settings.AUTH_USER_MODEL),
        ),
    ]
