import pytest


@pytest.fixture(autouse=True)
def pool_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walls keep the order of the pool, so that the item at place 1 is D1."""
    monkeypatch.setattr("assessment.assigning.layout.order_of_walls", lambda docnos, _seed: docnos)


@pytest.fixture(autouse=True)
def _cells_by_place(no_singles: None) -> None:
    """Modules with singles override no_singles."""
