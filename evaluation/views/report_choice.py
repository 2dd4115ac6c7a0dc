"""The form by which a reader of a report chooses runs and topics, and what an address chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evaluation.core.report.choice import Choice
from evaluation.models import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.http import QueryDict

    from evaluation.models import Task

ALL = "all"
MOST_BOXES = 300  # topics that are offered one by one


@dataclass(frozen=True)
class Group:
    """What one entry of a list stands for: tags of runs, or topics."""

    value: str
    words: str
    members: tuple[str, ...]
    is_chosen: bool = False


@dataclass(frozen=True)
class Box:
    """A single run or topic to tick."""

    value: str
    words: str
    is_ticked: bool


@dataclass(frozen=True)
class ChoiceForm:
    """The groups, the single runs and topics, and what the address chooses of them.

    ``is_empty`` where groups and ticks have nothing in common; then all are chosen.
    """

    choice: Choice
    run_groups: Sequence[Group]
    topic_groups: Sequence[Group]
    runs: Sequence[Box]
    topics: Sequence[Box]
    is_empty: bool

    @property
    def ticked_count(self) -> int:
        """Runs and topics chosen one by one."""
        return sum(box.is_ticked for box in (*self.runs, *self.topics))


def choice_form(given: QueryDict, task: Task, content: Mapping[str, Any], measure: str) -> ChoiceForm:
    """The form of a task's whole report; what the address names and there is not counts for nothing.

    Runs stand in the address by number, and none ticked is all of them; so are topics.
    """
    reported = {run["tag"] for run in content["runs"]}
    accepted = Run.objects.accepted().filter(task=task).select_related("team").order_by("tag")
    runs = [run for run in accepted if run.tag in reported]
    strata: dict[str, dict[str, list[str]]] = content.get("strata", {})
    judged = list(
        dict.fromkeys(topic for groups in strata.values() for each in groups.values() for topic in each)
    )
    run_groups = _marked(_run_groups(runs, content, measure), given.get("runs"))
    topic_groups = _marked(_topic_groups(sorted(judged, key=str.encode), strata), given.get("topics"))
    run_boxes = [_box(str(run.pk), run.tag, given.getlist("run")) for run in runs]
    topic_boxes = [_box(topic, topic, given.getlist("topic")) for topic in topic_groups[0].members]
    tags = _left(run_groups, run_boxes)
    topics = _left(topic_groups, topic_boxes)
    is_empty = bool(runs) and not (tags and (topics or not judged))
    choice = (
        Choice()
        if is_empty
        else Choice.among(tags, topics, all_tags=run_groups[0].members, all_topics=topic_groups[0].members)
    )
    boxes = topic_boxes if len(topic_boxes) <= MOST_BOXES else []
    return ChoiceForm(choice, run_groups, topic_groups, run_boxes, boxes, is_empty)


def _run_groups(runs: Sequence[Run], content: Mapping[str, Any], measure: str) -> list[Group]:
    told = {run["tag"]: run for run in content["runs"]}
    means = content["reference_means"][measure]
    best: dict[str, str] = {}
    for run in sorted(runs, key=lambda run: -(means.get(run.tag) or 0.0)):
        best.setdefault(told[run.tag]["team"], run.tag)
    groups = [
        _group(ALL, "all", (run.tag for run in runs)),
        _group("best", "best of each team", best.values()),
        _group("participants", "participants only", (run.tag for run in runs if not run.team.is_baseline)),
    ]
    groups += [
        _group(f"type:{name}", f"{name} runs", (run.tag for run in runs if run.type == name))
        for name in sorted({run.type for run in runs} - {""})
    ]
    groups += [
        _group(f"family:{name}", name, (run.tag for run in runs if name in told[run.tag]["families"]))
        for name in content["families"]
    ]
    return [each for each in groups if each.value == ALL or 0 < len(each.members) < len(runs)]


def _topic_groups(topics: Sequence[str], strata: Mapping[str, Mapping[str, list[str]]]) -> list[Group]:
    parts = [
        _group(f"{division}:{stratum}", f"{division}: {stratum}", members)
        for division, groups in strata.items()
        for stratum, members in groups.items()
        if members
    ]
    return [_group(ALL, "all", topics), *parts]


def _group(value: str, words: str, members: Iterable[str]) -> Group:
    found = tuple(members)
    return Group(value, f"{words} ({len(found):,})", found)


def _marked(groups: Sequence[Group], wanted: str | None) -> list[Group]:
    chosen = wanted if wanted in {each.value for each in groups} else ALL
    return [Group(each.value, each.words, each.members, each.value == chosen) for each in groups]


def _box(value: str, words: str, ticked: Sequence[str]) -> Box:
    return Box(value, words, value in ticked)


def _left(groups: Sequence[Group], boxes: Sequence[Box]) -> list[str]:
    """The members of the chosen group that are ticked, or all of them where no box is."""
    (members,) = [each.members for each in groups if each.is_chosen]
    ticked = {box.words for box in boxes if box.is_ticked}
    return [each for each in members if each in ticked or not ticked]
