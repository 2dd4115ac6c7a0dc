"""Normalise completions before parsing: hidden characters and markup."""

import re

from trackside.text.names import HIDDEN

LONGEST = 20_000  # characters parsed, counted from the end: hundreds of times the length of an answer
HIDDEN_CHARACTERS = re.compile(rf"(?!\s)(?:{HIDDEN}|\0)")
# U+202E shows what follows it from right to left, up to U+202C or the end of the line.
REVERSED = re.compile("\u202e([^\u202c\n]*)")
# Each repetition below is bounded or of one character class, so every text takes linear time.
BOLD = re.compile(r"</?(?:b|strong|i|em|u|code|p|br)\s?/?>", re.IGNORECASE)
# Marks around an answer: tags, the box of GLM's vision models and of mathematics, tokens of turns.
AROUND_ANSWER = re.compile(
    r"</?(?:final_?answer|answer|output|response|result|solution|conclusion|score|s|end_of_turn|turn\|)>"
    r"|<\|[^<>|]{1,40}\|?>|\\boxed(?=\{)|◁/?\w{1,20}▷|\[/?answer\]",
    re.IGNORECASE,
)
BRACKETED = re.compile(r"<([^<>\n,;]{0,39}[^<>\n,;=-])>")  # "<85>"; the "<" of "<50" stays
LETTER = r"[^\W\d_]"
DECORATION = re.compile(rf"[*_`#\"“”\[\]{{}}()$\\]|(?<!{LETTER})['‘]|'(?!{LETTER})")
BLANKS = re.compile(r"\s+")
# Punctuation of East Asian fonts, such as the colon U+FF1A.
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def visible_texts(text: str) -> tuple[str, ...]:
    """Return the possible readings of a text without its hidden characters, or the text itself.

    They are dropped or replaced by blanks; what U+202E reverses is also read as displayed.
    """
    if not HIDDEN_CHARACTERS.search(text):
        return (text,)
    texts = {HIDDEN_CHARACTERS.sub(blank, text): None for blank in ("", " ")}
    if "\u202e" in text:
        texts[HIDDEN_CHARACTERS.sub("", REVERSED.sub(lambda match: match[1][::-1], text))] = None
    return tuple(texts)


def undecorated(text: str) -> str:
    """Replace each character of markup by a blank, so that ``8(1)`` is never read as 81.

    A run of blanks becomes one blank, or one line feed if it has one. Apostrophes within words stay: "can't".
    """
    plain = AROUND_ANSWER.sub(" ", text.translate(FULL_WIDTH).replace("\u2019", "'"))
    plain = BRACKETED.sub(r" \1 ", BOLD.sub(" ", plain))
    return BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", DECORATION.sub(" ", plain)).strip()
