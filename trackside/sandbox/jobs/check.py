"""Job of a sandbox: check a run file. The parent process looks up docnos and the task's other runs."""

import json
from collections.abc import Collection

import polars as pl

from trackside.checks import check_run
from trackside.sandbox.messages import SandboxJob

_WARM_UP = b"".join(b"t Q0 d%d %d 1 tag\n" % (number, number) for number in range(1, 40))


def prepare() -> None:
    """Start polars' threads, whose stacks count as address space."""
    check_run(_WARM_UP, topics={"t"}, on_ranking=lambda *_: None)


def run(job: SandboxJob) -> None:
    """Report each ranking of an accepted run, then the verdict.

    Values: max_per_topic, tag_max, seed, has_corpus. Content: the task's topics as JSON.
    """
    asking = _ParentLookups(job)
    verdict = check_run(
        job.file,
        topics=set(json.loads(job.content)),
        docnos=asking.unknown,
        near=asking.near,
        outside=asking.outside if job.values.get("has_corpus") else None,
        is_tag_unavailable=asking.is_tag_unavailable,
        has_run_left=asking.has_run_left,
        max_per_topic=job.values["max_per_topic"],
        tag_max=job.values["tag_max"],
        seed=job.values["seed"],
        on_ranking=asking.report,
    )
    job.report("verdict", verdict.to_json())


class _ParentLookups:
    """The callables of a check, sent as messages to the parent process."""

    def __init__(self, job: SandboxJob) -> None:
        self._job = job

    def unknown(self, docnos: Collection[str]) -> set[str]:
        return self._chosen("unknown", docnos)

    def outside(self, docnos: Collection[str]) -> set[str]:
        return self._chosen("outside", docnos)

    def _chosen(self, kind: str, docnos: Collection[str]) -> set[str]:
        answer = self._job.ask(kind, content=_joined(docnos))
        return set(answer.content.decode().split("\n")) if answer.content else set()

    def near(self, docnos: Collection[str]) -> dict[str, str]:
        near: dict[str, str] = json.loads(self._job.ask("near", content=_joined(docnos)).content)
        return near

    def is_tag_unavailable(self, tag: str) -> bool:
        return bool(self._job.ask("is_tag_unavailable", {"tag": tag}).values["answer"])

    def has_run_left(self, tag: str) -> bool:
        return bool(self._job.ask("has_run_left", {"tag": tag}).values["answer"])

    def report(self, topic: str, docnos: str, scores: bytes) -> None:
        names = docnos.encode()
        self._job.report("ranking", {"topic": topic, "docno_bytes": len(names)}, names + scores)


def _joined(docnos: Collection[str]) -> bytes:
    series = docnos if isinstance(docnos, pl.Series) else pl.Series(list(docnos), dtype=pl.String)
    joined: str = series.str.join("\n").item()
    return joined.encode()
