"""The archive: a finished track can be read by everybody, and changed by nobody until it is restored."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Archiving, Membership, Phase, Role, Task, User
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.platform.access.changes import across, event_models
from evaluation.submissions.teams.invitations import check_may_have
from evaluation.submissions.teams.membership import join_team, renew_team_link
from evaluation.tracks.archiving import archive_track, restore_track
from tests.addresses.urlconf import is_of_api
from tests.factories import (
    make_assessor,
    make_organizer,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_user,
)
from tests.permissions.permission_table import footprint, posts
from tests.refusals import refused
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db

SAYS = "is archived"


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.RELEASED)


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


@pytest.mark.whole
def test_every_change_below_an_archived_track_is_refused_with_the_reason(
    whole_site: WholeSite, subtests: pytest.Subtests
) -> None:
    whole_site.enter(Phase.RELEASED)
    archive_track(track=whole_site.task.track, by=whole_site.signed_in("organizer"))
    before = footprint(whole_site.task)
    browsers, programs = whole_site.clients(), whole_site.programs()
    # A zip of the report repeats what is public; nothing of the track changes.
    allowed = {"track_restore", "api:track_restore", "report_pack", "api:report_bundle"}
    routes = [route for route in posts() if route.name not in allowed]
    assert len(routes) > 60
    for route in routes:
        address = route.filled(whole_site.first_values)
        for role in ("organizer", "staff", "team", "assessor"):
            with subtests.test(f"{route.name} as {role}"):
                answer = (programs if is_of_api(route.name) else browsers)[role].post(address, {})
                assert answer.status_code == 409
                assert SAYS in answer.content.decode()
    assert footprint(whole_site.task) == before


def test_archived_track_is_read_as_before(client: Client, task: Task, organizer: User) -> None:
    archive_track(track=task.track, by=organizer)
    page = client.get(reverse("track_detail", args=[task.track.slug])).content.decode()
    assert "The track has been archived since" in page
    assert "Restore the track" not in page
    assert client.get(reverse("task_detail", args=[task.track.slug, task.slug])).status_code == 200
    client.force_login(organizer)
    assert "Restore the track" in client.get(reverse("track_detail", args=[task.track.slug])).content.decode()
    assert [need.text for need in organizer_needs(Task.objects.with_phase().get(pk=task.pk))] == [
        "The track is archived"
    ]


FORMS = (
    "task_begin",
    "member_invite",
    "announcement_create",
    "run_upload",
    "topics_assign",
    "job_start",
    "scores_import",
)


@pytest.mark.parametrize("name", FORMS)
def test_page_that_is_a_form_is_not_opened(client: Client, task: Task, organizer: User, name: str) -> None:
    archive_track(track=task.track, by=organizer)
    client.force_login(organizer)
    of_track = name in FORMS[:3]
    answer = client.get(reverse(name, args=[task.track.slug] if of_track else [task.track.slug, task.slug]))
    assert answer.status_code == 409
    assert SAYS in answer.content.decode()
    assert "not stored" not in answer.content.decode()


def test_steps_of_setting_up_can_be_read_only(client: Client, task: Task, organizer: User) -> None:
    client.force_login(organizer)
    url = reverse("setup_dates", args=[task.track.slug, task.slug])
    assert (
        '<fieldset class="stack whole" role="presentation" disabled>' not in client.get(url).content.decode()
    )
    archive_track(track=task.track, by=organizer)
    page = client.get(url).content.decode()
    assert SAYS in page
    assert 'name="opens_at"' in page.split('<fieldset class="stack whole" role="presentation" disabled>')[1]


def test_home_lists_it_under_past_tracks(client: Client, task: Task, organizer: User) -> None:
    assert "Past tracks" not in client.get("/").content.decode()
    archive_track(track=task.track, by=organizer)
    page = client.get("/").content.decode()
    assert page.index("Past tracks") < page.index(f"/tracks/{task.track.slug}/")
    assert page.count(f"/tracks/{task.track.slug}/") == 1


def test_track_that_strangers_cannot_see_is_not_archived_nor_named_to_them(client: Client) -> None:
    hidden = make_task(phase=Phase.DRAFT).track
    organizer = make_organizer(hidden)
    with refused("track-not-finished", match="No task"):
        archive_track(track=hidden, by=organizer)
    client.force_login(make_user())
    answers = [client.post(reverse("task_begin", args=[slug])) for slug in (hidden.slug, "no-such-track")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert hidden.name not in answers[0].content.decode()


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.CLOSED, Phase.JUDGING])
def test_track_with_a_task_at_work_is_not_archived(
    client: Client, task: Task, organizer: User, phase: Phase
) -> None:
    other = make_task(task.track, phase=phase)
    with refused("track-not-finished", match=other.name):
        archive_track(track=task.track, by=organizer)
    client.force_login(organizer)
    client.post(reverse("track_archive", args=[task.track.slug]))
    assert not Archiving.objects.exists()


def test_only_organizers_archive_and_restore(task: Task, organizer: User) -> None:
    for person in (make_assessor(task.track), make_organizer(make_task().track), make_user()):
        with refused("not-organizer-of-track"):
            archive_track(track=task.track, by=person)
        with refused("not-organizer-of-track"):
            restore_track(track=task.track, by=person)
    first = archive_track(track=task.track, by=organizer)
    assert archive_track(track=task.track, by=make_staff()) == first


def test_restored_track_can_be_changed_and_both_are_on_record(
    client: Client, task: Task, organizer: User
) -> None:
    client.force_login(organizer)
    client.post(reverse("track_archive", args=[task.track.slug]))
    announce = reverse("announcement_create", args=[task.track.slug])
    assert client.post(announce).status_code == 409
    client.post(reverse("track_restore", args=[task.track.slug]))
    assert client.post(announce).status_code == 200
    events = across(event_models()["evaluation.archiving"]).order_by("pgh_created_at")
    assert [event.pgh_label for event in events] == ["insert", "delete"]
    assert {event.pgh_data["track_id"] for event in events} == {task.track_id}


def test_nobody_joins_an_archived_track(task: Task, organizer: User) -> None:
    team = make_team(task.track)
    team = renew_team_link(team=team, by=make_team_member(team))
    archive_track(track=task.track, by=organizer)
    person = make_user()
    with refused("track-archived"):
        join_team(token=team.link_token, by=person)
    for role in (Role.ASSESSOR, Role.ORGANIZER):
        with refused("track-archived"):
            check_may_have(person, task.track, role, None)
    assert not Membership.objects.filter(user=person).exists()
