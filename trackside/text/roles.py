"""Roles of text fields: what prompts, presets and pages read of items whose fields have any names."""

from collections.abc import Iterable, Mapping, Sequence

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
