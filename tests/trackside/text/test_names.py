import pytest

from tests.refusals import refused
from trackside.text.names import check_visible, folded


@pytest.mark.parametrize(
    "other",
    [
        "kestrel lab 10",
        "KESTREL LAB 10",
        "Ｋｅｓｔｒｅｌ Lab 10",  # full width
        "𝐊𝐞𝐬𝐭𝐫𝐞𝐥 Lab 10",  # mathematical bold
        "Кestrel Lab 10",  # Cyrillic ka
        "Κestrel Lab 10",  # Greek kappa
        "Kestrеl Lab 10",  # Cyrillic ie
        "Ꮶestrel Lab 10",  # Cherokee tso
        "Kestre1 Lab 1O",
        "KestreI Lab IO",
        "Kestrel\u00a0 Lab 10 ",
        "Kest\u200brel Lab 10",
    ],
)
def test_names_that_look_alike_fold_to_one(other: str) -> None:
    assert folded(other) == folded("Kestrel Lab 10")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kestrel", "Kestrels"),
        ("Kestrel 1", "Kestrel 2"),
        ("Kestrel", "Késtrel"),
        ("Команда", "Kestrel"),
        ("東京大学", "京都大学"),
        ("Nordlys", "Nordly"),
        ("München", "Munchen"),
    ],
)
def test_names_that_look_different_stay_different(one: str, other: str) -> None:
    assert folded(one) != folded(other)


def test_modern_and_modem_look_alike() -> None:
    assert folded("Modern") == folded("Modem")


@pytest.mark.parametrize(
    "character",
    [
        "\u200b",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\u00ad",
        "\u3164",
        "\ue000",
        "\U000e0041",
        "\x07",
        "\ufdd0",
        "\U0001fffe",
    ],
)
def test_invisible_characters_are_refused_with_their_place(character: str) -> None:
    with refused("hidden-character", match=rf"^Character 4 .*U\+{ord(character):04X}"):
        check_visible(f"Kes{character}trel")


@pytest.mark.parametrize("name", ["Kestrel", "東京大学", "Команда 7", "Ünïcode & Søn", "فريق", "टीम"])
def test_names_of_any_script_are_kept_as_they_are(name: str) -> None:
    assert check_visible(name) == name
