"""Does CLIPScore favour CLIP-based runs? The demo's question over some seeds: `python -m` this module."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from evaluation.config.demo.edition import Edition, chance_qrels, clipscore_qrels, hold_edition
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

    The deltas are Relative Deltas in per cent, `gap` is the judge's less people's in points, `p` that of its
    permutation test over the runs.
    """

    seed: int
    judge: str
    measure: str
    family: str
    tau: Estimate
    kappa: Estimate
    people_delta: Estimate
    judge_delta: Estimate
    gap: Estimate
    p: Estimate


def study(seeds: Sequence[int], models: Path) -> Iterator[Finding]:
    """Hold an edition for each seed and compare people's qrels with CLIPScore's, one finding at a time.

    CLIPScore judges each edition with the very model that its runs retrieve with and, where there are more
    seeds, with the next one's model, which the runs have never met. The third judge is chance.
    """
    clips = {seed: train_tiny_clip(models, seed, tell) for seed in seeds}
    for place, seed in enumerate(seeds):
        edition = hold_edition(seed, clips[seed], tell)
        yield from compare(edition, clipscore_qrels(edition, clips[seed]), "CLIPScore by the runs' own CLIP")
        if len(seeds) > 1:
            sibling = clips[seeds[(place + 1) % len(seeds)]]
            yield from compare(edition, clipscore_qrels(edition, sibling), "CLIPScore by a sibling CLIP")
        yield from compare(edition, chance_qrels(edition), "chance under the same mapping")


def compare(edition: Edition, judged: Qrels, judge: str) -> Iterator[Finding]:
    """Compare one set of model qrels with people's, for each measure and family."""
    means = evaluate(edition.rankings, [edition.people, judged], MEASURES).means()
    kappa = cohen_kappa(*_paired_grades(edition, judged), SCALE)
    for number, measure in enumerate(MEASURES):
        by_people, by_judge = means[:, 0, number], means[:, 1, number]
        for family in FAMILIES:
            is_in = [family in run.families for run in edition.runs]
            deltas = [relative_delta(side, is_in).delta for side in (by_people, by_judge)]
            yield Finding(
                seed=edition.seed,
                judge=judge,
                measure=measure,
                family=family,
                tau=kendall_tau_b(by_people, by_judge),
                kappa=kappa,
                people_delta=deltas[0],
                judge_delta=deltas[1],
                gap=deltas[1].minus(deltas[0]),
                p=judge_bias_test(by_judge, by_people, is_in, seed=edition.seed).p,
            )


def _paired_grades(edition: Edition, judged: Qrels) -> tuple[list[int], list[int]]:
    people, judge = edition.people.to_dict(), judged.to_dict()
    pairs = [(people[topic][docno], judge[topic][docno]) for topic, docno in edition.pool]
    return [grade for grade, _ in pairs], [grade for _, grade in pairs]


def markdown(findings: Sequence[Finding]) -> str:
    """Write the findings as tables, one a judge and family, with their means over the seeds."""
    parts = []
    for judge in dict.fromkeys(finding.judge for finding in findings):
        for family in FAMILIES:
            some = [finding for finding in findings if (finding.judge, finding.family) == (judge, family)]
            parts.append(f"Judge: {judge}. Family: {family} runs against all others.\n\n{_table(some)}")
    return "\n".join(parts)


def _table(findings: Sequence[Finding]) -> str:
    lines = [
        "| measure | seed | tau | kappa | Delta, people | Delta, judge | gap | p of gap |",
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
        mean(lambda finding: finding.tau, "z.2f"),
        mean(lambda finding: finding.kappa, "z.2f"),
        mean(lambda finding: finding.people_delta, "+z.1f"),
        mean(lambda finding: finding.judge_delta, "+z.1f"),
        mean(lambda finding: finding.gap, "+z.1f"),
        _p(findings[0]) if len(findings) == 1 else "",
    ]
    return f"| {findings[0].measure} | {name} | {' | '.join(cells)} |"


def _p(finding: Finding) -> str:
    if finding.p.value is None:
        return "undefined"
    return "< 0.001" if finding.p.value < 0.001 else f"{finding.p.value:.3f}"


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
