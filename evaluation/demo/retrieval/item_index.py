"""Scores between sections and pictures of a task; each side is encoded only once."""

from collections.abc import Mapping, Sequence

from evaluation.demo.models.towers import LongText, Towers, Windows
from evaluation.demo.retrieval.rankers import bm25
from evaluation.demo.world import ArticleSection, CaptionedPicture, DemoTask, Item
from trackside.arrays import Floats

TITLE = ("page_title",)
TITLES = ("page_title", "section_title")
PAGE = ("context_page_description",)
SECTION = ("context_section_description",)
SECTION_FIELDS = (*TITLES, "hierarchy", *PAGE, *SECTION)
ALT_TEXT = ("caption_alt_text_description",)
REFERENCE = ("caption_reference_description",)
CAPTIONS = (*REFERENCE, *ALT_TEXT, "caption_attribution_description")


class ItemIndex:
    """An index of the items of a task. Every score matrix is (topic, document)."""

    def __init__(self, task: DemoTask, images: Mapping[str, bytes], towers: Towers) -> None:
        """Encode the pictures; `images` maps ids to files."""
        items = (*task.topics, *task.documents)
        self._sections = [item for item in items if isinstance(item, ArticleSection)]
        self._pictures = [item for item in items if isinstance(item, CaptionedPicture)]
        self._has_section_topics = isinstance(task.topics[0], ArticleSection)
        self._towers = towers
        self._picture_vectors = towers.pictures([images[picture.id] for picture in self._pictures])
        self._windows: dict[tuple[str, ...], Windows] = {}

    def dense(self, fields: Sequence[str], policy: LongText = "first window") -> Floats:
        """Score these fields of the sections against the pictures by CLIP."""
        key = tuple(fields)
        if key not in self._windows:
            self._windows[key] = self._towers.texts(_texts(self._sections, fields))
        scores = self._windows[key].cosines(self._picture_vectors, policy)
        return scores if self._has_section_topics else scores.T

    def bm25(self, fields: Sequence[str], captions: Sequence[str] = CAPTIONS) -> Floats:
        """Score these fields of the sections against these captions by BM25."""
        sections, pictures = _texts(self._sections, fields), _texts(self._pictures, captions)
        return bm25(sections, pictures) if self._has_section_topics else bm25(pictures, sections)


def _texts(items: Sequence[Item], fields: Sequence[str]) -> list[str]:
    """Join the named fields of each item; a picture without any of the captions gives an empty text."""
    return [". ".join(item.fields[name] for name in fields if name in item.fields) for item in items]
