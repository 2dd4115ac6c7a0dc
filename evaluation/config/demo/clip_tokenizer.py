"""A tokenizer of CLIP's kind, learnt from captions, the same in every process.

The trainer of the `tokenizers` package is not used: it hands out ids, and settles ties between merges, in
the order of a hash table that differs from process to process.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

from tokenizers import pre_tokenizers
from transformers import CLIPTokenizer

Pair: TypeAlias = tuple[str, str]

WORD_END = "</w>"
START, END = "<|startoftext|>", "<|endoftext|>"
CONTEXT_LENGTH = 77


def learn_tokenizer(texts: Iterable[str], *, merges: int) -> CLIPTokenizer:
    """Learn byte pair merges from these texts and give the tokenizer that applies them.

    Ids, as in CLIP: the bytes, the bytes that end a word, the merges in order, the start and the end token.
    """
    learnt = learn_merges(count_words(texts), merges)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = [*alphabet, *(letter + WORD_END for letter in alphabet), *("".join(pair) for pair in learnt)]
    distinct = dict.fromkeys([*tokens, START, END])
    return CLIPTokenizer(
        vocab={token: number for number, token in enumerate(distinct)},
        merges=learnt,  # type: ignore[arg-type]  # declared as texts, but pairs are what is read
        model_max_length=CONTEXT_LENGTH,
    )


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Count words, cut and spelt in byte letters the way CLIP's tokenizer does it."""
    backend = CLIPTokenizer().backend_tokenizer
    words: Counter[str] = Counter()
    for text in texts:
        pieces = backend.pre_tokenizer.pre_tokenize_str(backend.normalizer.normalize_str(text))
        words.update(piece for piece, _ in pieces)
    return words


def learn_merges(words: Counter[str], count: int) -> list[Pair]:
    """Learn at most this many merges, the most frequent pair first, ties in the order of the letters."""
    spelt = {word: (*word[:-1], word[-1] + WORD_END) for word in words}
    frequency: Counter[Pair] = Counter()
    for word, symbols in spelt.items():
        _add(frequency, symbols, words[word])
    merges: list[Pair] = []
    while len(merges) < count and (best := _most_frequent(frequency)):
        merges.append(best)
        for word, symbols in spelt.items():
            if best[0] in symbols and best in pairwise(symbols):
                _add(frequency, symbols, -words[word])
                spelt[word] = _merged(symbols, best)
                _add(frequency, spelt[word], words[word])
    return merges


def _most_frequent(frequency: Counter[Pair]) -> Pair | None:
    best = min(frequency, key=lambda pair: (-frequency[pair], pair), default=None)
    return best if best is not None and frequency[best] > 0 else None


def _add(frequency: Counter[Pair], symbols: tuple[str, ...], times: int) -> None:
    for pair in pairwise(symbols):
        frequency[pair] += times


def _merged(symbols: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    merged: list[str] = []
    place = 0
    while place < len(symbols):
        is_pair = symbols[place : place + 2] == pair
        merged.append("".join(pair) if is_pair else symbols[place])
        place += 2 if is_pair else 1
    return tuple(merged)
