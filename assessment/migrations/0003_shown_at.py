"""Judgments were shown in this age."""

import datetime

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('assessment', '0002_record'),
        ('evaluation', '0009_released'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.CheckConstraint(condition=models.Q(('shown_at__isnull', True), ('shown_at__range', (datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))), _connector='OR'), name='judgment_was_shown_in_this_age'),
        ),
    ]
