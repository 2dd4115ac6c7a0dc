"""The start of a site ends if a part does not get ready."""

import signal
import sys

import pytest

from evaluation.hosting import process_tree
from evaluation.hosting.process_tree import ProcessTree
from evaluation.hosting.site_parts import Announce
from trackside.errors import InputError


def idle(_announce: Announce) -> None:
    signal.pause()


def test_part_that_does_not_get_ready_ends_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "READY_SECONDS", 0.2)
    with ProcessTree(sys.stdout, is_prefixed=True) as tree:
        tree.start("idle", idle)
        with pytest.raises(InputError, match="idle ended"):
            tree.wait_until_ready()
