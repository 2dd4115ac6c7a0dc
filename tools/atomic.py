"""Print Tables 1 to 4 and Figure 5 of AToMiC (Yang et al., SIGIR 2023) from data at hand.

FOLDER has images.parquet and texts.parquet with the columns of huggingface.co/TREC-AToMiC, its parts joined,
and train.qrels, validation.qrels and test.qrels. Without FOLDER, data of their shape are made.
"""

import argparse
import io
import random
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import polars as pl
from PIL import Image

from trackside.auditing.numbers import describe
from trackside.cli.files.tables import aligned
from trackside.files import Qrels, Rankings
from trackside.fusion.methods import reciprocal_rank_fusion
from trackside.grading.pairs import read_every_item
from trackside.library.evaluating import CorpusWarning, evaluate
from trackside.retrieval import command
from trackside.retrieval.baseline import run_lines

SPLITS = ("train", "validation", "test")
MEASURES = ("RR@10", "R@10", "R@1000")
TITLES, CONTEXTS = "page_title,section_title", "context_page_description,context_section_description"
REFERENCE, OTHERS = (
    "caption_reference_description",
    "caption_alt_text_description,caption_attribution_description",
)
ABLATIONS = {  # fields of texts, fields of images
    "all": ("", ""),
    "titles of texts": (TITLES, ""),
    "contexts of texts": (CONTEXTS, ""),
    "reference captions": ("", REFERENCE),
    "other captions": ("", OTHERS),
}
DIFFERENT = """
What differs from the paper: BM25 is bm25s (Lucene's variant, k1 1.5, b .75, English stop words) on texts in
English, with one index for all corpora; fusion is RRF with k 60; the corpora are drawn: the smallest has the
images judged in the test split, larger ones add others by chance. Topics are texts (image suggestion); image
promotion is left out. The layout is ours, and no value of the paper is printed."""
SUBJECTS, TEXTS, IMAGES = 40, 120, 400  # of made data


def tables(folder: Path, clip: str) -> Iterator[str]:
    """Yield the lines of all tables and of the figure."""
    texts, images = str(folder / "texts.parquet"), str(folder / "images.parquet")
    qrels = {split: Qrels.from_file(folder / f"{split}.qrels", name=split) for split in SPLITS}
    names = set(pl.scan_parquet(images).select("image_id").collect()["image_id"])
    yield from _collection({"texts": texts, "images": images})
    yield from _splits(qrels, names)
    with tempfile.TemporaryDirectory() as made:
        topics = str(Path(made, "topics.parquet"))
        asked = pl.Series(qrels["test"].topics).implode()
        pl.scan_parquet(texts).filter(pl.col("section_id").is_in(asked)).collect().write_parquet(topics)
        ablated = {
            name: _baseline(topics, images, "--bm25", *_fields(*fields)) for name, fields in ABLATIONS.items()
        }
        runs = {"BM25": ablated["all"]}
        if clip:
            runs["CLIP"] = _baseline(topics, images, "--clip", clip)
            runs["BM25 + CLIP"] = reciprocal_rank_fusion(list(runs.values()))
    yield from _values("Table 3. Image suggestion, test split", runs, qrels["test"])
    if not clip:
        yield "Left out: CLIP and its fusion with BM25. Name a model: --clip PATH."
    yield from _values("Table 4. BM25 by fields", ablated, qrels["test"])
    yield from _sizes(runs, qrels["test"], sorted(names))
    yield DIFFERENT


def _fields(of_texts: str, of_images: str) -> list[str]:
    options = {"--topic-fields": of_texts, "--document-fields": of_images}
    return [part for option, fields in options.items() if fields for part in (option, fields)]


def _baseline(topics: str, documents: str, *options: str) -> Rankings:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    arguments = parser.parse_args(["--topics", topics, "--documents", documents, *options])
    return Rankings.from_file("\n".join(run_lines(arguments)).encode())


def _collection(paths: Mapping[str, str]) -> Iterator[str]:
    rows = [["side", "field", "records", "share", "words: mean", "median"]]
    for side, path in paths.items():
        with ExitStack() as files:
            items = read_every_item(path, files, is_topics=False).values()
            numbers = describe((item.fields, len(item.pictures)) for item in items)
        rows.append([side, "(all)", f"{numbers.count:,}", "", "", ""])
        rows.append([side, "(with picture)", *_share(numbers.pictured_count, numbers.count), "", ""])
        rows += [
            [side, one.name, *_share(one.count, numbers.count), f"{one.mean:.1f}", str(one.median)]
            for one in numbers.fields
        ]
    yield from ("Table 1. The collection", *aligned(rows))


def _share(count: int, total: int) -> tuple[str, str]:
    return f"{count:,}", f"{100 * count / total:.1f} %"


def _splits(sets: Mapping[str, Qrels], known: set[str]) -> Iterator[str]:
    rows = [["split", "texts", "images", "pairs", "images a text", "unknown images"]]
    for split, qrels in sets.items():
        images = set(qrels.docnos)
        counts = (len(qrels), len(images), qrels.pair_count)
        mean = f"{qrels.pair_count / len(qrels):.2f}"
        rows.append([split, *(f"{count:,}" for count in counts), mean, f"{len(images - known):,}"])
    yield from ("", "Table 2. Qrels by split", *aligned(rows))


def _values(title: str, runs: Mapping[str, Rankings], qrels: Qrels) -> Iterator[str]:
    means = evaluate(dict(runs), qrels, MEASURES).means()[:, 0]
    rows = [
        [name, *(f"{value:.4f}" for value in row)] for name, row in zip(runs, means.tolist(), strict=True)
    ]
    yield from ("", title, *aligned([["run", *MEASURES], *rows]))


def _sizes(runs: Mapping[str, Rankings], qrels: Qrels, names: Sequence[str]) -> Iterator[str]:
    corpora = {f"{len(docnos):,}": docnos for docnos in nested(names, set(qrels.docnos))}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", CorpusWarning)
        means = evaluate(dict(runs), qrels, ["RR@10", "R@10"], corpora=corpora).means()
    head = ["images", *(f"{name} {measure}" for name in runs for measure in ("RR@10", "R@10"))]
    rows = [[size, *(f"{v:.4f}" for v in means[:, row].ravel())] for row, size in enumerate(corpora)]
    yield from ("", "Figure 5. Values against the size of the corpus", *aligned([head, *rows]))
    yield from (str(each.message) for each in said)


def nested(names: Sequence[str], judged: set[str]) -> list[list[str]]:
    """The judged images, and nested corpora of twice the size each up to all images, drawn with seed 0."""
    inside = [name for name in names if name in judged]
    others = [name for name in names if name not in judged]
    random.Random(0).shuffle(others)  # noqa: S311 - no secret
    ordered, sizes = inside + others, [len(inside)]
    while 2 * sizes[-1] < len(names):
        sizes.append(2 * sizes[-1])
    return [ordered[:size] for size in dict.fromkeys([*sizes, len(names)])]


def make_data(folder: Path, seed: int = 0) -> None:
    """Write made data of AToMiC's shape: texts and images of one subject share its words."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    of_texts = [rng.randrange(SUBJECTS) for _ in range(TEXTS)]
    of_images = [*range(SUBJECTS), *(rng.randrange(SUBJECTS) for _ in range(IMAGES - SUBJECTS))]
    names = (REFERENCE, *OTHERS.split(","))

    def text(subject: int, noise: int) -> str:
        return " ".join(f"word{word}" for word in (subject, *rng.choices(range(SUBJECTS), k=noise)))

    file = io.BytesIO()
    Image.new("RGB", (32, 32), "white").save(file, "PNG")
    picture = {"bytes": file.getvalue(), "path": "white.png"}
    common = {"language": ["en"], "image": picture}
    images = [
        {"image_id": f"image{n}", **common, **{name: [text(subject, 4)] for name in names}}
        for n, subject in enumerate(of_images)
    ]
    pl.DataFrame(images).write_parquet(folder / "images.parquet")
    lengths = dict.fromkeys(TITLES.split(","), 2) | dict.fromkeys(CONTEXTS.split(","), 20)
    texts = [
        {"section_id": f"text{n}", **{name: text(subject, length) for name, length in lengths.items()}}
        for n, subject in enumerate(of_texts)
    ]
    pl.DataFrame(texts).write_parquet(folder / "texts.parquet")
    for place, split in enumerate(SPLITS):
        chosen = {
            n: rng.choice([image for image, subject in enumerate(of_images) if subject == of_texts[n]])
            for n in range(place, TEXTS, len(SPLITS))
        }
        lines = (f"text{n} 0 image{image} 1\n" for n, image in chosen.items())
        (folder / f"{split}.qrels").write_text("".join(lines))


def main(words: Sequence[str] | None = None) -> None:
    """Print all for the folder of the command line, else for made data."""
    parser = argparse.ArgumentParser(prog="python -m tools.atomic", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="real data; else made ones")
    parser.add_argument("--clip", default="", metavar="PATH", help="folder of a CLIP-type model")
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as made:
        if arguments.folder is None:
            make_data(Path(made))
            print("Made data of AToMiC's shape, 120 texts and 400 images: no number is AToMiC's.\n")
        for line in tables(arguments.folder or Path(made), arguments.clip):
            print(line)


if __name__ == "__main__":
    main()
