"""The composition of an ensemble, as stored in a judge's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from trackside.errors import InputError
from trackside.judging.ensembles.ballots import MOST_MEMBERS, CombinationRule


@dataclass(frozen=True, slots=True)
class EnsembleMember:
    """A judge by name and identity, and the frozen mapping that its grades are by.

    ``by`` has the mapping's id, rule, version, pool and thresholds. A threshold is null if no score or every
    score reaches it: JSON has no infinity. Members of an older rule have other keys.
    """

    judge: str
    identity_sha256: str
    by: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Composition:
    """An ensemble: its rule, members, quorum (members that need a grade) and tie-breaking member.

    Stored ensembles may have an older rule, ``votes``, and its calibration; no job can start with it.
    """

    rule: str
    members: tuple[EnsembleMember, ...]
    quorum: int
    tie_breaker: str
    calibration: dict[str, Any] | None = None

    @property
    def tie_breaker_place(self) -> int:
        """The index of the tie-breaking member."""
        return [member.judge for member in self.members].index(self.tie_breaker)

    @property
    def decoding(self) -> dict[str, Any]:
        """The composition as plain JSON."""
        return asdict(self)

    def checked(self) -> Composition:
        """Return the composition itself; raise composition-refused if it is invalid."""
        names = [member.judge for member in self.members]
        if self.rule not in set(CombinationRule):
            raise InputError(
                f'Ensembles by "{self.rule}" keep their grades, but cannot judge again. Create one by '
                f"{' or '.join(CombinationRule)}.",
                code="composition-refused",
            )
        if not 2 <= len(set(names)) == len(names) <= MOST_MEMBERS:
            raise InputError(
                f"An ensemble has 2 to {MOST_MEMBERS} members, each a different judge.",
                code="composition-refused",
            )
        if not 1 <= self.quorum <= len(names):
            raise InputError(
                f"{len(names)} members cannot have a quorum of {self.quorum}. Choose 1 to {len(names)}.",
                code="composition-refused",
            )
        if self.tie_breaker not in names:
            raise InputError(
                f'"{self.tie_breaker}" cannot break ties: choose one of the members.',
                code="composition-refused",
            )
        return self


def composition_of(decoding: Mapping[str, Any]) -> Composition:
    """Return the composition in a judge's settings; raise composition-refused if there is none."""
    try:
        members = tuple(EnsembleMember(**member) for member in decoding["members"])
        return Composition(**{**decoding, "members": members})
    except (KeyError, TypeError) as error:
        raise InputError(
            "These settings have no members. Create an ensemble on the page of its task.",
            code="composition-refused",
        ) from error
