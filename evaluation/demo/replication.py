"""Tests over several seeds of the demo whether CLIPScore favours CLIP-based runs; run with `python -m`."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from evaluation.core.report.design import Design, GradedSet, ReportRun
from evaluation.core.report.favour.favours import FamilyFavour, find_favours
from evaluation.core.report.filling import study_of
from evaluation.core.report.study import PEOPLE, Study
from evaluation.core.statistics.agreement.coefficients import cohen_kappa
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b
from evaluation.core.statistics.estimate import Estimate
from evaluation.core.trec_files import Qrels
from evaluation.demo.edition import Edition, chance_qrels, clipscore_qrels, hold_edition
from evaluation.demo.models.tiny_clip import train_tiny_clip
from judges.core.presets import CLIP_PRESETS, Preset

MEASURES = ("nDCG@10", "AP")
FAMILIES = ("CLIP-based", "dense")
SCALE = (0, 1, 2)
ORGANIZERS = "organizers"  # team of the baselines


@dataclass(frozen=True)
class EditionEffect:
    """The effect of one judge's qrels on one measure and one family in one edition, as in a report.

    The deltas are Relative Deltas in per cent. In percentage points, ``difference`` is the judge's minus
    people's and ``excess`` the judge's minus that of run-blind judges with its confusion matrix. ``verdict``
    is the report's, corrected for all judges, measures and families of the edition.
    """

    seed: int
    judge: str
    measure: str
    family: str
    tau: Estimate
    kappa: Estimate
    people_delta: Estimate
    judge_delta: Estimate
    difference: Estimate
    excess: Estimate
    verdict: str


def study(seeds: Sequence[int], models: Path, presets: Sequence[Preset]) -> Iterator[EditionEffect]:
    """Run an edition for each seed, compare people's qrels with CLIPScore's, and yield the findings.

    CLIPScore judges each edition with each preset, by the model that the runs retrieve with and, with several
    seeds, by the next seed's model, which the runs do not use. The last judge is chance.
    """
    clips = {seed: train_tiny_clip(models, seed, report_progress) for seed in seeds}
    for place, seed in enumerate(seeds):
        edition = hold_edition(seed, clips[seed], report_progress)
        sibling = clips[seeds[(place + 1) % len(seeds)]]
        judged = {}
        for preset in presets:
            judged[f"{preset.name} by the runs' own CLIP"] = clipscore_qrels(edition, clips[seed], preset)
            if len(seeds) > 1:
                judged[f"{preset.name} by a sibling CLIP"] = clipscore_qrels(edition, sibling, preset)
        judged["chance under the same mapping"] = chance_qrels(edition)
        yield from compare(edition, judged)


def compare(edition: Edition, judged: Mapping[str, Qrels]) -> Iterator[EditionEffect]:
    """Compare sets of model qrels with people's, for each measure and family."""
    found = _study(edition, judged)
    kappas = {name: cohen_kappa(*_paired_grades(edition, qrels), SCALE) for name, qrels in judged.items()}
    for each in find_favours(found).measures:
        if each.family in FAMILIES:
            yield _finding(edition.seed, found, each, kappas[found.name(each.judge)])


def _study(edition: Edition, judged: Mapping[str, Qrels]) -> Study:
    sets = [_graded_set("people", "human", edition.people)]
    sets += [_graded_set(name, "model", qrels) for name, qrels in judged.items()]
    runs = [ReportRun(run.tag, run.team or ORGANIZERS, run.families) for run in edition.runs]
    design = Design(SCALE, level=1, measures=MEASURES, seed=edition.seed)
    return study_of(design, runs, edition.rankings, sets)


def _graded_set(name: str, kind: str, qrels: Qrels) -> GradedSet:
    counts = {"pair_count": len(qrels), "graded_count": len(qrels)}
    return GradedSet({"name": name, "version": 1, "kind": kind, "sha256": qrels.sha256} | counts, qrels)


def _finding(seed: int, found: Study, each: FamilyFavour, kappa: Estimate) -> EditionEffect:
    by_people, by_judge = (found.means(place, each.measure) for place in (PEOPLE, each.judge))
    return EditionEffect(
        seed=seed,
        judge=found.name(each.judge),
        measure=found.measures[each.measure],
        family=each.family,
        tau=kendall_tau_b(by_people, by_judge),
        kappa=kappa,
        people_delta=each.found.people,
        judge_delta=each.found.judge,
        difference=each.found.difference,
        excess=each.found.excess.value,
        verdict=each.verdict.words,
    )


def _paired_grades(edition: Edition, judged: Qrels) -> tuple[list[int], list[int]]:
    people, judge = edition.people.to_dict(), judged.to_dict()
    pairs = [(people[topic][docno], judge[topic][docno]) for topic, docno in edition.pool]
    return [grade for grade, _ in pairs], [grade for _, grade in pairs]


def markdown(findings: Sequence[EditionEffect]) -> str:
    """Format the findings as tables, one per judge and family, with means over the seeds."""
    parts = []
    for judge in dict.fromkeys(finding.judge for finding in findings):
        for family in FAMILIES:
            some = [finding for finding in findings if (finding.judge, finding.family) == (judge, family)]
            parts.append(f"Judge: {judge}. Family: {family} runs against all others.\n\n{_table(some)}")
    return "\n".join(parts)


def _table(findings: Sequence[EditionEffect]) -> str:
    lines = [
        "| measure | seed | tau | kappa | Delta, people | Delta, judge | difference | excess | verdict |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for measure in MEASURES:
        some = [finding for finding in findings if finding.measure == measure]
        lines += [_row(str(finding.seed), [finding]) for finding in some]
        if len(some) > 1:
            lines.append(_row("mean", some))
    return "\n".join(lines) + "\n"


def _row(name: str, findings: Sequence[EditionEffect]) -> str:
    def mean(number: Callable[[EditionEffect], Estimate], form: str) -> str:
        values = [number(finding).value for finding in findings]
        known = [value for value in values if value is not None]
        return format(fmean(known), form).replace("-", "\u2212") if len(known) == len(values) else "undefined"

    cells = [
        mean(lambda finding: finding.tau, "z.2f"),
        mean(lambda finding: finding.kappa, "z.2f"),
        mean(lambda finding: finding.people_delta, "+z.1f"),
        mean(lambda finding: finding.judge_delta, "+z.1f"),
        mean(lambda finding: finding.difference, "+z.1f"),
        mean(lambda finding: finding.excess, "+z.1f"),
        findings[0].verdict if len(findings) == 1 else "",
    ]
    return f"| {findings[0].measure} | {name} | {' | '.join(cells)} |"


def report_progress(done: int, total: int, text: str) -> None:
    """Write the progress of a step to standard error."""
    end = "\n" if done == total else "\r"
    sys.stderr.write(f"{text} {done:,} of {total:,}{end}")


def seed_range(text: str) -> list[int]:
    """Parse seeds such as 1-5 or 3."""
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    """Print the tables, and write them to a file with --out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=seed_range, default=seed_range("1-5"), help="such as 1-5")
    parser.add_argument("--models", type=Path, default=Path("var/models"), help="folder of the models")
    parser.add_argument(
        "--judges",
        nargs="+",
        choices=list(CLIP_PRESETS),
        default=["clip-four-fields"],
        help="which fields CLIP reads, and how (clip-four-fields)",
    )
    parser.add_argument("--out", type=Path, help="a file for the tables")
    arguments = parser.parse_args()
    presets = [CLIP_PRESETS[name] for name in arguments.judges]
    tables = markdown(list(study(arguments.seeds, arguments.models, presets)))
    sys.stdout.write(tables)
    if arguments.out is not None:
        arguments.out.write_text(tables, encoding="utf-8")


if __name__ == "__main__":
    main()
