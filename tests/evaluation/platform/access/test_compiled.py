"""Querysets whose SQL is compiled once."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import QuerySet

from evaluation.models import Document, Given, Image, Membership, PermissionKey, Phase, User
from evaluation.platform.access.compiled import compiled
from evaluation.platform.access.people import teams_of
from tests.factories import (
    make_assessor,
    make_image,
    make_organizer,
    make_staff,
    make_task,
    make_team,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_statement_gives_what_its_queryset_gives() -> None:
    task = make_task(document_count=3)
    fields = [["title", "A lake, 50 % frozen"]]
    Document.objects.filter(docno="D2").update(fields=fields, image=make_image())

    @compiled
    def texts() -> QuerySet[Document, tuple[object, str | None]]:
        return Document.objects.filter(collection=Given("where"), docno=Given("docno")).values_list(
            "fields", "image"
        )

    for docno in ("D1", "D2"):
        found = texts().first(where=task.collection_id, docno=docno)
        assert found == Document.objects.values_list("fields", "image").get(docno=docno)
    assert texts().rows(where=task.collection_id, docno="none") == []


def test_statement_that_can_match_nothing_gives_nothing() -> None:
    nothing = compiled(lambda: Document.objects.filter(pk__in=[]).values_list("docno"))
    assert nothing().rows() == []


@pytest.mark.parametrize(("is_pooled", "prepared"), [(False, 1), (True, 0)])
def test_statement_is_prepared_unless_a_pooler_shares_the_session(
    monkeypatch: pytest.MonkeyPatch, is_pooled: bool, prepared: int
) -> None:
    """A pooler runs the next transaction in any session, which does not know the prepared statement."""
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", is_pooled)
    before = prepared_count()
    compiled(lambda: Document.objects.filter(version__gt=7).values_list("docno"))().rows()
    assert prepared_count() - before == prepared


def prepared_count() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return int(cursor.fetchone()[0])


def test_queryset_is_built_once_for_the_same_arguments() -> None:
    built = []

    @compiled
    def docnos(end: str) -> QuerySet[Document, tuple[str]]:
        built.append(end)
        return Document.objects.filter(docno__endswith=end, collection=Given("where")).values_list("docno")

    first, second = make_task(document_count=2), make_task(document_count=1)
    assert docnos("1").rows(where=first.collection_id) == [("D1",)]
    assert docnos("2").rows(where=first.collection_id) == [("D2",)]
    assert docnos("2").rows(where=second.collection_id) == []
    assert built == ["1", "2"]


def test_unnamed_value_is_an_error() -> None:
    one = compiled(lambda: Document.objects.filter(pk=Given("document")).values_list("docno"))
    with pytest.raises(KeyError, match="document"):
        one().rows()


def test_permission_key_gives_the_rows_of_the_person() -> None:
    task = make_task(phase=Phase.OPEN, document_count=1)
    shown = make_image()
    Document.objects.update(image=shown)

    @compiled
    def images(standing: PermissionKey) -> QuerySet[Image, tuple[str]]:
        return Image.objects.visible_to(standing.anybody()).values_list("pk")

    people: list[User | AnonymousUser] = [make_assessor(task.track), make_organizer(task.track), make_staff()]
    for person in people:
        assert images(PermissionKey.of(person)).rows() == [(shown.pk,)]
    for person in (make_user(), AnonymousUser()):
        assert images(PermissionKey.of(person)).rows() == []


def test_permission_key_holds_all_roles() -> None:
    first, second = make_task(), make_task()
    ada = make_assessor(first.track)
    team = make_team(second.track)
    Membership.objects.create(user=ada, track=second.track, role="team_member", team=team)
    person = type(ada).objects.get(pk=ada.pk)  # roles are read once an object
    assert sorted(PermissionKey.of(person).roles) == [
        ("assessor", first.track_id, None),
        ("team_member", second.track_id, team.pk),
    ]
    assert teams_of(person) == [team.pk]


def test_two_people_with_one_name_are_distinguished_by_their_keys() -> None:
    task = make_task()
    ada, bob = make_assessor(task.track), make_assessor(task.track)
    assert PermissionKey.of(ada) == PermissionKey.of(bob)

    @compiled
    def own(standing: PermissionKey) -> QuerySet[Membership, tuple[int]]:
        return Membership.objects.of(standing.anybody()).values_list("user")

    assert own(PermissionKey.of(ada)).rows(user=ada.pk) == [(ada.pk,)]
    assert own(PermissionKey.of(bob)).rows(user=bob.pk) == [(bob.pk,)]
    with pytest.raises(KeyError, match="user"):
        own(PermissionKey.of(bob)).rows()
