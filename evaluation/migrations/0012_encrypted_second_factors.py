"""Encrypt the secrets of second factors that earlier releases stored in clear."""

from cryptography.fernet import InvalidToken
from django.db import migrations

from evaluation.access.second_factor import decrypt, encrypt

NAMES = ("secret", "seed")


def encrypt_rows(apps, schema_editor):
    for row in apps.get_model("mfa", "Authenticator").objects.all():
        row.data |= {name: encrypt(row.data[name]) for name in NAMES if name in row.data}
        row.save(update_fields=["data"])


def decrypt_rows(apps, schema_editor):
    for row in apps.get_model("mfa", "Authenticator").objects.all():
        try:
            row.data |= {name: decrypt(row.data[name]) for name in NAMES if name in row.data}
        except InvalidToken:  # encrypted with an earlier SECRET_KEY: no release can read it
            continue
        row.save(update_fields=["data"])


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0011_chosen_fields'),
        ('mfa', '0003_authenticator_type_uniq'),
    ]

    operations = [
        migrations.RunPython(encrypt_rows, decrypt_rows, elidable=True),
    ]
