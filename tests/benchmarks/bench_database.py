"""The same 16 runs as the site stores them: the time of PostgreSQL and unpacking before the measures."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measuring import Row, medians, seconds_text
from tests.benchmarks.peers import tools
from tests.benchmarks.runs import docno_list, write_qrels, write_run
from tests.benchmarks.sites.own import own_site
from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate

if TYPE_CHECKING:
    from evaluation.models import Run


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Reading rows, making rankings of them, and all up to the values under five sets of qrels."""
    docnos = docno_list(200_000)
    runs = [
        Rankings.from_file(write_run(folder / f"run{seed}", 74, 1000, docnos, seed)) for seed in range(16)
    ]
    sets = [
        Qrels.from_file(write_qrels(folder / f"qrels{seed}", 74, docnos, seed), name=str(seed))
        for seed in range(5)
    ]
    with own_site(folder):
        from evaluation.models import Ranking
        from evaluation.values.actions import rankings_of

        stored = _store(runs)
        columns = Ranking.objects.values_list("run_id", "topic", "docnos", "scores")
        taken = medians({
            "rows": lambda: list(columns.iterator()),
            "rankings": lambda: deque(rankings_of(stored), maxlen=0),  # each is released at once
            "values": lambda: evaluate(rankings_of(stored), sets, tools.MEASURES),
        })  # fmt: skip
    size = "16 x 74 x 1,000"
    yield Row(f"{size} from PostgreSQL, as rows", seconds_text(taken["rows"]))
    yield Row(f"{size} from PostgreSQL, as rankings", seconds_text(taken["rankings"]))
    yield Row(f"{size} from PostgreSQL, to values under 5 qrels", seconds_text(taken["values"]))


def _store(runs: list[Rankings]) -> list["Run"]:
    """The runs as an accepted upload leaves them."""
    from evaluation.models import Ranking
    from tests.factories import make_run, make_task, make_team

    task = make_task()
    team = make_team(task.track)
    stored = [make_run(task, team, tag=run.tag, results={}) for run in runs]
    Ranking.objects.bulk_create(
        Ranking(run=own, topic=topic, docnos=docnos, scores=scores)
        for own, run in zip(stored, runs, strict=True)
        for topic, docnos, scores in run.packed()
    )
    return stored
