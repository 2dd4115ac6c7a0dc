import pytest
from django.db import DatabaseError, IntegrityError

from judges.catalogue.actions import retire_judge
from judges.models import Judge
from tests.factories import make_staff
from tests.judges.factories import make_judge
from tests.refusals import refused

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


def test_retire_judge_takes_it_out_of_use_once() -> None:
    judge, other = make_judge(), make_judge()

    retire_judge(judge=judge, by=make_staff())

    assert list(Judge.objects.in_use()) == [other]
    with refused("judge-retired-before"):
        retire_judge(judge=judge, by=make_staff())


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
