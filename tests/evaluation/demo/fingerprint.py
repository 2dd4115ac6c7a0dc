"""Print hashes of all that a seed determines, as JSON; run in processes that hash texts differently."""

import json
import sys
from hashlib import sha256
from pathlib import Path

from evaluation.demo.assessors import simulate_grade
from evaluation.demo.drawing.pictures import draw_pictures
from evaluation.demo.models.clip_lessons import corpus, training_scenes
from evaluation.demo.models.clip_tokenizer import learn_tokenizer
from evaluation.demo.models.tiny_clip import train_tiny_clip
from evaluation.demo.retrieval.runs import retrieve_runs
from evaluation.demo.world import CaptionedPicture, make_world
from tests.evaluation.demo.conftest import SMALL
from tests.evaluation.demo.quiet import silent
from tests.evaluation.demo.recipes import LEAST


def fingerprint(clip: Path, elsewhere: Path) -> dict[str, str]:
    world = make_world(1, size=SMALL)
    task = world.suggestion
    images = draw_pictures([item for item in task.documents if isinstance(item, CaptionedPicture)], silent)
    pairs = [(topic.id, document.id) for topic in task.topics for document in task.documents]
    tokenizer = learn_tokenizer(corpus(training_scenes(1, 60), 1), merges=120)
    trained = train_tiny_clip(elsewhere, 1, silent, recipe=LEAST)
    found = {
        "world": repr(world).encode(),
        "images": b"".join(images.values()),
        "runs": repr(retrieve_runs(task, images, clip, silent)).encode(),
        "grades": repr([simulate_grade(task, *pair, is_second=False, seed=1) for pair in pairs]).encode(),
        "tokenizer": json.dumps(tokenizer.get_vocab(), sort_keys=True).encode(),
        "weights": (trained / "model.safetensors").read_bytes(),
    }
    return {name: sha256(content).hexdigest() for name, content in found.items()}


if __name__ == "__main__":
    print(json.dumps(fingerprint(Path(sys.argv[1]), Path(sys.argv[2]))))
