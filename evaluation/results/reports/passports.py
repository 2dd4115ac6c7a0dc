"""Extension point: pages and files about the judges whose grades a report compares."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from evaluation.results.reports.models import Report


@dataclass(frozen=True)
class Passports:
    """The passports of judges: addresses of pages by the name of the qrels, and files by path."""

    addresses: Callable[[Report], Mapping[str, str]]
    files: Callable[[Report], Iterable[tuple[str, str]]]


_sources: list[Passports] = []
register_passports = _sources.append


def passport_addresses(report: Report) -> dict[str, str]:
    """Return the addresses of the pages, for organizers, by the name of the qrels."""
    return {name: address for source in _sources for name, address in source.addresses(report).items()}


def passport_files(report: Report) -> Iterable[tuple[str, str]]:
    """Yield path and JSON of each judge's passport."""
    for source in _sources:
        yield from source.files(report)
