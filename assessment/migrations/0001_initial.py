"""People at work: all tables of `assessment`, with their constraints, indexes and triggers."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

from evaluation.access.triggers import install_triggers


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('evaluation', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='evaluation.pool')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('assessor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('kind', models.CharField(choices=[('owner', 'qrels'), ('second', 'agreement'), ('items', 'qrels and agreement, item by item'), ('adjudication', 'adjudication')], default='owner', max_length=12)),
                ('assigned_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('assigned_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('paused_at', models.DateTimeField(editable=False, null=True)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('ended_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pool', 'topic', 'kind'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('kind', 'owner')), fields=('pool', 'topic'), name='assignment_one_owner_a_topic'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('pool', 'topic', 'assessor'), name='assignment_not_twice_to_one_assessor'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='assignment_ended_by_someone')],
                'triggers': [pgtrigger.compiler.Trigger(name='assignments_are_not_changed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."pool_id" IS DISTINCT FROM (NEW."pool_id") OR OLD."topic" IS DISTINCT FROM (NEW."topic") OR OLD."assessor_id" IS DISTINCT FROM (NEW."assessor_id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."assigned_at" IS DISTINCT FROM (NEW."assigned_at") OR OLD."assigned_by_id" IS DISTINCT FROM (NEW."assigned_by_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='6f5c59f7aa4f913f046cbec553d18e586891c68a', operation='UPDATE', pgid='pgtrigger_assignments_are_not_changed_d3fcb', table='assessment_assignment', when='BEFORE')), pgtrigger.compiler.Trigger(name='ended_assignments_stay_so', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='d9decd4461772b8e1721802d3cf5d41f29ff0139', operation='UPDATE', pgid='pgtrigger_ended_assignments_stay_so_a2b71', table='assessment_assignment', when='BEFORE')), pgtrigger.compiler.Trigger(name='assignment_stays_once_judged', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (\n                        SELECT FROM assessment_judgment AS judgment\n                        JOIN evaluation_pool AS pool ON pool.task_id = judgment.task_id\n                        WHERE pool.id = OLD.pool_id\n                          AND judgment.topic = OLD.topic AND judgment.assessor_id = OLD.assessor_id\n                    ) THEN\n                        RAISE EXCEPTION 'assignment % has judgments and stays', OLD.id;\n                    END IF;\n                    RETURN OLD;\n                ", hash='44db55e9aa57852442769b5e63f69fba11c128be', operation='DELETE', pgid='pgtrigger_assignment_stays_once_judged_8883c', table='assessment_assignment', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='GoldItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_items', to='evaluation.task')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('grade', models.SmallIntegerField()),
                ('use', models.CharField(choices=[('mixed', 'mixed in among the work'), ('practice', 'practice, with the right grade told afterwards'), ('exam', 'exam, before the work')], default='mixed', max_length=8)),
                ('explanation', models.TextField(blank=True, help_text='Why, told after a practice item.')),
            ],
            options={
                'ordering': ['task', 'topic', 'docno'],
                'constraints': [models.UniqueConstraint(fields=('task', 'topic', 'docno'), name='gold_item_once')],
            },
        ),
        migrations.CreateModel(
            name='Judgment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to='evaluation.task')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('purpose', models.CharField(choices=[('work', 'of the pool'), ('repeat', 'shown a second time'), ('gold', 'with a known grade'), ('adjudication', 'graded differently by others')], default='work', max_length=12)),
                ('image_sha256', models.CharField(blank=True, db_collation='C', max_length=64)),
                ('criteria', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to='evaluation.criteria')),
                ('assessor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgments', to=settings.AUTH_USER_MODEL)),
                ('grade', models.SmallIntegerField(null=True)),
                ('reason', models.CharField(blank=True, choices=[('image', 'Image does not show or is cut off'), ('topic', 'Topic cannot be understood'), ('language', 'Text in a language I do not read'), ('upset', 'I would rather not look at it')], max_length=8)),
                ('undoes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undo', to='assessment.judgment')),
                ('comment', models.TextField(blank=True)),
                ('is_flagged', models.BooleanField(default=False, help_text='for the organizers to look at', verbose_name='flagged')),
                ('replies', models.JSONField(default=dict, help_text="to the task's extra questions, by name")),
                ('client_uuid', models.UUIDField(unique=True)),
                ('shown_at', models.DateTimeField(help_text="by the assessor's clock; empty for an undo", null=True)),
                ('active_seconds', models.FloatField(help_text='at work on the item, idle time left out', null=True)),
                ('judged_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['task', 'topic', 'docno', 'assessor'], name='judgment_pair'), models.Index(fields=['assessor', 'judged_at'], name='judgment_of_a_day')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('grade__isnull', False), ('reason', ''), ('undoes__isnull', True)), models.Q(('grade__isnull', True), ('reason__in', ['image', 'topic', 'language', 'upset']), ('undoes__isnull', True)), models.Q(('grade__isnull', True), ('reason', ''), ('undoes__isnull', False)), _connector='OR'), name='judgment_is_grade_reason_or_undo'), models.CheckConstraint(condition=models.Q(('shown_at__isnull', False), ('undoes__isnull', False), _connector='OR'), name='judgment_was_shown'), models.CheckConstraint(condition=models.Q(('active_seconds__isnull', True), ('active_seconds__gte', 0), _connector='OR'), name='judgment_active_seconds_not_negative'), models.CheckConstraint(condition=models.Q(('image_sha256__regex', '^([0-9a-f]{64})?$')), name='judgment_image_is_sha256')],
                'triggers': [pgtrigger.compiler.Trigger(name='judgments_are_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='f944900114ea03038fb0fbc79fc4995322b07ed3', operation='UPDATE OR DELETE', pgid='pgtrigger_judgments_are_append_only_ed236', table='assessment_judgment', when='BEFORE')), pgtrigger.compiler.Trigger(name='undo_names_a_judgment_of_its_pair', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."undoes_id" IS NOT NULL)', func="\n                    IF NOT EXISTS (\n                        SELECT FROM assessment_judgment AS undone\n                        WHERE undone.id = NEW.undoes_id AND undone.undoes_id IS NULL\n                          AND undone.task_id = NEW.task_id AND undone.topic = NEW.topic\n                          AND undone.docno = NEW.docno AND undone.assessor_id = NEW.assessor_id\n                          AND undone.purpose = NEW.purpose\n                    ) THEN\n                        RAISE EXCEPTION 'an undo names a judgment of the same pair and assessor';\n                    END IF;\n                    RETURN NEW;\n                ", hash='7d8603d22901df9c349c22164508481f550d3f3d', operation='INSERT', pgid='pgtrigger_undo_names_a_judgment_of_its_pair_96e0a', table='assessment_judgment', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='JudgingPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='judging_plan', to='evaluation.task')),
                ('gold_percent', models.PositiveSmallIntegerField(default=0, help_text="Gold items mixed in, per cent of an assessor's items in a topic.")),
                ('repeat_percent', models.PositiveSmallIntegerField(default=0, help_text="Items shown a second time, per cent of an assessor's items in a topic.")),
                ('pass_percent', models.PositiveSmallIntegerField(blank=True, help_text='Exam items to grade right before the real work, per cent. Empty: there is no exam.', null=True)),
                ('lease_minutes', models.PositiveSmallIntegerField(default=30, help_text="How long items are an assessor's own where a pool is judged item by item.")),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('gold_percent__lte', 30), ('repeat_percent__lte', 30)), name='plan_rates_not_too_high', violation_error_message='Mix in 30 per cent at most.'), models.CheckConstraint(condition=models.Q(('lease_minutes__gte', 1)), name='plan_lease_positive'), models.CheckConstraint(condition=models.Q(('pass_percent__isnull', True), ('pass_percent__lte', 100), _connector='OR'), name='plan_pass_is_a_share')],
            },
        ),
        migrations.CreateModel(
            name='ExtraQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extra_questions', to='evaluation.task')),
                ('place', models.PositiveSmallIntegerField(default=1, help_text='Questions stand in rising order.')),
                ('name', models.SlugField(help_text='Names the reply in exports: confidence.', max_length=40)),
                ('text', models.CharField(max_length=200)),
                ('choices', models.TextField(blank=True, help_text='One a line. Empty: the reply is free text.')),
                ('is_required', models.BooleanField(default=True, help_text='No grade is taken without a reply.')),
            ],
            options={
                'ordering': ['task', 'place', 'name'],
                'constraints': [models.UniqueConstraint(fields=('task', 'name'), name='extra_question_name_once_a_task'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='extra_question_has_a_text')],
            },
        ),
        migrations.CreateModel(
            name='AssignedItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='assessment.assignment')),
                ('place', models.PositiveIntegerField()),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('purpose', models.CharField(choices=[('work', 'of the pool'), ('repeat', 'shown a second time'), ('gold', 'with a known grade'), ('adjudication', 'graded differently by others')], default='work', max_length=12)),
            ],
            options={
                'ordering': ['assignment', 'place'],
                'constraints': [models.UniqueConstraint(fields=('assignment', 'place'), name='assigned_place_once'), models.UniqueConstraint(fields=('assignment', 'docno', 'purpose'), name='assigned_item_once')],
                'triggers': [pgtrigger.compiler.Trigger(name='assigned_items_are_not_changed', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='455e3f9c1207a63909b569c3f5708d73ea991274', operation='UPDATE', pgid='pgtrigger_assigned_items_are_not_changed_e7441', table='assessment_assigneditem', when='BEFORE'))],
            },
        ),
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='evaluation.pool')),
                ('topic', models.CharField(db_collation='C', max_length=255)),
                ('docno', models.CharField(db_collation='C', max_length=255)),
                ('turn', models.PositiveSmallIntegerField()),
                ('position', models.PositiveIntegerField(help_text="in the pool's seeded order")),
                ('assignment', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='slots', to='assessment.assignment')),
                ('expires_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['pool', 'turn', 'position'],
                'constraints': [models.UniqueConstraint(fields=('pool', 'topic', 'docno', 'turn'), name='slot_once'), models.UniqueConstraint(fields=('assignment', 'docno'), name='slot_not_twice_to_one_assessor')],
            },
        ),
        migrations.CreateModel(
            name='TrainingReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='training_replies', to='assessment.golditem')),
                ('assessor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='training_replies', to=settings.AUTH_USER_MODEL)),
                ('grade', models.SmallIntegerField()),
                ('replied_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'verbose_name_plural': 'training replies',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('item', 'assessor'), name='training_reply_once')],
                'triggers': [pgtrigger.compiler.Trigger(name='training_replies_are_not_changed', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a0cda13fb76fa94f0c753432e191d399d12c7b3e', operation='UPDATE', pgid='pgtrigger_training_replies_are_not_changed_76176', table='assessment_trainingreply', when='BEFORE'))],
            },
        ),
        install_triggers('assessment'),
    ]
