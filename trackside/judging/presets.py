"""Presets of CLIP judges: the fields they read, their order, and the policy for long texts."""

from dataclasses import dataclass
from typing import Any

from trackside.judging.settings import CHUNK_MAX, CHUNK_MEAN, TRUNCATE

SECTION_FIRST = (
    "section_title",
    "context_section_description",
    "page_title",
    "context_page_description",
)
TITLES_FIRST = (
    "section_title",
    "page_title",
    "context_section_description",
    "context_page_description",
)
CONTEXTS = ("context_page_description", "context_section_description")


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The settings that decide what a CLIP judge reads, by name; ``words`` describe them on pages."""

    name: str
    words: str
    prompt: str = ""
    text_fields: tuple[str, ...] = ()
    long_text: str = TRUNCATE

    @property
    def choices(self) -> dict[str, Any]:
        """The settings of the preset."""
        return {"prompt": self.prompt, "text_fields": self.text_fields, "long_text": self.long_text}


CLIP_PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            name="clip-four-fields",
            words="section title, section context, page title, page context; cut at the model's limit",
            text_fields=SECTION_FIRST,
        ),
        Preset(
            name="clip-four-fields-chunk-mean",
            words="the same fields in pieces that fit; the mean of the pieces counts",
            text_fields=SECTION_FIRST,
            long_text=CHUNK_MEAN,
        ),
        Preset(
            name="clip-four-fields-chunk-max",
            words="the same fields in pieces that fit; the nearest piece counts",
            text_fields=SECTION_FIRST,
            long_text=CHUNK_MAX,
        ),
        Preset(
            name="clip-four-fields-titles-first",
            words="section title, page title, section context, page context; cut at the model's limit",
            text_fields=TITLES_FIRST,
        ),
        Preset(
            name="clip-context-only",
            words="page context, then section context; cut at the model's limit",
            text_fields=CONTEXTS,
        ),
        Preset(
            name="clipscore-2021",
            words='all fields after "A photo depicts"; cut at the model\'s limit',
            prompt="A photo depicts ",
        ),
    )
}
"""The first three give CLIP the text that Yang and Lin (2024, note 2) give it: the context part of their
prompt, without prefix and instructions. The fourth has the same fields in an order that leaves neither title
out where the text is cut. The last one is CLIPScore as Hessel et al. (2021) prompt it."""
