"""The form in which an organizer chooses the use of each field, and what an import waits for."""

from typing import Any

from django.http import QueryDict

from evaluation.imports.models import Import, ImportKind
from trackside.imports.fields import FieldChoice, FieldsRefused, Use

SINGLE = {Use.NAME: "id", Use.PICTURE: "picture", Use.STRATUM: "stratum"}
ONLY_OF_TOPICS = (Use.STRATUM, Use.NOTE)


def field_rows(task_import: Import) -> list[dict[str, Any]]:
    """Return the fields of the file in reading order: those that people and models see come first."""
    texts = list(task_import.choice.get("texts", []))
    roles = {name: role for role, name in task_import.roles.items()}
    rows = [
        {
            "number": number,
            "name": field["name"],
            "use": field["use"],
            "role": roles.get(field["name"], ""),
            "percent": round(100 * field["share"]),
            "place": texts.index(field["name"]) if field["name"] in texts else len(texts) + number,
            "is_text": field["use"] == Use.TEXT,
        }
        for number, field in enumerate(task_import.fields)
    ]
    rows.sort(key=lambda row: (not row["is_text"], row["place"]))
    return [row | {"order": order} for order, row in enumerate(rows, start=1)]


def uses_of(task_import: Import) -> list[str]:
    """Return the uses that a field of the file can have. Documents have neither stratum nor note."""
    is_topics = task_import.kind == ImportKind.TOPICS
    return [str(use) for use in Use if is_topics or use not in ONLY_OF_TOPICS]


def posted_choice(task_import: Import, posted: QueryDict) -> FieldChoice:
    """Return the choice of the form. Raises FieldsRefused."""
    chosen: dict[str, list[tuple[int, str]]] = {}
    roles: dict[str, str] = {}
    for number, field in enumerate(task_import.fields):
        use = posted.get(f"use-{number}", field["use"])
        chosen.setdefault(use, []).append((_order(posted.get(f"order-{number}", "")), field["name"]))
        if (role := posted.get(f"role-{number}", "")) and use == Use.TEXT:
            if role in roles:
                raise FieldsRefused(f"{roles[role]}, {field['name']}: only one field can be the {role}.")
            roles[role] = field["name"]
    for use, part in SINGLE.items():
        if len(chosen.get(use, [])) > 1:
            names = ", ".join(name for _, name in chosen[use])
            raise FieldsRefused(f"{names}: only one field can be the {part}. Choose other uses.")
    values: dict[str, Any] = {part: chosen[use][0][1] for use, part in SINGLE.items() if use in chosen}
    values["texts"] = [name for _, name in sorted(chosen.get(Use.TEXT, []), key=lambda pair: pair[0])]
    values["left_out"] = [name for _, name in chosen.get(Use.LEFT_OUT, [])]
    return FieldChoice.from_json(values | {"roles": roles})


def _order(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 10**6


def why_waiting(task_import: Import) -> str:
    """Return what a waiting import waits for; "" if it does not wait."""
    if not task_import.is_waiting:
        return ""
    running = Import.rows().claimed().exclude(pk=task_import.pk)
    if other := running.filter(task__track=task_import.task.track_id).first():
        return f"for the import {other}: the imports of a track run one after another"
    if task_import.queued_by_id and running.filter(queued_by=task_import.queued_by_id).exists():
        return f"for another import of {task_import.queued_by}: those of one person run one after another"
    if count := running.count():
        return f"for a worker: the imports of other tracks run ({count:,})"
    return "for a worker"
