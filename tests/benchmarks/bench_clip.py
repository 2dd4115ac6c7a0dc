"""Judges: CLIPScore of a pool against bare loops over the same model, and what smaller images change."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Pillow

from evaluation.models import Pool
from tests.benchmarks.measuring import Row, seconds
from tests.benchmarks.sites.own import own_site

PAIRS, TOPICS, IMAGES = 9818, 74, 9000  # AToMiC's pool in the source paper
SMALLER = 12  # without --full: a twelfth of the topics, the pairs and the images
SAMPLE = 16  # one of this many pairs is scored the pairwise way
BATCH = 32
ROUNDS = 3
# All layers of ViT-B/32: with fewer, decoding an image would take a larger share of a pair's time.
LAYERS, WIDTH, TEXT_WIDTH, PROJECTION = 12, 768, 512, 512
SHAPE = f"ViT-B/32 shape, {TEXT_WIDTH}/{WIDTH} wide, {LAYERS} layers"
WORDS = 360  # of one letter, so five pieces of 75


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Job time over bare time, pairwise time over job time, for texts cut off and in five pieces."""
    # The plain loops run in a separate process, where torch waits as it does by default.
    with ProcessPoolExecutor(1, get_context("spawn")) as plain, own_site(folder):
        from celery import Celery

        Celery.send_task = lambda *_, **__: None  # type: ignore[method-assign,assignment]  # we are the worker
        model = plain.submit(save_model, folder / "clip").result()
        share = 1 if is_full else SMALLER
        pool = _pool(PAIRS // share, TOPICS // share, IMAGES // share)
        yield from _against_loops(pool, model, plain, "truncate", least=1.7)
        yield from _against_loops(pool, model, plain, "chunk-max", least=5.5)


def save_model(folder: Path) -> Path:
    """Random weights in the shape of ViT-B/32, with its own tokenizer."""
    import torch
    from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel, CLIPProcessor

    from tests.judges.tiny_clip import clip_tokenizer

    tokenizer = clip_tokenizer()
    heads = {"num_hidden_layers": LAYERS, "projection_dim": PROJECTION}
    ends = {"bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id}
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": TEXT_WIDTH,
        "intermediate_size": 4 * TEXT_WIDTH,
        "num_attention_heads": TEXT_WIDTH // 64,
        "pad_token_id": tokenizer.pad_token_id,
    }
    vision = {"hidden_size": WIDTH, "intermediate_size": 4 * WIDTH, "num_attention_heads": WIDTH // 64}
    torch.manual_seed(1)
    config = CLIPConfig(
        text_config=text | heads | ends,
        vision_config=vision | heads | {"image_size": 224, "patch_size": 32},
        projection_dim=PROJECTION,
    )
    CLIPModel(config).save_pretrained(folder)
    CLIPProcessor(CLIPImageProcessorPil(), tokenizer).save_pretrained(folder)
    return folder


def _encoder(model: Path) -> Any:
    from trackside.backends.clip.encoder import ClipEncoder
    from trackside.judging.settings import Settings

    given = Settings(backend="clip", revision=0, model=str(model), model_revision="")
    return ClipEncoder(ClipEncoder.pinned(given))


def photograph(seed: int, width: int, height: int) -> bytes:
    """Soft shapes with some grain, as JPEG."""
    random = np.random.default_rng(seed)
    soft = Pillow.fromarray(random.integers(0, 256, (12, 16, 3), dtype=np.uint8))
    picture = np.asarray(soft.resize((width, height), Pillow.Resampling.BICUBIC), dtype=np.int16)
    grain = random.integers(-8, 9, picture.shape, dtype=np.int16)
    with BytesIO() as file:
        Pillow.fromarray((picture + grain).clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=95)
        return file.getvalue()


# --- the job against plain loops


def _against_loops(
    pool: Pool, model: Path, plain: ProcessPoolExecutor, long_text: str, *, least: float
) -> Iterator[Row]:
    texts, images, pairs = _contents(pool)
    pieces = 5 if long_text != "truncate" else 1
    encoder = _encoder(model)
    cut = {name: encoder.pieces(text, "")[:pieces] for name, text in texts.items()}
    unique = [piece for each in cut.values() for piece in each]
    tasks: dict[str, Callable[[], float]] = {
        "job": lambda: seconds(lambda: _job(pool, model, long_text)),
        "bare": lambda: plain.submit(_bare, model, unique, images).result(),
        "pairwise": lambda: plain.submit(_pairwise, model, cut, images, pairs[::SAMPLE]).result() * SAMPLE,
    }
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            taken[name].append(task())
    job, bare, pairwise = (sorted(each)[ROUNDS // 2] for each in taken.values())
    size = f"{len(pairs):,} pairs, {len(texts)} topics, {len(images):,} images"
    beside = f"{long_text}; {size}; {SHAPE}; job {job:.1f} s, {len(images) / job:.0f} images a second"
    yield Row(
        "clip job over a bare encode loop", f"{job / bare:.2f}x", "<= 1.15x", beside, job / bare <= 1.15
    )
    yield Row(
        "clip job against the pairwise way",
        f"{pairwise / job:.1f}x",
        f">= {least}x",
        f"{long_text}; {pieces} texts a pair; one in {SAMPLE} pairs timed, pair by pair",
        pairwise / job >= least,
    )


def _job(pool: Pool, model: Path, long_text: str) -> None:
    """A job from start to end, as workers do it; no vector is stored yet, and the model is loaded."""
    from django.db import connection

    from judges.jobs.starting import start_job
    from tests.judges.factories import make_judge, run_to_end
    from trackside.backends.registry import loaded_encoder

    judge = make_judge(backend="clip", model=str(model), model_revision="", long_text=long_text, seed=_seed())
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE judges_embedding, judges_textpieces")
    loaded_encoder(judge.settings)
    job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
    if job.scored_count != job.pair_count:
        raise RuntimeError("the job has gaps")


def _seed() -> int:
    """Another judge for each round; CLIP ignores the seed."""
    from judges.models import Judge

    return Judge.objects.count()


def _bare(model: Path, texts: Sequence[str], images: dict[str, bytes]) -> float:
    """Seconds of the usual loop: unique texts and images in batches, one after the other."""
    import torch

    encoder = _loaded(model)
    contents = list(images.values())
    begun = time.perf_counter()
    with torch.inference_mode():
        for start in range(0, len(texts), BATCH):
            encoder.texts(texts[start : start + BATCH])
        for start in range(0, len(contents), BATCH):
            encoder.images(contents[start : start + BATCH])
    return time.perf_counter() - begun


def _pairwise(
    model: Path, texts: dict[str, Sequence[str]], images: dict[str, bytes], pairs: Sequence[tuple[str, str]]
) -> float:
    """Seconds for text and image of each pair, encoded for that pair, one pair after the other."""
    import torch

    encoder = _loaded(model)
    begun = time.perf_counter()
    with torch.inference_mode():
        for topic, docno in pairs:
            encoder.texts(texts[topic])
            encoder.images([images[docno]])
    return time.perf_counter() - begun


class Plain:
    """Transformers as its examples use it, on the GPU if there is one."""

    def __init__(self, model: Path) -> None:
        import torch
        from transformers import CLIPModel, CLIPProcessor

        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = CLIPModel.from_pretrained(model).eval().to(self._device)
        self._processor = CLIPProcessor.from_pretrained(model)

    def texts(self, texts: Sequence[str]) -> None:
        for start in range(0, len(texts), BATCH):
            tokens = self._processor.tokenizer(
                list(texts[start : start + BATCH]), padding=True, truncation=True, return_tensors="pt"
            )
            self._model.get_text_features(**tokens.to(self._device)).pooler_output.cpu().numpy()

    def images(self, contents: Sequence[bytes]) -> None:
        opened = [Pillow.open(BytesIO(each)).convert("RGB") for each in contents]
        pixels = self._processor.image_processor(opened, return_tensors="pt")
        self._model.get_image_features(**pixels.to(self._device)).pooler_output.cpu().numpy()


_plain: dict[Path, Plain] = {}


def _loaded(model: Path) -> Plain:
    return _plain.setdefault(model, Plain(model)) if model not in _plain else _plain[model]


def _contents(pool: Pool) -> tuple[dict[str, str], dict[str, bytes], list[tuple[str, str]]]:
    from evaluation.models import Document, Topic

    texts = {topic.number: topic.text_of() for topic in Topic.objects.filter(task=pool.task)}
    documents = Document.objects.filter(collection=pool.task.collection).select_related("image__small")
    images = {each.docno: each.image.small.read() for each in documents if each.image}
    return texts, images, list(pool.items.order_by("topic", "docno").values_list("topic", "docno"))


# --- the site's side


def _pool(pair_count: int, topic_count: int, image_count: int) -> Pool:
    """Every image in one topic at least, as many pairs in all; images are their own 336 px copies."""
    from django.core.files.base import ContentFile

    from evaluation.collections.storing import store_blob
    from evaluation.models import Document, Image
    from tests.factories import make_pool, make_task, make_topic

    task = make_task()
    topics = [f"T{place}" for place in range(topic_count)]
    for place, number in enumerate(topics):
        letters = np.random.default_rng(place).integers(0, 26, WORDS)
        make_topic(task, number=number, fields=[["text", " ".join(chr(97 + each) for each in letters)]])
    for place in range(image_count):
        blob = store_blob(file=ContentFile(photograph(place, 448, 336)))
        copies = dict.fromkeys(("original", "display", "small", "thumbnail"), blob)
        image = Image.objects.create(sha256=blob.sha256, width=448, height=336, **copies)
        Document.objects.create(collection=task.collection, docno=f"D{place}", image=image)
    pairs = [(topics[place % topic_count], f"D{place}") for place in range(image_count)]
    pairs += [(topics[(place + 1) % topic_count], f"D{place}") for place in range(pair_count - image_count)]
    return make_pool(task, pairs=pairs)
