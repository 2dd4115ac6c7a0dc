"""The peers of `trackside pool` and `trackside fuse` as commands: plain Python loops over lines.

`python plain_loops.py pool DEPTH RUN...` or `... fuse RUN...`. They import nothing of this project.
"""

import sys
from collections import Counter
from hashlib import sha256


def read(path: str) -> dict[str, list[tuple[float, str]]]:
    """Read the results of each topic, best first, equal scores by docno descending."""
    topics: dict[str, list[tuple[float, str]]] = {}
    with open(path, encoding="utf-8") as lines:  # noqa: PTH123 - pathlib would only cost it time
        for line in lines:
            topic, _, docno, _, score, _ = line.split()
            topics.setdefault(topic, []).append((float(score), docno))
    for results in topics.values():
        results.sort(reverse=True)
    return topics


def pool(depth: int, paths: list[str]) -> None:
    """Print the pool as `trackside pool --out` writes it, and what each run contributed."""
    heads: dict[str, set[tuple[str, str]]] = {}
    for path in paths:
        results_of = read(path).items()
        heads[path] = {(topic, docno) for topic, results in results_of for _, docno in results[:depth]}
    run_count = Counter(pair for head in heads.values() for pair in head)
    keyed = sorted(
        (topic, sha256(f"0\0{topic}\0{docno}".encode()).digest(), docno) for topic, docno in run_count
    )
    sys.stdout.writelines(f"{topic}\t{docno}\n" for topic, _, docno in keyed)
    for path, head in heads.items():
        unique = sum(run_count[pair] == 1 for pair in head)
        sys.stdout.write(f"{path} {len(head)} contributed, {unique} unique\n")


def fuse(paths: list[str]) -> None:
    """Print the run that `trackside fuse` prints: reciprocal rank fusion, 1,000 results per topic."""
    fused: dict[str, dict[str, float]] = {}
    for path in paths:
        for topic, results in read(path).items():
            sums = fused.setdefault(topic, {})
            for rank, (_, docno) in enumerate(results, 1):
                sums[docno] = sums.get(docno, 0.0) + 1 / (60 + rank)
    for topic in sorted(fused):
        best = sorted(((score, docno) for docno, score in fused[topic].items()), reverse=True)[:1000]
        sys.stdout.writelines(
            f"{topic} Q0 {docno} {rank} {score!r} fused\n" for rank, (score, docno) in enumerate(best, 1)
        )


if __name__ == "__main__":
    if sys.argv[1] == "pool":
        pool(int(sys.argv[2]), sys.argv[3:])
    else:
        fuse(sys.argv[2:])
