"""Bundle: a zip from which a report can be recomputed. Its manifest lists every file with its SHA-256.

Every field of the manifest is validated, because uploads are not trusted.
"""

import csv
import gzip
import hashlib
import io
import json
import math
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.findings.plain import PlainUnfit, from_plain, to_plain
from trackside.findings.provenance import JudgeProvenance, PeopleProvenance
from trackside.reporting.design import Design, GradedSet, Pair, ReportRun, SetFacts
from trackside.reporting.study import Study, study_of

MANIFEST = "manifest.json"
FORM = 3  # format version; increase it if an older reader would misread the zip
READABLE = (1, 2, FORM)  # runs of version 1 have neither type nor pool depth, designs below 3 no margins


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSet(SetFacts):
    """A set of qrels in the manifest."""

    provenance: dict[str, Any]
    has_raw_scores: bool

    @property
    def facts(self) -> SetFacts:
        """What a report shows of the set."""
        return SetFacts(**{field.name: getattr(self, field.name) for field in fields(SetFacts)})


@dataclass(frozen=True)
class BundleManifest:
    """The design, the runs, the facts of each set of qrels, and the SHA-256 of each file by path."""

    trackside_bundle: int
    design: Design
    runs: tuple[ReportRun, ...]
    sets: tuple[StoredSet, ...]
    files: dict[str, str]


def manifest_text(
    design: Design, runs: Sequence[ReportRun], sets: Sequence[GradedSet], sums: Mapping[str, str]
) -> str:
    """Return the manifest as JSON."""
    stored = {
        "trackside_bundle": FORM,
        "design": to_plain(design),
        "runs": [asdict(run) for run in runs],
        "sets": [facts_json(graded) | {"has_raw_scores": bool(graded.raw_scores)} for graded in sets],
        "files": dict(sums),
    }
    return json.dumps(stored, ensure_ascii=False, indent=1) + "\n"


def facts_json(graded: GradedSet) -> dict[str, Any]:
    """The facts of a set of qrels with its provenance."""
    return asdict(graded.facts) | {"provenance": dict(graded.provenance)}


def read_manifest(content: bytes, bundle: str) -> BundleManifest:
    """Parse and validate the manifest. Raises InputError with the field and what it must be."""
    try:
        stored = json.loads(content)
    except ValueError as error:  # JSONDecodeError, UnicodeDecodeError
        raise InputError(f"{bundle}: {MANIFEST} is not JSON ({error}). Get the bundle again.") from None
    if isinstance(stored, dict) and stored.get("trackside_bundle", FORM) not in READABLE:
        raise InputError(f"{bundle}: made by another version of Trackside. Use that version, or a newer one.")
    try:
        manifest = from_plain(BundleManifest, stored)
        _check(manifest)
    except PlainUnfit as error:
        raise InputError(f"{bundle}: {MANIFEST}: {error}. Get the bundle again.") from None
    return manifest


def _check(manifest: BundleManifest) -> None:
    """Raise PlainUnfit for values that no report has, or for provenance that cannot be read."""
    design, margins = manifest.design, asdict(manifest.design.margins)
    checks = {
        "runs": ("a list with an item", bool(manifest.runs)),
        "sets": ("a list with an item", bool(manifest.sets)),
        "design.scale": ("rising grades", design.scale and design.scale == tuple(sorted(set(design.scale)))),
        "design.measures": ("a list with an item", bool(design.measures)),
        "design.seed": ("0 or more", design.seed >= 0),
        "design.replicates": ("10 to 1,000,000", 10 <= design.replicates <= 1_000_000),
        "design.margins": (
            "numbers from 0 up",
            all(margin >= 0 and math.isfinite(margin) for margin in margins.values()),
        ),
    }
    for path, (words, is_valid) in checks.items():
        if not is_valid:
            raise PlainUnfit(path, words)
    for index, facts in enumerate(manifest.sets):
        kind = JudgeProvenance if facts.kind == "model" else PeopleProvenance
        kind.from_json(facts.provenance, path=f"sets[{index}].provenance")


ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the same content gives the same bytes
# Raised by zipfile for a damaged or encrypted file and for an unsupported compression method.
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError)


def write_bundle(
    target: Any,
    *,
    design: Design,
    runs: Sequence[ReportRun],
    rankings: Iterable[Rankings],
    sets: Sequence[GradedSet],
    beside: Iterable[tuple[str, str | bytes]] = (),
    index: tuple[str, Callable[[Mapping[str, str]], str]] | None = None,
) -> None:
    """Write the zip; ``beside`` are further files, ``index`` is a path and the function of the sums."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        sums: dict[str, str] = {}
        for path, content in _files(rankings, sets, beside):
            _add(archive, sums, path, content)
        if index:
            path, text_of = index
            _add(archive, sums, path, text_of(dict(sums)).encode())
        text = manifest_text(design, runs, sets, sums)
        archive.writestr(zipfile.ZipInfo(MANIFEST, ZIP_TIME), text, zipfile.ZIP_DEFLATED)
        lines = "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items()))
        archive.writestr(zipfile.ZipInfo("checksums.sha256", ZIP_TIME), lines, zipfile.ZIP_DEFLATED)


def read_bundle(path: str | Path) -> Study:
    """Return the study of a bundle. Raises InputError."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{path} is not a readable zip ({error}). Give a bundle, or name --runs.") from None
    with archive:
        if MANIFEST not in archive.namelist():
            raise InputError(f"{path} has no {MANIFEST}. Give a bundle, or name --runs.")
        manifest = read_manifest(_content(archive, MANIFEST), str(path))
        sets = [_read_set(archive, manifest, index) for index in range(len(manifest.sets))]
        contents = ((run.tag, _checked(archive, manifest, run_path(run.tag))) for run in manifest.runs)
        rankings = (Rankings.from_file(io.BytesIO(content), tag=tag) for tag, content in contents)
        return study_of(manifest.design, manifest.runs, rankings, sets)


def run_path(tag: str) -> str:
    """Path of a run in the bundle."""
    return f"runs/{tag}.run.gz"


def _files(
    rankings: Iterable[Rankings],
    sets: Sequence[GradedSet],
    beside: Iterable[tuple[str, str | bytes]],
) -> Iterator[tuple[str, bytes]]:
    for ranking in rankings:
        yield run_path(ranking.tag), gzip.compress(_run_text(ranking).encode(), compresslevel=6, mtime=0)
    for index, graded in enumerate(sets):
        frame = graded.qrels.to_frame().select("topic", "docno", "grade").sort("topic", "docno")
        lines = (f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in frame.iter_rows())
        yield _set_path("qrels", index), "".join(lines).encode()
        if graded.raw_scores:
            yield _set_path("raw-scores", index), scores_text(graded.raw_scores).encode()
        if graded.facts.kind == "model" and graded.judge_provenance.prompt:
            yield f"prompts/{index}.txt", graded.judge_provenance.prompt.encode()
    for path, content in beside:
        yield path, content.encode() if isinstance(content, str) else content


def _add(archive: zipfile.ZipFile, sums: dict[str, str], path: str, content: bytes) -> None:
    sums[path] = hashlib.sha256(content).hexdigest()
    packing = zipfile.ZIP_STORED if path.endswith(".gz") else zipfile.ZIP_DEFLATED
    archive.writestr(zipfile.ZipInfo(path, ZIP_TIME), content, packing)


def _set_path(kind: str, index: int) -> str:
    return f"{kind}/{index}.{'qrels' if kind == 'qrels' else 'tsv'}"


def _run_text(ranking: Rankings) -> str:
    """Return the run as TREC lines of six columns; repr preserves every bit of a score."""
    lines = []
    for topic, docnos, scores in ranking.results():
        pairs = zip(docnos, scores.tolist(), strict=True)
        lines += [
            f"{topic} Q0 {docno} {rank} {score!r} {ranking.tag}\n"
            for rank, (docno, score) in enumerate(pairs, start=1)
        ]
    return "".join(lines)


def scores_text(scores: Mapping[Pair, float]) -> str:
    """The raw scores as ``read_scores`` reads them: a table with tabs, sorted by topic and docno."""
    text = io.StringIO()
    writer = csv.writer(text, dialect="excel-tab", lineterminator="\n")
    writer.writerow(["topic", "docno", "raw_score"])
    writer.writerows([topic, docno, repr(score)] for (topic, docno), score in sorted(scores.items()))
    return text.getvalue()


def _read_set(archive: zipfile.ZipFile, manifest: BundleManifest, index: int) -> GradedSet:
    stored = manifest.sets[index]
    content = _checked(archive, manifest, _set_path("qrels", index))
    # An empty file is valid: a set may have no grades on the chosen topics. A truncated file fails the check.
    name = stored.name
    qrels = Qrels.from_file(io.BytesIO(content), name=name) if content else Qrels.from_dict({}, name=name)
    scores: Mapping[Pair, float] = {}
    if stored.has_raw_scores:
        text = _checked(archive, manifest, _set_path("raw-scores", index)).decode(errors="replace")
        scores = read_scores(text, f"raw scores of {name}")
    return GradedSet(stored.facts, qrels, scores, stored.provenance)


def read_scores(text: str, name: str) -> dict[Pair, float]:
    """Parse lines of topic, docno and score with tabs between, after a header if any. Raises InputError."""
    scores: dict[Pair, float] = {}
    for number, row in enumerate(csv.reader(io.StringIO(text), dialect="excel-tab"), start=1):
        if number == 1 and not _is_scored(row):
            continue
        if not _is_scored(row):
            raise InputError(
                f"{name}, line {number:,}: '{' '.join(row)}' is not topic, docno and a finite raw score with "
                "tabs between."
            )
        topic, docno, score = row
        if (topic, docno) in scores:
            raise InputError(f"{name}, line {number:,}: {topic} {docno} has a second raw score. Delete one.")
        scores[topic, docno] = float(score)
    return scores


def _is_scored(row: Sequence[str]) -> bool:
    try:
        return len(row) == 3 and math.isfinite(float(row[2]))
    except ValueError:
        return False


def _checked(archive: zipfile.ZipFile, manifest: BundleManifest, path: str) -> bytes:
    if path not in archive.namelist():
        raise InputError(f"{path} is missing in the bundle. Get it again.")
    content = _content(archive, path)
    if hashlib.sha256(content).hexdigest() != manifest.files.get(path):
        raise InputError(f"{path} in the bundle does not match the manifest. Get it again.")
    return content


def _content(archive: zipfile.ZipFile, path: str) -> bytes:
    try:
        return archive.read(path)
    except UNREADABLE as error:
        raise InputError(f"{path} in the bundle cannot be unpacked ({error}). Get it again.") from None
