"""A valid form with one key of another track changes nothing; with keys of its own track it works."""

import uuid
from collections.abc import Iterator
from collections.abc import Mapping as Given
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from evaluation.models import Phase, Task, Token
from tests.addresses.urlconf import named_routes
from tests.factories import dates_of
from tests.permissions.permission_table import footprint
from tests.permissions.track_sides import Side, make_side
from tests.whole_site import signed_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("sides")]


@dataclass(frozen=True)
class Key:
    """A form value that names a row, by the row's word in ``Side.keys``."""

    word: str


@dataclass(frozen=True)
class Case:
    """A valid form: its sender, URL and content, and the phase of its task."""

    who: str
    page: str
    body: Given[str, Any]
    phase: Phase = Phase.JUDGING

    def sent(self, side: Side, foreign: Given[str, Any]) -> dict[str, Any]:
        """The form with the side's own keys, and foreign ones for some fields."""
        given = {name: _value(value, side) for name, value in self.body.items()}
        return given | dict(foreign)


def _value(value: Any, side: Side) -> Any:
    if isinstance(value, Key):
        return side.keys[value.word]
    return ContentFile(*value) if isinstance(value, tuple) else value


RUN = (b"T1 Q0 D1 1 1 tag\n", "a.run")
SCORES = (b"topic,docno,score\nT1,D1,1\n", "a.csv")
VERSIONS = {"first": "own-words-text-first (version 1)", "second": "own-words-json (version 1)"}
CASES = {
    "assigning": Case(
        "organizer", "topics_assign", {"pool": Key("pool"), "way": "topics", "second_percent": 0, "seed": 1}
    ),
    "job": Case("organizer", "job_start", {"judge": Key("judge"), "pool": Key("pool")}),
    "comparison": Case("organizer", "prompts_compare", {"judge": Key("asked_judge"), **VERSIONS}),
    "scores": Case("organizer", "scores_import", {"name": "scores", "pool": Key("pool"), "file": SCORES}),
    "mapping": Case("organizer", "mapping_fit", {"rule": "kappa-cuts", "share": 50, "people": Key("qrels")}),
    "publishing": Case("organizer", "job_publish", {"mapping": Key("mapping")}),
    "new assessor": Case("organizer", "assignment_change", {"what": "reassign", "to": Key("assessor")}),
    "third assessor": Case("organizer", "adjudication_assign", {"to": Key("assessor")}),
    "exclusion": Case("organizer", "exclusion_list", {"assessor": Key("judged_by"), "reason": "random keys"}),
    "queue": Case("assessor", "items_take", {"pool": Key("queue")}),
    "undo": Case("assessor", "judgment_undo", {"undoes": Key("judgment"), "client_uuid": str(uuid.uuid4())}),
    "baselines": Case("organizer", "import_upload", {"team": Key("baseline"), "file": RUN}),
    "run": Case("owner", "run_upload", {"team": Key("team"), "file": RUN}, Phase.OPEN),
    "invitation to a team": Case(
        "organizer",
        "setup_teams",
        {"act": "invite", "team": Key("team"), "emails": "new@example.org", "role": "team_member"},
    ),
    "copied task": Case(
        "organizer",
        "task_begin",
        {"task_name": "Copy", "kind": "text-to-image", "source": Key("task_key")},
    ),
    "invitation by a program": Case(
        "organizer",
        "api:invitation_list",
        {"emails": "new@example.org", "role": "team_member", "team": Key("team_name")},
    ),
    "run by a program": Case("owner", "api:run_list", {"team": Key("team_name"), "file": RUN}, Phase.OPEN),
}
# Keys in URLs: the first key is the sender's own, the second is another track's.
ADDRESSES = {
    "training_answer": ("assessor", "item"),
    "member_remove": ("owner", "member"),
    "team_hand_over": ("owner", "member"),
    "token_revoke": ("third", "number"),
    "import_confirm": ("organizer", "task_import"),
    "import_fields": ("organizer", "task_import"),
    "import_remove": ("organizer", "task_import"),
    "import_retry": ("organizer", "task_import"),
    "job_cancel": ("organizer", "job"),
    "gold_remove": ("organizer", "gold"),
    "invitation_withdraw": ("organizer", "invitation"),
    "judge_try": ("organizer", "judge"),
    "judge_retire": ("organizer", "judge"),
    "judge_probe": ("organizer", "judge"),
    "run_withdraw": ("organizer", "run"),
    "run_note": ("organizer", "run"),
    "team_decide": ("organizer", "team"),
    "late_exception_withdraw": ("organizer", "exception"),
    "exclusion_undo": ("organizer", "exclusion"),
    "api:exclusion_undo": ("organizer", "exclusion"),
    "api:late_exception_withdraw": ("organizer", "exception"),
    "api:import_confirm": ("organizer", "task_import"),
    "api:import_fields": ("organizer", "task_import"),
    "api:import_retry": ("organizer", "task_import"),
}

CANNOT_BE_DONE = {"api:import_retry": 409}  # a tried import has nothing to try again


@pytest.fixture(scope="module")
def kept_sides(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Side, Side]]:
    """Two tracks without common rows or people, in an outer transaction that is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_side(), make_side()
        transaction.set_rollback(True)


@pytest.fixture
def sides(kept_sides: tuple[Side, Side], db: None) -> tuple[Side, Side]:
    """Fresh copies of the two tracks; a test's changes in the database are rolled back."""
    return deepcopy(kept_sides)


def traces(side: Side) -> dict[str, int]:
    """How many rows the track has, and how many tokens of its people are usable."""
    people = [person.pk for person in side.people.values()]
    return footprint(side.task) | {"tokens": Token.objects.filter(user__in=people, revoked_at=None).count()}


def send(who: str, side: Side, page: str, body: dict[str, Any], **crossed: Any) -> int:
    """The status of a POST."""
    own = {"track": side.task.track.slug, "task": side.task.slug, "kind": "runs", "place": 1}
    address = named_routes()[page].filled(own | dict(side.keys) | own | crossed)
    client = signed_in_client(side.people[who])
    if page.startswith("api:"):
        client = Client(headers={"Authorization": f"Bearer {side.keys['secrets'][who]}"})
    return client.post(address, body).status_code


@pytest.mark.parametrize("name", CASES)
def test_form_with_one_key_of_another_track_changes_nothing(
    sides: tuple[Side, Side], name: str, subtests: pytest.Subtests
) -> None:
    case, (own, other) = CASES[name], sides
    Task.objects.update(**dates_of(case.phase))
    before = [traces(side) for side in sides]
    for field, value in case.body.items():
        if isinstance(value, Key):
            with subtests.test(field):
                body = case.sent(own, {field: other.keys[value.word]})
                assert send(case.who, own, case.page, body) in {200, 302, 404, 409, 422}
                assert [traces(side) for side in sides] == before
    with subtests.test("own keys"):
        assert send(case.who, own, case.page, case.sent(own, {})) in {201, 302}
        assert traces(own) != before[0]
        assert traces(other) == before[1]


@pytest.mark.parametrize("page", ADDRESSES)
def test_own_page_with_one_key_of_another_track_is_absent(sides: tuple[Side, Side], page: str) -> None:
    (who, parameter), (own, other) = ADDRESSES[page], sides
    before = [traces(side) for side in sides]
    sent: dict[str, Any] = {"reason": "why", "text": "why", "decision": "approve", "fields": "{}"}
    assert send(who, own, page, sent, **{parameter: other.keys[parameter]}) == 404
    assert [traces(side) for side in sides] == before
    done = CANNOT_BE_DONE.get(page, 200 if page.startswith("api:") else 302)
    assert send(who, own, page, sent) == done


def test_previews_show_no_prompts_of_another_track(sides: tuple[Side, Side]) -> None:
    own, other = sides
    address = named_routes()["prompt_preview"].filled({"track": own.task.track.slug, "task": own.task.slug})
    client = signed_in_client(own.people["organizer"])
    for side, is_shown in ((own, True), (other, False)):
        name = side.keys["prompt"]
        page = client.get(address, {"named": f"{name} (version 1) of {side.task.track}"}).content.decode()
        assert (f"Words of {name}" in page) is is_shown
