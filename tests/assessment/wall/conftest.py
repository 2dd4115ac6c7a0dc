import pytest


@pytest.fixture(autouse=True)
def pool_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walls keep the order of the pool, so that the item at place 1 is D1."""
    monkeypatch.setattr("assessment.assigning.layout.order_of_walls", lambda docnos, _seed: docnos)


@pytest.fixture(autouse=True)
def no_singles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walls show no item alone: a cell has the number of its place. Modules with singles override it."""
    monkeypatch.setattr("assessment.assigning.singles.is_single", lambda *_args, **_names: False)
