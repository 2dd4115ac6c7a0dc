"""The test collection: all tables of `evaluation`, with their constraints, indexes and triggers."""

import datetime
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

from evaluation.access.triggers import install_triggers

# What rate limits count in; django.core.cache reads it.
CACHE = """
    CREATE TABLE cache (cache_key varchar(255) PRIMARY KEY, value text NOT NULL, expires timestamptz NOT NULL);
    CREATE INDEX cache_expires ON cache (expires);
"""
# Compressing took half of a check, and docnos such as UUIDs barely shrink. Django's state does not change.
RANKINGS_AS_THEY_ARE = """
    ALTER TABLE evaluation_ranking ALTER docnos SET STORAGE EXTERNAL, ALTER scores SET STORAGE EXTERNAL
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('pghistory', '0007_auto_20250421_0444'),
    ]

    operations = [
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('sha256', models.CharField(db_collation='C', max_length=64, primary_key=True, serialize=False)),
                ('size', models.PositiveBigIntegerField(help_text='bytes')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('sha256__regex', '^[0-9a-f]{64}$')), name='blob_key_is_sha256')],
                'triggers': [pgtrigger.compiler.Trigger(name='blobs_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='22a1a367f9611d6ba87a8652a6de945357cefe1f', operation='UPDATE', pgid='pgtrigger_blobs_are_immutable_ab2d1', table='evaluation_blob', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                ('name', models.CharField(blank=True, max_length=120)),
                ('is_active', models.BooleanField(default=True)),
                ('has_reminders', models.BooleanField(default=True, help_text='Mails when a task closes soon and when it is released.', verbose_name='reminders')),
                ('joined_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_unique')],
            },
        ),
        migrations.CreateModel(
            name='Track',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(unique=True)),
                ('name', models.CharField(max_length=120)),
                ('year', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1992), django.core.validators.MaxValueValidator(2100)])),
                ('description', models.TextField(blank=True)),
                ('guidelines', models.TextField(blank=True, help_text='Markdown. Links may lead to http, https and mailto; pictures and HTML are not shown.')),
                ('licence', models.CharField(blank=True, help_text='Of the test collection at its release: CC BY 4.0.', max_length=120)),
                ('citation', models.TextField(blank=True, help_text='A BibTeX entry. Empty: one is made of name and year.')),
                ('doi', models.CharField(blank=True, help_text='10.5281/zenodo.1234567', max_length=120, verbose_name='DOI')),
                ('has_public_runs', models.BooleanField(default=False, help_text='Whether everybody may download accepted runs at the release.', verbose_name='publish runs')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'ordering': ['-year', 'name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('doi', ''), ('doi__regex', '^10\\.[0-9]{4,9}/[^[:space:]]+$'), _connector='OR'), name='track_doi_is_one', violation_error_message='A DOI is one word that begins with 10., as 10.5281/zenodo.1234567.')],
                'triggers': [pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_trackevent" ("citation", "created_at", "description", "doi", "guidelines", "has_public_runs", "id", "licence", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug", "year") VALUES (NEW."citation", NEW."created_at", NEW."description", NEW."doi", NEW."guidelines", NEW."has_public_runs", NEW."id", NEW."licence", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."slug", NEW."year"); RETURN NULL;', hash='c95b437a2e8da2b040c0e76255dbf99d37e4c23f', operation='INSERT', pgid='pgtrigger_insert_insert_d8976', table='evaluation_track', when='AFTER')), pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_trackevent" ("citation", "created_at", "description", "doi", "guidelines", "has_public_runs", "id", "licence", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug", "year") VALUES (NEW."citation", NEW."created_at", NEW."description", NEW."doi", NEW."guidelines", NEW."has_public_runs", NEW."id", NEW."licence", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."slug", NEW."year"); RETURN NULL;', hash='4a5b8557ab7ef25718b9d1f5b26552175103913f', operation='UPDATE', pgid='pgtrigger_update_update_a1209', table='evaluation_track', when='AFTER')), pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_trackevent" ("citation", "created_at", "description", "doi", "guidelines", "has_public_runs", "id", "licence", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug", "year") VALUES (OLD."citation", OLD."created_at", OLD."description", OLD."doi", OLD."guidelines", OLD."has_public_runs", OLD."id", OLD."licence", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."slug", OLD."year"); RETURN NULL;', hash='674813d06839b8b9b912107bfa7c7575b8e8fe44', operation='DELETE', pgid='pgtrigger_delete_delete_cd8cc', table='evaluation_track', when='AFTER'))],
            },
        ),
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(max_length=40)),
                ('to', models.CharField(max_length=254)),
                ('subject', models.CharField(max_length=255)),
                ('text', models.TextField(blank=True)),
                ('once', models.CharField(blank=True, max_length=120)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('error', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['-made_at'],
                'indexes': [models.Index(models.F('due_at'), condition=models.Q(('sent_at__isnull', True)), name='mail_due')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('once', ''), _negated=True), fields=('once',), name='mail_told_once'), models.CheckConstraint(condition=models.Q(('sent_at__isnull', True), ('text', ''), _connector='OR'), name='mail_text_wiped_once_sent')],
            },
        ),
        migrations.CreateModel(
            name='Image',
            fields=[
                ('sha256', models.CharField(db_collation='C', max_length=64, primary_key=True, serialize=False)),
                ('original', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.blob')),
                ('display', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.blob')),
                ('small', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.blob')),
                ('thumbnail', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.blob')),
                ('width', models.PositiveIntegerField(help_text='pixels of the original, turned')),
                ('height', models.PositiveIntegerField(help_text='pixels of the original, turned')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'triggers': [pgtrigger.compiler.Trigger(name='images_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='69e21f6e25c5f5a26bc96a360deec903b50d7d2c', operation='UPDATE', pgid='pgtrigger_images_are_immutable_05fb1', table='evaluation_image', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='evaluation.track')),
                ('email', models.EmailField(max_length=254)),
                ('role', models.CharField(choices=[('assessor', 'assessor')], max_length=16)),
                ('token_sha256', models.CharField(editable=False, max_length=64, unique=True)),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(editable=False, null=True)),
                ('accepted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('accepted_at__isnull', True), ('accepted_by__isnull', True)), models.Q(('accepted_at__isnull', False), ('accepted_by__isnull', False)), _connector='OR'), name='invitation_accepted_by_someone')],
                'triggers': [pgtrigger.compiler.Trigger(name='accepted_invitation_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."accepted_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='7de198e5d3898f5df34ca33368dbb6f77d62232f', operation='UPDATE', pgid='pgtrigger_accepted_invitation_is_final_3d251', table='evaluation_invitation', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='TrackEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.track')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('id', models.BigIntegerField()),
                ('slug', models.SlugField(db_index=False)),
                ('name', models.CharField(max_length=120)),
                ('year', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1992), django.core.validators.MaxValueValidator(2100)])),
                ('description', models.TextField(blank=True)),
                ('guidelines', models.TextField(blank=True, help_text='Markdown. Links may lead to http, https and mailto; pictures and HTML are not shown.')),
                ('licence', models.CharField(blank=True, help_text='Of the test collection at its release: CC BY 4.0.', max_length=120)),
                ('citation', models.TextField(blank=True, help_text='A BibTeX entry. Empty: one is made of name and year.')),
                ('doi', models.CharField(blank=True, help_text='10.5281/zenodo.1234567', max_length=120, verbose_name='DOI')),
                ('has_public_runs', models.BooleanField(default=False, help_text='Whether everybody may download accepted runs at the release.', verbose_name='publish runs')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Collection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='collections', to='evaluation.track')),
                ('name', models.CharField(max_length=120)),
                ('description', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'ordering': ['track', 'name'],
                'constraints': [models.UniqueConstraint(fields=('track', 'name'), name='collection_name_once_a_track')],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='evaluation.track')),
                ('name', models.CharField(db_collation='C', max_length=60)),
                ('is_baseline', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('has_link', models.BooleanField(default=False, editable=False)),
                ('link_version', models.PositiveIntegerField(default=0, editable=False)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('track', 'name'), name='team_name_once_a_track')],
                'triggers': [pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_teamevent" ("created_at", "has_link", "id", "is_baseline", "link_version", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."created_at", NEW."has_link", NEW."id", NEW."is_baseline", NEW."link_version", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."track_id"); RETURN NULL;', hash='b32f1582b4f6b05b920af7bfa81ac8993c8870ed', operation='INSERT', pgid='pgtrigger_insert_insert_e2a00', table='evaluation_team', when='AFTER')), pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_teamevent" ("created_at", "has_link", "id", "is_baseline", "link_version", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (NEW."created_at", NEW."has_link", NEW."id", NEW."is_baseline", NEW."link_version", NEW."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."track_id"); RETURN NULL;', hash='89af9d038a8941d407702d8c9d4ccfd24494ad42', operation='UPDATE', pgid='pgtrigger_update_update_81c3b', table='evaluation_team', when='AFTER')), pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_teamevent" ("created_at", "has_link", "id", "is_baseline", "link_version", "name", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "track_id") VALUES (OLD."created_at", OLD."has_link", OLD."id", OLD."is_baseline", OLD."link_version", OLD."name", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."track_id"); RETURN NULL;', hash='54f8c9702450c7fc4fe2852359c281c988501512', operation='DELETE', pgid='pgtrigger_delete_delete_a2a93', table='evaluation_team', when='AFTER'))],
            },
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                ('name', models.CharField(max_length=60)),
                ('prefix', models.CharField(editable=False, max_length=20)),
                ('sha256', models.CharField(editable=False, max_length=64, unique=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read what you may see, but for what you see as an organizer'), ('submit', 'submit and withdraw runs'), ('organize', 'do both as the organizer that you are')], max_length=8), size=None)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(editable=False, help_text='To the minute.', null=True, verbose_name='last used at')),
                ('revoked_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'ordering': ['-created_at'],
                'constraints': [models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'submit', 'organize']), ('scopes__len__gte', 1)), name='token_scopes_known')],
                'triggers': [pgtrigger.compiler.Trigger(name='a_token_stays_what_it_was_made_for', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."user_id" IS DISTINCT FROM (NEW."user_id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."prefix" IS DISTINCT FROM (NEW."prefix") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."scopes" IS DISTINCT FROM (NEW."scopes") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."expires_at" IS DISTINCT FROM (NEW."expires_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='0d82bc417fbaae0833f0b837ee60887179ddb6b7', operation='UPDATE', pgid='pgtrigger_a_token_stays_what_it_was_made_for_49727', table='evaluation_token', when='BEFORE')), pgtrigger.compiler.Trigger(name='a_revoked_token_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."revoked_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='cddeb96dcac32279df83b18d983fc3eb66b779d5', operation='UPDATE', pgid='pgtrigger_a_revoked_token_is_final_2f8a5', table='evaluation_token', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='evaluation.track')),
                ('role', models.CharField(choices=[('organizer', 'organizer'), ('assessor', 'assessor'), ('team_owner', 'team owner'), ('team_member', 'team member')], max_length=16)),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='evaluation.team')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'track', 'role', 'team'), name='membership_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('role__in', ('team_owner', 'team_member')), ('team__isnull', False)), models.Q(models.Q(('role__in', ('team_owner', 'team_member')), _negated=True), ('team__isnull', True)), _connector='OR'), name='membership_team_iff_team_role', violation_error_message='Name a team for a team role, and none for an organizer or assessor.')],
                'triggers': [pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_membershipevent" ("created_at", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "role", "team_id", "track_id", "user_id") VALUES (NEW."created_at", NEW."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."role", NEW."team_id", NEW."track_id", NEW."user_id"); RETURN NULL;', hash='7d89787fd68e706a72a6dcbe19ea9740e2ea9663', operation='INSERT', pgid='pgtrigger_insert_insert_c23b1', table='evaluation_membership', when='AFTER')), pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_membershipevent" ("created_at", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "role", "team_id", "track_id", "user_id") VALUES (NEW."created_at", NEW."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."role", NEW."team_id", NEW."track_id", NEW."user_id"); RETURN NULL;', hash='14399a4043535d8e7b556108e8b824c3b49656b0', operation='UPDATE', pgid='pgtrigger_update_update_6abae', table='evaluation_membership', when='AFTER')), pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_membershipevent" ("created_at", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "role", "team_id", "track_id", "user_id") VALUES (OLD."created_at", OLD."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."role", OLD."team_id", OLD."track_id", OLD."user_id"); RETURN NULL;', hash='b6acd26e1615f210ae548a362c292200f8f75eb3', operation='DELETE', pgid='pgtrigger_delete_delete_1de4e', table='evaluation_membership', when='AFTER'))],
            },
        ),
        migrations.CreateModel(
            name='Task',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('track', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='evaluation.track')),
                ('slug', models.SlugField()),
                ('name', models.CharField(max_length=120)),
                ('kind', models.CharField(choices=[('text-to-image', 'text topic, images retrieved'), ('image-to-text', 'image topic, texts retrieved'), ('text-to-text', 'text topic, texts retrieved')], max_length=16)),
                ('guidelines', models.TextField(blank=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='evaluation.collection')),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('judging_at', models.DateTimeField(blank=True, null=True, verbose_name='judging opens at')),
                ('releases_at', models.DateTimeField(blank=True, null=True)),
                ('time_zone', models.CharField(default='UTC', help_text='The zone in which dates are entered and shown.', max_length=64)),
                ('grace', models.DurationField(blank=True, default=datetime.timedelta, help_text='Hours:minutes:seconds in which runs are still taken, and marked as late.', verbose_name='grace after the close')),
                ('max_per_topic', models.PositiveIntegerField(default=1000, verbose_name='results a topic, at most')),
                ('max_runs', models.PositiveSmallIntegerField(blank=True, help_text='Empty: any number.', null=True, verbose_name='accepted runs a team, at most')),
                ('tag_max', models.PositiveSmallIntegerField(default=50, verbose_name='characters of a tag, at most')),
                ('pool_depth', models.PositiveIntegerField(default=30)),
                ('baseline_pool_depth', models.PositiveIntegerField(default=25)),
                ('relevance_level', models.PositiveSmallIntegerField(default=1, help_text='The lowest grade that counts as relevant in measures that know only yes and no.')),
                ('measures', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=32), blank=True, default=list, help_text="Shown first to last, in ir_measures' names. Empty: the site's own choice.", size=None)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('release_noted_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'ordering': ['track', 'name'],
                'constraints': [models.UniqueConstraint(fields=('track', 'slug'), name='task_slug_once_a_track'), models.CheckConstraint(condition=models.Q(models.Q(('closes_at__isnull', True), ('closes_at__gt', models.F('opens_at')), _connector='OR'), models.Q(('judging_at__isnull', True), ('judging_at__gte', django.db.models.expressions.CombinedExpression(models.F('closes_at'), '+', models.F('grace'))), _connector='OR'), models.Q(('releases_at__isnull', True), ('releases_at__gte', models.F('judging_at')), _connector='OR')), name='task_dates_in_order', violation_error_message='Dates go in order: opens, closes, grace, judging opens, releases.'), models.CheckConstraint(condition=models.Q(models.Q(('closes_at__isnull', True), ('opens_at__isnull', False), _connector='OR'), models.Q(('judging_at__isnull', True), ('closes_at__isnull', False), _connector='OR'), models.Q(('releases_at__isnull', True), ('judging_at__isnull', False), _connector='OR')), name='task_dates_without_gaps', violation_error_message='A later date needs all earlier ones.'), models.CheckConstraint(condition=models.Q(('baseline_pool_depth__gte', 1), ('max_per_topic__gte', 1), ('pool_depth__gte', 1)), name='task_limits_positive'), models.CheckConstraint(condition=models.Q(('max_runs__isnull', True), ('max_runs__gte', 1), _connector='OR'), name='task_max_runs_positive'), models.CheckConstraint(condition=models.Q(('tag_max__gte', 1), ('tag_max__lte', 50)), name='task_tag_max_in_bounds'), models.CheckConstraint(condition=models.Q(('grace__gte', datetime.timedelta(0))), name='task_grace_not_negative'), models.CheckConstraint(condition=models.Q(('relevance_level__gte', 1)), name='task_relevance_level_positive')],
                'triggers': [pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_taskevent" ("baseline_pool_depth", "closes_at", "collection_id", "created_at", "grace", "guidelines", "id", "judging_at", "kind", "max_per_topic", "max_runs", "measures", "name", "opens_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pool_depth", "release_noted_at", "releases_at", "relevance_level", "slug", "tag_max", "time_zone", "track_id") VALUES (NEW."baseline_pool_depth", NEW."closes_at", NEW."collection_id", NEW."created_at", NEW."grace", NEW."guidelines", NEW."id", NEW."judging_at", NEW."kind", NEW."max_per_topic", NEW."max_runs", NEW."measures", NEW."name", NEW."opens_at", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."pool_depth", NEW."release_noted_at", NEW."releases_at", NEW."relevance_level", NEW."slug", NEW."tag_max", NEW."time_zone", NEW."track_id"); RETURN NULL;', hash='a60d2dd87477bcf4762c408ccbfef68521f3205b', operation='INSERT', pgid='pgtrigger_insert_insert_8bbc9', table='evaluation_task', when='AFTER')), pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_taskevent" ("baseline_pool_depth", "closes_at", "collection_id", "created_at", "grace", "guidelines", "id", "judging_at", "kind", "max_per_topic", "max_runs", "measures", "name", "opens_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pool_depth", "release_noted_at", "releases_at", "relevance_level", "slug", "tag_max", "time_zone", "track_id") VALUES (NEW."baseline_pool_depth", NEW."closes_at", NEW."collection_id", NEW."created_at", NEW."grace", NEW."guidelines", NEW."id", NEW."judging_at", NEW."kind", NEW."max_per_topic", NEW."max_runs", NEW."measures", NEW."name", NEW."opens_at", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."pool_depth", NEW."release_noted_at", NEW."releases_at", NEW."relevance_level", NEW."slug", NEW."tag_max", NEW."time_zone", NEW."track_id"); RETURN NULL;', hash='6dafdfdf88aebc7f90943c33836744a519667762', operation='UPDATE', pgid='pgtrigger_update_update_68b51', table='evaluation_task', when='AFTER')), pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_taskevent" ("baseline_pool_depth", "closes_at", "collection_id", "created_at", "grace", "guidelines", "id", "judging_at", "kind", "max_per_topic", "max_runs", "measures", "name", "opens_at", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pool_depth", "release_noted_at", "releases_at", "relevance_level", "slug", "tag_max", "time_zone", "track_id") VALUES (OLD."baseline_pool_depth", OLD."closes_at", OLD."collection_id", OLD."created_at", OLD."grace", OLD."guidelines", OLD."id", OLD."judging_at", OLD."kind", OLD."max_per_topic", OLD."max_runs", OLD."measures", OLD."name", OLD."opens_at", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."pool_depth", OLD."release_noted_at", OLD."releases_at", OLD."relevance_level", OLD."slug", OLD."tag_max", OLD."time_zone", OLD."track_id"); RETURN NULL;', hash='87e35dafef630f031471448ebba9eaee8256e79b', operation='DELETE', pgid='pgtrigger_delete_delete_504cc', table='evaluation_task', when='AFTER'))],
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fields', models.JSONField(blank=True, default=list)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.image')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='evaluation.collection')),
                ('docno', models.CharField(db_collation='C', max_length=255)),
            ],
            options={
                'ordering': ['docno'],
                'constraints': [models.UniqueConstraint(fields=('collection', 'docno'), name='docno_once_a_collection'), models.CheckConstraint(condition=models.Q(models.Q(('docno__regex', '\\s'), _negated=True), models.Q(('docno', ''), _negated=True)), name='docno_is_one_word')],
            },
        ),
        migrations.CreateModel(
            name='TeamEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.team')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('id', models.BigIntegerField()),
                ('track', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.track')),
                ('name', models.CharField(db_collation='C', max_length=60)),
                ('is_baseline', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('has_link', models.BooleanField(default=False, editable=False)),
                ('link_version', models.PositiveIntegerField(default=0, editable=False)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='MembershipEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.membership')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('id', models.BigIntegerField()),
                ('user', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL)),
                ('track', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.track')),
                ('role', models.CharField(choices=[('organizer', 'organizer'), ('assessor', 'assessor'), ('team_owner', 'team owner'), ('team_member', 'team member')], max_length=16)),
                ('team', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.team')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TaskEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.task')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('id', models.BigIntegerField()),
                ('track', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.track')),
                ('slug', models.SlugField(db_index=False)),
                ('name', models.CharField(max_length=120)),
                ('kind', models.CharField(choices=[('text-to-image', 'text topic, images retrieved'), ('image-to-text', 'image topic, texts retrieved'), ('text-to-text', 'text topic, texts retrieved')], max_length=16)),
                ('guidelines', models.TextField(blank=True)),
                ('collection', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.collection')),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('judging_at', models.DateTimeField(blank=True, null=True, verbose_name='judging opens at')),
                ('releases_at', models.DateTimeField(blank=True, null=True)),
                ('time_zone', models.CharField(default='UTC', help_text='The zone in which dates are entered and shown.', max_length=64)),
                ('grace', models.DurationField(blank=True, default=datetime.timedelta, help_text='Hours:minutes:seconds in which runs are still taken, and marked as late.', verbose_name='grace after the close')),
                ('max_per_topic', models.PositiveIntegerField(default=1000, verbose_name='results a topic, at most')),
                ('max_runs', models.PositiveSmallIntegerField(blank=True, help_text='Empty: any number.', null=True, verbose_name='accepted runs a team, at most')),
                ('tag_max', models.PositiveSmallIntegerField(default=50, verbose_name='characters of a tag, at most')),
                ('pool_depth', models.PositiveIntegerField(default=30)),
                ('baseline_pool_depth', models.PositiveIntegerField(default=25)),
                ('relevance_level', models.PositiveSmallIntegerField(default=1, help_text='The lowest grade that counts as relevant in measures that know only yes and no.')),
                ('measures', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=32), blank=True, default=list, help_text="Shown first to last, in ir_measures' names. Empty: the site's own choice.", size=None)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('release_noted_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Criteria',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='criteria', to='evaluation.task')),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('instructions', models.TextField(blank=True)),
                ('grades', models.JSONField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'verbose_name_plural': 'criteria',
                'constraints': [models.UniqueConstraint(fields=('task', 'version'), name='criteria_version_once')],
                'triggers': [pgtrigger.compiler.Trigger(name='criteria_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='74543a92a2487f219fbb01057b28027b912b0f65', operation='UPDATE OR DELETE', pgid='pgtrigger_criteria_are_immutable_eb6c5', table='evaluation_criteria', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='Topic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fields', models.JSONField(blank=True, default=list)),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.image')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='topics', to='evaluation.task')),
                ('number', models.CharField(db_collation='C', help_text='The topic as it stands in the first column of a run.', max_length=255)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('active', 'active')], default='active', max_length=6)),
                ('note', models.TextField(blank=True, help_text='Why it is a draft, or what readers should know of it.')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('task', 'number'), name='topic_once_a_task'), models.CheckConstraint(condition=models.Q(models.Q(('number__regex', '\\s'), _negated=True), models.Q(('number', ''), _negated=True)), name='topic_is_one_word'), models.CheckConstraint(condition=models.Q(('image__isnull', False), models.Q(('fields', []), _negated=True), _connector='OR'), name='topic_not_empty')],
                'triggers': [pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_topicevent" ("fields", "id", "image_id", "note", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "state", "task_id") VALUES (NEW."fields", NEW."id", NEW."image_id", NEW."note", NEW."number", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."state", NEW."task_id"); RETURN NULL;', hash='b8acdcc6d8b5df7055884eccfee108e46fa5a696', operation='INSERT', pgid='pgtrigger_insert_insert_c40bc', table='evaluation_topic', when='AFTER')), pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "evaluation_topicevent" ("fields", "id", "image_id", "note", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "state", "task_id") VALUES (NEW."fields", NEW."id", NEW."image_id", NEW."note", NEW."number", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."state", NEW."task_id"); RETURN NULL;', hash='2f9a5fc6e905df2f27f5e1961d515ef50025e946', operation='UPDATE', pgid='pgtrigger_update_update_a95ea', table='evaluation_topic', when='AFTER')), pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_topicevent" ("fields", "id", "image_id", "note", "number", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "state", "task_id") VALUES (OLD."fields", OLD."id", OLD."image_id", OLD."note", OLD."number", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."id", OLD."state", OLD."task_id"); RETURN NULL;', hash='5bce2d06ee49d82908b264f87e02888e797f1560', operation='DELETE', pgid='pgtrigger_delete_delete_88430', table='evaluation_topic', when='AFTER'))],
            },
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='imports', to='evaluation.task')),
                ('kind', models.CharField(choices=[('topics', "topics: JSON lines, CSV, TSV or TREC's <top>"), ('collection', 'documents: zip of images and captions, Parquet, JSON lines'), ('docnos', 'documents by docno alone: one a line'), ('runs', 'baseline runs: zip of run files'), ('qrels', 'qrels: topic 0 docno grade')], max_length=10)),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.blob')),
                ('file_name', models.CharField(max_length=255)),
                ('team', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.team')),
                ('options', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('received', 'waiting'), ('trying', 'being tried'), ('tried', 'tried, not confirmed'), ('confirmed', 'confirmed, waiting'), ('adding', 'being added'), ('done', 'done'), ('failed', 'failed')], default='received', max_length=9)),
                ('seen_count', models.PositiveIntegerField(default=0)),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('counts', models.JSONField(null=True)),
                ('faults', models.JSONField(default=list)),
                ('error', models.TextField(blank=True)),
                ('received_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('confirmed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['-received_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind', 'runs'), ('team__isnull', False)), models.Q(models.Q(('kind', 'runs'), _negated=True), ('team__isnull', True)), _connector='OR'), name='import_team_iff_runs'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ('confirmed', 'adding', 'done')), _negated=True), models.Q(('confirmed_at__isnull', False), ('confirmed_by__isnull', False)), _connector='OR'), name='import_is_confirmed_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ('tried', 'done')), _negated=True), ('counts__isnull', False), _connector='OR'), name='import_counts_once_tried')],
                'triggers': [pgtrigger.compiler.Trigger(name='an_import_stays_as_it_came', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."task_id" IS DISTINCT FROM (NEW."task_id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."upload_id" IS DISTINCT FROM (NEW."upload_id") OR OLD."file_name" IS DISTINCT FROM (NEW."file_name") OR OLD."team_id" IS DISTINCT FROM (NEW."team_id") OR OLD."received_by_id" IS DISTINCT FROM (NEW."received_by_id") OR OLD."received_at" IS DISTINCT FROM (NEW."received_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='bc684d10d09de5f68e29f0b41cba289ea3569bf5', operation='UPDATE', pgid='pgtrigger_an_import_stays_as_it_came_fa1c8', table='evaluation_import', when='BEFORE')), pgtrigger.compiler.Trigger(name='imports_are_never_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='d5aa2bde3d077193b573b571d53466963d4483bb', operation='DELETE', pgid='pgtrigger_imports_are_never_deleted_44919', table='evaluation_import', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='Family',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='families', to='evaluation.task')),
                ('name', models.CharField(max_length=60)),
            ],
            options={
                'verbose_name_plural': 'families',
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('task', 'name'), name='family_name_once_a_task')],
            },
        ),
        migrations.CreateModel(
            name='Pool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pools', to='evaluation.task')),
                ('name', models.CharField(max_length=60)),
                ('kind', models.CharField(choices=[('depth', 'top results of each run'), ('budget', 'so many of each topic, by priority'), ('sample', 'a known share of each stratum of ranks'), ('adaptive', 'the next batch, by the judgments so far'), ('check', 'pairs that models want people to look at')], default='depth', max_length=8)),
                ('recipe', models.JSONField(default=dict)),
                ('seed', models.PositiveBigIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['created_at'],
                'constraints': [models.UniqueConstraint(fields=('task', 'name'), name='pool_name_once_a_task')],
                'triggers': [pgtrigger.compiler.Trigger(name='pools_are_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='6cfd9269e0771d9c177be041ae27126e182fab11', operation='UPDATE OR DELETE', pgid='pgtrigger_pools_are_frozen_012f3', table='evaluation_pool', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='ReportProgress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.task')),
                ('choice', models.JSONField(default=dict)),
                ('choice_sha256', models.CharField(max_length=64)),
                ('inputs_sha256', models.CharField(blank=True, max_length=64)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('begun_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('done_count', models.PositiveSmallIntegerField(default=0, verbose_name='sections done')),
                ('section_count', models.PositiveSmallIntegerField(default=0, verbose_name='sections in all')),
                ('problem', models.TextField(blank=True)),
            ],
            options={
                'verbose_name_plural': 'report progress',
                'constraints': [models.UniqueConstraint(fields=('task', 'choice_sha256'), name='report_progress_once_a_choice')],
            },
        ),
        migrations.CreateModel(
            name='SubmissionQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submission_questions', to='evaluation.task')),
                ('place', models.PositiveSmallIntegerField(default=1, help_text='Questions stand in rising order.')),
                ('name', models.SlugField(help_text='Names the reply in exports and in the API: training.', max_length=40)),
                ('text', models.CharField(max_length=300)),
                ('kind', models.CharField(choices=[('text', 'free text'), ('choice', 'one of several choices'), ('yes-no', 'yes or no')], default='text', max_length=6)),
                ('choices', models.TextField(blank=True, help_text='One a line, for a question with choices.')),
                ('is_required', models.BooleanField(default=False, help_text='No run is taken without a reply.')),
            ],
            options={
                'ordering': ['task', 'place', 'name'],
                'constraints': [models.UniqueConstraint(fields=('task', 'name'), name='submission_question_name_once_a_task'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='submission_question_has_a_text'), models.CheckConstraint(condition=models.Q(models.Q(('choices__regex', '\\S'), ('kind', 'choice')), models.Q(models.Q(('kind', 'choice'), _negated=True), ('choices', '')), _connector='OR'), name='submission_question_choices_iff_kind_choice', violation_error_message='Choices go with a question of that kind, and with no other.')],
            },
        ),
        migrations.CreateModel(
            name='TeamLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='team_limits', to='evaluation.task')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='limits', to='evaluation.team')),
                ('max_runs', models.PositiveSmallIntegerField(blank=True, help_text='Empty: any number.', null=True, verbose_name='accepted runs, at most')),
            ],
            options={
                'ordering': ['task', 'team'],
                'constraints': [models.UniqueConstraint(fields=('task', 'team'), name='team_limit_once_a_task'), models.CheckConstraint(condition=models.Q(('max_runs__isnull', True), ('max_runs__gte', 1), _connector='OR'), name='team_limit_positive')],
            },
        ),
        migrations.CreateModel(
            name='TopicEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='events', to='evaluation.topic')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('id', models.BigIntegerField()),
                ('fields', models.JSONField(blank=True, default=list)),
                ('image', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.image')),
                ('task', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task')),
                ('number', models.CharField(db_collation='C', help_text='The topic as it stands in the first column of a run.', max_length=255)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('active', 'active')], default='active', max_length=6)),
                ('note', models.TextField(blank=True, help_text='Why it is a draft, or what readers should know of it.')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='evaluation.task')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='evaluation.team')),
                ('tag', models.CharField(blank=True, db_collation='C', help_text='The sixth column; empty until accepted.', max_length=50)),
                ('description', models.TextField(blank=True)),
                ('type', models.CharField(blank=True, choices=[('automatic', 'automatic'), ('manual', 'manual')], max_length=9, verbose_name='run type')),
                ('backbone', models.CharField(blank=True, help_text='The model that the system rests on, such as CLIP ViT-L/14: judges that rest on the same one may favour it.', max_length=120)),
                ('suggested_family', models.CharField(blank=True, help_text='What the team would call its kind; the organizers decide.', max_length=60)),
                ('replies', models.JSONField(blank=True, default=dict, help_text="To the task's questions, by their names.")),
                ('pool_depth', models.PositiveIntegerField(blank=True, help_text="Empty: the task's depth for runs of this kind.", null=True)),
                ('pool_priority', models.PositiveSmallIntegerField(blank=True, help_text='1 is pooled first. Empty: after those that have one.', null=True)),
                ('upload', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.blob')),
                ('file_name', models.CharField(editable=False, max_length=255)),
                ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('is_late', models.BooleanField(default=False, editable=False, help_text='Received in the grace period after the close.')),
                ('received_by', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('state', models.CharField(choices=[('received', 'received'), ('rejected', 'rejected'), ('accepted', 'accepted'), ('replaced', 'replaced'), ('withdrawn', 'withdrawn')], default='received', editable=False, max_length=9)),
                ('checked_at', models.DateTimeField(editable=False, null=True)),
                ('verdict', models.JSONField(editable=False, null=True)),
                ('client_uuid', models.UUIDField(editable=False, help_text='Came with the upload: sent again, it makes no other run.', null=True)),
                ('replaces', models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='evaluation.run')),
                ('families', models.ManyToManyField(blank=True, related_name='runs', to='evaluation.family')),
            ],
            options={
                'ordering': ['tag', 'received_at'],
                'constraints': [models.UniqueConstraint(fields=('received_by', 'client_uuid'), name='run_once_a_client_uuid'), models.UniqueConstraint(condition=models.Q(('state', 'accepted')), fields=('task', 'tag'), name='run_tag_once_a_task'), models.CheckConstraint(condition=models.Q(models.Q(('checked_at__isnull', True), ('state', 'received'), ('verdict__isnull', True)), models.Q(models.Q(('state', 'received'), _negated=True), ('checked_at__isnull', False), ('verdict__isnull', False)), _connector='OR'), name='run_verdict_once_checked'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ('received', 'rejected')), ('tag', '')), models.Q(models.Q(('state__in', ('received', 'rejected')), _negated=True), ('tag__regex', '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$')), _connector='OR'), name='run_tag_iff_accepted'), models.CheckConstraint(condition=models.Q(('pool_depth__isnull', True), ('pool_depth__gte', 1), _connector='OR'), name='run_pool_depth_positive'), models.CheckConstraint(condition=models.Q(('pool_priority__isnull', True), ('pool_priority__gte', 1), _connector='OR'), name='run_pool_priority_positive')],
                'triggers': [pgtrigger.compiler.Trigger(name='an_upload_stays_as_it_came', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."task_id" IS DISTINCT FROM (NEW."task_id") OR OLD."team_id" IS DISTINCT FROM (NEW."team_id") OR OLD."upload_id" IS DISTINCT FROM (NEW."upload_id") OR OLD."file_name" IS DISTINCT FROM (NEW."file_name") OR OLD."received_at" IS DISTINCT FROM (NEW."received_at") OR OLD."received_by_id" IS DISTINCT FROM (NEW."received_by_id") OR OLD."client_uuid" IS DISTINCT FROM (NEW."client_uuid"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='fe1a36d5cbf012d29fb4039bbec1a5bc0bd77499', operation='UPDATE', pgid='pgtrigger_an_upload_stays_as_it_came_5f621', table='evaluation_run', when='BEFORE')), pgtrigger.compiler.Trigger(name='runs_are_never_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='521343b59256d16502a90aa5cd59f9bcf13139a7', operation='DELETE', pgid='pgtrigger_runs_are_never_deleted_f1411', table='evaluation_run', when='BEFORE')), pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_runevent" ("backbone", "description", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pool_depth", "pool_priority", "replies", "suggested_family", "tag", "task_id", "type") VALUES (NEW."backbone", NEW."description", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."id", NEW."pool_depth", NEW."pool_priority", NEW."replies", NEW."suggested_family", NEW."tag", NEW."task_id", NEW."type"); RETURN NULL;', hash='9ae62dc2362b8b437e71a5a3e70cc97d8c968ebb', operation='INSERT', pgid='pgtrigger_insert_insert_3f1ef', table='evaluation_run', when='AFTER')), pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."backbone" IS DISTINCT FROM (NEW."backbone") OR OLD."description" IS DISTINCT FROM (NEW."description") OR OLD."pool_depth" IS DISTINCT FROM (NEW."pool_depth") OR OLD."pool_priority" IS DISTINCT FROM (NEW."pool_priority") OR OLD."replies" IS DISTINCT FROM (NEW."replies") OR OLD."suggested_family" IS DISTINCT FROM (NEW."suggested_family") OR OLD."type" IS DISTINCT FROM (NEW."type"))', func='INSERT INTO "evaluation_runevent" ("backbone", "description", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "pool_depth", "pool_priority", "replies", "suggested_family", "tag", "task_id", "type") VALUES (NEW."backbone", NEW."description", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'update\', NEW."id", NEW."pool_depth", NEW."pool_priority", NEW."replies", NEW."suggested_family", NEW."tag", NEW."task_id", NEW."type"); RETURN NULL;', hash='2a46c8c79b0ca244cbd64b7f7db3b121c909633c', operation='UPDATE', pgid='pgtrigger_update_update_71874', table='evaluation_run', when='AFTER'))],
            },
        ),
        migrations.CreateModel(
            name='PoolItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='evaluation.pool')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('position', models.PositiveIntegerField()),
                ('stratum', models.PositiveSmallIntegerField(null=True)),
                ('chance', models.FloatField(null=True)),
            ],
            options={
                'ordering': ['pool', 'position'],
                'constraints': [models.UniqueConstraint(fields=('pool', 'topic', 'docno'), name='pool_item_once'), models.UniqueConstraint(fields=('pool', 'position'), name='pool_position_once')],
                'triggers': [pgtrigger.compiler.Trigger(name='pool_items_are_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='63b9b556a8dbeba2beebe6f24a0e5201219cf678', operation='UPDATE OR DELETE', pgid='pgtrigger_pool_items_are_frozen_0b747', table='evaluation_poolitem', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='UndrawnPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='undrawn_pairs', to='evaluation.pool')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('stratum', models.PositiveSmallIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pool', 'topic', 'docno'), name='undrawn_pair_once')],
                'triggers': [pgtrigger.compiler.Trigger(name='undrawn_pairs_are_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='6f58909fc64524a6056aced655cb1aa6a49eea66', operation='UPDATE OR DELETE', pgid='pgtrigger_undrawn_pairs_are_frozen_1c225', table='evaluation_undrawnpair', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='Qrels',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='qrels', to='evaluation.task')),
                ('name', models.CharField(max_length=60)),
                ('version', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('human', 'people'), ('second', 'second assessor'), ('model', 'a model')], max_length=8)),
                ('pool', models.ForeignKey(help_text="Empty: the union of the task's pools.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='qrels', to='evaluation.pool')),
                ('provenance', models.JSONField()),
                ('sha256', models.CharField(max_length=64)),
                ('topics', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(db_collation='C', max_length=255), size=None)),
                ('pair_count', models.PositiveIntegerField()),
                ('graded_count', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'qrels',
                'ordering': ['task', 'kind', 'name', '-version'],
                'constraints': [models.UniqueConstraint(fields=('task', 'name', 'version'), name='qrels_version_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'model'), _negated=True), ('pool__isnull', False), _connector='OR'), name='model_qrels_name_their_pool')],
                'triggers': [pgtrigger.compiler.Trigger(name='qrels_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='258242415e1deee060d95a63491dbc20126c3b71', operation='UPDATE OR DELETE', pgid='pgtrigger_qrels_are_immutable_6021b', table='evaluation_qrels', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='RunEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_obj', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='task_tag_description_type_backbone_suggested_family_replies_pool_depth_pool_priority_events', to='evaluation.run')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('task', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.task')),
                ('tag', models.CharField(blank=True, db_collation='C', help_text='The sixth column; empty until accepted.', max_length=50)),
                ('description', models.TextField(blank=True)),
                ('type', models.CharField(blank=True, choices=[('automatic', 'automatic'), ('manual', 'manual')], max_length=9, verbose_name='run type')),
                ('backbone', models.CharField(blank=True, help_text='The model that the system rests on, such as CLIP ViT-L/14: judges that rest on the same one may favour it.', max_length=120)),
                ('suggested_family', models.CharField(blank=True, help_text='What the team would call its kind; the organizers decide.', max_length=60)),
                ('replies', models.JSONField(blank=True, default=dict, help_text="To the task's questions, by their names.")),
                ('pool_depth', models.PositiveIntegerField(blank=True, help_text="Empty: the task's depth for runs of this kind.", null=True)),
                ('pool_priority', models.PositiveSmallIntegerField(blank=True, help_text='1 is pooled first. Empty: after those that have one.', null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RunFamily',
            fields=[
            ],
            options={
                'verbose_name': 'family of a run',
                'proxy': True,
                'triggers': [pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_runfamilyevent" ("family_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "run_id") VALUES (NEW."family_id", NEW."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'insert\', NEW."run_id"); RETURN NULL;', hash='5eb00f18061c2c69c1fb04eab5f1d1e9919b53f2', operation='INSERT', pgid='pgtrigger_insert_insert_77b5a', table='evaluation_run_families', when='AFTER')), pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "evaluation_runfamilyevent" ("family_id", "id", "pgh_context_id", "pgh_created_at", "pgh_label", "run_id") VALUES (OLD."family_id", OLD."id", _pgh_attach_context(), CLOCK_TIMESTAMP(), \'delete\', OLD."run_id"); RETURN NULL;', hash='ad9d2058aacea52004e984df0188c13cfcef7713', operation='DELETE', pgid='pgtrigger_delete_delete_ef766', table='evaluation_run_families', when='AFTER'))],
            },
            bases=('evaluation.run_families',),
        ),
        migrations.CreateModel(
            name='RunFamilyEvent',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_context', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='pghistory.context')),
                ('id', models.BigIntegerField()),
                ('run', models.ForeignKey(db_constraint=False, db_tablespace='', on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.run')),
                ('family', models.ForeignKey(db_constraint=False, db_tablespace='', on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='evaluation.family')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Ranking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rankings', to='evaluation.run')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docnos', models.TextField(db_collation='C')),
                ('scores', models.BinaryField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'topic'), name='ranking_once_a_topic'), models.CheckConstraint(condition=django.db.models.lookups.Exact(models.Func(models.F('scores'), function='octet_length', output_field=models.IntegerField()), django.db.models.expressions.CombinedExpression(models.Value(8), '*', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.functions.text.Length('docnos'), '-', django.db.models.functions.text.Length(django.db.models.functions.text.Replace('docnos', models.Value('\n'), models.Value('')))), '+', models.Value(1)))), name='ranking_one_score_a_docno')],
                'triggers': [pgtrigger.compiler.Trigger(name='rankings_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='f03964f2447e76b9f5a91f23cbad18601e4647d0', operation='UPDATE OR DELETE', pgid='pgtrigger_rankings_are_immutable_668aa', table='evaluation_ranking', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='PoolRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pool_runs', to='evaluation.pool')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pool_runs', to='evaluation.run')),
                ('depth', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pool', 'run'), name='pool_run_once')],
                'triggers': [pgtrigger.compiler.Trigger(name='pool_runs_are_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='c9b98b00d1cf69df24c29d8afbcdfade85edc3d0', operation='UPDATE OR DELETE', pgid='pgtrigger_pool_runs_are_frozen_28768', table='evaluation_poolrun', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='QrelsPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('qrels', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='evaluation.qrels')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('grade', models.SmallIntegerField(null=True)),
                ('raw_score', models.FloatField(null=True)),
                ('outcome', models.CharField(max_length=24)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('qrels', 'topic', 'docno'), name='qrels_pair_once'), models.CheckConstraint(condition=models.Q(('grade__isnull', True), ('outcome__startswith', 'ok'), _connector='OR'), name='qrels_grade_needs_ok'), models.CheckConstraint(condition=models.Q(('grade__isnull', False), models.Q(('outcome', 'ok'), _negated=True), _connector='OR'), name='qrels_gap_has_a_reason')],
                'triggers': [pgtrigger.compiler.Trigger(name='qrels_pairs_are_immutable', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='4a668e563118fafee3cc3d60b305a48442a892cf', operation='UPDATE OR DELETE', pgid='pgtrigger_qrels_pairs_are_immutable_a111a', table='evaluation_qrelspair', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='evaluation.task')),
                ('reference', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evaluation.qrels')),
                ('choice', models.JSONField(blank=True, default=dict)),
                ('inputs_sha256', models.CharField(max_length=64)),
                ('content', models.JSONField()),
                ('code_version', models.CharField(max_length=64)),
                ('computed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'get_latest_by': 'computed_at',
                'constraints': [models.UniqueConstraint(fields=('task', 'inputs_sha256'), name='report_once_an_input')],
            },
        ),
        migrations.CreateModel(
            name='MeasureValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='measure_values', to='evaluation.run')),
                ('qrels', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='measure_values', to='evaluation.qrels')),
                ('measure', models.CharField(max_length=32)),
                ('values', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(null=True), size=None)),
                ('mean', models.FloatField(null=True)),
                ('code_version', models.CharField(max_length=64)),
                ('computed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'qrels', 'measure'), name='measure_value_once')],
            },
        ),
        install_triggers('evaluation'),
        migrations.RunSQL(CACHE, 'DROP TABLE cache'),
        migrations.RunSQL(RANKINGS_AS_THEY_ARE, migrations.RunSQL.noop),
    ]
