"""Too many requests get 429 with Retry-After, on pages and by the API."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.models import Phase, Run, Scope, Team, Token
from tests.evaluation.platform.access.account_forms import ME, is_signed_in
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_task, make_team, make_team_member, make_user
from trackside.rates import RateLimit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _one_an_hour(settings: Settings) -> None:
    one_an_hour = dict.fromkeys(settings.RATES, RateLimit(1, 3600))
    settings.RATES = one_an_hour | {"wrong_password": settings.RATES["wrong_password"]}


def assert_refused(answer: Any) -> None:
    assert answer.status_code == 429
    assert 3590 <= int(answer["Retry-After"]) <= 3600


def test_pages_refuse_forms_that_come_too_often(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    member = make_team_member(make_team(task.track))
    place = [task.track.slug, task.slug]
    for person, address in (
        (member, reverse("run_upload", args=place)),
        (member, reverse("account_tokens")),
        (make_user(), reverse("team_create", args=place[:1])),
        (make_user(), reverse("name_change")),
        (make_organizer(task.track), reverse("import_upload", args=[*place, "topics"])),
        (make_organizer(task.track), reverse("member_invite", args=place[:1])),
    ):
        client.force_login(person)
        assert client.post(address).status_code == 200, address
        answer = client.post(address)
        assert_refused(answer)
        assert "1 times in 3,600 seconds" in answer.content.decode()
        assert client.get(address).status_code == 200


def test_refused_form_does_nothing(client: Client) -> None:
    track = make_task(phase=Phase.OPEN).track
    client.force_login(make_user())
    for name in ("Kestrel", "Nordlys"):
        client.post(reverse("team_create", args=[track.slug]), {"name": name})
    assert [team.name for team in Team.objects.all()] == ["Kestrel"]


def test_api_counts_requests_by_token(settings: Settings) -> None:
    settings.RATES |= {"api": RateLimit(2, 3600)}
    first, second = program_of(make_user()), program_of(make_user())
    assert [first.get("/api/v1/tracks").status_code for _ in range(3)] == [200, 200, 429]
    answer = first.get("/api/v1/account")
    assert 1790 <= int(answer["Retry-After"]) <= 1800
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:trackside:too-many-requests"
    assert second.get("/api/v1/tracks").status_code == 200


def test_uploads_by_page_and_api_count_together(client: Client, settings: Settings) -> None:
    settings.RATES |= {"api": RateLimit(100, 3600)}
    task = make_task(phase=Phase.OPEN)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    client.post(reverse("run_upload", args=[task.track.slug, task.slug]))
    file = SimpleUploadedFile("run.txt", b"T1 Q0 D1 1 1 tag\n")
    assert_refused(program_of(member, Scope.SUBMIT).post(address_of(task, "/runs"), {"file": file}))
    assert not Run.objects.exists()
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    program = program_of(organizer, Scope.ORGANIZE)
    for page, rest in (("import_upload", "/imports/topics"), ("member_invite", "/invitations")):
        place = [task.track.slug, task.slug, "topics"] if page == "import_upload" else [task.track.slug]
        client.post(reverse(page, args=place))
        of_track = f"/api/v1/tracks/{task.track.slug}"
        assert_refused(program.post(address_of(task, rest) if "import" in rest else of_track + rest))


def test_guessed_tokens_count_by_address() -> None:
    statuses = [
        Client(headers={"Authorization": f"Bearer guess{number}"}).get("/api/v1/tracks").status_code
        for number in range(3)
    ]
    assert statuses == [401, 429, 429]
    assert program_of(make_user()).get("/api/v1/tracks").status_code == 200
    elsewhere = Client(headers={"Authorization": "Bearer guess"}, REMOTE_ADDR="10.1.2.3")
    assert elsewhere.get("/api/v1/tracks").status_code == 401


def test_wrong_passwords_are_answered_429_with_a_time_and_lock_no_account_elsewhere(client: Client) -> None:
    """After five wrong passwords in five minutes (one address, one account) the right one fails, too."""
    make_user(email="me@example.org")
    stranger, wrong = Client(REMOTE_ADDR="10.1.2.3"), ME | {"password": "wrong"}
    assert [stranger.post("/account/login/", wrong).status_code for _ in range(6)] == [200] * 5 + [429]
    answer = stranger.post("/account/login/", ME)
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)
    assert "This was tried too many times" in answer.content.decode()
    client.post("/account/login/", ME)
    assert is_signed_in(client)


def test_number_of_tokens_of_a_person_is_limited(client: Client, settings: Settings) -> None:
    settings.RATES |= {"token": RateLimit(10, 3600)}
    settings.MAX_TOKENS = 1
    client.force_login(make_user())
    form = {"name": "laptop", "scopes": ["read"], "days": "30"}
    client.post(reverse("account_tokens"), form)
    assert "You have 1 tokens in use" in client.post(reverse("account_tokens"), form).content.decode()
    client.post(reverse("token_revoke", args=[Token.objects.get().pk]))
    client.post(reverse("account_tokens"), form)
    assert Token.objects.count() == 2
