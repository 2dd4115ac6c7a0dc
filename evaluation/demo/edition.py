"""One edition of the demo's track without a site: runs, pool, and qrels from people and CLIPScore."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.demo.assessors import simulate_grade
from evaluation.demo.drawing.pictures import draw_pictures
from evaluation.demo.progress import Progress
from evaluation.demo.retrieval.runs import DemoRun, retrieve_runs
from evaluation.demo.world import FULL, CaptionedPicture, DemoTask, WorldSize, make_world
from judges.backends.clip.encoder import ClipEncoder
from trackside.arrays import Floats
from trackside.files import Qrels, Rankings
from trackside.judging.cosines import pair_cosines
from trackside.judging.inputs import Gap, TextInput, prompted, text_input
from trackside.judging.judge import Vector, encode_files
from trackside.judging.mappings.mapping import fit_paper_2024
from trackside.judging.presets import Preset
from trackside.judging.settings import Settings
from trackside.pooling.depth import depth_pool

BATCH = 64


@dataclass(frozen=True)
class Edition:
    """The suggestion task of one seed, with runs, pool and grades of simulated assessors."""

    seed: int
    task: DemoTask
    images: dict[str, bytes]
    runs: list[DemoRun]
    rankings: list[Rankings]
    pool: list[tuple[str, str]]
    people: Qrels


def hold_edition(seed: int, clip: Path, progress: Progress, *, size: WorldSize = FULL) -> Edition:
    """Make the world of this seed, retrieve with the CLIP in the folder, pool and grade."""
    task = make_world(seed, size=size).suggestion
    pictures = [item for item in task.documents if isinstance(item, CaptionedPicture)]
    images = draw_pictures(pictures, progress)
    runs = retrieve_runs(task, images, clip, progress)
    rankings = [Rankings.from_file(run.text.encode(), tag=run.tag) for run in runs]
    depths = {run.tag: run.pool_depth for run in runs}
    pooled = depth_pool({ranking.tag: ranking.top(depths[ranking.tag]) for ranking in rankings}, depths)
    pool = [(topic, docno) for topic, docnos in pooled.topics.items() for docno in docnos]
    return Edition(seed, task, images, runs, rankings, pool, people_qrels(task, pool, seed))


def people_qrels(task: DemoTask, pool: list[tuple[str, str]], seed: int) -> Qrels:
    """Return the qrels of the topics' simulated assessors."""
    grades: dict[str, dict[str, int]] = {}
    for topic, docno in pool:
        given = simulate_grade(task, topic, docno, is_second=False, seed=seed)
        grades.setdefault(topic, {})[docno] = given.grade
    return Qrels.from_dict(grades, name="people")


def clipscore_qrels(edition: Edition, clip: Path, preset: Preset) -> Qrels:
    """Grade the pool like a CLIP judge with this preset, mapped by `paper-2024`."""
    settings = ClipEncoder.pinned(_judge(clip, preset))
    encoder = ClipEncoder(settings)
    vectors = _topic_vectors(edition, encoder, settings) | _picture_vectors(edition, encoder)
    cosines = pair_cosines(vectors, edition.pool, settings.long_text)
    return _mapped(edition, encoder.raw_scores(cosines), preset.name)


def chance_qrels(edition: Edition) -> Qrels:
    """Grade the pool by random scores under the same mapping, as an uninformed baseline."""
    scores = np.random.default_rng(edition.seed).random(len(edition.pool))
    return _mapped(edition, scores, "chance")


def _mapped(edition: Edition, scores: Floats, name: str) -> Qrels:
    grades: dict[str, dict[str, int]] = {}
    mapped = fit_paper_2024(scores).grades(scores).tolist()
    for (topic, docno), grade in zip(edition.pool, mapped, strict=True):
        grades.setdefault(topic, {})[docno] = grade
    return Qrels.from_dict(grades, name=name)


def _judge(clip: Path, preset: Preset) -> Settings:
    return Settings(backend="clip", revision=0, model=str(clip), model_revision="", **preset.choices)


def _topic_vectors(edition: Edition, encoder: ClipEncoder, settings: Settings) -> dict[str, Vector]:
    """Return the vector of each topic; for a text in pieces, the vectors of its pieces."""
    vectors: dict[str, Vector] = {}
    for topic in edition.task.topics:
        names = settings.text_fields or tuple(topic.fields)
        shown = text_input(settings, ((name, topic.fields[name]) for name in names))
        if isinstance(shown, TextInput):
            vectors[topic.id] = np.stack(encoder.encode_texts(_pieces(encoder, shown)))
    return vectors


def _pieces(encoder: ClipEncoder, shown: TextInput) -> list[str]:
    if shown.is_cut:
        return [piece for text in shown.texts for piece in encoder.pieces(text, shown.prompt)]
    return [prompted(shown.prompt, text) for text in shown.texts]


def _picture_vectors(edition: Edition, encoder: ClipEncoder) -> dict[str, Vector]:
    docnos = sorted({docno for _, docno in edition.pool})
    vectors: dict[str, Vector] = {}
    for start in range(0, len(docnos), BATCH):
        some = docnos[start : start + BATCH]
        vectors |= _known(some, encode_files(encoder, [edition.images[docno] for docno in some]))
    return vectors


def _known(names: Iterable[str], vectors: Sequence[Vector | Gap]) -> dict[str, Vector]:
    """Return the vectors by name. Our own texts and pictures never produce a gap."""
    named = zip(names, vectors, strict=True)
    return {name: vector for name, vector in named if not isinstance(vector, Gap)}
