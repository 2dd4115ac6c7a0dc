"""Judges in a track file: ``[[judges]]`` with what decides their answers.

A judge never changes, so an entry creates a judge or names one that exists with the same settings.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ValidationError
from django.db.models import Q
from pydantic import Field, JsonValue

from evaluation.organizing.track_files.parts import LISTS, PartSchema, TrackFileList
from evaluation.platform.access.forms import JSONTextField
from evaluation.platform.access.people import User
from evaluation.tracks.models import Track
from judges.catalogue.actions import create_judge
from judges.catalogue.models import OF_TRACKS, Judge
from judges.jobs.models import Job
from judges.prompts.forms import named_prompts
from judges.prompts.models import Prompt
from judges.trials.models import Trial
from trackside.backends.registry import backend_class, backend_names
from trackside.errors import InputError
from trackside.judging.endpoints.clients import replicas
from trackside.judging.examples import is_filled
from trackside.judging.forms import answer_form
from trackside.judging.prompts import stored_template
from trackside.judging.settings import CLIP_PRESETS, DRAFT, IMAGE_SIDE, ORIGINAL, SMALL, Settings

MOST_JUDGES = 50  # per file
LOADED = ("clip", "llava", "sentences")  # backends that call no endpoint
# Not a folder, so that a backend fills in its defaults without reading the files of a model.
NO_FOLDER, ANY_COMMIT = "not/a/folder", "0" * 40


class JudgePart(PartSchema):
    """A judge. Keys that the entry leaves out have the defaults of the admin's form."""

    name: str = Field(max_length=60)
    preset: str = ""
    backend: str = ""
    backend_revision: int | None = None
    model: str = Field(min_length=1)
    model_revision: str = ""
    dtype: str = "float32"
    prompt: str = ""
    text_fields: list[str] = []
    image_size: str = Field("small", pattern=rf"^({SMALL}|{ORIGINAL}|{DRAFT}|{IMAGE_SIDE.pattern})$")
    long_text: Literal["truncate", "chunk-mean", "chunk-max", "by-fields"] = "truncate"
    decoding: dict[str, JsonValue] = {}
    seed: int = Field(0, ge=0, le=2**32 - 1)
    endpoint: str = ""
    answer: str = ""
    task_kinds: list[str] = []


OWN = frozenset(JudgePart.model_fields) & {field.name for field in fields(Settings)}


def read_judges(track: Track) -> list[dict[str, Any]]:
    """Return the track's judges in use, and the site's that it tried or used, as plain values.

    Ensembles and imported scores derive from a track's results, so no file can create them.
    """
    tried = Trial.objects.filter(task__track=track).values("judge")
    used = Job.objects.filter(pool__task__track=track).values("judge")
    judges = Judge.objects.of_track(track).in_use().exclude(backend__in=OF_TRACKS)
    rows = judges.filter(Q(track=track) | Q(pk__in=tried) | Q(pk__in=used))
    writable = [
        judge
        for judge in rows
        if not (_has_null(judge.decoding) or _may_hold_key(judge.endpoint) or judge.example_topics)
    ]  # TOML has no null; a file with a key in an address, or with people's grades, would show them
    return [_entry(judge) for judge in writable]


def _has_null(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_has_null, value.values() if isinstance(value, dict) else value))
    return value is None


def _entry(judge: Judge) -> dict[str, Any]:
    """Return the keys of the judge that differ from the defaults; of a model's folder only its last part."""
    values = {name: getattr(judge, name) for name in JudgePart.model_fields if hasattr(judge, name)}
    values |= {"backend_revision": judge.revision, "model": judge.model_name}
    defaults = {name: field.default for name, field in JudgePart.model_fields.items()}
    return {
        name: values[name] for name in defaults if name in values and values[name] not in (defaults[name], "")
    }


def apply_judge(track: Track, part: JudgePart, by: User) -> None:
    """Create the judge that the entry names, unless the site has it.

    Raises ValidationError for a key, and the InputErrors of ``create_judge``.
    """
    settings = _settings(track, part)
    judge = Judge.objects.of_track(track).filter(name=part.name).first()
    if judge:
        for name in _differences(judge, part, settings):
            words = f"The judge {judge} has another {name}. A judge never changes: choose another name."
            raise ValidationError({name: words})
        return
    settings = replace(settings, model=_located(settings))
    _check_backend(part, settings)
    _check_columns(part, settings)
    create_judge(name=part.name, settings=settings, by=by, task_kinds=part.task_kinds, track=track)


def _located(settings: Settings) -> str:
    """Return the model, or the path of a folder of this name and content that a judge of the site uses."""
    judges = Judge.objects.filter(model_revision=settings.model_revision).exclude(model_revision="")
    folders = (judge.model for judge in judges if judge.model_name == settings.model)
    return next(folders, settings.model)


def _check_backend(part: JudgePart, settings: Settings) -> None:
    offered = [name for name in backend_names() if name not in OF_TRACKS]
    if settings.backend not in offered:
        raise ValidationError({"backend": f"Choose one of {', '.join(offered)}, or a preset."})
    backend = backend_class(settings.backend)
    if part.backend_revision not in (None, backend.revision):
        words = (
            f"On this site {settings.backend} has revision {backend.revision}, which answers differently. "
            "Remove the key to create a judge of that revision."
        )
        raise ValidationError({"backend_revision": words})


def _check_columns(part: JudgePart, settings: Settings) -> None:
    columns = asdict(settings) | {"text_fields": list(settings.text_fields), "task_kinds": part.task_kinds}
    filled_in = {name for name in ("task_kinds", "model_revision") if not columns[name]}
    not_given = {"identity_sha256", "created_at", "created_by", "shutdown_on"}
    Judge(name=part.name, **columns).clean_fields(exclude=not_given | filled_in)


def _settings(track: Track, part: JudgePart) -> Settings:
    """Return the settings of the entry and its preset, without the revision of the backend."""
    values = {name: getattr(part, name) for name in OWN}
    values |= {"prompt": stored_template(part.prompt), "decoding": _storable(part.decoding)}
    if part.preset:
        values |= _of_preset(track, part)
    values["text_fields"] = tuple(values["text_fields"])
    if is_filled(values["prompt"]):
        raise ValidationError(
            {"prompt": "Examples are pairs of a task: make the judge on its page Model judges."}
        )
    if values["answer"]:
        try:
            answer_form(values["answer"])
        except InputError as error:
            raise ValidationError({"answer": str(error)}) from error
    _check_address(part, values["backend"])
    return Settings(**values, revision=0)


def _of_preset(track: Track, part: JudgePart) -> dict[str, Any]:
    """Return the settings of the preset, which the entry may not set itself."""
    if clip := CLIP_PRESETS.get(part.preset):
        fixed = {**clip.choices, "backend": "clip"}
    else:
        prompts = named_prompts(Prompt.objects.of_track(track))
        prompt = prompts.get(part.preset)
        if prompt is None:
            raise ValidationError({"preset": f"Choose one of {', '.join((*CLIP_PRESETS, *prompts))}."})
        fixed = {"prompt": prompt.template, "answer": prompt.answer, "backend": part.backend or "openai_chat"}
    if part.backend not in ("", fixed["backend"]) or (fixed["backend"] == "clip") != bool(clip):
        raise ValidationError({"backend": "The preset is for another backend. Remove one of the two."})
    for name in fixed.keys() & part.model_fields_set - {"backend"}:
        raise ValidationError({name: "The preset has its own. Remove one of the two."})
    return fixed


def _storable(decoding: dict[str, Any]) -> dict[str, Any]:
    try:
        JSONTextField(required=False).clean(json.dumps(decoding))
    except ValidationError as error:
        raise ValidationError({"decoding": error.messages}) from error
    return decoding


def _check_address(part: JudgePart, backend: str) -> None:
    if backend in LOADED and part.endpoint:
        raise ValidationError({"endpoint": f"The worker loads the model of {backend}: remove the address."})
    if _may_hold_key(part.endpoint):
        words = "Remove password and parameters: keys are in the environment of the judges' worker."
        raise ValidationError({"endpoint": words})


def _may_hold_key(endpoint: str) -> bool:
    """Whether an address has a password, or a parameter other than Azure's version."""
    try:
        parts = [urlsplit(url) for url in replicas(endpoint)]
    except ValueError:  # not an address
        return True
    names = {name for part in parts for name, _ in parse_qsl(part.query, keep_blank_values=True)}
    return bool(names - {"api-version"}) or any("@" in part.netloc or part.fragment for part in parts)


def _differences(judge: Judge, part: JudgePart, settings: Settings) -> Iterable[str]:
    """Return the keys that differ. What creation fills in may be missing: revisions, defaults of the backend.

    Files of models are not read: reading them takes seconds.
    """
    matches = {
        "backend": settings.backend == judge.backend,
        "backend_revision": part.backend_revision in (None, judge.revision),
        "model": settings.model in (judge.model, judge.model_name),
        "model_revision": settings.model_revision in ("", judge.model_revision),
        "task_kinds": not part.task_kinds or set(part.task_kinds) == set(judge.task_kinds),
    }
    if not all(matches.values()):
        return [name for name, is_same in matches.items() if not is_same]
    current = judge.settings
    fixed: dict[str, Any] = {
        "revision": current.revision,
        "model": current.model,
        "model_revision": current.model_revision,
    }
    candidate = replace(settings, **fixed)
    if candidate != current:
        with_defaults = backend_class(candidate.backend).pinned(
            replace(candidate, model=NO_FOLDER, model_revision=ANY_COMMIT)
        )
        candidate = replace(with_defaults, **fixed)
    return [name for name in sorted(OWN) if getattr(candidate, name) != getattr(current, name)]


def register() -> None:
    """Register the list. Called when Django starts."""
    LISTS.append(TrackFileList("judges", JudgePart, MOST_JUDGES, read_judges, apply_judge))
