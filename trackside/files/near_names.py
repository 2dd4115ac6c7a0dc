"""Names of topics and documents that were probably meant: other spellings of unknown ones."""

from __future__ import annotations  # polars is imported on first use

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from trackside.lazy_polars import pl

_FOLDER = r"^.*/"
_SUFFIX = r"\.(?:jpe?g|png|webp|gif|txt|json|xml|html?)$"
_LEADING_ZEROS = r"(^|[^0-9])0+([0-9])"
_PREFIXES = r"^(?:[a-z]+[_:.-]+){1,3}"
_LETTERS_OF_NUMBER = r"^[a-z]+([0-9])"
# Bounds the work if a million names share the text after their prefix.
_CANDIDATES = 10
_JOINTS = frozenset("._:#/-")
_DISTINCTIVE = 8  # characters: a shorter name is no cut one unless it ends at a joint
_SHOWN = 100  # characters of a name in a line
_LONGEST = 200  # characters of a name of which parts are taken
_CUT_NAMES = 1_000  # names that are compared with cut ones
_CUT_LENGTHS = 3  # of names: those that were cut mostly have one length


def near_names(names: Collection[str], known: Iterable[pl.Series]) -> dict[str, str]:
    """For unknown names, the known one, if any, that was probably meant.

    They differ only in case, leading zeros, prefix, folder or suffix, or one of them was cut. ``known`` are
    String columns of any length. The first match wins.
    """
    asked = _forms(pl.Series("name", list(names), pl.String))
    wanted = asked["form"].unique().implode()
    candidates: dict[str, list[tuple[str, str]]] = {}
    cut: dict[str, str] = {}
    cut_names = _CutNames(asked["plain"].head(_CUT_NAMES).to_list())
    for part in known:
        forms = _forms(part)
        matches = forms.filter(pl.col("form").is_in(wanted)).group_by("form", maintain_order=True)
        for form, name, bare in matches.head(_CANDIDATES).select("form", "name", "bare").iter_rows():
            candidates.setdefault(form, []).append((name, bare))
        cut = dict(cut_names.pairs(forms)) | cut
    near: dict[str, str] = {}
    for name, plain, bare, form in asked.iter_rows():
        alike = (
            meant
            for meant, other in candidates.get(form, ())[:_CANDIDATES]
            if bare.endswith(other) or other.endswith(bare)
        )
        if meant := next(alike, cut.get(plain)):
            near[name] = meant
    return near


def hinted(name: str, near: Mapping[str, str]) -> str:
    """Return the name, with the one of ``near_names`` that was probably meant."""
    return f"{name}; did you mean {near[name]}?" if name in near else name


def did_you_mean(parts: Sequence[str], near: Sequence[tuple[str, str] | None]) -> str:
    """Return one line: what does not meet, then names with those probably meant; "" without parts."""
    pairs = [
        [name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…" for name in pair]
        for pair in near
        if parts and pair
    ]
    hint = [f"the run has {' and '.join(name for name, _ in pairs)}"] if pairs else []
    meant = [f"did you mean {' and '.join(meant for _, meant in pairs)}?"] if pairs else []
    return "; ".join([*parts, *hint, *meant])


def _forms(names: pl.Series) -> pl.DataFrame:
    """Each name; ``plain``: lower case without folder and suffix; ``bare``: also without leading zeros;
    ``form``: also without prefix.

    Names that resemble each other share the form, and one bare text ends with the other.
    """
    plain = names.str.to_lowercase().str.replace(_FOLDER, "").str.replace(_SUFFIX, "")
    bare = plain.str.replace_all(_LEADING_ZEROS, "${1}${2}")
    form = bare.str.replace(_PREFIXES, "").str.replace(_LETTERS_OF_NUMBER, "${1}")
    return pl.DataFrame({"name": names, "plain": plain, "bare": bare, "form": form})


class _CutNames:
    """Finds the known names that are the start or the end of an asked one, or the other way round."""

    def __init__(self, names: list[str]) -> None:
        asked = [name for name in names if len(name) <= _LONGEST]
        self._asked = set(asked)
        self._parts = {part: name for name in asked for part in _parts(name)}
        counts = Counter(map(len, asked))
        self._lengths = [length for length, _ in counts.most_common(_CUT_LENGTHS) if length]

    def pairs(self, known: pl.DataFrame) -> Iterator[tuple[str, str]]:
        """Yield asked plain names, each with the known name that it is a part of, or that is a part of it."""
        plain = pl.col("plain")
        parts = pl.Series(list(self._parts), dtype=pl.String).implode()
        for name, part in known.filter(plain.is_in(parts)).select("name", "plain").iter_rows():
            yield self._parts[part], name
        for length in self._lengths:
            asked = pl.Series([name for name in self._asked if len(name) == length], dtype=pl.String)
            ends = [
                plain.str.head(length).is_in(asked.implode()),
                plain.str.tail(length).is_in(asked.implode()),
            ]
            longer = known.filter(ends[0] | ends[1]).head(_CUT_NAMES)
            for name, text in longer.select("name", "plain").iter_rows():
                yield from ((part, name) for part in _parts(text) if part in self._asked)


def _parts(name: str) -> Iterator[str]:
    """Yield the starts and ends of a name that may be a name: up to a joint, or of many characters."""
    for index in range(1, len(name) if len(name) <= _LONGEST else 0):
        if index >= _DISTINCTIVE or name[index] in _JOINTS:
            yield name[:index]
        if len(name) - index >= _DISTINCTIVE or name[index - 1] in _JOINTS:
            yield name[index:]
