"""A second implementation of trec_eval 10's output, in loops over documents as its manual describes them.

It shares nothing with the product: numbers are read by the C library, ranking is a sort of tuples, and each
measure walks down one list. Slow and plain on purpose, it supports all flags that pytrec_eval lacks, and the
measures that it lacks; others, which a test compares with pytrec_eval, are left out.
"""

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

NONPOOL, UNJUDGED = -1, -2
CUTOFFS = (1, 5, 10, 1000)
POINTS = tuple(point / 10 for point in range(11))
FLOOR = 0.00001

_C = ctypes.CDLL(None)
_C.atof.restype, _C.atof.argtypes = ctypes.c_double, [ctypes.c_char_p]
_C.atol.restype, _C.atol.argtypes = ctypes.c_long, [ctypes.c_char_p]


class Refused(Exception):
    """trec_eval exits with an error."""


@dataclass(frozen=True)
class Flags:
    """-c, -J, -l and -M; ``single`` compares scores as trec_eval 9 does."""

    complete: bool = False
    judged_only: bool = False
    level: int = 1
    most: int | None = None
    single: bool = False


def output(qrels_text: bytes, run_text: bytes, flags: Flags) -> str:
    """What `trec_eval -q` prints for the measures below. Raises Refused."""
    qrels, run = read_qrels(qrels_text), read_run(run_text, single=flags.single)
    lines: list[str] = []
    sums: dict[str, float] = defaultdict(float)
    for topic in sorted(qrels):
        if topic not in run and not flags.complete:
            raise Refused
        values = topic_values(qrels[topic], run.get(topic), flags)
        lines += [line(name, topic, value) for name, value in values.items() if not name.startswith("gm_")]
        for name, value in values.items():
            sums[name] += math.log(value) if name.startswith("gm_") else value
    sums["num_q"] = len(qrels)
    if flags.complete:
        sums["num_rel"] = sum(grade > 0 for judged in qrels.values() for grade in judged.values())
    for name in ("num_q", *[name for name in sums if name != "num_q"]):
        total = sums[name]
        if name.startswith("gm_"):
            total = math.exp(total / len(qrels))
        elif not name.startswith("num_"):
            total /= len(qrels)
        lines.append(line(name, b"all", total))
    return "".join(lines)


def line(name: str, topic: bytes, value: float) -> str:
    shown = f"{value:.0f}" if name.startswith("num_") else "  -nan" if value != value else f"{value:6.4f}"
    return f"{name:<22}\t{topic.decode()}\t{shown}\n"


def read_qrels(text: bytes) -> dict[bytes, dict[bytes, int]]:
    found: dict[bytes, dict[bytes, int]] = {}
    is_after_comment = False
    for row in text.removesuffix(b"\n").split(b"\n"):
        if row.startswith(b"#") and not is_after_comment:
            is_after_comment = True
            continue
        is_after_comment = False
        fields = row.split()
        if len(fields) != 4:
            raise Refused
        topic, _, docno, grade = fields
        if docno in found.setdefault(topic, {}):
            raise Refused
        found[topic][docno] = _C.atol(grade)
    if not found:
        raise Refused
    return found


def read_run(text: bytes, *, single: bool) -> dict[bytes, list[tuple[float, bytes]]]:
    found: dict[bytes, list[tuple[float, bytes]]] = {}
    for row in text.split(b"\n"):
        fields = row.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) < 6:
            raise Refused
        score = _C.atof(fields[4])
        score = ctypes.c_float(score).value if single else score
        found.setdefault(fields[0], []).append((score, fields[2]))
    if not found:
        raise Refused
    return found


def topic_values(
    judged: dict[bytes, int], results: list[tuple[float, bytes]] | None, flags: Flags
) -> dict[str, float]:
    """All values of a topic; one that the run does not answer has a single result outside the pool."""
    ranked = [docno for _, docno in sorted(results or [(1.0, b"")], reverse=True)][: flags.most]
    if len(set(ranked)) < len(ranked):
        raise Refused
    grades = [judged.get(docno, NONPOOL) for docno in ranked]
    grades = [
        UNJUDGED if docno in judged and grade < 0 else grade
        for docno, grade in zip(ranked, grades, strict=True)
    ]
    if flags.judged_only:
        grades = [grade for grade in grades if grade >= 0]
    values = dict(ranked_values(grades, [grade for grade in judged.values() if grade >= 0], flags.level))
    if results is None:
        values |= dict.fromkeys(["num_ret", "utility", "rbp_resid", "unj_5", "unj_10"], 0.0)
    return values


def ranked_values(grades: list[int], pool: list[int], level: int) -> Iterator[tuple[str, float]]:
    """In the order in which trec_eval prints."""
    hits = [grade >= level for grade in grades]
    found, total, retrieved = sum(hits), sum(grade >= level for grade in pool), len(grades)
    nonrelevant = sum(0 <= grade < level for grade in grades)
    yield "num_ret", retrieved
    yield "num_rel", total
    yield "num_rel_ret", found
    ap = over(precision_sum(hits), total)
    yield "map", ap
    yield "gm_map", max(ap, FLOOR)
    bpref = binary_preference(grades, level, total, len(pool) - total)
    yield "bpref", bpref
    yield "recip_rank", 1 / (hits.index(True) + 1) if found else 0.0
    for point in POINTS:
        yield f"iprec_at_recall_{point:.2f}", interpolated(hits, point, total)
    for cutoff in CUTOFFS:
        yield f"P_{cutoff}", sum(hits[:cutoff]) / cutoff
    yield "gm_bpref", max(bpref, FLOOR)
    yield "utility", float(found - (retrieved - found))
    points = [interpolated(hits, point, total) for point in reversed(POINTS)]
    yield "11pt_avg", sum(points) / len(points)
    ideal = sorted(pool, reverse=True)
    yield "ndcg", over(dcg(grades), dcg(ideal))
    yield "Rndcg", at_steps(grades, ideal) if total else 0.0
    yield "num_nonrel_judged_ret", nonrelevant
    gained = precision_sum(hits)
    yield "yaap", math.log((1 + gained) / (1 + total - gained))
    yield "rbp_resid", residual(grades)
    for cutoff in (5, 10):
        yield f"unj_{cutoff}", sum(grade < 0 for grade in grades[:cutoff]) / cutoff


def over(above: float, below: float) -> float:
    return above / below if below else 0.0


def precision_sum(hits: list[bool]) -> float:
    total, so_far = 0.0, 0
    for rank, is_hit in enumerate(hits, start=1):
        if is_hit:
            so_far += 1
            total += so_far / rank
    return total


def interpolated(hits: list[bool], point: float, total: int) -> float:
    """Highest precision from the rank on where enough relevant documents are found: 0/0 for an empty list."""
    needed = math.floor(point * total + 0.5)
    if needed > sum(hits):
        return 0.0
    if not hits:
        return math.nan
    precisions = [sum(hits[:rank]) / rank for rank in range(1, len(hits) + 1)]
    reached = [rank for rank in range(len(hits)) if sum(hits[: rank + 1]) >= needed]
    return max(precisions[reached[0] :])


def binary_preference(grades: list[int], level: int, total: int, others: int) -> float:
    value, before = 0.0, 0
    for grade in grades:
        if grade >= level:
            value += 1 - min(before, total) / min(others, total) if before else 1.0
        elif grade >= 0:
            before += 1
    return over(value, total)


def dcg(grades: list[int]) -> float:
    total = 0.0
    for rank, grade in enumerate(grades):
        if grade > 0:
            total += grade / math.log2(rank + 2)
    return total


def at_steps(grades: list[int], ideal: list[int]) -> float:
    """Rndcg: nDCG after each stretch of equal gain of the ideal list, and at the end of a longer ranking."""
    gainful = [grade for grade in ideal if grade > 0]
    following = [*gainful[1:], 0]
    steps = [place + 1 for place in range(len(gainful)) if gainful[place] != following[place]]
    values = [dcg(grades[:step]) / dcg(gainful[:step]) for step in steps]
    if gainful and len(grades) > len(gainful) + 1:
        values.append(dcg(grades) / dcg(gainful))
    return sum(values) / len(values) if values else math.nan


def residual(grades: list[int]) -> float:
    """rbp_resid: 0 where every result has a grade."""
    p, weight, total = 0.9, 1.0, 0.0
    for grade in grades:
        total += weight if grade < 0 else 0.0
        weight *= p
    return weight + (1 - p) * total if any(grade < 0 for grade in grades) else 0.0
