"""Questions of participants: who reads them, what is refused, and who gets a mail."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from evaluation.models import Archiving, Inquiry, Membership, Phase, Role, Task, User
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.tracks.inquiries.actions import answer_inquiry, ask_organizers
from evaluation.tracks.inquiries.models import QUESTION_MAX
from evaluation.tracks.mail.actions import send_mails
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_user,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.OPEN)


@pytest.fixture
def asker(task: Task) -> User:
    return make_team_member(make_team(task.track, name="Blue"), name="Ann", email="ann@example.org")


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track, email="organizer@example.org")


def address_of(task: Task) -> str:
    return reverse("inquiry_list", args=[task.track.slug, task.slug])


def answered(inquiry: Inquiry, by: User, *, is_public: bool, text: str = "Yes.") -> Inquiry:
    inquiry.answer, inquiry.is_public = text, is_public
    return answer_inquiry(inquiry=inquiry, is_mailed=True, by=by)


def test_each_role_reads_what_is_for_it(task: Task, asker: User, organizer: User) -> None:
    ask_organizers(task=task, text="waiting", by=asker)
    for is_public in (False, True):
        inquiry = ask_organizers(task=task, text="public" if is_public else "private", by=asker)
        answered(inquiry, organizer, is_public=is_public)
    team = make_team(task.track)
    also_assessor = make_team_member(team)
    Membership.objects.create(user=also_assessor, track=task.track, role=Role.ASSESSOR)
    also_organizer = make_assessor(task.track)
    Membership.objects.create(user=also_organizer, track=task.track, role=Role.ORGANIZER)
    everything = {"waiting", "private", "public"}
    readers: dict[str, tuple[User | AnonymousUser, set[str]]] = {
        "asker": (asker, everything),
        "member of another team": (make_team_member(team), {"public"}),
        "organizer": (organizer, everything),
        "organizer who assesses": (also_organizer, everything),
        "staff": (make_staff(), everything),
        "assessor": (make_assessor(task.track), set()),
        "member of a team who assesses": (also_assessor, set()),
        "team of another track": (make_team_member(make_team()), set()),
        "visitor": (make_user(), set()),
        "signed-out": (AnonymousUser(), set()),
    }
    found = {
        name: set(Inquiry.objects.visible_to(reader).values_list("text", flat=True))
        for name, (reader, _) in readers.items()
    }
    assert found == {name: wanted for name, (_, wanted) in readers.items()}


def test_asker_reads_nothing_once_assessor_out_of_the_team_or_before_the_task_opens(
    task: Task, asker: User
) -> None:
    ask_organizers(task=task, text="Which depth?", by=asker)
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.DRAFT))
    assert not Inquiry.objects.visible_to(User.objects.get(pk=asker.pk)).exists()
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.OPEN))
    assert Inquiry.objects.visible_to(User.objects.get(pk=asker.pk)).exists()
    Membership.objects.create(user=asker, track=task.track, role=Role.ASSESSOR)
    assert not Inquiry.objects.visible_to(User.objects.get(pk=asker.pk)).exists()
    Membership.objects.filter(user=asker).delete()
    assert not Inquiry.objects.visible_to(User.objects.get(pk=asker.pk)).exists()


def test_participant_asks_on_the_page_of_the_task(client: Client, task: Task, asker: User) -> None:
    client.force_login(asker)
    page = client.get(reverse("task_detail", args=[task.track.slug, task.slug])).content.decode()
    assert f'action="{address_of(task)}"' in page
    answer = client.post(address_of(task), {"text": "May runs use\r\n<b>captions</b>?"}, follow=True)
    page = answer.content.decode()
    assert "The organizers see your question." in page
    assert "<p>May runs use<br>&lt;b&gt;captions&lt;/b&gt;?</p>" in page
    assert "waits for an answer" in page


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.JUDGING, Phase.RELEASED])
def test_questions_are_taken_after_the_close(client: Client, phase: Phase) -> None:
    task = make_task(phase=phase)
    client.force_login(make_team_member(make_team(task.track)))
    assert client.post(address_of(task), {"text": "When?"}).status_code == 302


def test_only_participants_ask(client: Client, task: Task, organizer: User) -> None:
    also_assessor = make_team_member(make_team(task.track))
    Membership.objects.create(user=also_assessor, track=task.track, role=Role.ASSESSOR)
    for person in (organizer, make_assessor(task.track), also_assessor, make_user()):
        client.force_login(person)
        assert client.post(address_of(task), {"text": "May I?"}).status_code == 404
    assert not Inquiry.objects.exists()


def test_archived_task_takes_no_question(client: Client, task: Task, asker: User, organizer: User) -> None:
    ask_organizers(task=task, text="Before", by=asker)
    Archiving.objects.create(track=task.track, archived_by=organizer)
    for person in (asker, organizer):
        client.force_login(person)
        page = client.get(address_of(task)).content.decode()
        assert ("Before" in page, "<textarea" in page) == (True, False)
    client.force_login(asker)
    assert client.post(address_of(task), {"text": "After"}).status_code == 409
    home = client.get(reverse("task_detail", args=[task.track.slug, task.slug])).content.decode()
    assert "<textarea" not in home


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "question-empty"),
        (" \n\t", "question-empty"),
        ("\u200b\u202e\u2066\u2069\ufeff\u3164", "question-empty"),
        ("x" * (QUESTION_MAX + 1), "question-too-long"),
        ("a\0b", "question-too-long"),
    ],
)
def test_unreadable_and_long_questions_are_refused(task: Task, asker: User, text: str, code: str) -> None:
    with refused(code):
        ask_organizers(task=task, text=text, by=asker)
    assert not Inquiry.objects.exists()


def test_refused_question_stays_in_its_form(client: Client, task: Task, asker: User) -> None:
    client.force_login(asker)
    page = client.post(address_of(task), {"text": "w" * (QUESTION_MAX + 1)}).content.decode()
    assert "Your question has 2,001 characters." in page
    assert "w" * (QUESTION_MAX + 1) in page


def test_question_of_the_longest_length_with_lines_and_wide_letters_is_taken(task: Task, asker: User) -> None:
    text = "\r\n".join(["\U0001d49c" * 19] * (QUESTION_MAX // 20))
    inquiry = ask_organizers(task=task, text=text, by=asker)
    assert inquiry.text == text.replace("\r\n", "\n")


def test_characters_that_nobody_sees_are_left_out(task: Task, asker: User) -> None:
    inquiry = ask_organizers(
        task=task, text="May \u202ewe\u200b use \u0645\u06cc\u200c\u062e\u0648?", by=asker
    )
    assert inquiry.text == "May we use \u0645\u06cc\u200c\u062e\u0648?"  # Persian needs its joiner


def test_same_question_again_is_stored_and_mailed_once(task: Task, asker: User, organizer: User) -> None:
    first = ask_organizers(task=task, text="Twice?", by=asker)
    again = ask_organizers(task=task, text=" Twice?\r\n", by=asker)
    other = ask_organizers(task=task, text="Twice?", by=make_team_member(make_team(task.track)))
    assert (again.pk, other.pk == first.pk) == (first.pk, False)
    send_mails()
    assert [message.to for message in mail.outbox] == [[organizer.email]] * 2


def test_question_stays_as_asked(task: Task, asker: User) -> None:
    inquiry = ask_organizers(task=task, text="As asked", by=asker)
    with pytest.raises(DatabaseError), transaction.atomic():
        Inquiry.objects.filter(pk=inquiry.pk).update(text="otherwise")


def test_organizers_get_the_question_and_the_asker_the_answer(
    task: Task, asker: User, organizer: User
) -> None:
    make_organizer(task.track, email="gone@example.org", is_active=False)
    make_team_member(make_team(task.track), email="other@example.org")
    inquiry = ask_organizers(task=task, text="Are captions allowed?", by=asker)
    answered(inquiry, organizer, is_public=True, text="They are.")
    send_mails()
    assert [message.to[0] for message in mail.outbox] == ["organizer@example.org", "ann@example.org"]
    asked, answer = mail.outbox
    assert "Ann asks" in asked.body
    assert "Are captions allowed?" in asked.body
    assert "answers all teams:\n\nThey are." in answer.body
    assert address_of(task) in answer.body


@pytest.mark.parametrize("what", ["closed account", "became an assessor", "left the team"])
def test_answer_is_mailed_only_to_who_may_still_read_it(
    task: Task, asker: User, organizer: User, what: str
) -> None:
    inquiry = ask_organizers(task=task, text="Am I in?", by=asker)
    if what == "closed account":
        User.objects.filter(pk=asker.pk).update(is_active=False)
    elif what == "became an assessor":
        Membership.objects.create(user=asker, track=task.track, role=Role.ASSESSOR)
    else:
        Membership.objects.filter(user=asker).delete()
    answered(Inquiry.objects.get(pk=inquiry.pk), organizer, is_public=True)
    send_mails()
    assert [message.to[0] for message in mail.outbox] == [organizer.email]


def test_organizer_answers_on_the_page_and_others_do_not_read_who_asked(
    client: Client, task: Task, asker: User, organizer: User
) -> None:
    inquiry = ask_organizers(task=task, text="Are <i>captions</i> allowed?", by=asker)
    client.force_login(organizer)
    page = client.get(address_of(task)).content.decode()
    assert "<bdi>Ann</bdi>, <bdi>Blue</bdi>" in page
    edit = reverse("row_edit", args=[task.track.slug, "inquiry", inquiry.pk])
    assert f'action="{edit}"' in page
    opened = re.search(r'name="opened" value="(\w+)"', page)
    assert opened
    sent = {"answer": "Yes, *all*.", "is_public": "on", "opened": opened[1]}
    assert client.post(edit, sent).headers["Location"] == address_of(task)
    stored = Inquiry.objects.get()
    assert (stored.answered_by, stored.answer, stored.is_public) == (organizer, "Yes, *all*.", True)
    assert "&lt;i&gt;captions&lt;/i&gt;" in client.get(edit).content.decode()
    client.force_login(make_team_member(make_team(task.track)))
    for name in ("inquiry_list", "task_detail"):
        page = client.get(reverse(name, args=[task.track.slug, task.slug])).content.decode()
        assert "Yes, <em>all</em>." in page
        assert ("Ann" in page, "Blue" in page, "your question" in page) == (False, False, False)


def test_private_answer_made_public_is_not_mailed_again(
    client: Client, task: Task, asker: User, organizer: User
) -> None:
    inquiry = answered(ask_organizers(task=task, text="Q", by=asker), organizer, is_public=False)
    send_mails()
    sent_before = len(mail.outbox)
    client.force_login(organizer)
    edit = reverse("row_edit", args=[task.track.slug, "inquiry", inquiry.pk])
    client.post(edit, {"answer": "Yes.", "is_public": "on"})
    send_mails()
    assert (Inquiry.objects.get().is_public, len(mail.outbox)) == (True, sent_before)


def test_empty_answer_is_refused(client: Client, task: Task, asker: User, organizer: User) -> None:
    inquiry = ask_organizers(task=task, text="Q", by=asker)
    client.force_login(organizer)
    edit = reverse("row_edit", args=[task.track.slug, "inquiry", inquiry.pk])
    assert "This field is required." in client.post(edit, {"answer": " "}).content.decode()
    assert Inquiry.objects.unanswered().exists()


def test_organizers_remove_a_question(client: Client, task: Task, asker: User, organizer: User) -> None:
    inquiry = ask_organizers(task=task, text="Spam", by=asker)
    client.force_login(organizer)
    client.post(reverse("row_remove", args=[task.track.slug, "inquiry", inquiry.pk]))
    assert not Inquiry.objects.exists()


def test_unanswered_questions_need_the_organizers(task: Task, asker: User, organizer: User) -> None:
    def needs() -> list[str]:
        task_now = Task.objects.with_phase().select_related("track").get(pk=task.pk)
        return [need.text for need in organizer_needs(task_now) if need.address == address_of(task)]

    assert needs() == []
    inquiry = ask_organizers(task=task, text="One", by=asker)
    assert needs() == ["1 question waits"]
    ask_organizers(task=task, text="Two", by=asker)
    assert needs() == ["2 questions wait"]
    answered(inquiry, organizer, is_public=False)
    assert needs() == ["1 question waits"]


def test_unanswered_questions_come_first_and_long_lists_have_pages(
    client: Client, task: Task, asker: User, organizer: User
) -> None:
    for number in range(22):
        inquiry = ask_organizers(task=task, text=f"question-{number:02}", by=asker)
        if number >= 11:
            answered(inquiry, organizer, is_public=False)
    client.force_login(organizer)
    pages = [client.get(address_of(task), {"page": page}).content.decode() for page in (1, 2)]
    found = [re.findall(r"<p>question-(\d\d)</p>", page) for page in pages]
    assert found[0] + found[1] == [f"{n:02}" for n in (*range(10, -1, -1), *range(21, 10, -1))]
    assert len(found[0]) == 20
