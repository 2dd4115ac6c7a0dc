"""The demo's runs: the organizers' baselines and the runs of three teams, really retrieved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.demo.retrieval.index import ItemIndex, reciprocal_rank_fusion, reranked, weighted_sum
from evaluation.demo.world import DemoTask
from trackside.arrays import Floats

TITLE, TITLES = ("page_title",), ("page_title", "section_title")
SECTION = ("context_section_description",)
EVERY = (*TITLES, "hierarchy", "context_page_description", *SECTION)
REFERENCE, ALT_TEXT = ("caption_reference_description",), ("caption_alt_text_description",)
CAPTIONS = (*REFERENCE, *ALT_TEXT, "caption_attribution_description")
DENSE, HYBRID, TWO_STAGE = ("CLIP-based", "dense"), ("CLIP-based", "hybrid"), ("CLIP-based", "two-stage")
LEXICAL, WEAK = ("lexical",), ("lexical", "weak")
RERANK_DEPTH, RESULTS_A_TOPIC = 50, 100


@dataclass(frozen=True)
class DemoRun:
    """A run before it is written to a file; the organizers' baselines have no team."""

    tag: str
    team: str
    families: tuple[str, ...]
    description: str
    scores: Floats


def retrieve_runs(task: DemoTask, images: Mapping[str, bytes], clip: Path) -> Iterator[DemoRun]:
    """Retrieve every run of a task with the CLIP in the folder; `images` maps ids to files."""
    index = ItemIndex(task, images, clip)
    rows = _suggestion(index) if task.name == "suggestion" else _promotion(index)
    for tag, families, description, scores in rows:
        team, _, _ = tag.partition("-")
        yield DemoRun(tag, "" if team in {"clip", "bm25", "rrf"} else team, families, description, scores)


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
    titles, section, every = index.clip(TITLES), index.clip(SECTION), index.clip(EVERY)
    words_titles, words = index.bm25(TITLES, CAPTIONS), index.bm25(EVERY, CAPTIONS)
    window, mean = index.clip(SECTION, "best window"), index.clip(EVERY, "mean of windows")
    yield "clip-title", DENSE, "CLIP, page title", index.clip(TITLE)
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
    titles, words = index.clip(TITLES), index.bm25(EVERY, CAPTIONS)
    fused = reciprocal_rank_fusion(titles, words)
    yield "clip-titles", DENSE, "CLIP, picture against both titles", titles
    yield "bm25-all", LEXICAL, "BM25, all captions against all fields", words
    yield "harbour-window", DENSE, "CLIP, the section's best window", index.clip(SECTION, "best window")
    yield "meridian-rrf", HYBRID, "Reciprocal rank fusion of CLIP and BM25", fused
