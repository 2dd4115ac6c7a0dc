"""A task whose report takes a second or two."""

from evaluation.models import Phase, QrelsKind, Task
from tests.factories import make_qrels, make_run, make_task

TOPICS, DEPTH = 30, 100


def reported_task() -> Task:
    task = make_task(phase=Phase.JUDGING, topic_count=TOPICS, document_count=DEPTH)
    docnos = [f"D{number}" for number in range(1, DEPTH + 1)]
    for place in range(4):
        order = docnos[place * 7 :] + docnos[: place * 7]
        make_run(task, tag=f"run{place}", results={f"T{topic}": order for topic in range(1, TOPICS + 1)})
    pairs = [(f"T{topic}", docno) for topic in range(1, TOPICS + 1) for docno in docnos]
    make_qrels(task, name="people", grades={pair: place % 3 for place, pair in enumerate(pairs)})
    model = {pair: place * place % 3 for place, pair in enumerate(pairs)}
    make_qrels(task, name="model", kind=QrelsKind.MODEL, grades=dict(model))
    return task
