"""Secret rows of a track: its tasks, people and registration."""

import base64
from datetime import timedelta

import numpy as np
from django.utils import timezone

from evaluation.models import (
    Announcement,
    Application,
    ApplicationState,
    Audience,
    Corpus,
    EntryRules,
    Image,
    Import,
    ImportKind,
    ImportState,
    Inquiry,
    Invitation,
    LateException,
    Operation,
    OperationOutcome,
    Phase,
    RetiredRow,
    Role,
    Task,
    Team,
    Track,
    User,
)
from evaluation.organizing.auditing.actions import AUDIT
from evaluation.submissions.pools.operations import PREVIEW
from tests.factories import (
    make_blob,
    make_collection,
    make_document,
    make_image,
    make_task,
    make_track,
)
from tests.secret_rows.words import PAIRS, SECRET
from trackside.imports.faults import Faults, ImportFault


def make_secret_task() -> Task:
    """A task in judging with two pictures, beside a draft."""
    track = make_track()
    hidden = make_collection(track, name=f"{SECRET}-collection")
    make_task(track, phase=Phase.DRAFT, name=f"{SECRET}-draft", topic_count=1, collection=hidden)
    shared = make_collection(track, is_shared=True)
    task = make_task(track, phase=Phase.JUDGING, topic_count=2, collection=shared)
    for number in (1, 2):
        picture = make_image()
        blob = make_blob(f"{SECRET}: what the camera wrote into picture {number}".encode())
        fresh = Image.objects.create(
            sha256=blob.sha256,
            original=blob,
            display=picture.display,
            small=picture.small,
            thumbnail=picture.thumbnail,
            width=64,
            height=48,
        )
        make_document(
            task.collection,
            docno=f"{SECRET}-docno-{number}",
            fields=[["caption", f"Picture {number}"]],
            image=fresh,
        )
    Corpus.of_keys(shared, "small", np.array(shared.documents.values_list("pk", flat=True)[:1])).save()
    return task


def make_secret_exception(task: Task, team: Team, organizer: User) -> LateException:
    """A later close for the team, which is over; made before the task has a pool."""
    return LateException.objects.create(
        task=task,
        team=team,
        closes_at=timezone.now() - timedelta(days=1),
        reason=f"{SECRET}-reason",
        granted_by=organizer,
    )


def make_secret_registration(owners: dict[Team, User], organizer: User) -> None:
    """Rules of the track, a row of a dropped table, and each team's approved application."""
    track = organizer.memberships.get().track
    RetiredRow.objects.create(source="evaluation_stamp", track=track, content={"words": f"{SECRET}-stamp"})
    EntryRules.objects.create(track=track, needs_approval=True)
    for team, owner in owners.items():
        whose = f"{SECRET}-rival" if team.name.endswith("-rival") else SECRET
        Application.objects.create(
            team=team,
            state=ApplicationState.APPROVED,
            words=f"{whose}-words",
            applied_by=owner,
            note=f"{whose}-note",
            decided_at=timezone.now(),
            decided_by=organizer,
        )


def make_secret_import(task: Task, organizer: User) -> Import:
    """A tried import with a fault."""
    faults = Faults()
    faults.add(ImportFault.NO_NAME, "line 3", f"{SECRET}-docno-3")
    return Import.objects.create(
        task=task,
        kind=ImportKind.COLLECTION,
        upload=make_blob(f"{SECRET} captions".encode()),
        file_name=f"{SECRET}-captions.jsonl",
        state=ImportState.TRIED,
        counts={"added": 2, "changed": 0, "same": 0, "refused": 1},
        faults=faults.to_json(),
        fields=[{"name": f"{SECRET}-field", "use": "text", "share": 1.0}],
        samples=[
            {
                "name": f"{SECRET}-docno-1",
                "fields": [[f"{SECRET}-field", f"{SECRET}-caption"]],
                "left_out": [[f"{SECRET}-answer", f"{SECRET}-gold"]],
                "note": "",
                "stratum": "",
                "thumbnail": base64.b64encode(b"webp").decode(),
            }
        ],
        received_by=organizer,
    )


def make_secret_preview(task: Task, organizer: User) -> Operation:
    """A preview of a pool, drawn."""
    topics = [[f"{SECRET}-topic", 2, 1]]
    findings = {"size": 2, "new_count": 1, "hours": None, "topics": topics, "empty_count": 0, "bare_count": 0}
    return Operation.objects.create(
        task=task,
        kind=PREVIEW,
        about=f"{SECRET}-preview",
        options={"name": f"{SECRET}-preview"},
        requested_by=organizer,
        outcome=OperationOutcome.DONE,
        message=f"{SECRET}-message",
        findings=findings | {"is_bare_left_out": False},
        ended_at=timezone.now(),
    )


def make_secret_audit(task: Task, organizer: User) -> Operation:
    """An audit that has found faults of both groups, one of them of a topic and a document that exist."""
    topic, docno = PAIRS[0]
    faults = [
        {
            "kind": "answer_in_topic",
            "title": "Topics whose text names a relevant document",
            "cure": "Remove the docno from the text.",
            "is_wrong": True,
            "count": 1,
            "examples": [f"{SECRET}-example"],
            "items": [[["topic", topic], ["document", docno], ["document", f"{SECRET}-docno"]]],
        },
        {
            "kind": "field_seldom",
            "title": "Fields that hardly any record has",
            "cure": "Leave the field out.",
            "is_wrong": False,
            "count": 2,
            "examples": [f"{SECRET}-first", f"{SECRET}-second"],
            "items": [[], []],
        },
    ]
    numbers = {"topic_count": 1, "document_count": 4, "run_count": 2, "kind_count": 2, "wrong_count": 1}
    return Operation.objects.create(
        task=task,
        kind=AUDIT,
        requested_by=organizer,
        outcome=OperationOutcome.DONE,
        message=f"{SECRET}-audit",
        findings={
            "collection": task.collection_id,
            "qrels": [f"{SECRET}-people"],
            "faults": faults,
            **numbers,
        },
        claimed_at=timezone.now(),
        ended_at=timezone.now(),
    )


def make_secret_announcement(track: Track, organizer: User) -> Announcement:
    """An announcement to the teams, which assessors must not read."""
    return Announcement.objects.create(
        track=track, audience=Audience.TEAMS, subject=f"{SECRET}-announcement", created_by=organizer
    )


def make_secret_inquiries(task: Task, asker: User, organizer: User) -> None:
    """A waiting question of a participant, and one that is answered to all teams."""
    Inquiry.objects.create(task=task, text=f"{SECRET}-inquiry", asked_by=asker)
    Inquiry.objects.create(
        task=task,
        text=f"{SECRET}-public-inquiry",
        asked_by=asker,
        answer=f"{SECRET}-public-inquiry-answer",
        is_public=True,
        answered_at=timezone.now(),
        answered_by=organizer,
    )


def make_secret_invitation(track: Track, organizer: User) -> Invitation:
    """An invitation that is not accepted yet."""
    return Invitation.objects.create(
        track=track,
        email=f"{SECRET}-invited@example.org".lower(),
        role=Role.ASSESSOR,
        token_sha256="0" * 64,
        invited_by=organizer,
        expires_at=timezone.now() + timedelta(days=1),
    )
