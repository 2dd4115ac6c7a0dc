"""Public function: which results a third person should grade, and what it means then, as by the command."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trackside.errors import InputError
from trackside.findings.results import FamilyFinding
from trackside.library.inputs import QrelsInput, RunInput, read_qrels
from trackside.library.reporting import judged_study
from trackside.pooling.depth import presentation_order
from trackside.reporting.design import SEED, ReportRun
from trackside.reporting.questions import family_findings, second_assessor
from trackside.reporting.study import Study
from trackside.reporting.views.sentences import takes_words
from trackside.text.shown import Outline, Shown


@dataclass(frozen=True, slots=True, repr=False)
class FavourCheck(Shown):
    """The ``pairs`` (topic, docno) for a third person, in the order to show them, and the sentence."""

    judge: str
    family: str
    says: str
    pairs: tuple[tuple[str, str], ...]
    finding: FamilyFinding

    def _shown(self) -> Outline:
        return Outline(
            f"{self.judge}, {self.family}: {len(self.pairs)} pairs", ("topic", "docno"), self.pairs
        )


def check_favour(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    reference: QrelsInput,
    judge: QrelsInput,
    *,
    about: Sequence[ReportRun] | str | Path,
    people: QrelsInput | Iterable[QrelsInput] | Mapping[str, QrelsInput] = (),
    third: QrelsInput | None = None,
    family: str | None = None,
    measure: str = "nDCG@10",
    level: int | None = None,
    scale: Sequence[int] = (),
    seed: int = SEED,
) -> FavourCheck:
    """The 50 results that would narrow most what a favour of a family takes, and the sentence.

    ``third`` are a third person's grades of them, after which the sentence says what they mean; they must
    enter no qrels, as the results are chosen by judge against people. ``family`` is by default the one with
    the largest excess. The other arguments are those of `report`. Raises InputError.
    """
    study = judged_study(
        runs,
        reference,
        judge,
        people=people,
        about=about,
        measure=measure,
        level=level,
        scale=scale,
        seed=seed,
    )
    if third is not None:
        study = replace(study, design=replace(study.design, third=_grades(study, third)))
    (index,) = study.judges
    findings = family_findings(study, index, second_assessor(study, index))
    finding = _chosen(findings, family)
    says = takes_words(finding)
    return FavourCheck(
        study.name(index),
        finding.family,
        f"{says[0].upper()}{says[1:]}." if says else "",
        tuple(_shuffled(finding, seed)),
        finding,
    )


def _grades(study: Study, third: QrelsInput) -> dict[str, dict[str, int]]:
    """A third person's grades, which must be on the scale."""
    grades = read_qrels(third, name="third").to_dict()
    stray = {grade for of_topic in grades.values() for grade in of_topic.values()} - set(study.design.scale)
    if stray := {grade for grade in stray if grade >= 0}:
        raise InputError(f"third: grade {min(stray)} is not on people's scale. Grade on the same scale.")
    return grades


def _chosen(findings: Sequence[FamilyFinding], family: str | None) -> FamilyFinding:
    named = [finding for finding in findings if family in (None, finding.family)]
    if not named:
        families = ", ".join(finding.family for finding in findings) or "none"
        raise InputError(f"family {family}: there is none. Declared in --about: {families}.")
    decided = [finding for finding in named if finding.deciding]
    if not decided:
        raise InputError(
            "the judge's grades of no family are above or below people's, beyond its leniency: there is "
            "nothing to check."
        )
    return max(decided, key=lambda finding: abs(finding.excess or 0.0))


def _shuffled(finding: FamilyFinding, seed: int) -> list[tuple[str, str]]:
    by_topic: dict[str, list[str]] = {}
    for pair in finding.deciding:
        by_topic.setdefault(pair.topic, []).append(pair.docno)
    return [
        (topic, docno)
        for topic in sorted(by_topic, key=str.encode)
        for docno in presentation_order(by_topic[topic], topic=topic, seed=seed)
    ]
