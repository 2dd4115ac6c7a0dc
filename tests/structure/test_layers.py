"""Import contracts, which `make check` holds, exempt nothing and name every room."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings


@pytest.fixture(scope="module")
def contracts() -> list[dict[str, Any]]:
    content = tomllib.loads(Path(settings.ROOT, "pyproject.toml").read_text())
    found: list[dict[str, Any]] = content["tool"]["importlinter"]["contracts"]
    return found


def test_contract_between_the_apps_names_every_module_of_evaluation(contracts: list[dict[str, Any]]) -> None:
    """Only the layers inside an app can be exhaustive, so the contract between the apps repeats them."""

    def names(layers: list[str]) -> set[str]:
        return {name.strip(" ()") for layer in layers for name in layer.replace("|", ":").split(":")}

    between, inside = contracts[0], contracts[1]
    assert inside["containers"] == ["evaluation"]
    all_named = {name.removeprefix("evaluation.") for name in names(between["layers"])}
    assert all_named - {"assessment", "judges", "trackside"} == names(inside["layers"])


def test_contracts_ignore_nothing(contracts: list[dict[str, Any]]) -> None:
    assert not [option for contract in contracts for option in contract if "ignore" in option]


def test_contract_on_model_libraries_names_every_room_but_the_backends(
    contracts: list[dict[str, Any]],
) -> None:
    """A package with the backends inside cannot be forbidden as a whole."""
    (contract,) = [contract for contract in contracts if "torch" in contract.get("forbidden_modules", ())]
    rooms = {path.stem for path in Path(settings.ROOT, "trackside").glob("[a-z]*") if path.name != "py.typed"}
    assert set(contract["source_modules"]) == {f"trackside.{room}" for room in rooms - {"backends"}}
