"""An index of the words of documents, for the search in a collection."""

import django.contrib.postgres.indexes
from django.db import migrations, models

# The beginning of the texts, because a tsvector has at most 1 MB.
WORDS = """
    CREATE FUNCTION document_words(fields jsonb) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
        SELECT to_tsvector('pg_catalog.english', left(coalesce(string_agg(field->>1, ' '), ''), 100000))
        FROM jsonb_array_elements(fields) AS field
    $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0013_hashed_recovery_codes'),
    ]

    operations = [
        migrations.RunSQL(WORDS, 'DROP FUNCTION document_words(jsonb)'),
        migrations.AddIndex(
            model_name='document',
            index=django.contrib.postgres.indexes.GinIndex(models.Func('fields', function='document_words'), name='document_words'),
        ),
    ]
