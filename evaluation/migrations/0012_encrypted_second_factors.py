"""Encrypt the secrets of second factors that earlier releases stored in clear, and hash recovery codes."""

from cryptography.fernet import InvalidToken
from django.db import migrations

from evaluation.access.recovery_codes import HASHES, hash_codes
from evaluation.access.second_factor import decrypt, encrypt


def protect(apps, schema_editor):
    for row in apps.get_model("mfa", "Authenticator").objects.all():
        if "secret" in row.data:
            row.data["secret"] = encrypt(row.data["secret"])
            row.save(update_fields=["data"])
        hash_codes(row)


def expose(apps, schema_editor):
    """Decrypt secrets. Hashed codes end: earlier releases would take a hash for a code."""
    for row in apps.get_model("mfa", "Authenticator").objects.all():
        if HASHES in row.data:
            row.delete()
            continue
        try:
            row.data |= {name: decrypt(row.data[name]) for name in ("secret", "seed") if name in row.data}
        except InvalidToken:  # encrypted with an earlier SECRET_KEY: no release can read it
            continue
        row.save(update_fields=["data"])


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0011_chosen_fields'),
        ('mfa', '0003_authenticator_type_uniq'),
    ]

    operations = [
        migrations.RunPython(protect, expose, elidable=True),
    ]
