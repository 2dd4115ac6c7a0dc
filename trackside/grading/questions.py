"""Requests of pairs: the judge's inputs, and the key by which an answer is found again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from trackside.grading.pairs import Pair, Pictures
from trackside.imports.records import Record
from trackside.judging.costs import FREE_OF_CHARGE, Rates, tokens_of
from trackside.judging.examples import EXAMPLES
from trackside.judging.inputs import Gap, Input, item_input, shown_pair, with_examples
from trackside.judging.prompts import names_sides, reading_form
from trackside.judging.settings import Settings, digest
from trackside.text.items_shown import show_item

DEFAULT_TOKENS = 64  # of an answer, for backends that set none


@dataclass(frozen=True)
class Question:
    """One distinct request: pairs with equal texts and pictures share it.

    ``bound`` is its highest cost in micros, ``tokens`` an estimate; ``texts`` have None at each picture.
    """

    key: str
    pair: Pair
    texts: tuple[str | None, ...] = ()
    blobs: tuple[str, ...] = ()
    bound: int = 0
    tokens: int = 0


@dataclass
class Plan:
    """What is judged: the inputs and the request key of each pair, or its gap; the distinct requests."""

    topics: dict[str, Input | Gap]
    documents: dict[str, Input | Gap]
    keys: dict[Pair, str] = field(default_factory=dict)
    gaps: dict[Pair, Gap] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)


def plan_of(
    pairs: Sequence[Pair],
    items: tuple[Mapping[str, Record], Mapping[str, Record]],
    *,
    settings: Settings,
    kind: str,
    pictures: Pictures,
    rates: Rates,
    is_asked: bool,
) -> Plan:
    """Return the plan of the pairs of topics and documents; an item that is missing is a gap."""
    topic_kind, _, document_kind = kind.partition("-to-")
    sides = (("topic", topic_kind), ("document", document_kind))
    inputs = []
    for (side, what), records, names in zip(sides, items, zip(*pairs, strict=True), strict=True):
        is_text = what == "text"
        inputs.append(
            {
                name: _input(settings, side, records.get(name), pictures, is_asked=is_asked, is_text=is_text)
                for name in dict.fromkeys(names)
            }
        )
    plan = Plan(inputs[0], inputs[1])
    for pair in pairs:
        add_pair(plan, pair, settings, rates, is_asked=is_asked)
    return plan


def with_shown(
    settings: Settings,
    examples: Mapping[Pair, int],
    items: tuple[Mapping[str, Record], Mapping[str, Record]],
    *,
    kind: str,
    pictures: Pictures,
) -> Settings:
    """Return the settings with these judged pairs at ``{examples}`` of the prompt. Raises InputError."""
    if not examples:
        return settings
    bare = replace(settings, prompt=settings.prompt.replace(EXAMPLES, ""))
    plan = plan_of(
        list(examples),
        items,
        settings=bare,
        kind=kind,
        pictures=pictures,
        rates=FREE_OF_CHARGE,
        is_asked=True,
    )
    inputs = [(plan.topics[topic], plan.documents[docno]) for topic, docno in examples]
    prompt = with_examples(settings.prompt, reading_form(settings), examples, inputs)
    return replace(settings, prompt=prompt)


def add_pair(
    plan: Plan,
    pair: Pair,
    settings: Settings,
    rates: Rates,
    *,
    is_asked: bool,
    prompt: str = "",
    mark: str = "",
) -> None:
    """Plan a pair whose inputs the plan has; with another prompt, or once more, under the key of a mark."""
    topic, document = plan.topics[pair[0]], plan.documents[pair[1]]
    if isinstance(topic, Gap) or isinstance(document, Gap):
        plan.gaps[pair] = next(part for part in (topic, document) if isinstance(part, Gap))
        return
    key = digest([settings.identity_sha256, topic.sha256, document.sha256])
    key = plan.keys[pair] = digest([key, mark]) if mark else key
    if key not in plan.questions:
        template = prompt or settings.prompt
        shown = shown_pair(template, topic, document, number=pair[0]) if is_asked else None
        plan.questions[key] = _question(key, pair, shown or ((), ()), settings, rates)


def _question(
    key: str,
    pair: Pair,
    shown: tuple[tuple[str | None, ...], tuple[str, ...]],
    settings: Settings,
    rates: Rates,
) -> Question:
    options = settings.decoding
    most = int(options.get("max_completion_tokens") or options.get("max_tokens") or DEFAULT_TOKENS)
    texts, blobs = shown
    bound = rates.bound(texts, most) if texts else 0
    tokens = tokens_of(texts, rates.image_tokens, most) if texts else 0
    return Question(key, pair, texts, blobs, bound, tokens)


def _input(
    settings: Settings,
    side: str,
    record: Record | None,
    pictures: Pictures,
    *,
    is_asked: bool,
    is_text: bool,
) -> Input | Gap:
    if record is None:
        return Gap.ITEM_MISSING
    keys = pictures.keys_of(record) if not is_text or names_sides(settings.prompt) else ()
    if isinstance(keys, Gap):
        return keys
    item = show_item(record.fields)
    return item_input(settings, side, item, keys, is_asked=is_asked, is_text=is_text)
