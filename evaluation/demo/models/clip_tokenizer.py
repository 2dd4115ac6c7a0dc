"""A CLIP tokenizer, learnt from captions, deterministic across processes.

The trainer of the `tokenizers` package is not used: it assigns ids and breaks ties between merges in the
order of a hash table, which differs between processes.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

from tokenizers import pre_tokenizers
from transformers import CLIPTokenizer

SymbolPair: TypeAlias = tuple[str, str]

WORD_END = "</w>"
START, END = "<|startoftext|>", "<|endoftext|>"
CONTEXT_LENGTH = 77


def learn_tokenizer(texts: Iterable[str], *, merges: int) -> CLIPTokenizer:
    """Learn byte pair merges from these texts and return the tokenizer that applies them.

    Ids as in CLIP: the bytes, the word-final bytes, the merges in order, the start and the end token.
    """
    learnt = learn_merges(count_words(texts), merges)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = [*alphabet, *(letter + WORD_END for letter in alphabet), *("".join(pair) for pair in learnt)]
    distinct = dict.fromkeys([*tokens, START, END])
    return CLIPTokenizer(
        vocab={token: number for number, token in enumerate(distinct)},
        merges=learnt,  # type: ignore[arg-type]  # declared as texts, but read as pairs
        model_max_length=CONTEXT_LENGTH,
    )


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Count words, split and byte-encoded as CLIP's tokenizer does."""
    backend = CLIPTokenizer().backend_tokenizer
    words: Counter[str] = Counter()
    for text in texts:
        pieces = backend.pre_tokenizer.pre_tokenize_str(backend.normalizer.normalize_str(text))
        words.update(piece for piece, _ in pieces)
    return words


def learn_merges(words: Counter[str], count: int) -> list[SymbolPair]:
    """Learn at most ``count`` merges, the most frequent pair first, ties in lexicographic order."""
    spelt = {word: (*word[:-1], word[-1] + WORD_END) for word in words}
    frequency: Counter[SymbolPair] = Counter()
    for word, symbols in spelt.items():
        _add(frequency, symbols, words[word])
    merges: list[SymbolPair] = []
    while len(merges) < count and (best := _most_frequent(frequency)):
        merges.append(best)
        for word, symbols in spelt.items():
            if best[0] in symbols and best in pairwise(symbols):
                _add(frequency, symbols, -words[word])
                spelt[word] = _merged(symbols, best)
                _add(frequency, spelt[word], words[word])
    return merges


def _most_frequent(frequency: Counter[SymbolPair]) -> SymbolPair | None:
    best = min(frequency, key=lambda pair: (-frequency[pair], pair), default=None)
    return best if best is not None and frequency[best] > 0 else None


def _add(frequency: Counter[SymbolPair], symbols: tuple[str, ...], times: int) -> None:
    for pair in pairwise(symbols):
        frequency[pair] += times


def _merged(symbols: tuple[str, ...], pair: SymbolPair) -> tuple[str, ...]:
    merged: list[str] = []
    place = 0
    while place < len(symbols):
        is_pair = symbols[place : place + 2] == pair
        merged.append("".join(pair) if is_pair else symbols[place])
        place += 2 if is_pair else 1
    return tuple(merged)
