"""A tokenizer learnt from captions."""

from collections import Counter

import pytest

from evaluation.demo.models.clip_tokenizer import count_words, learn_merges, learn_tokenizer

pytestmark = pytest.mark.whole


def test_learn_merges_takes_the_most_frequent_pair_first() -> None:
    """aab x 3 and ab x 2: a+b ends 5 words, a+a is in 3; then aab is a+ab, 3 times."""
    assert learn_merges(Counter({"aab": 3, "ab": 2}), 2) == [("a", "b</w>"), ("a", "ab</w>")]


def test_learn_merges_settles_ties_by_the_letters() -> None:
    assert learn_merges(Counter({"cd": 1, "ab": 1}), 1) == [("a", "b</w>")]


def test_learn_merges_stops_when_every_word_is_one_token() -> None:
    assert learn_merges(Counter({"ab": 1}), 9) == [("a", "b</w>")]


def test_learn_merges_counts_a_repeated_letter_once_a_place() -> None:
    """aaa is a, a, a</w>: after a+a is merged, aa and a</w> are left."""
    assert learn_merges(Counter({"aaa": 2, "aaab": 1}), 1) == [("a", "a")]


def test_count_words_cuts_as_clip_does() -> None:
    assert count_words(["A mill, a 12"]) == {"a": 2, "mill": 1, ",": 1, "1": 1, "2": 1}


def test_learn_tokenizer_uses_its_merges_and_keeps_the_end_token_of_a_long_text() -> None:
    tokenizer = learn_tokenizer(["red mill"] * 3, merges=20)
    assert tokenizer.tokenize("Red mill") == ["red</w>", "mill</w>"]
    tokens = tokenizer("red mill " * 60, truncation=True)["input_ids"]
    assert len(tokens) == 77
    assert tokens[0] == tokenizer.bos_token_id
    assert tokens[-1] == tokenizer.eos_token_id


def test_learn_tokenizer_can_spell_what_it_never_saw() -> None:
    tokenizer = learn_tokenizer(["red mill"], merges=20)
    assert tokenizer.decode(tokenizer("Brücke", add_special_tokens=False)["input_ids"]) == "brücke"
