"""The world of real pictures, on a few made ones; tests/live looks at the real ones where they are."""

from pathlib import Path

import pytest

from evaluation.running.demo import world
from evaluation.running.demo.stamps import Stamp, Wanted, read_stamps
from evaluation.running.demo.world import CAPTION, photo_world
from trackside.errors import InputError

PLACES = {
    "food/fruit/redapple": "A red apple.",
    "food/fruit/cartoon/pineapple": "A pineapple.",
    "food/fruits/other": "An apple elsewhere.",
    "sports/ball": "A tennis ball.",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for place, caption in PLACES.items():
        path = tmp_path / f"{place}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        path.with_suffix(".txt").write_text(f"{caption}\nde.utf8=Ein Bild.\n")
    (tmp_path / "sports" / "ball_mirror.png").write_bytes(b"")
    (tmp_path / "sports" / "mute.png").write_bytes(b"")
    return tmp_path


def test_read_stamps_takes_english_captions_and_no_mirrored_picture(root: Path) -> None:
    stamps = read_stamps(root)
    assert [(stamp.folder, stamp.caption) for stamp in stamps] == [
        ("food/fruit/cartoon", "A pineapple."),
        ("food/fruit", "A red apple."),
        ("food/fruits", "An apple elsewhere."),
        ("sports", "A tennis ball."),
    ]


def test_read_stamps_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="tuxpaint-stamps-default"):
        read_stamps(tmp_path)


def test_a_topic_grades_the_thing_its_kind_and_all_else(root: Path) -> None:
    wanted = Wanted("apples?", "food/fruit")
    grades = {stamp.caption: wanted.grade(stamp) for stamp in read_stamps(root)}
    assert grades == {"A red apple.": 2, "A pineapple.": 1, "An apple elsewhere.": 0, "A tennis ball.": 0}


def test_photo_world_withholds_some_captions_and_no_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    stamps = [Stamp(Path(f"{number}.png"), "A red apple.", "food/fruit") for number in range(200)]
    monkeypatch.setattr(world, "read_stamps", lambda: stamps)
    photos = photo_world()
    (task,) = photos.tasks
    assert not photos.is_drawn
    captioned = sum(CAPTION in document.fields for document in task.documents)
    assert 90 < captioned < 150  # six in ten of 200, within four standard errors
    apples = next(topic for topic in task.topics if topic.fields["section_title"] == "Apples")
    assert {task.truth(apples.id, document.id) for document in task.documents} == {2}
    assert len({topic.id for topic in task.topics}) == len(photos.words["topics"])
