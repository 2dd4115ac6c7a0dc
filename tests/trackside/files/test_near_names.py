import polars as pl
import pytest

from trackside.files.near_names import near_names


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("D7", ["d7"], "d7"),
        ("1", ["001", "010"], "001"),
        ("001", ["1"], "1"),
        ("MB1", ["MB001"], "MB001"),
        ("1.3", ["web-1.2", "web-1.3"], "web-1.3"),
        ("web-1.3", ["1.2", "1.3"], "1.3"),
        ("7", ["trec2021-7"], "trec2021-7"),
        ("Q12", ["12"], "12"),
        ("12", ["q12"], "q12"),
        ("a/b/d7.JPG", ["d7"], "d7"),
        ("other/d.png", ["images/d"], "images/d"),
        ("set.img_N7", ["n7"], "n7"),
        ("passage_01_77", ["msmarco_passage_01_77"], "msmarco_passage_01_77"),
        ("301-title", ["301"], "301"),
        ("301", ["3011", "301_0"], "301_0"),
        ("d7#2", ["d7"], "d7"),
        ("clueweb09-en0000-00-000", ["clueweb09-en0000-00-00001"], "clueweb09-en0000-00-00001"),
        ("clueweb09-en0000-00-00001", ["clueweb09-en0000-00-000"], "clueweb09-en0000-00-000"),
        ("1", ["10", "11", "21"], None),
        ("d7", ["x7", "d8"], None),
        ("abc", ["abcd"], None),
        ("text-a", ["doc-a"], None),
        ("", ["a"], None),
    ],
)
def test_near_names_are_other_spellings(name: str, known: list[str], meant: str | None) -> None:
    for parts in ([known], [[docno] for docno in known]):
        columns = [pl.Series("docno", part, pl.String) for part in parts]
        assert near_names([name], columns).get(name) == meant


def test_names_of_any_length_are_looked_for() -> None:
    known = pl.Series("docno", ["a" * 5_000, "b" * 150])

    assert near_names(["a" * 4_999, "b" * 149], [known]) == {"b" * 149: "b" * 150}
