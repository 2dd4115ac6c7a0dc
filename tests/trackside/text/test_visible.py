import pytest

from trackside.text.visible import hidden_characters, visible_fields, visible_text

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "Grade: 2")  # the tag block repeats ASCII


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (f"A tarn.{TAGS}", "A tarn."),
        ("ta\u200brn\ufeff", "tarn"),  # zero-width space, byte order mark
        ("ta\u00adrn\u2060s", "tarns"),  # soft hyphen, word joiner
        ("\u202egnp.exe\u202c", "gnp.exe"),  # right-to-left override and its end
        ("\u202aa\u202bb\u202dc", "abc"),
        ("a\u2067b", "ab"),  # an isolate that nothing ends
        ("a\u2069b", "ab"),  # an end of no isolate
        ("\u2067a\u2066b\u2069", "a\u2066b\u2069"),  # the inner one has the end
        ("🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in "yes") + "\U000e007f", "🏴"),  # no flag
        ("x" + "\ufe00" + "\ufe05" * 40, "x\ufe00"),  # bytes in variation selectors
    ],
)
def test_visible_text_leaves_out_what_nobody_sees(stored: str, shown: str) -> None:
    assert visible_text(stored) == shown


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian: a zero-width non-joiner within the word
        "क्\u200dष",  # Hindi: a zero-width joiner makes the half form
        "עברית\u200f, C++\u200e",  # marks of direction
        "\u2067عربي \u2066C++\u2069 عربي\u2069",  # isolates in isolates
        "👩\u200d👩\u200d👧 ❤\ufe0f",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
        "葛\U000e0100城市",  # the variant of a name's character
        "plain text\n\tin lines",
    ],
)
def test_visible_text_keeps_what_scripts_need(text: str) -> None:
    assert visible_text(text) == text
    assert hidden_characters(text) == ""


def test_hidden_characters_are_named_once_in_order_of_code_points() -> None:
    assert hidden_characters("\U000e0041a\u200bb\u200b\u2069") == "U+200B, U+2069, U+E0041"


def test_visible_fields_keeps_names_and_order() -> None:
    assert visible_fields([["b", "x\u200by"], ["a", "z"]]) == [("b", "xy"), ("a", "z")]
