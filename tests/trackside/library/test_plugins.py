"""Measures and judges of other installed packages work wherever ours do."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.marks import quick_only
from tests.trackside.library.lab import add_broken, install_lab

ROOT = Path(settings.ROOT)
RUN = "1 Q0 a 1 3 own\n1 Q0 b 2 2 own\n1 Q0 c 3 1 own\n2 Q0 a 1 1 own\n"
QRELS = "1 0 a 2\n1 0 b 1\n1 0 c 3\n2 0 b 1\n"
# MeanGrade@2: (2 + 1) / 2 on topic 1, 0 on topic 2, whose judged document was not retrieved.
VALUES = {"1": 1.5, "2": 0.0}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_lab(tmp_path_factory.mktemp("lab"))


@pytest.fixture(scope="module")
def mixed(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working package beside the broken one."""
    target = tmp_path_factory.mktemp("mixed")
    subprocess.run(["cp", "-a", f"{sound}/.", target], check=True)
    add_broken(target)
    return target


def python(target: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": f"{target}:{ROOT}"}
    return subprocess.run(
        [sys.executable, *words], cwd=target, env=env, capture_output=True, text=True, check=False
    )


def answer(target: Path, code: str) -> Any:
    done = python(target, "-c", f"import json\n{code}\nprint(json.dumps(answer))")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("which", quick_only(["sound", "mixed"], quick=["sound"]))
def test_measure_is_on_the_command_line(which: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Beside a broken package, too."""
    (tmp_path / "own.run").write_text(RUN)
    (tmp_path / "own.qrels").write_text(QRELS)
    words = ["--qrels", f"{tmp_path}/own.qrels", "-m", "meangrade@2", "-m", "P@1", f"{tmp_path}/own.run"]
    command = ["-m", "trackside.cli.main", "score", *words, "--format", "json", "--per-topic"]
    done = python(request.getfixturevalue(which), *command)
    assert done.returncode == 0, done.stderr
    assert '"MeanGrade@2"' in done.stdout
    plain = python(request.getfixturevalue(which), *command[:-3], "--format", "tsv", "--per-topic")
    assert "1.5000" in plain.stdout


def test_measure_is_in_the_library(sound: Path) -> None:
    code = f"""
import trackside
run, qrels = trackside.read_run({RUN.encode()!r}), trackside.read_qrels({QRELS.encode()!r})
evaluation = trackside.evaluate(run, qrels, "MeanGrade@2")
frame = evaluation.topic_frame()
answer = [dict(zip(frame["topic"], frame["value"])), str(evaluation.measures[0]), trackside.measures()[-1]]
"""
    assert answer(sound, code) == [VALUES, "MeanGrade@2", "MeanGrade@k"]


SITE = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "evaluation.config.settings_test"
import django
django.setup()
from evaluation.config.monitoring.doctor import check_plugins
from evaluation.tracks.forms import MeasuresField
from django.forms import CharField
from judges.jobs.forms import JudgeForm
from trackside.backends.registry import backend_class
"""


@pytest.mark.whole
def test_measure_and_judge_are_among_the_choices_of_the_site(sound: Path) -> None:
    code = f"""{SITE}
from trackside.reporting.design import comparable
answer = [
    MeasuresField(CharField()).clean("MeanGrade@2 nDCG@10"),
    list(comparable(["MeanGrade@2"])),
    [name for name, _ in JudgeForm.base_fields["backend"].choices][-1],
    backend_class("lab_words").__module__,
    [str(finding.level) for finding in check_plugins()],
]
"""
    assert answer(sound, code) == [
        ["MeanGrade@2", "nDCG@10"], ["MeanGrade@2"], "lab_words", "lab_extras", ["ok"],
    ]  # fmt: skip


@pytest.mark.whole
def test_broken_packages_are_named_and_leave_the_others_alone(mixed: Path) -> None:
    code = f"""{SITE}
answer = [
    [finding.text for finding in check_plugins()],
    MeasuresField(CharField()).clean("MeanGrade@2 AP"),
    backend_class("lab_words").__name__,
    backend_class("clip").__module__,
]
"""
    messages, measures, judge, clip = answer(mixed, code)
    assert (measures, judge, clip) == (["MeanGrade@2", "AP"], "word_count", "trackside.backends.clip.encoder")
    named = {text.split()[3]: text for text in messages}
    assert sorted(named) == [
        "AP", "Absent", "FakeTrec", "NoFamily", "OwnName", "absent_judge", "clip", "no_kind", "silent",
        "sound_to_text",
    ]  # fmt: skip
    assert all(f"entry point {name} (" in text for name, text in named.items())
    assert all("of broken-extras 0.3 in trackside." in text for text in messages)
    assert "No module named 'broken_extras_that_do_not_exist'" in named["Absent"]
    assert "its family is called Other" in named["OwnName"]
    assert "it is a int, not a trackside.plugins.MeasureFamily" in named["NoFamily"]
    assert "lacks pinned, refuses_long_texts, responses, revision, task_kinds" in named["silent"]
    for name in ("no_kind", "sound_to_text"):
        assert (
            "must be a frozenset of some of image-to-image, image-to-text, text-to-image, text-to-text"
            in named[name]
        )


@pytest.mark.whole
@pytest.mark.parametrize(
    ("measure", "fault"),
    [
        ("Absent", "it cannot be loaded (ModuleNotFoundError"),
        ("WrongShape", "have the shape (3,) where (2,) is needed"),
        ("Fails", "it failed (ZeroDivisionError: division by zero)"),
        ("TooHigh", "it gave 2, and values are from 0 to 1"),
    ],
)
def test_broken_measure_is_an_error_that_names_its_entry_point(
    measure: str, fault: str, mixed: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.run").write_text(RUN)
    (tmp_path / "own.qrels").write_text(QRELS)
    words = ["--qrels", f"{tmp_path}/own.qrels", "-m", measure, f"{tmp_path}/own.run"]
    done = python(mixed, "-m", "trackside.cli.main", "score", *words)
    assert done.returncode == 2
    assert f"trackside score: entry point {measure} (" in done.stderr
    assert fault in done.stderr
    assert "Traceback" not in done.stderr


def test_code_version_changes_with_the_packages_that_add_measures(sound: Path, tmp_path: Path) -> None:
    """Values of one version of such a package must not count as those of another."""
    code = "from trackside.code_version import code_version; answer = code_version()"
    bare, plugged = answer(tmp_path, code), answer(sound, code)
    assert plugged.startswith(f"{bare}.")
    newer = tmp_path / "newer"
    subprocess.run(["cp", "-a", f"{sound}/.", newer], check=True)
    metadata = newer / "lab_extras-1.2.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 1.2", "Version: 1.3"))
    assert answer(newer, code) not in (bare, plugged)
