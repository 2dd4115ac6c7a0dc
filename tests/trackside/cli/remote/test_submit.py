"""Commands that talk to a site, over a faulty connection."""

import io
import json
import stat
from pathlib import Path

import pytest

from evaluation.models import Run, Scope, Task
from evaluation.platform.access.actions import create_token
from tests.factories import make_task, make_team, make_team_member
from tests.trackside.cli.remote.breaking_line import BreakingLine, Fault
from trackside.cli.main import main

GOOD = b"T1 Q0 D1 1 0.5 kestrel\nT2 Q0 D2 1 0.5 kestrel\n"
BAD = b"T1 Q0 D1 1 0.5 kestrel\nT1 Q0 D9 2 nan kestrel\n"


@pytest.fixture
def task(transactional_db: None) -> Task:
    return make_task(topic_count=2, document_count=2)


@pytest.fixture
def _signed_in(
    task: Task,
    line: BreakingLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By ``trackside login``, the token piped in."""
    member = make_team_member(make_team(task.track, name="Kestrel"), name="Ada")
    secret = create_token(name="laptop", scopes=[Scope.READ, Scope.SUBMIT], days=1, by=member).secret
    for name in ("TRACKSIDE_SITE", "TRACKSIDE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{secret}\n"))
    assert main(["login", line.url]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"Signed in to {line.url} as Ada; you may read and submit.")
    assert secret not in shown.out + shown.err
    kept = tmp_path / "trackside" / "sites.json"
    assert (stat.S_IMODE(kept.stat().st_mode), json.loads(kept.read_text())["site"]) == (0o600, line.url)


@pytest.mark.whole
@pytest.mark.usefixtures("_signed_in")
def test_upload_over_a_faulty_connection_makes_one_whole_run(
    task: Task, line: BreakingLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """First the request is cut and stores nothing, then its answer is lost, then the run is found."""
    line.faults += [Fault.BREAKS_OFF, Fault.ANSWER_IS_LOST]
    file, name = tmp_path / "kestrel.run", f"{task.track.slug}/{task.slug}"
    file.write_bytes(GOOD)
    assert main(["submit", str(file), "--task", name, "--description", "Dénse."]) == 0
    assert line.answers == ["400", "201", "201"]
    (run,) = Run.objects.select_related("team", "upload")
    assert (run.team.name, run.tag, run.description) == ("Kestrel", "kestrel", "Dénse.")
    assert run.upload.read() == GOOD
    assert capsys.readouterr().out.startswith("Accepted: kestrel.run\n")
    assert main(["status", "--task", name]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == [str(run.pk), "kestrel", "Kestrel", "accepted"]
    assert main(["download", "runs", "--task", name, "--out", str(tmp_path / "runs")]) == 0
    assert (tmp_path / "runs" / f"{run.pk}-kestrel.run").read_bytes() == GOOD
    assert main(["download", "scores", "--task", name]) == 2
    assert "no scores that you may download" in capsys.readouterr().err


@pytest.mark.usefixtures("_signed_in")
def test_submit_prints_what_check_prints(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, name = tmp_path / "kestrel.run", f"{task.track.slug}/{task.slug}"
    file.write_bytes(BAD)
    for path, lines in (("topics", "T1\nT2\n"), ("docnos", "D1\nD2\n")):
        (tmp_path / path).write_text(lines)
    here = ["--topics", str(tmp_path / "topics"), "--docnos", str(tmp_path / "docnos")]
    for form in ("text", "json"):
        assert main(["check", str(file), *here, "--format", form]) == 1
        printed = capsys.readouterr().out.replace(str(file), file.name)
        assert main(["submit", str(file), "--task", name, "--format", form]) == 1
        assert capsys.readouterr().out == printed
    last = Run.objects.latest("pk").pk
    assert main(["status", "--task", name, str(last), "--format", "json"]) == 1
    assert capsys.readouterr().out == printed
    assert main(["submit", str(file), "--task", name, "--check"]) == 1
    assert Run.objects.latest("pk").pk == last
    assert main(["submit", str(file), "--task", f"{task.track.slug}/other"]) == 2
    assert "It does not exist" in capsys.readouterr().err
