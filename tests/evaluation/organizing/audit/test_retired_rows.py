"""Rows of dropped tables are kept whole, shown beside the track's changes, and never altered."""

import csv

import pytest
from django.apps import apps
from django.db import Error, connection, transaction
from django.test import Client

from evaluation.models import RetiredRow, Track
from evaluation.platform.access.schema.retiring import retired_rows
from tests.factories import make_organizer, make_staff, make_track

pytestmark = pytest.mark.django_db


def keep_stamps(**options: str) -> None:
    operation = retired_rows("stamps", **options)
    with connection.schema_editor(atomic=False) as editor:
        operation.code(apps, editor)  # type: ignore[arg-type]  # it reads no models


@pytest.fixture
def track() -> Track:
    """A track with two stamps in a table that a migration is about to drop; a third one is of no track."""
    track = make_track()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE stamps (id int, of int, at timestamptz, words text)")
        cursor.execute(
            "INSERT INTO stamps VALUES (2, %s, '2026-01-02 03:04:05.678901+00', 'Möwe \"x\"'),"
            " (1, %s, NULL, ''), (3, NULL, NULL, 'of no track')",
            [track.pk, track.pk],
        )
    return track


def test_each_row_is_kept_with_every_column(track: Track) -> None:
    keep_stamps(track="kept.of")
    first, second, third = RetiredRow.objects.all()
    assert first.content == {"id": 1, "of": track.pk, "at": None, "words": ""}
    assert second.content["words"] == 'Möwe "x"'
    assert second.content["at"].startswith("2026-01-02T03:04:05.678901")
    assert {row.source for row in (first, second, third)} == {"stamps"}
    assert (second.track, third.track) == (track, None)


def test_rows_of_a_table_that_stays_are_chosen(track: Track) -> None:
    keep_stamps(where="kept.words <> ''")
    assert [row.content["id"] for row in RetiredRow.objects.all()] == [2, 3]


def test_counts_that_differ_undo_the_migration(track: Track) -> None:
    RetiredRow.objects.create(source="stamps", content={})
    with pytest.raises(RuntimeError, match="3 rows, and 4 were kept"):
        keep_stamps()


def test_retired_row_is_not_altered_or_deleted() -> None:
    row = RetiredRow.objects.create(source="stamps", content={"id": 1})
    for change in (lambda: row.delete(), lambda: row.save(force_update=True)):
        with pytest.raises(Error, match="Cannot update or delete"), transaction.atomic():
            change()


def test_pages_of_changes_show_them_to_organizers_of_the_track_and_to_staff() -> None:
    track, other = make_track(), make_track(name="Elsewhere")
    RetiredRow.objects.create(source="evaluation_stamp", track=track, content={"words": "mine"})
    RetiredRow.objects.create(source="evaluation_stamp", track=other, content={"words": "theirs"})
    organizer, staff = Client(), Client()
    organizer.force_login(make_organizer(track))
    staff.force_login(make_staff())
    page = organizer.get(f"/tracks/{track.slug}/audit/").content.decode()
    assert "mine" in page
    assert "theirs" not in page
    assert "theirs" in staff.get("/audit/").content.decode()
    table = organizer.get(f"/tracks/{track.slug}/audit.csv").getvalue().decode()
    *_, last = csv.DictReader(table.splitlines())
    assert (last["model"], last["change"], last["new"]) == (
        "evaluation_stamp",
        "retired",
        '{"words": "mine"}',
    )
    assert "theirs" not in table
    chosen = organizer.get(f"/tracks/{track.slug}/audit.csv?model=evaluation.team").getvalue().decode()
    assert "mine" not in chosen
