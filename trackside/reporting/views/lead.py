"""The sentence above a report: what the judges may be used for, or the best runs if there is no judge."""

from collections.abc import Sequence

from trackside.findings.use_results import USES, UseCode
from trackside.reporting.findings import Findings, LeaderFinding
from trackside.reporting.views.sentences import listed
from trackside.reporting.views.use_sentences import assay_words
from trackside.statistics.estimate import Reason
from trackside.text.counted import counted

MOST_NAMED = 3
MOST_CHARACTERS = 240
# Judges named, whether each use is said of one group alone, and whether judges without any are named.
SHORTER = (
    (MOST_NAMED, False, True),
    (MOST_NAMED, True, True),
    (1, True, True),
    (MOST_NAMED, True, False),
    (1, True, False),
    (0, True, False),
)
NOT_ASKED = (Reason.NO_FAMILY, Reason.NO_SECOND_ASSESSOR)


def lead(findings: Findings, measure: str) -> str:
    """At most 240 characters, made of the codes: what may be done with whose grades, and who cannot tell."""
    people = _people(findings)
    if not findings.judges:
        leader = next(leader for leader in findings.leaders if leader.measure == measure)
        return " ".join(filter(None, (people, _leader_words(leader))))
    for most, is_short, has_open in SHORTER:
        text = " ".join(filter(None, (people, *_parts(findings, most, is_short=is_short, has_open=has_open))))
        if len(text) <= MOST_CHARACTERS:
            return text
    return text[: MOST_CHARACTERS - 2].rsplit(" ", 1)[0] + " …"


def _people(findings: Findings) -> str:
    """That people do not agree with each other, where a second assessor shows it; else empty."""
    assay = findings.facts.assay
    if not findings.yardsticks or assay.is_passed or assay.kappa is None or assay.low is None:
        return ""
    words = assay_words(assay)
    return f"{words[0].upper()}{words[1:]}."


def _parts(findings: Findings, most: int, *, is_short: bool, has_open: bool) -> tuple[str, ...]:
    """Sentences on what may be used, what no judge is shown to do, and who is open."""
    codes = {judge.name: {name: use.code for name, use in judge.uses.named()} for judge in findings.judges}
    verbs = _verbs(findings)
    able = _able(codes, verbs, most, is_short=is_short)
    able_uses = {name for of in codes.values() for name, code in of.items() if code is UseCode.AS_PEOPLE}
    never = [name for name in _asked(findings) if name not in able_uses]
    none = _none(codes, never, verbs, most)
    is_open = [name for name, of in codes.items() if set(of.values()) == {UseCode.OPEN}]
    if not has_open or not is_open or len(is_open) == len(codes):
        return able, none
    return able, none, f"Cannot tell for any use: {_named(is_open, most)}."


def _asked(findings: Findings) -> list[str]:
    """The uses that could be told: families need a declared one, labels a second assessor."""
    return [
        name
        for name in USES
        if any(getattr(judge.uses, name).reason not in NOT_ASKED for judge in findings.judges)
    ]


def _verbs(findings: Findings) -> dict[str, tuple[str, str]]:
    """Verb and rest of each use."""
    return {
        "rank": ("rank", "these runs as people do"),
        "best": ("find", "the best run"),
        "families": ("treat", "families alike"),
        "tune": ("serve", "for tuning"),
        "label": ("label", f"{findings.facts.items} as people do"),
    }


def _able(
    codes: dict[str, dict[str, UseCode]], verbs: dict[str, tuple[str, str]], most: int, *, is_short: bool
) -> str:
    """Judges with the same uses together, those with most uses first; in short, each use once."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for judge, of in codes.items():
        if able := tuple(name for name in USES if of[name] is UseCode.AS_PEOPLE):
            groups.setdefault(able, []).append(judge)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[0]), group[1]))
    sentences: list[str] = []
    named: set[str] = set()
    for names, judges in ordered:
        shown = [name for name in names if not is_short or name not in named]
        if shown and len(sentences) < max(most, 1):
            is_one = len(judges) == 1
            phrases = [f"{verbs[name][0]}{'s' * is_one} {verbs[name][1]}" for name in shown]
            sentences.append(f"{_named(judges, most)} {listed(phrases)}.")
            named |= set(names)
    return " ".join(sentences)


def _none(
    codes: dict[str, dict[str, UseCode]], never: Sequence[str], verbs: dict[str, tuple[str, str]], most: int
) -> str:
    """The uses that no judge is shown to have as people do, of those that could be told."""
    if not never:
        return ""
    if not any(UseCode.AS_PEOPLE in of.values() for of in codes.values()):
        if len(codes) > 1:
            return "No judge is shown to be as people in any use."
        return f"{next(iter(codes))} is not shown to be as people in any use."
    shown = never if most else never[:2]
    phrases = [" ".join(verbs[name]) for name in shown]
    joined = phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} or {phrases[-1]}"
    if len(codes) == 1:
        return f"It is not shown to {joined}."
    return f"No judge is shown to {joined}."


def _named(names: Sequence[str], most: int) -> str:
    """The names, or their number if there are many."""
    if len(names) <= most:
        return listed(names)
    if most == 0 or len(names) == 1:
        return "One judge" if len(names) == 1 else f"{len(names)} judges"
    return listed([*names[:most], counted(len(names) - most, "more judge")])


def _leader_words(leader: LeaderFinding) -> str:
    if not leader.first:
        return "No run has a value on every topic."
    first = listed(leader.first) if len(leader.first) <= MOST_NAMED else counted(len(leader.first), "run")
    verb = "leads" if len(leader.first) == 1 else "lead"
    if len(leader.first) > 1:
        return f"{first} {verb} with the same mean."
    if not leader.is_tested:
        return f"{first} {verb}; differences need two topics and two runs."
    if not leader.not_told_from:
        return f"{first} {verb}; people tell it apart from every other run."
    others = leader.not_told_from
    other_words = listed(others) if len(others) <= MOST_NAMED else counted(len(others), "other run")
    return f"{first} {verb}; people do not tell it apart from {other_words}."
