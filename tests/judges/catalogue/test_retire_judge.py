import pytest

from judges.catalogue.actions import retire_judge
from judges.models import Judge
from tests.factories import make_staff
from tests.judges.factories import make_judge
from tests.refusals import refused


@pytest.mark.django_db
@pytest.mark.usefixtures("counting")
def test_retire_judge_takes_it_out_of_use_once() -> None:
    judge, other = make_judge(), make_judge()

    retire_judge(judge=judge, by=make_staff())

    assert list(Judge.objects.in_use()) == [other]
    with refused("judge-retired-before"):
        retire_judge(judge=judge, by=make_staff())
