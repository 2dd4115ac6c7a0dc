"""Encrypt the secrets of second factors that earlier releases stored in clear."""

from django.db import migrations

from evaluation.access.second_factor import decrypt, encrypt

NAMES = ("secret", "seed")


def convert(function):
    def convert_rows(apps, schema_editor):
        for row in apps.get_model("mfa", "Authenticator").objects.all():
            row.data |= {name: function(row.data[name]) for name in NAMES if name in row.data}
            row.save(update_fields=["data"])

    return convert_rows


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0011_chosen_fields'),
        ('mfa', '0003_authenticator_type_uniq'),
    ]

    operations = [
        migrations.RunPython(convert(encrypt), convert(decrypt), elidable=True),
    ]
