"""Limits on the lengths of long texts, and on the number of measures."""

import django.contrib.postgres.fields
import django.contrib.postgres.validators
import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0002_look_alike_names'),
    ]

    operations = [
        migrations.AlterField(
            model_name='announcement',
            name='text',
            field=models.TextField(blank=True, help_text='Markdown. Links may lead to http, https and mailto; HTML is not shown.', validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='announcementevent',
            name='text',
            field=models.TextField(blank=True, help_text='Markdown. Links may lead to http, https and mailto; HTML is not shown.', validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='criteria',
            name='instructions',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='criteriaevent',
            name='instructions',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='entryrules',
            name='agreement',
            field=models.TextField(blank=True, help_text='Markdown. A team can upload once its owner has signed this text. If you change the text, each owner has to sign it again before the next upload.', validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='entryrulesevent',
            name='agreement',
            field=models.TextField(blank=True, help_text='Markdown. A team can upload once its owner has signed this text. If you change the text, each owner has to sign it again before the next upload.', validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='task',
            name='guidelines',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='task',
            name='measures',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=32), blank=True, default=list, help_text="Names of ir_measures, in the order of the leaderboard. If empty, the site's measures.", size=None, validators=[django.contrib.postgres.validators.ArrayMaxLengthValidator(100)]),
        ),
        migrations.AlterField(
            model_name='taskevent',
            name='guidelines',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='taskevent',
            name='measures',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=32), blank=True, default=list, help_text="Names of ir_measures, in the order of the leaderboard. If empty, the site's measures.", size=None, validators=[django.contrib.postgres.validators.ArrayMaxLengthValidator(100)]),
        ),
        migrations.AlterField(
            model_name='track',
            name='citation',
            field=models.TextField(blank=True, help_text='A BibTeX entry. If empty, the site makes one from name and year.', validators=[django.core.validators.MaxLengthValidator(5000)]),
        ),
        migrations.AlterField(
            model_name='track',
            name='description',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(5000)]),
        ),
        migrations.AlterField(
            model_name='track',
            name='guidelines',
            field=models.TextField(blank=True, help_text='Markdown. Links may lead to http, https and mailto; only pictures of this site are shown.', validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
        migrations.AlterField(
            model_name='trackevent',
            name='citation',
            field=models.TextField(blank=True, help_text='A BibTeX entry. If empty, the site makes one from name and year.', validators=[django.core.validators.MaxLengthValidator(5000)]),
        ),
        migrations.AlterField(
            model_name='trackevent',
            name='description',
            field=models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(5000)]),
        ),
        migrations.AlterField(
            model_name='trackevent',
            name='guidelines',
            field=models.TextField(blank=True, help_text='Markdown. Links may lead to http, https and mailto; only pictures of this site are shown.', validators=[django.core.validators.MaxLengthValidator(50000)]),
        ),
    ]
