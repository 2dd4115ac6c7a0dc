"""A report stores its findings: facts and sections. Reports of the old form are dropped and computed
again.
"""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Replaces the key figures and the body of a report."""

    dependencies: ClassVar = [("evaluation", "0002_report_body")]

    operations: ClassVar = [
        migrations.RunSQL("DELETE FROM evaluation_report", migrations.RunSQL.noop),
        migrations.RemoveField("report", "content"),
        migrations.RemoveField("report", "body"),
        migrations.AddField("report", "facts", models.JSONField()),
        migrations.AddField("report", "sections", models.JSONField()),
    ]
