"""The implementation of `trackside pool`."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from trackside.cli.files.inputs import read_runs
from trackside.cli.files.tables import aligned, tabbed
from trackside.errors import InputError
from trackside.pooling.depth import DepthPool, depth_pool, presentation_order
from trackside.text.counted import counted


def pool_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """Write the pool with --out and return the statistics to print. Raises InputError."""
    deepest = max([_depth(argument)[1] for argument in arguments.depth], default=0)
    rankings: dict[str, dict[str, list[str]]] = {}
    for run in read_runs(arguments.runs):
        rankings[run.tag] = run.top(deepest)
    depths = _depths(arguments.depth, list(rankings))
    teams = _teams(arguments.team, list(rankings))
    pool = depth_pool(rankings, depths)
    if arguments.out:
        _write(pool, Path(arguments.out), arguments.seed)
    return FORMATS[arguments.format](pool, depths, teams)


def _depth(argument: str) -> tuple[str, int]:
    tag, _, depth = argument.rpartition("=")
    if not depth.isascii() or not depth.isdigit():
        raise InputError(
            f"--depth {argument}: the depth is a whole number, as in --depth 25 or --depth tag=30"
        )
    return tag, int(depth)


def _depths(arguments: Sequence[str], tags: Sequence[str]) -> dict[str, int]:
    depths = dict(_depth(argument) for argument in arguments)
    common = depths.pop("", None)
    _refuse_unknown_tags("--depth", list(depths), tags)
    missing = [tag for tag in tags if tag not in depths]
    if missing and common is None:
        raise InputError(f"no depth for {', '.join(missing)}: give one for all with --depth K")
    return {tag: depths.get(tag, common or 0) for tag in tags}


def _teams(arguments: Sequence[str], tags: Sequence[str]) -> dict[str, str]:
    """Team of each run; a run without a team is its own team."""
    teams = {tag: team for tag, _, team in (argument.rpartition("=") for argument in arguments)}
    _refuse_unknown_tags("--team", list(teams), tags)
    return {tag: teams.get(tag, tag) for tag in tags}


def _refuse_unknown_tags(option: str, named: Sequence[str], tags: Sequence[str]) -> None:
    unknown = [tag for tag in named if tag not in tags]
    if unknown:
        raise InputError(
            f"{option}: no run has the tag {', '.join(unknown) or '(none)'}; there are {', '.join(tags)}"
        )


def _write(pool: DepthPool, path: Path, seed: int) -> None:
    lines = [
        f"{topic}\t{docno}\n"
        for topic, docnos in pool.topics.items()
        for docno in presentation_order(docnos, topic=topic, seed=seed)
    ]
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise InputError(f"--out {path}: {error.strerror}. Name another file.") from error


def _statistics(pool: DepthPool, depths: dict[str, int], teams: dict[str, str]) -> dict[str, Any]:
    sizes = {topic: len(docnos) for topic, docnos in pool.topics.items()}
    unique, by_team = pool.unique_to_runs(), pool.unique_to(teams)
    return {
        "items": pool.size,
        "topics": sizes,
        "places": pool.slot_count,
        "overlap": pool.overlap,
        "runs": {
            tag: {
                "team": teams[tag],
                "depth": depth,
                "contributed": _count(pool.contributions.get(tag, {})),
                "unique": _count(unique.get(tag, {})),
            }
            for tag, depth in depths.items()
        },
        "teams": {team: {"unique": _count(by_team.get(team, {}))} for team in dict.fromkeys(teams.values())},
    }


def _count(docnos: dict[str, tuple[str, ...]]) -> int:
    return sum(map(len, docnos.values()))


def _table(pool: DepthPool, depths: dict[str, int], teams: dict[str, str]) -> Iterator[str]:
    counts = _statistics(pool, depths, teams)
    sizes = sorted(counts["topics"].values())
    yield f"{counted(counts['items'], 'item')} on {counted(len(sizes), 'topic')}"
    if sizes:
        yield f"per topic: least {sizes[0]:,}, median {median(sizes):,g}, most {sizes[-1]:,}"
        yield f"{counts['places']:,} contributed results, {100 * counts['overlap']:.1f} % of them add no item"
    yield ""
    yield from aligned(_run_rows(counts))
    if len(set(teams.values())) < len(teams):
        yield ""
        rows = [[team, f"{numbers['unique']:,}"] for team, numbers in counts["teams"].items()]
        yield from aligned([["team", "unique"], *rows])


def _run_rows(counts: dict[str, Any]) -> list[list[str]]:
    header = ["run", "team", "depth", "contributed", "unique"]
    return [header] + [
        [tag, row["team"], *(f"{row[name]:,}" for name in ("depth", "contributed", "unique"))]
        for tag, row in counts["runs"].items()
    ]


def _tsv(pool: DepthPool, depths: dict[str, int], teams: dict[str, str]) -> Iterator[str]:
    rows = [["topic", "items"], *([topic, str(len(docnos))] for topic, docnos in pool.topics.items())]
    return tabbed(rows)


def _json(pool: DepthPool, depths: dict[str, int], teams: dict[str, str]) -> Iterator[str]:
    yield json.dumps(_statistics(pool, depths, teams), ensure_ascii=False, indent=1)


FORMATS = {"table": _table, "json": _json, "tsv": _tsv}
