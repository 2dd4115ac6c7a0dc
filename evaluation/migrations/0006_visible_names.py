"""Names of collections, families and pictures have no invisible characters."""

import re

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from evaluation.core.text.names import HIDDEN, folded

MODELS = ("collection", "family", "picture")


def marked(name: str) -> str:
    """Return the name with a visible mark for each invisible character."""
    return re.sub(HIDDEN, "\ufffd", name)


def mark_names(apps: Apps, _editor: BaseDatabaseSchemaEditor | None) -> None:
    """Mark the characters in names that were stored before they were refused."""
    for model in MODELS:
        rows = apps.get_model("evaluation", model).objects
        for row in rows.filter(name__regex=HIDDEN):
            name = marked(row.name)
            rows.filter(pk=row.pk).update(name=name, name_folded=folded(name))


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0005_packings'),
    ]

    operations = [
        migrations.RunPython(mark_names, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('name__regex', '[\\u0001-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F-\\u1160\\u17B4-\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF\\U000F0000-\\U0010FFFD]'), _negated=True), name='collection_name_is_visible', violation_error_message='The name has an invisible character. Type it again without.'),
        ),
        migrations.AddConstraint(
            model_name='family',
            constraint=models.CheckConstraint(condition=models.Q(('name__regex', '[\\u0001-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F-\\u1160\\u17B4-\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF\\U000F0000-\\U0010FFFD]'), _negated=True), name='family_name_is_visible', violation_error_message='The name has an invisible character. Type it again without.'),
        ),
        migrations.AddConstraint(
            model_name='picture',
            constraint=models.CheckConstraint(condition=models.Q(('name__regex', '[\\u0001-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F-\\u1160\\u17B4-\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uE000-\\uF8FF\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF\\U000F0000-\\U0010FFFD]'), _negated=True), name='picture_name_is_visible', violation_error_message='The name has an invisible character. Type it again without.'),
        ),
    ]
