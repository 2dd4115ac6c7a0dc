"""Tests over several seeds of the demo whether CLIPScore favours CLIP-based runs; run with `python -m`."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from evaluation.demo.edition import Edition, chance_qrels, clipscore_qrels, hold_edition
from evaluation.demo.models.tiny_clip import train_tiny_clip
from trackside.files import Qrels
from trackside.findings.results import FamilyFinding, JudgeFindings
from trackside.judging.presets import CLIP_PRESETS, Preset
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.filling import study_of
from trackside.reporting.questions import judge_findings
from trackside.reporting.study import Study
from trackside.reporting.views.numbers import coefficient, signed

MEASURES = ("nDCG@10", "AP")
FAMILIES = ("CLIP-based", "dense")
SCALE = (0, 1, 2)
ORGANIZERS = "organizers"  # team of the baselines


@dataclass(frozen=True)
class EditionEffect:
    """One judge, measure and family in one edition, as in a report."""

    seed: int
    judge: JudgeFindings
    family: FamilyFinding

    @property
    def tau(self) -> float | None:
        """Kendall's tau of the runs by the judge and by people."""
        return self.judge.order(self.family.measure).tau

    @property
    def difference(self) -> float | None:
        """The judge's Relative Delta minus people's, in points."""
        people, judge = self.family.people_delta, self.family.judge_delta
        return None if people is None or judge is None else judge - people

    @property
    def ends(self) -> str:
        """The interval of the excess."""
        low, high = self.family.low, self.family.high
        return "none" if low is None or high is None else f"{signed(low)} to {signed(high)}"


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
    for place in found.judges:
        judge = judge_findings(found, place)
        for family in judge.families:
            if family.family in FAMILIES:
                yield EditionEffect(edition.seed, judge, family)


def _study(edition: Edition, judged: Mapping[str, Qrels]) -> Study:
    sets = [GradedSet(SetFacts.of(edition.people, "human"), edition.people)]
    sets += [
        GradedSet(replace(SetFacts.of(qrels, "model"), name=name), qrels) for name, qrels in judged.items()
    ]
    runs = [ReportRun(run.tag, run.team or ORGANIZERS, run.families) for run in edition.runs]
    design = Design(SCALE, level=1, measures=MEASURES, seed=edition.seed)
    return study_of(design, runs, edition.rankings, sets)


def markdown(findings: Sequence[EditionEffect]) -> str:
    """Format the findings as tables, one per judge and family, with means over the seeds."""
    parts = []
    for judge in dict.fromkeys(finding.judge.name for finding in findings):
        for family in FAMILIES:
            some = [each for each in findings if (each.judge.name, each.family.family) == (judge, family)]
            parts.append(f"Judge: {judge}. Family: {family} runs against all others.\n\n{_table(some)}")
    return "\n".join(parts)


def _table(findings: Sequence[EditionEffect]) -> str:
    lines = [
        "| measure | seed | tau | kappa | Delta, people | Delta, judge | difference | excess | interval "
        "| verdict |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for measure in MEASURES:
        some = [finding for finding in findings if finding.family.measure == measure]
        lines += [_row(str(each.seed), [each], each.ends, str(each.family.verdict)) for each in some]
        if len(some) > 1:
            lines.append(_row("mean", some, "", ""))
    return "\n".join(lines) + "\n"


def _row(name: str, findings: Sequence[EditionEffect], ends: str, verdict: str) -> str:
    def mean(numbers: Sequence[float | None], show: Callable[[float], str]) -> str:
        known = [number for number in numbers if number is not None]
        return show(fmean(known)) if len(known) == len(numbers) else "undefined"

    cells = [
        mean([each.tau for each in findings], coefficient),
        mean([each.judge.grades.kappa for each in findings], coefficient),
        mean([each.family.people_delta for each in findings], signed),
        mean([each.family.judge_delta for each in findings], signed),
        mean([each.difference for each in findings], signed),
        mean([each.family.excess for each in findings], signed),
        ends,
        verdict,
    ]
    return f"| {findings[0].family.measure} | {name} | {' | '.join(cells)} |"


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
