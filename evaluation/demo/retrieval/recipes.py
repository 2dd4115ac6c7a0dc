"""The retrieval recipes of the demo's runs."""

from dataclasses import dataclass

from evaluation.demo.retrieval.item_index import (
    ALT_TEXT,
    REFERENCE,
    SECTION,
    SECTION_FIELDS,
    TITLE,
    TITLES,
    ItemIndex,
)
from evaluation.demo.retrieval.rankers import reciprocal_rank_fusion, reranked, weighted_sum
from trackside.arrays import Floats

RERANK_DEPTH = 50
DENSE, HYBRID, TWO_STAGE = ("CLIP-based", "dense"), ("CLIP-based", "hybrid"), ("CLIP-based", "two-stage")
LEXICAL, WEAK = ("lexical",), ("lexical", "weak")


@dataclass(frozen=True)
class RunRecipe:
    """A run before it is written to a file: scores (topic, document), -inf = not retrieved."""

    tag: str
    team: str | None
    families: tuple[str, ...]
    description: str
    scores: Floats


def suggestion_recipes(index: ItemIndex) -> list[RunRecipe]:
    """Make the sixteen runs of the suggestion task: eight baselines, eight by three teams."""
    return [*_baselines(index), *_harbour(index), *_meridian(index), *_quill(index)]


def promotion_recipes(index: ItemIndex) -> list[RunRecipe]:
    """Make the four runs of the promotion task: two baselines, two by teams."""
    clip, bm25 = index.dense(TITLES), index.bm25(SECTION_FIELDS)
    window, fused = index.dense(SECTION, "best window"), reciprocal_rank_fusion(clip, bm25)
    return [
        RunRecipe("clip-titles", None, DENSE, "CLIP, picture against both titles", clip),
        RunRecipe("bm25-all", None, LEXICAL, "BM25, all captions against all fields", bm25),
        RunRecipe("harbour-window", "harbour", DENSE, "CLIP, the section's best window", window),
        RunRecipe("meridian-rrf", "meridian", HYBRID, "Reciprocal rank fusion of CLIP and BM25", fused),
    ]


def _baselines(index: ItemIndex) -> list[RunRecipe]:
    title, titles, section = index.dense(TITLE), index.dense(TITLES), index.dense(SECTION)
    every_field = index.dense(SECTION_FIELDS)
    bm25_titles, bm25_all = index.bm25(TITLES), index.bm25(SECTION_FIELDS)
    bm25_alt = index.bm25(TITLES, ALT_TEXT)
    fused = reciprocal_rank_fusion(titles, bm25_all)
    return [
        RunRecipe("clip-title", None, DENSE, "CLIP, page title", title),
        RunRecipe("clip-titles", None, DENSE, "CLIP, both titles", titles),
        RunRecipe("clip-section", None, DENSE, "CLIP, section text cut to 77 tokens", section),
        RunRecipe("clip-all", None, DENSE, "CLIP, all fields cut to 77 tokens", every_field),
        RunRecipe("bm25-titles", None, LEXICAL, "BM25, titles against all captions", bm25_titles),
        RunRecipe("bm25-all", None, LEXICAL, "BM25, all fields against all captions", bm25_all),
        RunRecipe("bm25-alt", None, WEAK, "BM25, titles against alt texts alone", bm25_alt),
        RunRecipe("rrf-clip-bm25", None, HYBRID, "Reciprocal rank fusion, CLIP on titles and BM25", fused),
    ]


def _harbour(index: ItemIndex) -> list[RunRecipe]:
    window = index.dense(SECTION, "best window")
    mean = index.dense(SECTION_FIELDS, "mean of windows")
    total = weighted_sum(index.dense(SECTION_FIELDS), index.bm25(SECTION_FIELDS), weight=0.5)
    return [
        RunRecipe("harbour-window", "harbour", DENSE, "CLIP, the section's best window", window),
        RunRecipe("harbour-mean", "harbour", DENSE, "CLIP, all fields, mean of windows", mean),
        RunRecipe("harbour-sum", "harbour", HYBRID, "Half CLIP on all fields, half BM25", total),
    ]


def _meridian(index: ItemIndex) -> list[RunRecipe]:
    titles, bm25_titles = index.dense(TITLES), index.bm25(TITLES)
    two_stage = reranked(bm25_titles, titles, depth=RERANK_DEPTH)
    fused = reciprocal_rank_fusion(titles, index.dense(SECTION), bm25_titles)
    section = index.bm25(SECTION)
    return [
        RunRecipe("meridian-stages", "meridian", TWO_STAGE, "BM25's best 50, reordered by CLIP", two_stage),
        RunRecipe("meridian-rrf", "meridian", HYBRID, "Reciprocal rank fusion, two CLIPs and BM25", fused),
        RunRecipe("meridian-section", "meridian", LEXICAL, "BM25, section text", section),
    ]


def _quill(index: ItemIndex) -> list[RunRecipe]:
    reference = index.bm25(SECTION_FIELDS, REFERENCE)
    total = weighted_sum(index.dense(TITLES), index.bm25(TITLES), weight=1 / 3)
    return [
        RunRecipe(
            "quill-reference", "quill", LEXICAL, "BM25, all fields against reference captions", reference
        ),
        RunRecipe("quill-sum", "quill", HYBRID, "A third CLIP on titles, two thirds BM25", total),
    ]
