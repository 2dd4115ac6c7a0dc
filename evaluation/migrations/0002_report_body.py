"""A report's sections leave its key figures, so that a page whose parts are kept does not read them."""

from typing import ClassVar

from django.db import migrations, models

MOVE = "UPDATE evaluation_report SET body = content -> 'report', content = content - 'report'"
MOVE_BACK = "UPDATE evaluation_report SET content = jsonb_set(content, '{report}', body)"


class Migration(migrations.Migration):
    """Moves what is stored."""

    dependencies: ClassVar = [("evaluation", "0001_initial")]

    operations: ClassVar = [
        migrations.AddField("report", "body", models.JSONField(null=True)),
        migrations.RunSQL(MOVE, MOVE_BACK),
        migrations.AlterField("report", "body", models.JSONField()),
    ]
