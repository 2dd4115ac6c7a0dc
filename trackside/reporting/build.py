"""Build the findings of a study: the questions about each judge first, then the sections."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from trackside.errors import InputError
from trackside.findings.order import best_runs
from trackside.findings.retrieved import run_means
from trackside.findings.use_results import HardlyGraded
from trackside.reporting.chance import chance_of
from trackside.reporting.findings import Findings, LeaderFinding, ReportFacts
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.questions import judge_findings, yardstick_finding
from trackside.reporting.sections.differences import differences_section, topics_of_strata
from trackside.reporting.sections.families import families_section
from trackside.reporting.sections.grades import grades_section
from trackside.reporting.sections.methods import methods_section
from trackside.reporting.sections.order import order_section
from trackside.reporting.sections.paper import paper_section
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Section
from trackside.reporting.uses import people_assay
from trackside.text.counted import counted

SECTIONS: tuple[Callable[[Study, Findings], Section | None], ...] = (
    order_section,
    grades_section,
    families_section,
    differences_section,
    methods_section,
    paper_section,
)


def build_report(
    study: Study, *, code_version: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None
) -> Findings:
    """Compute all findings. ``on_progress(done, total)`` is called before each part. Raises InputError."""
    refuse_off_scale(study)
    total = len(study.judges) + len(SECTIONS)
    hardly = hardly_graded(study)
    judges = []
    for done, judge in enumerate(study.judges):
        on_progress(done, total)
        judges.append(judge_findings(study, judge, hardly))
    findings = Findings(
        facts=_facts(study, code_version, hardly),
        judges=tuple(judges),
        yardsticks=tuple(yardstick_finding(study, second, hardly) for second in study.seconds),
        leaders=tuple(_leader(study, index) for index in range(len(study.measures))),
        chance=chance_of(study),
    )
    sections = []
    for done, section in enumerate(SECTIONS, start=len(judges)):
        on_progress(done, total)
        sections.append(section(study, findings))
    on_progress(total, total)
    return replace(findings, sections=tuple(section.with_rows() for section in sections if section))


def refuse_off_scale(study: Study) -> None:
    """Raise InputError, with a cure, for grades that are not on people's scale."""
    scale = study.design.scale
    for graded, grades in zip(study.sets, study.grades, strict=True):
        stray = grades[(grades >= 0) & ~np.isin(grades, scale)]
        if stray.size:
            further = ",".join(map(str, sorted({*scale, *stray.tolist()})[:6]))
            raise InputError(
                f"{graded.name}: {stray.size:,} of {counted(int((grades >= 0).sum()), 'grade')} are not on "
                f"people's scale {', '.join(map(str, scale))}, the first is {stray[0]}. Map them to people's "
                "scale (on a site: by the judge's mapping, then publish again). If people could give such "
                f"grades, too, declare the scale, such as --scale {further}."
            )


def _leader(study: Study, index: int) -> LeaderFinding:
    """The best runs by people's grades, and those that are not significantly worse than the first."""
    shared = study.shared_values(index, PEOPLE)
    measure, tags = study.measures[index], [study.tags[run] for run in shared.runs]
    if not tags:
        means = (None,) * len(study.runs)
        return LeaderFinding(measure=measure, first=(), not_told_from=(), is_tested=False, means=means)
    best = best_runs(shared.values[0], tags)
    return LeaderFinding(
        measure=measure,
        first=tuple(tags[run] for run in best.first),
        not_told_from=tuple(tags[run] for run in best.not_worse),
        is_tested=best.is_tested,
        means=run_means(shared, 0, len(study.runs)),
    )


def _facts(study: Study, code_version: str, hardly: HardlyGraded) -> ReportFacts:
    design = study.design
    return ReportFacts(
        basis=study.basis,
        code_version=code_version,
        measures=study.measures,
        families=tuple(study.families),
        runs=study.runs,
        qrels=tuple(graded.facts for graded in study.sets),
        best_of_teams={measure: _best_of_teams(study, index) for index, measure in enumerate(study.measures)},
        strata={
            division: {text: tuple(topics) for text, topics in strata.items()}
            for division, strata in topics_of_strata(study).items()
        },
        scale=design.scale,
        level=design.level,
        seed=design.seed,
        replicates=design.replicates,
        margins=design.margins,
        chosen=design.chosen,
        topic_count=int(study.is_judged[PEOPLE].sum()),
        graded_count=int((study.grades[PEOPLE] >= 0).sum()),
        items=design.items,
        hardly_graded=hardly,
        assay=people_assay(study),
        unmet=study.unmet,
    )


def _best_of_teams(study: Study, measure: int) -> tuple[str, ...]:
    """Tags of each team's best run by people, in the order of the runs."""
    shared, means = study.shared_values(measure, PEOPLE), study.means(PEOPLE, measure)
    best: dict[str, int] = {}
    for run in shared.runs.tolist():
        team = study.teams[run]
        if team not in best or means[run] > means[best[team]]:
            best[team] = run
    return tuple(study.tags[run] for run in sorted(best.values()))
