"""A package with a measure and a judge, and one whose entry points are all broken."""

import subprocess
import sys
from pathlib import Path

PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "lab-extras"
version = "1.2"

[project.entry-points."trackside.measures"]
MeanGrade = "lab_extras:MEAN_GRADE"

[project.entry-points."trackside.judges"]
lab_words = "lab_extras:word_count"

[tool.setuptools]
py-modules = ["lab_extras"]
"""
MODULE = '''
import numpy as np

from trackside.plugins import Cut, MeasureFamily, judge


def mean_grade(judged, measure):
    """Mean grade of the first k results; those without a grade count as 0."""
    seen = (judged.grades > 0) & (judged.ranks < measure.depth)
    sums = np.bincount(judged.topics[seen], weights=judged.grades[seen], minlength=judged.topic_count)
    return sums / measure.depth


MEAN_GRADE = MeasureFamily("MeanGrade", mean_grade, cut=Cut.REQUIRED, has_level=False, is_unbounded=True)


@judge("relevance-1-100")
def word_count(text, image):
    """The number of words, at most 100."""
    return min(100, len(text.split()))
'''
BROKEN_MODULE = """
import numpy as np

from trackside.plugins import MeasureFamily, Unit

WRONG_SHAPE = MeasureFamily("WrongShape", lambda judged, measure: np.ones(1 + judged.topic_count))
FAILS = MeasureFamily("Fails", lambda judged, measure: 1 / 0)
TOO_HIGH = MeasureFamily("TooHigh", lambda judged, measure: np.full(judged.topic_count, 2.0))
OTHER_NAME = MeasureFamily("Other", lambda judged, measure: np.ones(judged.topic_count))
FAKE_AP = MeasureFamily("AP", lambda judged, measure: np.ones(judged.topic_count))
FAKE_TREC = MeasureFamily("FakeTrec", lambda judged, measure: np.ones(judged.topic_count), trec_name="map")
NO_FAMILY = 7


class Silent:
    unit = Unit.PAIR


class SoundToText:
    revision = 1
    task_kinds = frozenset({"sound-to-text"})
    unit = Unit.PAIR
    refuses_long_texts = False

    @classmethod
    def pinned(cls, settings):
        return settings

    def responses(self, take):
        yield []


class NoKind(SoundToText):
    task_kinds = frozenset()
"""
BROKEN = """
[trackside.measures]
Absent = broken_extras_that_do_not_exist:MEASURE
AP = broken_extras:FAKE_AP
Fails = broken_extras:FAILS
FakeTrec = broken_extras:FAKE_TREC
NoFamily = broken_extras:NO_FAMILY
OwnName = broken_extras:OTHER_NAME
TooHigh = broken_extras:TOO_HIGH
WrongShape = broken_extras:WRONG_SHAPE

[trackside.judges]
absent_judge = broken_extras_that_do_not_exist:Judge
clip = broken_extras:Silent
no_kind = broken_extras:NoKind
sound_to_text = broken_extras:SoundToText
silent = broken_extras:Silent
"""


def install_lab(folder: Path) -> Path:
    """Build the working package as a wheel and install it; return the folder for sys.path."""
    source, target = folder / "source", folder / "installed"
    source.mkdir()
    (source / "pyproject.toml").write_text(PYPROJECT)
    (source / "lab_extras.py").write_text(MODULE)
    _pip("wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", str(folder), str(source))
    (wheel,) = folder.glob("*.whl")
    _pip("install", "--no-deps", "--no-index", "--target", str(target), str(wheel))
    return target


def add_broken(target: Path) -> None:
    """The broken package, as an installer leaves it."""
    (target / "broken_extras.py").write_text(BROKEN_MODULE)
    metadata = target / "broken_extras-0.3.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-extras\nVersion: 0.3\n")
    (metadata / "entry_points.txt").write_text(BROKEN)


def _pip(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
