"""The demo's runs, really retrieved: by an encoder, by BM25 and by both; a score of -inf is not retrieved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias

import numpy as np

from evaluation.running.demo.models import CLIP, PHOTOS, photo_model
from evaluation.running.demo.world import CAPTION, DemoItem, DemoTask
from trackside.arrays import Floats
from trackside.backends.registry import encoder_class, loaded_encoder
from trackside.judging.judge import Encoder, encode_files
from trackside.judging.settings import Settings
from trackside.retrieval.ranking import bm25_scores

LongText: TypeAlias = Literal["first window", "mean of windows", "best window"]
"""Policy for texts longer than CLIP's limit; their windows are adjacent, without overlap."""
RRF_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009."""


class ItemIndex:
    """An index of the items of a task. Every score matrix is (topic, document)."""

    def __init__(self, task: DemoTask, encoder: Encoder, images: Mapping[str, bytes]) -> None:
        """Encode the pictures; `images` maps ids to files."""
        items = (*task.topics, *task.documents)
        self._pictures = [item for item in items if item.is_picture]
        self._sections = [item for item in items if not item.is_picture]
        self._has_section_topics = not task.topics[0].is_picture
        self._encoder = encoder
        files = [images[picture.id] for picture in self._pictures]
        self._vectors = np.array(encode_files(encoder, files), np.float64)

    def seen(self, fields: Sequence[str], policy: LongText = "first window") -> Floats:
        """Score these fields of the sections against what the pictures show, by the encoder."""
        texts = _texts(self._sections, fields)
        windows = [[text] if policy == "first window" else self._encoder.pieces(text, "") for text in texts]
        vectors = np.array(
            self._encoder.encode_texts([window for some in windows for window in some]), np.float64
        )
        starts = [0, *accumulate(len(some) for some in windows)][:-1]
        if policy == "mean of windows":
            means = np.add.reduceat(vectors, starts)
            return self._turned(means / np.linalg.norm(means, axis=1, keepdims=True) @ self._vectors.T)
        return self._turned(np.maximum.reduceat(vectors @ self._vectors.T, starts))

    def captions(self, fields: Sequence[str]) -> Floats:
        """Score these fields of the sections against the captions, both as texts, by the encoder."""
        captions = _texts(self._pictures, (CAPTION,))
        sections = np.array(self._encoder.encode_texts(_texts(self._sections, fields)), np.float64)
        cosines = sections @ np.array(self._encoder.encode_texts(captions), np.float64).T
        return self._turned(np.where([bool(caption) for caption in captions], cosines, -np.inf))

    def bm25(self, fields: Sequence[str], captions: Sequence[str]) -> Floats:
        """Score these fields of the sections against these captions by BM25."""
        texts = [_texts(self._sections, fields), _texts(self._pictures, captions)]
        topics, documents = texts if self._has_section_topics else reversed(texts)
        return np.array(list(bm25_scores(topics, documents)))

    def _turned(self, scores: Floats) -> Floats:
        return scores if self._has_section_topics else scores.T


def _texts(items: Sequence[DemoItem], fields: Sequence[str]) -> list[str]:
    """Join the named fields of each item; a picture without any of the captions gives an empty text."""
    return [". ".join(item.fields[name] for name in fields if name in item.fields) for item in items]


def reciprocal_rank_fusion(*rankings: Floats) -> Floats:
    """Sum 1 / (60 + rank) over the rankings that retrieved the document."""
    parts = [np.where(np.isfinite(scores), 1 / (RRF_CONSTANT + ranks(scores)), 0) for scores in rankings]
    total = np.sum(parts, axis=0)
    return np.where(total > 0, total, -np.inf)


def weighted_sum(first: Floats, second: Floats, *, weight: float) -> Floats:
    """Add two rankings, each topic's scores scaled to 0 to 1, with ``weight`` and 1 - ``weight``."""
    return weight * _stretched(first) + (1 - weight) * _stretched(second)


def reranked(first: Floats, second: Floats, *, depth: int) -> Floats:
    """Rerank the first ranking's best documents by the second; only those are retrieved."""
    return np.where((ranks(first) <= depth) & np.isfinite(first), second, -np.inf)


def ranks(scores: Floats) -> Floats:
    """Rank each topic's documents from 1, equal scores in the order of the columns."""
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.asarray(np.argsort(order, axis=1, kind="stable") + 1.0, np.float64)


def _stretched(scores: Floats) -> Floats:
    """Scale each topic's scores to 0 to 1; 0 where nothing was retrieved."""
    retrieved = np.isfinite(scores)
    lowest = np.where(retrieved, scores, np.inf).min(axis=1, keepdims=True)
    span = scores.max(axis=1, keepdims=True) - lowest
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(retrieved & (span > 0), (scores - lowest) / span, 0.0)


TITLE, TITLES = ("page_title",), ("page_title", "section_title")
SECTION = ("context_section_description",)
EVERY = (*TITLES, "hierarchy", "context_page_description", *SECTION)
REFERENCE, ALT_TEXT = ("caption_reference_description",), ("caption_alt_text_description",)
CAPTIONS = (*REFERENCE, *ALT_TEXT, "caption_attribution_description")
DENSE, HYBRID, TWO_STAGE = ("CLIP-based", "dense"), ("CLIP-based", "hybrid"), ("CLIP-based", "two-stage")
LEXICAL, WEAK = ("lexical",), ("lexical", "weak")
SECTION_TITLE, STAMP_TOPIC = ("section_title",), (*TITLES, *SECTION)
SEEN, READ = ("picture-based", "dense"), ("caption-based", "dense")
HYBRID_PHOTOS, TWO_STAGE_PHOTOS = ("picture-based", "hybrid"), ("picture-based", "two-stage")
RERANK_DEPTH, RESULTS_A_TOPIC = 50, 100
BASELINES = {"clip", "bm25", "rrf", "photos", "minilm"}
"""First words of the tags of the organizers' runs; other runs begin with their team."""


@dataclass(frozen=True)
class DemoRun:
    """A run before it is written to a file; the organizers' baselines have no team."""

    tag: str
    team: str
    families: tuple[str, ...]
    description: str
    scores: Floats


def retrieve_runs(task: DemoTask, images: Mapping[str, bytes]) -> Iterator[DemoRun]:
    """Retrieve every run of a task; `images` maps ids to files. Raises InputError if a model is missing."""
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    retrieved, backend, model = RETRIEVERS[task.name]
    settings = Settings(backend=backend, revision=0, model=model(), model_revision="")
    encoder = loaded_encoder(encoder_class(backend).pinned(settings))
    index = ItemIndex(task, encoder, images)
    for tag, families, description, scores in retrieved(index):
        team, _, _ = tag.partition("-")
        yield DemoRun(tag, "" if team in BASELINES else team, families, description, scores)


def run_text(task: DemoTask, run: DemoRun) -> str:
    """Return a TREC run file, topics in the order of the task."""
    rows = zip(task.topics, run.scores, strict=True)
    return "".join(line for topic, scores in rows for line in _lines(task, topic.id, scores, run.tag))


def _lines(task: DemoTask, topic: str, scores: Floats, tag: str) -> Iterator[str]:
    """Yield the lines of the best documents of one topic; ties of the written scores by docno, descending.

    Tasks require results for every topic. If nothing was found, which happens without captions, return the
    collection's first document with score 0.
    """
    pairs = zip(np.round(scores, 6), task.documents, strict=True)
    ranked = sorted(((score, item.id) for score, item in pairs if np.isfinite(score)), reverse=True)
    listed = ranked[:RESULTS_A_TOPIC] or [(0.0, task.documents[0].id)]
    for rank, (score, docno) in enumerate(listed, start=1):
        yield f"{topic} Q0 {docno} {rank} {score:.6f} {tag}\n"


def _suggestion(index: ItemIndex) -> Iterator[tuple[str, tuple[str, ...], str, Floats]]:
    """Yield tag, families, description and scores of eight baselines and eight runs by three teams."""
    titles, section, every = index.seen(TITLES), index.seen(SECTION), index.seen(EVERY)
    words_titles, words = index.bm25(TITLES, CAPTIONS), index.bm25(EVERY, CAPTIONS)
    window, mean = index.seen(SECTION, "best window"), index.seen(EVERY, "mean of windows")
    yield "clip-title", DENSE, "CLIP, page title", index.seen(TITLE)
    yield "clip-titles", DENSE, "CLIP, both titles", titles
    yield "clip-section", DENSE, "CLIP, section text cut to 77 tokens", section
    yield "clip-all", DENSE, "CLIP, all fields cut to 77 tokens", every
    yield "bm25-titles", LEXICAL, "BM25, titles against all captions", words_titles
    yield "bm25-all", LEXICAL, "BM25, all fields against all captions", words
    yield "bm25-alt", WEAK, "BM25, titles against alt texts alone", index.bm25(TITLES, ALT_TEXT)
    fused = reciprocal_rank_fusion(titles, words)
    yield "rrf-clip-bm25", HYBRID, "Reciprocal rank fusion, CLIP on titles and BM25", fused
    yield "harbour-window", DENSE, "CLIP, the section's best window", window
    yield "harbour-mean", DENSE, "CLIP, all fields, mean of windows", mean
    yield "harbour-sum", HYBRID, "Half CLIP on all fields, half BM25", weighted_sum(every, words, weight=0.5)
    stages = reranked(words_titles, titles, depth=RERANK_DEPTH)
    yield "meridian-stages", TWO_STAGE, "BM25's best 50, reordered by CLIP", stages
    fused = reciprocal_rank_fusion(titles, section, words_titles)
    yield "meridian-rrf", HYBRID, "Reciprocal rank fusion, two CLIPs and BM25", fused
    yield "meridian-section", LEXICAL, "BM25, section text", index.bm25(SECTION, CAPTIONS)
    reference = index.bm25(EVERY, REFERENCE)
    yield "quill-reference", LEXICAL, "BM25, all fields against reference captions", reference
    total = weighted_sum(titles, words_titles, weight=1 / 3)
    yield "quill-sum", HYBRID, "A third CLIP on titles, two thirds BM25", total


def _promotion(index: ItemIndex) -> Iterator[tuple[str, tuple[str, ...], str, Floats]]:
    """Yield tag, families, description and scores of two baselines and two runs by teams."""
    titles, words = index.seen(TITLES), index.bm25(EVERY, CAPTIONS)
    fused = reciprocal_rank_fusion(titles, words)
    yield "clip-titles", DENSE, "CLIP, picture against both titles", titles
    yield "bm25-all", LEXICAL, "BM25, all captions against all fields", words
    yield "harbour-window", DENSE, "CLIP, the section's best window", index.seen(SECTION, "best window")
    yield "meridian-rrf", HYBRID, "Reciprocal rank fusion of CLIP and BM25", fused


def _stamps(index: ItemIndex) -> Iterator[tuple[str, tuple[str, ...], str, Floats]]:
    """Yield tag, families, description and scores of six baselines and six runs by three teams."""
    title, titles, every = (index.seen(fields) for fields in (SECTION_TITLE, TITLES, STAMP_TOPIC))
    words, captions = index.bm25(TITLES, (CAPTION,)), index.captions(TITLES)
    yield "photos-title", SEEN, "What the picture shows against the title", title
    yield "photos-titles", SEEN, "What the picture shows against both titles", titles
    yield "photos-all", SEEN, "What the picture shows against all fields", every
    yield "bm25-titles", LEXICAL, "BM25, titles against captions", words
    yield "minilm-titles", READ, "Sentence vectors, titles against captions", captions
    fused = reciprocal_rank_fusion(title, words)
    yield "rrf-photos-bm25", HYBRID_PHOTOS, "Reciprocal rank fusion of pictures and BM25", fused
    yield "harbour-section", LEXICAL, "BM25, all fields against captions", index.bm25(STAMP_TOPIC, (CAPTION,))
    yield "harbour-sum", HYBRID_PHOTOS, "Half pictures, half BM25", weighted_sum(title, words, weight=0.5)
    yield (
        "meridian-captions",
        READ,
        "Sentence vectors, all fields against captions",
        index.captions(STAMP_TOPIC),
    )
    stages = reranked(captions, title, depth=RERANK_DEPTH)
    yield "meridian-stages", TWO_STAGE_PHOTOS, "Best 50 captions, reordered by pictures", stages
    fused = reciprocal_rank_fusion(title, words, captions)
    yield "quill-rrf", HYBRID_PHOTOS, "Reciprocal rank fusion of pictures, BM25 and sentence vectors", fused
    yield (
        "quill-window",
        SEEN,
        "What the picture shows, the text's best window",
        index.seen(SECTION, "best window"),
    )


def _clip_model() -> str:
    return str(CLIP)


RETRIEVERS = {
    "suggestion": (_suggestion, "clip", _clip_model),
    "promotion": (_promotion, "clip", _clip_model),
    "stamps": (_stamps, PHOTOS, photo_model),
}
"""For each task what yields its runs, and its encoder's backend and model."""
