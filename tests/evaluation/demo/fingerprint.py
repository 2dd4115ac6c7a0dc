"""Print hashes of all that a seed determines, as JSON; run in processes that hash texts differently."""

import json
import sys
from hashlib import sha256
from pathlib import Path

import django
import torch


def fingerprint(clip: Path, elsewhere: Path) -> dict[str, str]:
    from evaluation.demo.models.clip import train_clip
    from evaluation.demo.models.training import training_pictures
    from evaluation.demo.steps.retrieval import retrieve_runs, run_text
    from evaluation.demo.steps.track import picture_files
    from evaluation.demo.world import make_world, simulate_grade
    from tests.evaluation.demo.conftest import SMALL

    task, _ = make_world(1, SMALL)
    torch.set_num_threads(1)
    pairs = [(topic.id, document.id) for topic in task.topics for document in task.documents]
    images = picture_files(task)
    train_clip(elsewhere, *training_pictures(1, 64), steps=2)
    found = {
        "world": repr(task).encode(),
        "images": b"".join(images.values()),
        "runs": "".join(run_text(task, run) for run in retrieve_runs(task, images, clip)).encode(),
        "grades": repr([simulate_grade(task, *pair, is_second=False, seed=1) for pair in pairs]).encode(),
        "weights": (elsewhere / "model.safetensors").read_bytes(),
    }
    return {name: sha256(content).hexdigest() for name, content in found.items()}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(fingerprint(Path(sys.argv[1]), Path(sys.argv[2]))))
