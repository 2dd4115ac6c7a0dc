import pytest

from tests.refusals import refused
from trackside.items import NewItem, check_items

TEXT = (("title", "A tarn"),)


def test_check_items_accepts_names_of_any_text() -> None:
    names = ["a#b", "é", "projected-00326-001", "0b7a4c1e-8a54-4f7e-9d6e-7b7f0c0f3f11", "題"]
    check_items([NewItem(name, TEXT) for name in names], taken={"A#b"})


@pytest.mark.parametrize("name", ["", " ", "two words", "tab\there", "end\n", "no\N{NO-BREAK SPACE}break"])
def test_check_items_refuses_names_that_run_files_cannot_hold(name: str) -> None:
    with refused("item-name-not-one-word", match="one word"):
        check_items([NewItem("sound", TEXT), NewItem(name, TEXT)], taken=())


def test_check_items_names_the_first_three_at_fault_and_counts_the_rest() -> None:
    items = [NewItem(f"D{n}", TEXT) for n in range(2000)]
    with refused("item-name-taken", match=r"^'D0', 'D1', 'D2' and 1,997 more: stored already"):
        check_items(items, taken={item.name for item in items})


def test_check_items_refuses_a_name_given_twice_and_an_item_without_content() -> None:
    with refused("item-name-taken", match="'a': named twice"):
        check_items([NewItem("a", TEXT), NewItem("b", TEXT), NewItem("a", TEXT)], taken=())
    with refused("item-empty", match="'b': neither text nor image"):
        check_items([NewItem("a", TEXT), NewItem("b")], taken=())
