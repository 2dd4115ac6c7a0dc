"""`trackside vote`: one grade for each pair from the qrels of several judges."""

import argparse
import sys

from trackside.cli.commands import whole
from trackside.errors import InputError

EXAMPLE = "trackside vote clip.qrels llava.qrels gpt.qrels > votes.qrels"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("qrels", nargs="+", metavar="[NAME=]FILE", help="qrels of the judges; the first decides ties")
    add(
        "--rule",
        choices=("majority", "mean"),
        default="majority",
        help="the most common grade, as qrels, or the mean, as CSV with topic, docno and score (majority)",
    )
    add(
        "--difficulty",
        metavar="FILE",
        help="people's qrels: write instead topic, docno and easy, medium or hard of each pair, by how many "
        "judges give people's grade (more than two thirds, or fewer than a third), for report --pair-strata",
    )
    add("--quorum", type=whole(1), metavar="N", help="judges that must have graded a pair (more than half)")


def run(arguments: argparse.Namespace) -> int:
    """Write grades or difficulties to standard output, and counts and pairs left out to standard error."""
    (_write_difficulties if arguments.difficulty else _write_grades)(arguments)
    return 0


def _write_difficulties(arguments: argparse.Namespace) -> None:
    from collections import Counter

    from trackside.cli.files.inputs import read_qrels
    from trackside.files.pair_strata import named_pairs
    from trackside.judging.votes import Difficulty, difficulties

    if arguments.rule != "majority":
        raise InputError(f"--rule {arguments.rule} has no effect with --difficulty. Give one of the two.")
    people, *judges = read_qrels([arguments.difficulty, *arguments.qrels])
    found = difficulties(judges, people, quorum=arguments.quorum)
    rows = found.by_pair.items()
    sys.stdout.writelines(f"{topic}\t{docno}\t{stratum}\n" for (topic, docno), stratum in rows)
    kinds = Counter(found.by_pair.values())
    shares = ", ".join(f"{kinds[kind]:,} {kind}" for kind in Difficulty)
    missing = (
        f"; too few judges: {len(found.too_few):,} ({named_pairs(found.too_few)})" if found.too_few else ""
    )
    total = len(found.by_pair) + len(found.too_few)
    sys.stderr.write(f"{len(found.by_pair):,} of {total:,} pairs: {shares}{missing}\n")


def _write_grades(arguments: argparse.Namespace) -> None:
    import csv  # --help needs no more
    from collections import Counter

    from trackside.cli.files.inputs import read_qrels
    from trackside.judging.votes import MemberAgreement, agreement, vote

    votes = vote(read_qrels(arguments.qrels), rule=arguments.rule, quorum=arguments.quorum)
    rows = zip(votes.pairs, votes.scores.tolist(), votes.gaps, strict=True)
    scored = [(topic, docno, score) for (topic, docno), score, gap in rows if gap is None]
    if arguments.rule == "mean":
        csv.writer(sys.stdout, lineterminator="\n").writerows([("topic", "docno", "score"), *scored])
    else:
        sys.stdout.writelines(f"{topic} 0 {docno} {int(grade)}\n" for topic, docno, grade in scored)
    counted = zip(votes.agreeing.tolist(), votes.present.tolist(), votes.gaps, strict=True)
    kinds = Counter(
        agreement(most, count) if count > 1 else "by one judge" for most, count, gap in counted if gap is None
    )
    gaps = Counter(gap for gap in votes.gaps if gap)
    known = [*MemberAgreement, *(["by one judge"] if kinds["by one judge"] else [])]
    shares = ", ".join(f"{kinds[kind]:,} {kind}" for kind in known)
    missing = ", ".join(f"{count:,} {gap.replace('_', ' ')}" for gap, count in sorted(gaps.items()))
    sys.stderr.write(
        f"{len(scored):,} of {len(votes.pairs):,} pairs: {shares}{missing and '; no grade: '}{missing}\n"
    )
