"""Print hashes of all that a seed determines, as JSON; run in processes that hash texts differently."""

import json
from hashlib import sha256

import django


def fingerprint() -> dict[str, str]:
    from evaluation.running.demo.steps.retrieval import retrieve_runs, run_text
    from evaluation.running.demo.steps.track import picture_files
    from evaluation.running.demo.world import make_world, simulate_grade
    from tests.evaluation.running.demo.conftest import SMALL

    task, _ = make_world(1, SMALL)
    pairs = [(topic.id, document.id) for topic in task.topics for document in task.documents]
    images = dict(picture_files(task))
    found = {
        "world": repr(task).encode(),
        "images": b"".join(images.values()),
        "runs": "".join(run_text(task, run) for run in retrieve_runs(task, images)).encode(),
        "grades": repr([simulate_grade(task, *pair, is_second=False, seed=1) for pair in pairs]).encode(),
    }
    return {name: sha256(content).hexdigest() for name, content in found.items()}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(fingerprint()))
