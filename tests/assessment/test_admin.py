import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import Assignment, GoldItem, GoldUse, Judgment
from tests.assessment.factories import judge, make_assignment

pytestmark = pytest.mark.django_db


def test_organizer_sees_only_rows_of_own_tracks(client: Client) -> None:
    mine, other = make_assignment(), make_assignment()
    for assignment in (mine, other):
        judge(assignment, "D1", 1, comment=assignment.assessor.name)
    client.force_login(mine.pool.created_by)
    for name in ("assignment", "judgment"):
        page = client.get(reverse(f"admin:assessment_{name}_changelist")).content.decode()
        assert mine.assessor.name in page
        assert other.assessor.name not in page


def test_assessor_has_no_admin(client: Client) -> None:
    client.force_login(make_assignment().assessor)
    assert client.get(reverse("admin:assessment_judgment_changelist")).status_code == 302


def test_assignment_can_be_taken_back_until_it_is_judged(client: Client) -> None:
    idle, busy = make_assignment(), make_assignment()
    judge(busy, "D1", 1)
    for assignment, is_deleted in ((idle, True), (busy, False)):
        client.force_login(assignment.pool.created_by)
        url = reverse("admin:assessment_assignment_delete", args=[assignment.pk])
        client.post(url, {"post": "yes"})
        assert Assignment.objects.filter(pk=assignment.pk).exists() is not is_deleted


def test_judgment_is_shown_and_not_changed(client: Client) -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D1", 1)
    client.force_login(assignment.pool.created_by)
    assert client.get(reverse("admin:assessment_judgment_change", args=[judgment.pk])).status_code == 200
    for name, args in (("add", []), ("delete", [judgment.pk])):
        assert client.get(reverse(f"admin:assessment_judgment_{name}", args=args)).status_code == 403
    client.post(reverse("admin:assessment_judgment_change", args=[judgment.pk]), {"grade": 2})
    assert Judgment.objects.get().grade == 1


def test_gold_item_is_one_that_can_be_shown_and_graded(client: Client) -> None:
    assignment = make_assignment()
    client.force_login(assignment.pool.created_by)
    address = reverse("admin:assessment_golditem_add")
    sent = {"task": assignment.pool.task_id, "topic": "T1", "docno": "D1", "grade": 2, "use": GoldUse.EXAM}
    for field, wrong in (("topic", "T9"), ("docno", "D9"), ("grade", 7)):
        errors = client.post(address, sent | {field: wrong}).context["adminform"].form.errors
        assert list(errors) == [field]
    client.post(address, sent)
    assert GoldItem.objects.get().docno == "D1"
