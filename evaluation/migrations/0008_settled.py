"""Fields and triggers that names, frozen rows and long work changed together."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0007_record'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='reportprogress',
            name='asked_by',
        ),
        migrations.AlterField(
            model_name='runevent',
            name='state',
            field=models.CharField(choices=[('received', 'received'), ('parked', 'parked'), ('rejected', 'rejected'), ('accepted', 'accepted'), ('replaced', 'replaced'), ('withdrawn', 'withdrawn')], default='received', editable=False, max_length=9),
        ),
    ]
