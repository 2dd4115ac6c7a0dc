import pytest

from tests.refusals import refused
from trackside.text.replies import LONGEST, Asked, check_replies

TRAINING = Asked("training", "What was it trained on?")
OPEN = Asked("open", "Is the code open?", ("yes", "no"), is_required=True)


def test_check_replies_trims_and_leaves_empty_ones_out() -> None:
    assert check_replies([TRAINING, OPEN], {"training": "  ", "open": " yes "}) == {"open": "yes"}


def test_check_replies_needs_required_replies() -> None:
    with refused("reply-missing", match=r"Is the code open\? This needs a reply \(open\)"):
        check_replies([TRAINING, OPEN], {"training": "COCO"})


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ({"open": "maybe"}, "Choose one of: yes, no"),
        ({"open": "yes", "colour": "red"}, "Its questions: training, open"),
        ({"open": "yes", "training": "x" * (LONGEST + 1)}, r"\(4,001 characters\) to 4,000"),
    ],
)
def test_check_replies_refuses_what_was_not_asked(replies: dict[str, str], words: str) -> None:
    with refused("reply-unknown", match=words):
        check_replies([TRAINING, OPEN], replies)
