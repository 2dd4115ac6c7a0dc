"""Roles of text fields: what prompts, presets and pages read of items whose fields have any names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# The names of fields for which each role is proposed; the first that is present gets it.
PROPOSED = {
    "title": ("section_title", "title", "headline", "heading", "subject", "name"),
    "description": (
        *("context_section_description", "section_context", "section_text", "description", "desc", "text"),
        *("body", "content", "contents", "passage", "abstract", "query", "question"),
    ),
    "context": ("context_page_description", "page_context", "context", "background", "narrative", "narr"),
    "caption": ("caption", "captions", "caption_reference_description", "alt_text", "alt"),
}
ROLES = tuple(PROPOSED)
# AToMiC's names, which presets and prompts use, and the roles that stand in for them.
OF_ATOMIC = {
    "section_title": "title",
    "context_section_description": "description",
    "context_page_description": "context",
}

Roles = Mapping[str, str]
"""The name of the field with each role; a track without roles has none."""
NO_ROLES: Roles = {}


def propose_roles(names: Sequence[str]) -> dict[str, str]:
    """Return the proposed roles of fields with these names, each field and each role at most once."""
    plain = {name.lower().replace("-", "_").replace(" ", "_"): name for name in reversed(names)}
    roles: dict[str, str] = {}
    for role, known in PROPOSED.items():
        left = [name for name in plain if plain[name] not in roles.values()]
        alike = [name for name in left if name.endswith(f"_{role}")]
        if key := next((name for name in (*known, *reversed(alike)) if name in left), None):
            roles[role] = plain[key]
    return roles


def with_roles(
    fields: Iterable[tuple[str, str]], names: Iterable[str], roles: Roles
) -> list[tuple[str, str]]:
    """Return an item's fields, and once more those that stand in for names which it lacks, so named."""
    texts = dict(fields)
    alike = {name: field_of(name, texts, roles) for name in names if name not in texts}
    return [*texts.items(), *((name, texts[field]) for name, field in alike.items() if field in texts)]


def field_of(name: str, texts: Mapping[str, str], roles: Roles) -> str:
    """Return the field that a prompt or preset means by a name: the field of that name, else of its role."""
    return name if name in texts else roles.get(OF_ATOMIC.get(name, name), name)


LEAD_LENGTH = 360  # characters: about six lines of the topic's column
MAIN_TEXT = "context_section_description"  # AToMiC's field with the text of the section
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")


@dataclass(frozen=True)
class Digest:
    """A topic's texts in reading order.

    ``over`` is shown above the ``title``, ``path`` is the position of the text in its page. ``lead`` has the
    first sentences, ``rest`` the remainder of the same text, ``others`` further fields as (heading, text).
    Missing texts are empty.
    """

    over: str
    title: str
    path: str
    lead: str
    rest: str
    others: tuple[tuple[str, str], ...]


def make_digest(fields: Iterable[Sequence[str]], roles: Roles = NO_ROLES) -> Digest:
    """Sort an item's (name, text) fields into a digest, by their roles or else by AToMiC's names.

    The title is the field of that role, else the last whose name ends in "title"; the others are ``over``.
    "hierarchy" is the path. The main text is the field with the role of description, context or caption,
    else AToMiC's section text, else the first remaining field.
    """
    texts = {name: text.strip() for name, text in fields if text.strip()}
    title = texts.pop(roles.get("title", ""), "")
    titles = [texts.pop(name) for name in list(texts) if name.endswith("title")]
    path = texts.pop("hierarchy", "").replace(" | ", " › ")
    first = (*(roles.get(role, "") for role in ("description", "context", "caption")), MAIN_TEXT, *texts)
    main = texts.pop(next((name for name in first if name in texts), ""), "")
    lead, rest = split_lead(main)
    title = title or (titles.pop() if titles else "")
    return Digest(
        over=" · ".join(titles),
        title=title,
        path=path,
        lead=lead,
        rest=rest,
        others=tuple((heading_of(name), text) for name, text in texts.items()),
    )


def split_lead(text: str, length: int = LEAD_LENGTH) -> tuple[str, str]:
    """Split a text after the last sentence that ends within ``length`` characters.

    If the first sentence is longer, split at the last blank before ``length``, or at ``length`` without one.
    """
    if len(text) <= length:
        return text, ""
    ends = [match.start() for match in SENTENCE_END.finditer(text, 0, length + 1)]
    end = ends[-1] if ends else text.rfind(" ", 0, length + 1)
    end = end if end > 0 else length
    return text[:end].rstrip(), text[end:].lstrip()


def heading_of(name: str) -> str:
    """Return a field's name as a heading: ``context_page_description`` -> "Page description"."""
    words = name.removeprefix("context_").replace("_", " ").strip()
    return words[:1].upper() + words[1:]
