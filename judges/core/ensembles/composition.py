"""The composition of an ensemble, as stored in a judge's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.core.errors import InputError
from judges.core.ensembles.ballots import MOST_MEMBERS, CombinationRule, Threshold


class CompositionRefused(InputError):
    """Invalid members, quorum or tie-breaker."""


@dataclass(frozen=True, slots=True)
class Grading:
    """The frozen mapping from a member's raw scores to grades: its primary key and its content.

    A threshold is null if no score or every score reaches it: JSON has no infinity.
    """

    id: int
    rule: str
    version: int
    pool: str
    thresholds: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class EnsembleMember:
    """A judge by name and identity, with the source of its ballots: a mapping or, for votes, a threshold."""

    judge: str
    identity_sha256: str
    by: Grading | Threshold


@dataclass(frozen=True, slots=True)
class Calibration:
    """The qrels that thresholds were fitted on: the pairs of its task on these topics."""

    qrels: str
    sha256: str
    task: int
    level: int
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Composition:
    """An ensemble: its rule, members, quorum (members that need a grade) and tie-breaking member."""

    rule: CombinationRule
    members: tuple[EnsembleMember, ...]
    quorum: int
    tie_breaker: str
    calibration: Calibration | None = None

    @property
    def scale(self) -> tuple[int, ...]:
        """The possible grades of a ballot."""
        return (0, self.calibration.level) if self.calibration else (0, 1, 2)

    @property
    def tie_breaker_place(self) -> int:
        """The index of the tie-breaking member."""
        return [member.judge for member in self.members].index(self.tie_breaker)

    @property
    def decoding(self) -> dict[str, Any]:
        """The composition as plain JSON."""
        return asdict(self)

    def checked(self) -> Composition:
        """Return the composition itself; raise CompositionRefused if it is invalid."""
        names = [member.judge for member in self.members]
        if not 2 <= len(set(names)) == len(names) <= MOST_MEMBERS:
            raise CompositionRefused(f"An ensemble has 2 to {MOST_MEMBERS} members, each a different judge.")
        if not 1 <= self.quorum <= len(names):
            raise CompositionRefused(
                f"{len(names)} members cannot have a quorum of {self.quorum}. Choose 1 to {len(names)}."
            )
        if self.tie_breaker not in names:
            raise CompositionRefused(f'"{self.tie_breaker}" cannot break ties: choose one of the members.')
        if (self.rule is CombinationRule.VOTES) != (self.calibration is not None):
            raise CompositionRefused("Votes need qrels to calibrate on, and the other rules need none.")
        return self


def composition_of(decoding: Mapping[str, Any]) -> Composition:
    """Return the composition in a judge's settings; raise CompositionRefused if there is none."""
    try:
        calibration = decoding["calibration"]
        return Composition(
            rule=CombinationRule(decoding["rule"]),
            members=tuple(_member(each) for each in decoding["members"]),
            quorum=decoding["quorum"],
            tie_breaker=decoding["tie_breaker"],
            calibration=calibration and Calibration(**calibration | {"topics": tuple(calibration["topics"])}),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CompositionRefused(
            "These settings have no members. Create an ensemble on the page of its task."
        ) from error


def _member(given: Mapping[str, Any]) -> EnsembleMember:
    by = given["by"]
    if "f1" in by:
        return EnsembleMember(given["judge"], given["identity_sha256"], Threshold(**by))
    grading = Grading(**by | {"thresholds": tuple(by["thresholds"])})
    return EnsembleMember(given["judge"], given["identity_sha256"], grading)
