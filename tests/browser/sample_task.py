"""A finished task: sixteen runs of four teams on thirty topics, scored and reported."""

from dataclasses import dataclass

import numpy as np

from evaluation.models import Phase, QrelsKind, Run, RunState, Task, Track, User
from evaluation.results.reports.actions import compute_report
from evaluation.results.values.actions import score_runs
from tests.factories import (
    make_blob,
    make_family,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_verdict,
)
from trackside.checks import check_run

TOPICS = [f"ill26-{number:03}" for number in range(1, 31)]
DOCNOS = [f"pic{number:04}" for number in range(1, 121)]
TEAMS = {"baseline": 6, "Kestrel": 4, "Nordlys": 3, "Quarry": 3}
SEED = 7


@dataclass(frozen=True)
class Sample:
    """The task, a team's person, an organizer of the track, and one of the team's runs."""

    task: Task
    member: User
    organizer: User
    run: Run


def make_sample() -> Sample:
    """Runs of growing quality, half of them CLIP-based; qrels of people and of a model."""
    dice = np.random.default_rng(SEED)
    track = make_track(name="Illustrate 2026", slug="illustrate")
    organizer = make_organizer(track, name="M. Lindqvist")
    task = make_task(track, name="Image suggestion", slug="suggestion", phase=Phase.RELEASED)
    grades = {topic: dice.choice([0, 0, 0, 1, 2], size=len(DOCNOS)) for topic in TOPICS}
    runs = _make_runs(task, grades, dice)
    people = {(t, d): int(g) for t in TOPICS for d, g in zip(DOCNOS, grades[t], strict=True)}
    model = {pair: int(np.clip(grade + dice.integers(-1, 2), 0, 2)) for pair, grade in people.items()}
    make_qrels(task, name="people", grades=people, created_by=organizer)
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, grades=model, created_by=organizer)
    score_runs(task=task)
    compute_report(task=task)
    own = next(run for run in runs if run.team.name == "Kestrel")
    return Sample(task, own.received_by, organizer, own)


def _make_runs(task: Task, grades: dict[str, np.ndarray], dice: np.random.Generator) -> list[Run]:
    clip = make_family(task, name="CLIP-based")
    runs = []
    for team_name, count in TEAMS.items():
        team = make_team(task.track, name=team_name, is_baseline=team_name == "baseline")
        member = make_team_member(team, name=f"{team_name} member")
        for place in range(count):
            noise = 0.8 + dice.random() * 2
            lists = {topic: _ranked(grades[topic], noise, dice) for topic in TOPICS}
            tag = f"{team_name.lower()}-{place + 1}"
            upload = _file(tag, lists)
            verdict = check_run(upload, topics=set(TOPICS))
            run = make_run(
                task,
                team,
                tag=tag,
                results=lists,
                received_by=member,
                upload=make_blob(upload),
                verdict=make_verdict(verdict),
                description="A dense retriever over captions, its first hundred reranked.",
            )
            if place % 2:
                run.families.add(clip)
            runs.append(run)
    return runs


def _ranked(grades: np.ndarray, noise: float, dice: np.random.Generator) -> list[str]:
    order = np.argsort(-(grades + dice.normal(0, noise, grades.size)))
    return [DOCNOS[place] for place in order[:100]]


def _file(tag: str, lists: dict[str, list[str]]) -> bytes:
    return "".join(
        f"{topic} Q0 {docno} {rank} {1000 - rank // 2} {tag}\n"
        for topic, docnos in lists.items()
        for rank, docno in enumerate(docnos, 1)
    ).encode()


def make_open_sample(track: Track, member: User) -> tuple[Task, list[Run]]:
    """An open task of the track, with an upload of the person's team in each state."""
    task = make_task(track, name="Image promotion", slug="promotion", phase=Phase.OPEN, topic_count=3)
    team = member.memberships.get().team
    verdict = check_run(b"T1 Q0 D1 1 nan tag\nT9 Q0 D2 1 1.0 tag\nT2 Q0 D1 1\n", topics={"T1", "T2", "T3"})
    states = (RunState.RECEIVED, RunState.WITHDRAWN)
    runs = [make_run(task, team, state=state, received_by=member) for state in states]
    old = make_run(task, team, tag="kestrel-siglip", state=RunState.REPLACED, received_by=member)
    runs += [old, make_run(task, team, tag=old.tag, replaces=old, received_by=member)]
    stored = make_verdict(verdict)
    rejected = make_run(task, team, state=RunState.REJECTED, received_by=member, verdict=stored)
    runs.append(rejected)
    return task, runs
