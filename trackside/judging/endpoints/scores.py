"""Requests and responses of endpoints that give a pair one number, as plain data."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import EndpointError, Response
from trackside.judging.endpoints.chat import DETAIL_LENGTH, OUR_ID, message
from trackside.judging.endpoints.usage import read_usage
from trackside.judging.prompts import DOCUMENT, OF_SIDE
from trackside.judging.settings import Settings

SCORE, RERANK, TEI = "score", "rerank", "tei"
PROTOCOLS = {SCORE: "/score", RERANK: "/rerank", TEI: "/rerank"}
"""Paths by protocol: of vLLM; of Jina, Cohere and vLLM; of text-embeddings-inference."""
ANSWER = "score-0-1"  # the form of answer; numbers beyond it are kept


def is_parted(template: str) -> bool:
    """Return whether a prompt shows the topic before DOCUMENT, and the document behind it."""
    parts = template.split(DOCUMENT)
    sides = [{side for side, _ in OF_SIDE.findall(part)} for part in parts]
    return sides == [{"topic"}, {"document"}]


def score_body(parts: Sequence[str | bytes], settings: Settings) -> dict[str, Any]:
    """Return the body of a request about one pair."""
    query, document = _halves(parts)
    if settings.decoding["protocol"] == TEI:
        return {"query": _text(query), "texts": [_text(document)]}
    if settings.decoding["protocol"] == RERANK:
        return {"model": settings.model, "query": _text(query), "documents": [_text(document)]}
    texts = [
        {"content": message(half, settings)["content"]}
        if any(isinstance(part, bytes) for part in half)
        else _text(half)
        for half in (query, document)
    ]
    return {"model": settings.model, "text_1": texts[0], "text_2": texts[1]}


def _halves(parts: Sequence[str | bytes]) -> tuple[list[str | bytes], list[str | bytes]]:
    """Return the parts of the query and of the document."""
    halves: tuple[list[str | bytes], list[str | bytes]] = ([], [])
    index = 0
    for part in parts:
        if isinstance(part, str) and DOCUMENT in part:
            before, _, part = part.partition(DOCUMENT)
            halves[0].extend([before.strip()] * bool(before.strip()))
            index, part = 1, part.strip()
        if part:
            halves[index].append(part)
    return halves


def _text(parts: Sequence[str | bytes]) -> str:
    return "\n".join(part for part in parts if isinstance(part, str))


def read_score(ask_id: str, content: bytes, headers: Mapping[str, str]) -> Response:
    """Parse a response with status 200; MALFORMED unless it has one finite number, of index 0.

    A list of numbers is in ``data`` (score), ``results`` (rerank), or is the whole response (tei).
    """
    try:
        body = json.loads(content)
        items = body if isinstance(body, list) else body["data" if "data" in body else "results"]
        usage = _usage({} if isinstance(body, list) else body.get("usage"))
        echoed = OUR_ID.findall(f"{'' if isinstance(body, list) else body.get('id')}")
        if len(items) != 1:
            raise ValueError(f"{len(items)} numbers for one pair")
        (item,) = items
        if item["index"] != 0 or isinstance(item["index"], bool):
            raise ValueError(f"the number has the index {item['index']}, not 0")
        score = item["relevance_score"] if "relevance_score" in item else item["score"]
        if type(score) not in {int, float} or not math.isfinite(score):
            raise ValueError(f"the score {json.dumps(score)[:40]} is not a finite number")
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        words = f"no field {error}" if isinstance(error, KeyError) else str(error)
        return Response(ask_id, fault=EndpointError.MALFORMED, detail=words[:DETAIL_LENGTH])
    if any(echo != ask_id for echo in (*echoed, *OUR_ID.findall(headers.get("x-request-id", "")))):
        return Response(ask_id, fault=EndpointError.ANOTHER_PAIR, usage=usage)
    outcome = Outcome.OK if float(score).is_integer() else Outcome.OK_DECIMAL
    return Response(ask_id, Reading(outcome, float(score)), text=repr(score), usage=usage)


def _usage(usage: Any) -> Any:
    """Return the billed tokens; an answer has none, and some servers name only the total."""
    if not isinstance(usage, Mapping):
        return None
    prompt = usage.get("prompt_tokens", usage.get("total_tokens"))
    return read_usage(
        {"completion_tokens": 0, "total_tokens": prompt} | dict(usage) | {"prompt_tokens": prompt}
    )
