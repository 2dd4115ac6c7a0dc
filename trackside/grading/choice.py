"""The judge that the options name: its settings, and how its scores become grades."""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from trackside.backends.registry import backend_class
from trackside.errors import InputError
from trackside.files.streams import Blocks
from trackside.imports.faults import decoded
from trackside.judging.endpoints.scores import ANSWER
from trackside.judging.examples import EXAMPLES
from trackside.judging.judge import Unit
from trackside.judging.mappings.mapping import Cuts
from trackside.judging.mappings.rules import BY_PEOPLE, FIXED, rules_of
from trackside.judging.prompts import DOCUMENT, PromptTemplate, reading_form, stored_template, task_kinds_of
from trackside.judging.settings import CLIP_PRESETS, Settings
from trackside.judging.shipped_prompts import BUILT_IN

SCORE_PROMPT = f"{{topic.fields}}{DOCUMENT}{{document.fields}}"
DEFAULT_PROMPT, DEFAULT_PRESET = "direct-grade", "clipscore-2021"


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return the pinned settings of the judge; its prompt may have ``{examples}``.

    Raises InputError for options that do not fit it.
    """
    backend, model = _named(arguments)
    if arguments.prefix and backend != "sentences":
        raise InputError("--prefix is for --sentences. Write such words into the --prompt.")
    unit = backend_class(backend).unit
    if unit not in {Unit.INPUT, Unit.PAIR}:
        raise InputError(f"{backend} answers in files and needs a site. Choose a judge that answers at once.")
    reading = _of_encoder(arguments) if unit is Unit.INPUT else _of_generator(arguments)
    fields = {"text_fields": tuple(arguments.fields.split(","))} if arguments.fields else {}
    settings = Settings(
        backend=backend,
        revision=0,
        model=model,
        model_revision=arguments.revision,
        image_size=arguments.image_size,
        decoding=_options(arguments.options),
        seed=arguments.seed,
        endpoint=arguments.endpoint or arguments.score_endpoint or "",
        **reading | fields,
    )
    pinned = backend_class(backend).pinned(replace(settings, prompt=settings.prompt.replace(EXAMPLES, "")))
    return replace(pinned, prompt=settings.prompt)


def _named(arguments: argparse.Namespace) -> tuple[str, str]:
    """Return backend and model."""
    for backend in ("clip", "llava", "sentences"):
        if model := getattr(arguments, backend):
            return backend, model
    if arguments.score_endpoint and arguments.model:
        return "score_endpoint", arguments.model
    if (arguments.endpoint or arguments.score_endpoint) and not arguments.model:
        raise InputError("an endpoint needs --model NAME: the name by which the server knows the model.")
    return arguments.backend or "openai_chat", arguments.model


def _of_encoder(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.prompt or arguments.answer or arguments.examples:
        raise InputError(
            "an encoder shows no --examples, and has neither --prompt nor --answer. Use --preset."
        )
    if arguments.sentences:
        if arguments.preset:
            raise InputError("--preset is for --clip. Use --prefix and --fields.")
        return {"prompt": arguments.prefix or ""}
    name = arguments.preset or DEFAULT_PRESET
    if name not in CLIP_PRESETS:
        raise InputError(f"--preset {name}: there is none. Choose one of: {', '.join(CLIP_PRESETS)}.")
    return CLIP_PRESETS[name].choices


def _of_generator(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.score_endpoint:
        arguments.prompt, arguments.answer = arguments.prompt or SCORE_PROMPT, arguments.answer or ANSWER
    if arguments.preset:
        raise InputError("--preset is for encoders, such as --clip. Use --prompt.")
    prompt = _prompt(arguments.prompt or DEFAULT_PROMPT, arguments.answer).checked()
    if bool(arguments.examples) != (EXAMPLES in prompt.template):
        raise InputError(f"--examples and {EXAMPLES} in the prompt need each other. Give both, or neither.")
    return {"prompt": prompt.template, "answer": prompt.answer}


def _prompt(name: str, answer: str | None) -> PromptTemplate:
    """Return the prompt of a file, or the built-in one of that name."""
    if built_in := next((prompt for prompt in BUILT_IN if prompt.name == name), None):
        return PromptTemplate(
            name=name, version=built_in.version, template=built_in.template, answer=answer or built_in.answer
        )
    if name == SCORE_PROMPT:
        return PromptTemplate(name="", version=1, template=name, answer=answer or ANSWER)
    if not Path(name).exists():
        names = ", ".join(prompt.name for prompt in BUILT_IN)
        raise InputError(f"--prompt {name}: no such file, and no built-in prompt. These are: {names}.")
    if not answer:
        raise InputError("--prompt needs --answer: the form in which the prompt asks for it, as grade-0-2.")
    template = stored_template(decoded(b"".join(Blocks(name)), name)).strip("\n")
    return PromptTemplate(name=Path(name).name, version=1, template=template, answer=answer)


def _options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f'--options: not JSON ({error}). Write an object: {{"max_tokens": 16}}.') from None
    if not isinstance(options, dict):
        raise InputError('--options: write an object, such as {"max_tokens": 16}.')
    return options


def refuse_kind(settings: Settings, kind: str) -> None:
    """Raise InputError if the judge, or its prompt, cannot be shown pairs of a kind."""
    kinds = backend_class(settings.backend).task_kinds
    if backend_class(settings.backend).unit.is_asked:
        kinds &= task_kinds_of(settings.prompt)
    if kind not in kinds:
        raise InputError(
            f"the pairs are {kind}, and {settings.backend} with this prompt judges "
            f"{', '.join(sorted(kinds))}. Choose another judge, or a prompt that names sides, such as "
            "{topic.fields}."
        )


def scale_of(arguments: argparse.Namespace, settings: Settings) -> tuple[int, ...]:
    """Return the grades: those given, or of a form of answer that asks for a grade, or 0, 1, 2."""
    if arguments.scale:
        parts = arguments.scale.split(",")
        grades = {int(part) for part in parts if part.strip().isdecimal()}
        if len(grades) < max(2, len(parts)):
            raise InputError(
                f"--scale {arguments.scale}: write two or more whole numbers, each once, such as 0,1,2."
            )
        return tuple(sorted(grades))
    form = reading_form(settings) if settings.answer else None
    if form and form.labels:
        return tuple(sorted(form.scores.values()))
    is_grade = form is not None and form.marker.casefold() == "grade"
    return tuple(range(form.lowest, form.highest + 1)) if form and is_grade else (0, 1, 2)


def rule_of(arguments: argparse.Namespace, scale: tuple[int, ...]) -> tuple[str | None, tuple[float, ...]]:
    """Return the rule, None for the one that fits the scores, and its cuts.

    Raises InputError for a rule that grades no scores of this scale without people's grades.
    """
    if arguments.cuts:
        if arguments.rule not in {None, FIXED}:
            raise InputError(f"--cuts and --rule {arguments.rule} exclude each other. Name one of them.")
        return FIXED, Cuts(scale, numbers("--cuts", arguments.cuts, len(scale) - 1)).cuts
    rules = [rule for rule in rules_of(scale) if rule != FIXED and rule not in BY_PEOPLE]
    if arguments.rule not in {None, *rules}:
        raise InputError(
            f"--rule {arguments.rule}: for the grades {', '.join(map(str, scale))} choose one of "
            f"{', '.join(rules)}, or --cuts."
        )
    return arguments.rule, ()


def numbers(option: str, text: str, count: int | None = None) -> tuple[float, ...]:
    """Return the numbers of an option, separated by commas. Raises InputError."""
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if (
        not values
        or not all(0 <= value < float("inf") for value in values)
        or len(values) != (count or len(values))
    ):
        wanted = f"{count} numbers" if count else "numbers"
        raise InputError(f"{option} {text}: write {wanted} from 0 up, with commas between, such as 0.5,2.")
    return values
