"""OpenAI's chat protocol as plain data: validate options, build request bodies, parse response bodies.

Vendors reject options of others: Mistral rejects ``seed``, GPT-5 a ``temperature`` other than 1. So a judge
sets which it sends, and which defaults it leaves out.
"""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import inf
from typing import Any

from trackside.errors import InputError
from trackside.judging.answers import Outcome, Reading, read_answer
from trackside.judging.asking import EndpointError, Response
from trackside.judging.endpoints.usage import read_usage
from trackside.judging.forms import AnswerForm, answer_form
from trackside.judging.settings import Settings
from trackside.judging.token_scores import expected_score

DEFAULTS = {"max_tokens": 64, "temperature": 0}
LEAVE_OUT = "leave_out"
SENT_UNASKED = ("seed", "temperature")  # may be left out; the number of tokens bounds a request's cost

MEDIA_TYPES = {b"\xff\xd8": "image/jpeg", b"\x89P": "image/png", b"RI": "image/webp"}
OUR_ID = re.compile(r"ts-[0-9a-f]{32}")
DETAIL_LENGTH = 300  # characters stored of an endpoint's error text


def request_options(settings: Settings) -> dict[str, Any]:
    """Return the fields of a request that are the same for all pairs, without messages and model."""
    not_sent = {"json_schema", "detail", LEAVE_OUT}
    options = {name: value for name, value in settings.decoding.items() if name not in not_sent}
    if settings.decoding.get("json_schema"):
        options["response_format"] = _schema(answer_form(settings.answer))
    if count := options.pop("logprobs", 0):
        options |= {"logprobs": True, "top_logprobs": count}
    if "max_completion_tokens" in options:
        options.pop("max_tokens", None)
    is_seeded = "seed" not in settings.decoding.get(LEAVE_OUT, ())
    return options | ({"seed": settings.seed} if is_seeded else {})


def _schema(form: AnswerForm) -> dict[str, Any]:
    number = {"type": "integer", "minimum": form.lowest, "maximum": form.highest}
    label = {"type": "string", "enum": [label for label, _ in form.labels]}
    schema = {
        "type": "object",
        "properties": {form.marker: label if form.labels else number},
        "required": [form.marker],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def request_body(parts: Sequence[str | bytes], settings: Settings) -> dict[str, Any]:
    """Return the body of a request about one pair."""
    return {"model": settings.model, "messages": [message(parts, settings)], **request_options(settings)}


def message(parts: Sequence[str | bytes], settings: Settings) -> dict[str, Any]:
    """Return the one message of a request; the image is a data URL, so the endpoint fetches nothing."""
    return {"role": "user", "content": [_part(part, settings) for part in parts]}


def _part(part: str | bytes, settings: Settings) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    media_type = MEDIA_TYPES.get(part[:2], "image/jpeg")
    url = {"url": f"data:{media_type};base64,{base64.b64encode(part).decode()}"}
    detail = settings.decoding.get("detail")
    return {"type": "image_url", "image_url": url | ({"detail": detail} if detail else {})}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait that an endpoint requests, or None.

    A date is compared with the response's Date header, because the two clocks may differ.
    """
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * factor)
        except (KeyError, ValueError):
            continue
    try:
        wait = parsedate_to_datetime(headers["retry-after"]) - parsedate_to_datetime(headers["date"])
    except (KeyError, ValueError, TypeError):
        return None
    return max(0.0, wait.total_seconds())


def read_completion(ask_id: str, content: bytes, headers: Mapping[str, str], form: AnswerForm) -> Response:
    """Parse a response with status 200; MALFORMED if it is not a completion, ANOTHER_PAIR if it is not ours.

    vLLM and others echo the request's id. If the echo is another id of ours, a proxy or a cache mixed up two
    responses; endpoints that echo nothing cannot be checked.
    """
    if "json" not in headers.get("content-type", ""):
        return _malformed(ask_id, f"content type {headers.get('content-type', 'none')}")
    try:
        completion = json.loads(content)
    except (ValueError, RecursionError) as error:
        return _malformed(ask_id, f"{type(error).__name__}: {error}")
    return completion_response(ask_id, completion, form, echo=headers.get("x-request-id", ""))


def completion_response(ask_id: str, completion: Any, form: AnswerForm, *, echo: str = "") -> Response:
    """Parse a completion from JSON; ``echo`` is the request id that the endpoint sent back."""
    try:
        choice = next(filter(_is_first, completion["choices"]))
        message, finish_reason = choice["message"], str(choice.get("finish_reason") or "")
        text, refused = _content(message.get("content") or "")
        refusal = message.get("refusal") or refused
        tokens = read_usage(completion.get("usage"))
    except (ValueError, KeyError, StopIteration, TypeError, AttributeError) as error:
        return _malformed(ask_id, f"{type(error).__name__}: {error or 'no choice of index 0'}")
    if broken := choice.get("error"):  # a gateway's upstream broke off
        return Response(
            ask_id, fault=EndpointError.SERVER_ERROR, usage=tokens, detail=str(broken)[:DETAIL_LENGTH]
        )
    if not isinstance(text, str) or not isinstance(refusal, str):
        return _malformed(ask_id, "the content is not text")
    echoed = OUR_ID.findall(f"{completion.get('id')} {echo}")
    if any(echoed_id != ask_id for echoed_id in echoed):
        return Response(
            ask_id, fault=EndpointError.ANOTHER_PAIR, usage=tokens, detail=f"the answer is for {echoed[0]}"
        )
    reading = Reading(Outcome.REFUSAL) if refusal else read_answer(text, finish_reason, form)
    return Response(
        ask_id,
        reading=reading,
        text=text or refusal,
        finish_reason=finish_reason[:24],
        expected_score=expected_score(choice.get("logprobs"), form, reading.score),
        usage=tokens,
    )


def _is_first(choice: Any) -> bool:
    """Whether a choice is the first sample; some servers number none."""
    return choice.get("index") in {None, 0}


def _content(content: Any) -> tuple[Any, Any]:
    """Return the text of a message and the text of its refusal.

    Mistral sends a list of chunks: thoughts, and the text behind them. OpenAI's protocol also has chunks of
    refusals. Chunks of other types have no text.
    """
    if not isinstance(content, list):
        return content, ""
    text = refusal = ""
    for chunk in content:
        match chunk.get("type", "text"):
            case "text" | "output_text":
                text += chunk["text"]
            case "thinking" | "reasoning":
                text = ""
            case "refusal":
                refusal += chunk["refusal"]
    return text, refusal


def _malformed(ask_id: str, detail: str) -> Response:
    return Response(ask_id, fault=EndpointError.MALFORMED, detail=detail[:DETAIL_LENGTH])


@dataclass(frozen=True)
class _Option:
    """A decoding option: its types, its range for numbers, and a description for error messages."""

    words: str
    types: tuple[type, ...]
    lowest: float = -inf
    highest: float = inf

    def takes(self, value: object) -> bool:
        """Return whether the value is valid; True does not count as 1."""
        if type(value) not in self.types:
            return False
        return not isinstance(value, int | float) or self.lowest <= value <= self.highest


_TOKENS = _Option("a whole number from 1", (int,), 1, 2**31 - 1)
_OBJECT = _Option('an object, such as {"enable_thinking": false}', (dict,))
OFFERED = {
    "max_tokens": _TOKENS,
    "max_completion_tokens": _TOKENS,
    "temperature": _Option("a number from 0 to 2", (int, float), 0, 2),
    "top_p": _Option("a number from 0 to 1", (int, float), 0, 1),
    "logprobs": _Option("a whole number from 0 to 20", (int,), 0, 20),
    "json_schema": _Option("true or false", (bool,)),
    "detail": _Option('a word, such as "low"', (str,)),
    "random_seed": _Option("a whole number from 0", (int,), 0, 2**63 - 1),
    "reasoning_effort": _Option('a word, such as "minimal"', (str,)),
    "chat_template_kwargs": _OBJECT,
    "enable_thinking": _Option("true or false", (bool,)),
    "thinking": _OBJECT,
    "reasoning": _OBJECT,
}


def pinned_decoding(decoding: Mapping[str, Any], backend: str) -> dict[str, Any]:
    """Return the options with their defaults; raise endpoint-settings-refused for one that cannot be sent.

    ``leave_out`` lists options that are not sent. An option whose value is null is left out, too.
    """
    options = {name: value for name, value in decoding.items() if name != LEAVE_OUT and value is not None}
    if unknown := sorted(set(options) - set(OFFERED)):
        raise InputError(
            f"{backend} does not send {unknown}. It sends: {sorted(OFFERED)}.",
            code="endpoint-settings-refused",
        )
    for name, value in options.items():
        if not OFFERED[name].takes(value):
            raise InputError(
                f'"{name}": {json.dumps(value)} cannot be sent. Give {OFFERED[name].words}.',
                code="endpoint-settings-refused",
            )
    left_out = _left_out(decoding)
    if clash := sorted(set(left_out) & set(options)):
        raise InputError(
            f"{clash} cannot be sent and left out. Remove one of the two.", code="endpoint-settings-refused"
        )
    defaults = {name: value for name, value in DEFAULTS.items() if name not in left_out}
    return defaults | options | ({LEAVE_OUT: left_out} if left_out else {})


def _left_out(decoding: Mapping[str, Any]) -> list[str]:
    stored = decoding.get(LEAVE_OUT, [])
    if not isinstance(stored, list):
        raise InputError(
            f'{LEAVE_OUT} is a list of names, such as ["seed"].', code="endpoint-settings-refused"
        )
    names = {str(name) for name in stored}
    names |= {name for name, value in decoding.items() if value is None and name != LEAVE_OUT}
    if "max_completion_tokens" in decoding:
        names.discard("max_tokens")  # only one of the two is sent
    if unfit := sorted(names - set(SENT_UNASKED)):
        raise InputError(
            f"{unfit} cannot be left out. {LEAVE_OUT} takes {list(SENT_UNASKED)}.",
            code="endpoint-settings-refused",
        )
    return sorted(names)
