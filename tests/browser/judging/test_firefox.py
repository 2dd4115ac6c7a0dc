"""The judging screen in Firefox, where the machine has it: keys, zoom and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from tests.browser.judging.surface import make_picture, make_surface, marks
from tests.browser.signing_in import sign_in_firefox

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from assessment.models import Assignment
    from tests.browser.firefox import Firefox

pytestmark = [
    pytest.mark.browser,
    pytest.mark.whole,
    pytest.mark.django_db(transaction=True),
]

PLACE = "return document.getElementById('place')?.textContent"
SAVED = "return document.getElementById('saved').textContent.trim().startsWith('Saved')"
HINT = "return document.getElementById('hint').textContent"
SEEN = """return [...document.querySelectorAll("#stage img, #grades button")].every(each => {
    const box = each.getBoundingClientRect();
    const middle = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
        && (middle === each || each.contains(middle));
})"""
WIDTH = "return document.querySelector('#stage img').getBoundingClientRect().width"


def open_first(firefox: Firefox, live_server: LiveServer, assignment: Assignment) -> None:
    sign_in_firefox(firefox, assignment.assessor, live_server)
    firefox.open(live_server.url + reverse("judging_item", args=[assignment.pk, 1]))
    firefox.wait_for(HINT, "Next 3 ready")


def test_keys_grade_undo_and_zoom(firefox: Firefox, live_server: LiveServer) -> None:
    open_first(firefox, live_server, make_surface([make_picture(1200, 800), *[None] * 4]))
    before = firefox.run(WIDTH)
    firefox.press("e")
    assert firefox.run(WIDTH) > before
    firefox.press("e")
    for place, key in enumerate("0a2", 1):
        firefox.press(key)
        firefox.wait_for(PLACE, f"{place + 1} of 5")
    firefox.press("z")
    firefox.wait_for(PLACE, "3 of 5")
    firefox.press("1")
    firefox.wait_for(PLACE, "4 of 5")
    firefox.wait_for(SAVED, wanted=True)
    assert marks() == [("D1", 0), ("D2", 0), ("D3", 1)]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (720, 450), (740, 360), (500, 640)])
def test_picture_and_grades_are_in_sight(
    firefox: Firefox, live_server: LiveServer, width: int, height: int
) -> None:
    """500 px is the least width of Firefox's window."""
    pictures = [make_picture(1200, height) for height in (800, 801)]
    open_first(firefox, live_server, make_surface([*pictures, *[None] * 3]))
    firefox.press("0")
    firefox.wait_for(PLACE, "2 of 5")  # the topic's card is open on the first
    firefox.resize(width, height)
    firefox.wait_for(SEEN, wanted=True)
