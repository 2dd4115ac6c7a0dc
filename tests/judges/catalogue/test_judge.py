import pytest
from django.db import DatabaseError, IntegrityError
from django.db.models.functions import Now

from judges.models import Judge
from tests.factories import make_assessor, make_organizer, make_staff, make_team, make_team_member, make_track
from tests.judges.factories import make_judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


@pytest.mark.parametrize(
    "change",
    [{"name": "x"}, {"prompt": "x"}, {"seed": 9}, {"text_fields": ["x"]}, {"task_kinds": ["text-to-text"]}],
)
def test_judge_cannot_be_changed_in_the_database(change: dict[str, object]) -> None:
    judge = make_judge()

    with pytest.raises(DatabaseError, match="judges_are_immutable"):
        Judge.objects.filter(pk=judge.pk).update(**change)


def test_judge_cannot_be_deleted() -> None:
    judge = make_judge()

    with pytest.raises(DatabaseError, match="judges_are_never_deleted"):
        Judge.objects.filter(pk=judge.pk).delete()


def test_judge_can_be_retired() -> None:
    judge = make_judge()

    Judge.objects.filter(pk=judge.pk).update(retired_at=Now())

    assert judge not in Judge.objects.in_use()


def test_judge_settings_are_those_it_was_made_with() -> None:
    judge = make_judge(text_fields=("b", "a"), decoding={"top_k": 1}, prompt="A photo depicts ")

    stored = Judge.objects.get(pk=judge.pk)
    assert stored.settings.identity_sha256 == stored.identity_sha256
    assert stored.settings.text_fields == ("b", "a")


def test_judge_needs_a_task_kind() -> None:
    with pytest.raises(IntegrityError, match="judge_accepts_some_task_kind"):
        Judge.objects.create(
            name="none",
            backend="x",
            revision=1,
            task_kinds=[],
            identity_sha256="0" * 64,
            created_by=make_staff(),
        )


def test_judges_are_visible_to_organizers_and_staff_only() -> None:
    judge, track = make_judge(), make_track()

    assert judge in Judge.objects.visible_to(make_organizer(track))
    assert judge in Judge.objects.visible_to(make_staff())
    assert judge not in Judge.objects.visible_to(make_assessor(track))
    assert judge not in Judge.objects.visible_to(make_team_member(make_team(track)))
