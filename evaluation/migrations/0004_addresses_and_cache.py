"""The table that rate limits count in, and verified addresses for the accounts that are there.

These came by a mailed link or from the site's staff, so nobody need send them a code.
"""

from django.db import migrations

CACHE = """
    CREATE TABLE cache (cache_key varchar(255) PRIMARY KEY, value text NOT NULL, expires timestamptz NOT NULL);
    CREATE INDEX cache_expires ON cache (expires);
"""


def verify_addresses(apps, schema_editor):
    EmailAddress = apps.get_model("account", "EmailAddress")
    User = apps.get_model("evaluation", "User")
    EmailAddress.objects.bulk_create(
        EmailAddress(user_id=pk, email=email.lower(), verified=True, primary=True)
        for pk, email in User.objects.values_list("pk", "email")
    )


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0003_rules_of_tracks_tasks_and_runs"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]
    operations = [
        migrations.RunSQL(CACHE, "DROP TABLE cache"),
        migrations.RunPython(verify_addresses, migrations.RunPython.noop),
    ]
