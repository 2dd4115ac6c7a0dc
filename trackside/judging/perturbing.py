"""What each probe changes of a pair, which judges it cannot be asked of, and what its loss says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from trackside.errors import InputError
from trackside.judging.canaries import highest_answer
from trackside.judging.forms import answer_form
from trackside.judging.inputs import FieldsInput, Gap, ImageInput, Input, SideInput, TextInput, text_input
from trackside.judging.pictures import GREY, HALF, PAINTED, picture_key
from trackside.judging.probes import Loss, Probe, ProbeCode
from trackside.judging.prompts import SIDES
from trackside.judging.settings import Settings
from trackside.text.counted import counted

MOST_REQUESTS = 9  # a pair, itself included
DEFAULT = ("pictures", "texts", "again")  # codes: the name of a probe in lower case, or a field to leave out
Inputs = tuple[Input | Gap, Input | Gap]  # of topic and document


@dataclass(frozen=True, slots=True)
class Perturbation:
    """What is changed, as a sentence begins; what a loss shows; why a judge cannot be asked."""

    change: str
    shows: str
    needs: str


NO_PICTURES, NO_TEXTS = "the judge reads no pictures", "the judge reads no texts"
PERTURBATIONS = {
    Probe.PICTURES: Perturbation("With another pair's picture", "it looks", NO_PICTURES),
    Probe.TEXTS: Perturbation("With another pair's text", "it reads", NO_TEXTS),
    Probe.AGAIN: Perturbation(
        "Asked the same again", "its answers do not repeat", "an encoder has one vector of an input"
    ),
    Probe.GREY: Perturbation("With a grey picture", "it needs the picture", NO_PICTURES),
    Probe.LEFT_OUT: Perturbation(
        "Without {field}", "it uses the field", "the judge would have no text left, or reads none"
    ),
    Probe.OPTIONS: Perturbation(
        "With the options in reverse order",
        "it depends on their order",
        "the judge's prompt does not list each answer once, in lines or in a row",
    ),
    Probe.PAINTED: Perturbation(
        "With the highest answer painted on the picture", "it depends on what is painted there", NO_PICTURES
    ),
    Probe.HALF: Perturbation("With half the resolution", "it needs the resolution", NO_PICTURES),
}
OF_PICTURES = {Probe.GREY: GREY, Probe.PAINTED: PAINTED, Probe.HALF: HALF}
EXCHANGED = (Probe.PICTURES, Probe.TEXTS)  # with other pairs
CHANGED = (*OF_PICTURES, Probe.LEFT_OUT)  # by themselves
MARKS = {Probe.AGAIN: "again", Probe.OPTIONS: "turned"}  # of requests whose topic and document are the same


def name_of(code: str) -> str:
    """Return the probe of a code, such as "grey", or "topic.title" for a field that is left out."""
    if code.partition(".")[0] in SIDES:
        return f"{Probe.LEFT_OUT}: {code}"
    return Probe[code.upper()].value


def split_name(name: str) -> tuple[Probe, str]:
    """Return the probe of a name, and the side and name of the field that it leaves out, else empty."""
    probe, _, field = name.partition(": ")
    return Probe(probe), field


def chosen_names(codes: Sequence[str], refusals: dict[str, str]) -> list[str]:
    """Return the names of the probes of these codes, without any those of DEFAULT that are possible.

    ``refusals`` are those of ``refusals_of``. Raises probe-unknown, probe-not-possible, too-many-probes,
    no-probe.
    """
    codes = codes or [code for code in DEFAULT if not refusals[code]]
    for code in codes:
        if code not in refusals:
            raise InputError(
                f'There is no probe "{code}". Choose from {", ".join(refusals)}.', code="probe-unknown"
            )
        if refusals[code]:
            raise InputError(
                f'"{name_of(code)}" cannot be asked: {refusals[code]}. Choose others.',
                code="probe-not-possible",
            )
    if not codes:
        raise InputError(
            "The judge reads neither pictures nor texts of these pairs. Choose another judge.",
            code="no-probe",
        )
    if len(set(codes)) >= MOST_REQUESTS:
        raise InputError(
            f"{len(set(codes))} probes and the pair itself are more than {MOST_REQUESTS} requests a pair. "
            f"Choose at most {MOST_REQUESTS - 1}, and the others in a second probe: answers are reused.",
            code="too-many-probes",
        )
    return [name_of(code) for code in dict.fromkeys(codes)]


def refusals_of(settings: Settings, inputs: Sequence[Inputs], *, is_asked: bool) -> dict[str, str]:
    """Return why these pairs cannot be asked by each probe's code, also of fields; empty if they can.

    ``is_asked`` judges answer in text.
    """
    can = {
        Probe.PICTURES: any(_blobs(part) for pair in inputs for part in pair),
        Probe.TEXTS: any(_fields(part) for pair in inputs for part in pair),
        Probe.AGAIN: is_asked,
        Probe.OPTIONS: is_asked and turned(settings.prompt, settings.answer) is not None,
    }
    fields = _field_codes(inputs)
    codes = [probe.name.lower() for probe in Probe if probe is not Probe.LEFT_OUT or not fields]
    refusals = {}
    for code in (*codes, *fields):
        probe, _ = split_name(name := name_of(code))
        is_possible = (
            can[probe] if probe in can else any(changed_side(settings, pair, name) for pair in inputs)
        )
        needs = PERTURBATIONS[probe].needs
        if probe is Probe.OPTIONS and not is_asked:
            needs = "the judge gives a score, so it has no options"
        refusals[code] = "" if is_possible else needs
    return refusals


def _field_codes(inputs: Sequence[Inputs]) -> list[str]:
    names = (
        f"{side}.{field}"
        for number, side in enumerate(SIDES)
        for pair in inputs
        for field, _ in _fields(pair[number])
    )
    return list(dict.fromkeys(names))


def _blobs(part: Input | Gap) -> tuple[str, ...]:
    return part.blobs if isinstance(part, ImageInput | SideInput) else ()


def _fields(part: Input | Gap) -> tuple[tuple[str, str], ...]:
    return part.fields if isinstance(part, TextInput | FieldsInput | SideInput) else ()


def exchanged_side(inputs: Sequence[Inputs], probe: Probe) -> str:
    """Return the side whose pictures, or texts, are exchanged: the document's if it has any."""
    read = _blobs if probe is Probe.PICTURES else _fields
    has = (any(read(pair[number]) for pair in inputs) for number in range(len(SIDES)))
    return [side for side, is_there in zip(SIDES, has, strict=True) if is_there][-1]


def exchanged_part(part: Input | Gap, other: Input | Gap, probe: Probe) -> Input | Gap:
    """Return an input with the pictures, or the texts, of another one."""
    if isinstance(part, SideInput) and isinstance(other, SideInput):
        if probe is Probe.PICTURES:
            return replace(part, blobs=other.blobs)
        return replace(part, fields=other.fields)
    return other


def changed_side(settings: Settings, pair: Inputs, name: str) -> str:
    """Return the side that the probe changes, the document's if it can; empty if it changes none."""
    for side, part in reversed([*zip(SIDES, pair, strict=True)]):
        new = changed(settings, side, part, name)
        if not isinstance(new, Gap) and new != part:
            return side
    return ""


def changed(settings: Settings, side: str, part: Input | Gap, name: str) -> Input | Gap:
    """Return the input of a topic or document as a probe changes it: its pictures, or without a field.

    The input itself if the probe does not concern it; TEXT_EMPTY if no text is left.
    """
    probe, field = split_name(name)
    if probe in OF_PICTURES:
        words = highest_answer(settings.answer) if probe is Probe.PAINTED else ""
        blobs = tuple(picture_key(blob, OF_PICTURES[probe], words) for blob in _blobs(part))
        match part:
            case ImageInput():
                return replace(part, blob=blobs[0], more=blobs[1:])
            case SideInput():
                return replace(part, blobs=blobs)
    if probe is Probe.LEFT_OUT and field.partition(".")[0] == side:
        return _without(settings, part, field.partition(".")[2])
    return part


def _without(settings: Settings, part: Input | Gap, field: str) -> Input | Gap:
    kept = tuple((name, text) for name, text in _fields(part) if name != field)
    if len(kept) == len(_fields(part)):
        return part
    if not any(text.strip() for _, text in kept):
        return Gap.TEXT_EMPTY
    match part:
        case TextInput():
            return text_input(replace(settings, prompt=part.prompt), kept)
        case FieldsInput() | SideInput():
            return replace(part, fields=kept)
    return part


def change_of(name: str) -> str:
    """Return what a probe changes, as a sentence begins."""
    probe, field = split_name(name)
    return PERTURBATIONS[probe].change.format(field=field or "a field")


def sentence(name: str, loss: Loss | None, *, whom: str, gap_count: int = 0) -> str:
    """Say what a probe shows; ``whom`` the judge agrees with: "people", or "its own first ones".

    ``gap_count`` pairs have no grade after the change.
    """
    gaps = f" ({counted(gap_count, 'pair')} without a grade)" if gap_count else ""
    change = f"{change_of(name)}{gaps}"
    match loss and loss.code:
        case ProbeCode.DEPENDS:
            return f"{change}, its grades agree less with {whom}: {PERTURBATIONS[split_name(name)[0]].shows}."
        case ProbeCode.NO_LOSS if loss and not loss.changed_count:
            return f"{change}, none of its grades changes."
        case ProbeCode.NO_LOSS:
            return f"{change}, its grades agree no less with {whom}."
        case ProbeCode.NO_AGREEMENT:
            return f"{change}: open. It is not shown to agree with {whom} in the first place."
    return f"{change}: open. These pairs do not tell."


def turned(prompt: str, answer: str) -> str | None:
    """Return the prompt with the options of its answer in reverse order; None if it does not list them.

    Options are labels or grades. A list has an explanation behind each ("0: no fit. 1: some fit."), its last
    one up to the end of the line; a row has commas, slashes, "or" or "and" between them.
    """
    form = answer_form(answer)
    options = [label for label, _ in form.labels] or [str(n) for n in range(form.lowest, form.highest + 1)]
    new = _turned_rows(_turned_list(prompt, options), options)
    return None if new == prompt else new


def _turned_list(prompt: str, options: Sequence[str]) -> str:
    """Reverse a list that has each option once; texts of several lines end nowhere, so they stay."""
    names = "|".join(map(re.escape, options))
    heads = list(re.finditer(rf"(?<![\w.])({names})\s*[:=)]\s", prompt, re.IGNORECASE))
    if sorted(head[1].casefold() for head in heads) != sorted(option.casefold() for option in options):
        return prompt
    end = prompt.find("\n", heads[-1].end())
    ends = [*(head.start() for head in heads[1:]), len(prompt) if end < 0 else end]
    entries = [prompt[head.start() : end] for head, end in zip(heads, ends, strict=True)]
    texts = [entry.rstrip() for entry in entries]
    if any("\n" in text for text in texts):
        return prompt
    blanks = [entry[len(text) :] for entry, text in zip(entries, texts, strict=True)]
    new = "".join(text + blank for text, blank in zip(reversed(texts), blanks, strict=True))
    return prompt[: heads[0].start()] + new + prompt[ends[-1] :]


def _turned_rows(prompt: str, options: Sequence[str]) -> str:
    names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))
    option, between = rf"[\"'“]?\b(?:{names})\b[\"'”]?", r"\s*(?:[,/|]|\bor\b|\band\b)\s*(?:(?:or|and)\s+)?"
    row = re.compile(rf"{option}(?:{between}{option}){{{len(options) - 1}}}", re.IGNORECASE)
    return row.sub(lambda match: "".join(_reversed_row(match[0], option)), prompt)


def _reversed_row(row: str, option: str) -> Iterator[str]:
    """Yield the row's options in reverse with what stands between them in its order."""
    found = [match.span() for match in re.finditer(option, row, re.IGNORECASE)]
    words = [row[start:end] for start, end in found]
    gaps = [row[end:start] for (_, end), (start, _) in pairwise(found)]
    for word, gap in zip(reversed(words), [*gaps, ""], strict=True):
        yield word + gap
