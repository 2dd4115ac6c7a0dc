"""Which of the collected tests share a fixture, and which commit."""

import pytest


def has_module_fixture(item: pytest.Item) -> bool:
    """Whether a fixture of the test is made once a module."""
    if not isinstance(item, pytest.Function):
        return False
    found = item._fixtureinfo.name2fixturedefs
    return any(found[name][-1].scope == "module" for name in item.fixturenames if name in found)


def refuse_commits_beside_whole_sites(items: list[pytest.Item]) -> None:
    """Refuse a test that commits in a module with a whole site, whose transaction stays open.

    Its rows would be in that transaction, where no other connection sees them.
    """
    modules = {item.path for item in items if "kept_whole_site" in getattr(item, "fixturenames", ())}
    for item in items:
        if item.path in modules and commits(item):
            raise pytest.UsageError(f"{item.nodeid} commits: move it to a module without whole_site.")


def commits(item: pytest.Item) -> bool:
    """Whether the test's rows are committed."""
    mark = item.get_closest_marker("django_db")
    fixtures = {"transactional_db", "live_server"}.intersection(getattr(item, "fixturenames", ()))
    return bool(fixtures or (mark and mark.kwargs.get("transaction")))
