"""Hash the recovery codes of second factors, which earlier releases derived from a stored seed."""

from django.db import migrations

from evaluation.access.recovery_codes import HASHES, hash_codes
from evaluation.access.second_factor import is_readable


def protect(apps, schema_editor):
    for row in apps.get_model("mfa", "Authenticator").objects.filter(data__has_key="seed"):
        if is_readable(row.data["seed"]):
            hash_codes(row)


def expose(apps, schema_editor):
    """Hashed codes end: earlier releases would take a hash for a code."""
    apps.get_model("mfa", "Authenticator").objects.filter(data__has_key=HASHES).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0012_encrypted_second_factors'),
    ]

    operations = [
        migrations.RunPython(protect, expose, elidable=True),
    ]
