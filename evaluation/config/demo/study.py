"""Does CLIPScore favour CLIP-based runs? The demo's question over some seeds: `python -m` this module."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from evaluation.config.demo.edition import Edition, clipscore_qrels, hold_edition
from evaluation.config.demo.tiny_clip import train_tiny_clip
from evaluation.core.agreement import cohen_kappa
from evaluation.core.bias import judge_bias_test, relative_delta
from evaluation.core.correlation import kendall_tau_b
from evaluation.core.estimate import Estimate
from evaluation.core.measures import evaluate
from evaluation.core.trec_files import Qrels

MEASURES = ("nDCG@10", "AP")
FAMILIES = ("CLIP-based", "dense")
SCALE = (0, 1, 2)


@dataclass(frozen=True)
class Finding:
    """What one judge's qrels do to one measure and one family in one edition.

    `people` and `judge` are Relative Deltas in per cent, `gap` their difference in points, `p` the
    permutation test's over the runs.
    """

    seed: int
    judge_model: str
    measure: str
    family: str
    tau: Estimate
    kappa: Estimate
    people: Estimate
    judge: Estimate
    gap: Estimate
    p: Estimate


def study(seeds: Sequence[int], models: Path) -> Iterator[Finding]:
    """Hold an edition for each seed and compare people's qrels with CLIPScore's, one finding at a time.

    CLIPScore judges each edition twice: with the very model that its runs retrieve with, and, where there is
    more than one seed, with the next seed's model, which the runs have never met.
    """
    clips = {seed: train_tiny_clip(models, seed, tell) for seed in seeds}
    for place, seed in enumerate(seeds):
        edition = hold_edition(seed, clips[seed], tell)
        judges = {"the runs' own": clips[seed]}
        if len(seeds) > 1:
            judges["a sibling"] = clips[seeds[(place + 1) % len(seeds)]]
        for name, clip in judges.items():
            yield from compare(edition, clipscore_qrels(edition, clip), name)


def compare(edition: Edition, judged: Qrels, judge_model: str) -> Iterator[Finding]:
    """Compare one set of model qrels with people's, for each measure and family."""
    means = evaluate(edition.rankings, [edition.people, judged], MEASURES).means()
    kappa = cohen_kappa(*_paired_grades(edition, judged), SCALE)
    for number, measure in enumerate(MEASURES):
        people, judge = means[:, 0, number], means[:, 1, number]
        for family in FAMILIES:
            is_in = [family in run.families for run in edition.runs]
            deltas = [relative_delta(side, is_in).delta for side in (people, judge)]
            yield Finding(
                seed=edition.seed,
                judge_model=judge_model,
                measure=measure,
                family=family,
                tau=kendall_tau_b(people, judge),
                kappa=kappa,
                people=deltas[0],
                judge=deltas[1],
                gap=deltas[1].minus(deltas[0]),
                p=judge_bias_test(judge, people, is_in, seed=edition.seed).p,
            )


def _paired_grades(edition: Edition, judged: Qrels) -> tuple[list[int], list[int]]:
    people, judge = edition.people.to_dict(), judged.to_dict()
    return (
        [people[topic][docno] for topic, docno in edition.pool],
        [judge[topic][docno] for topic, docno in edition.pool],
    )


def markdown(findings: Sequence[Finding]) -> str:
    """Write the findings as tables, one a judge's model and family, with their means over the seeds."""
    parts = []
    for judge_model in dict.fromkeys(finding.judge_model for finding in findings):
        for family in FAMILIES:
            some = [
                finding
                for finding in findings
                if (finding.judge_model, finding.family) == (judge_model, family)
            ]
            parts.append(
                f"{family} runs against the others; CLIPScore by {judge_model} CLIP\n\n{_table(some)}"
            )
    return "\n".join(parts)


def _table(findings: Sequence[Finding]) -> str:
    lines = [
        "| measure | seed | tau | kappa | Delta, people | Delta, CLIPScore | gap | p of gap |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for measure in MEASURES:
        some = [finding for finding in findings if finding.measure == measure]
        lines += [_row(str(finding.seed), [finding]) for finding in some]
        if len(some) > 1:
            lines.append(_row("mean", some))
    return "\n".join(lines) + "\n"


def _row(name: str, findings: Sequence[Finding]) -> str:
    def mean(number: Callable[[Finding], Estimate], form: str) -> str:
        values = [number(finding).value for finding in findings]
        known = [value for value in values if value is not None]
        return format(fmean(known), form).replace("-", "\u2212") if len(known) == len(values) else "undefined"

    cells = [
        mean(lambda finding: finding.tau, ".2f"),
        mean(lambda finding: finding.kappa, ".2f"),
        mean(lambda finding: finding.people, "+.1f"),
        mean(lambda finding: finding.judge, "+.1f"),
        mean(lambda finding: finding.gap, "+.1f"),
        mean(lambda finding: finding.p, ".3f") if len(findings) == 1 else "",
    ]
    return f"| {findings[0].measure} | {name} | {' | '.join(cells)} |"


def tell(done: int, total: int, text: str) -> None:
    """Say on standard error how far a step is."""
    end = "\n" if done == total else "\r"
    sys.stderr.write(f"{text} {done:,} of {total:,}{end}")


def seed_range(text: str) -> list[int]:
    """Read seeds such as 1-5 or 3."""
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    """Print the tables, and write them to a file when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=seed_range, default=seed_range("1-5"), help="such as 1-5")
    parser.add_argument("--models", type=Path, default=Path("var/models"), help="where models are kept")
    parser.add_argument("--out", type=Path, help="a file for the tables")
    arguments = parser.parse_args()
    tables = markdown(list(study(arguments.seeds, arguments.models)))
    sys.stdout.write(tables)
    if arguments.out is not None:
        arguments.out.write_text(tables, encoding="utf-8")


if __name__ == "__main__":
    main()
