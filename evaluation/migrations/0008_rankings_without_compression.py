"""Keep rankings as they are: compressing them took half of a check, and docnos such as UUIDs barely shrink."""

from django.db import migrations

PLAIN = "ALTER TABLE evaluation_ranking ALTER docnos SET STORAGE {0}, ALTER scores SET STORAGE {0}"


class Migration(migrations.Migration):
    """PostgreSQL's way to store two columns; Django's state does not change."""

    dependencies = [("evaluation", "0007_teams_and_mails")]

    operations = [migrations.RunSQL(PLAIN.format("EXTERNAL"), PLAIN.format("EXTENDED"))]
