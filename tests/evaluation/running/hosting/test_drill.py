"""A drill breaks every part of a marked copy, and nothing that the site acknowledged is lost."""

import re

import pytest

from evaluation.running.hosting.drill import check_rehearsal, mark_rehearsal
from tests.evaluation.conftest import Process, make_var, remove_var
from tests.upgrades.sites import RELEASES
from trackside.errors import InputError


@pytest.mark.django_db
def test_drill_refuses_a_database_that_is_not_marked() -> None:
    with pytest.raises(InputError, match=r"not marked as a rehearsal copy.*restore FILE --rehearsal"):
        check_rehearsal()
    mark_rehearsal()  # rolled back with the test
    check_rehearsal()


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_drill_loses_no_acknowledged_upload() -> None:
    var = make_var()
    try:
        (var / "site.tar").write_bytes(RELEASES[-1].backup)
        restored = Process(var, "manage.py", "restore", str(var / "site.tar"), "--rehearsal")
        assert restored.child.wait() == 0, restored.text
        process = Process(var, "manage.py", "drill")
        assert process.child.wait() == 0, process.text
        found = re.search(r"Acknowledged (\d+) = stored (\d+)", process.text)
        assert found
        assert found[1] == found[2] != "0"
    finally:
        remove_var(var)
