"""The same 16 runs as the site stores them: the time of PostgreSQL and unpacking before the measures."""

import os
import shutil
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measuring import Row, medians, seconds_text
from tests.benchmarks.peers import tools
from tests.benchmarks.runs import docno_list, write_qrels, write_run
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
    os.environ["DJANGO_SETTINGS_MODULE"] = "evaluation.config.settings_test"
    os.environ["TRACKSIDE_TEST_VAR"] = str(folder / "var")
    import django  # the settings read the environment above

    django.setup()
    yield from _from_database(folder / "var", runs, sets)


def _from_database(var: Path, runs: list[Rankings], sets: list[Qrels]) -> Iterator[Row]:
    from django.core.management import call_command

    from evaluation.hosting.addresses import socket_folder
    from evaluation.hosting.embedded import EmbeddedServers, embedded_servers
    from evaluation.models import Ranking
    from evaluation.values.actions import rankings_of

    with ExitStack() as stack:
        stack.callback(shutil.rmtree, socket_folder(var), ignore_errors=True)
        servers = EmbeddedServers(var, has_database=True, has_queue=False, is_durable=False)
        stack.enter_context(embedded_servers(servers))
        call_command("migrate", verbosity=0)
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
