// Marks words in the texts to judge and in captions, in every script.

const LEAST = 3; // letters of the shortest word of a title that is marked
const LEAST_UNSPACED = 2; // the same in scripts without spaces; words in hiragana alone, often particles, need LEAST
// Letters of scripts without spaces; the script extensions hold marks that lengthen a vowel, too.
const UNSPACED = "(?=\\p{L})[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}]";
const RUN = new RegExp(`(?:${UNSPACED}\\p{M}*)+|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, "gu");
const IS_UNSPACED = new RegExp(`^${UNSPACED}`, "u");
// Firefox's segmenter joins the Chinese particle "de" to the first half of the next word, as in "de xing | cheng".
const STARTS_WITH_DE = /^的[^士确]/; // but for the words "taxi" and "indeed"
const IS_HIRAGANA = /^\p{sc=Hiragana}+$/u;

const runsOf = (text) => [...text.matchAll(RUN)];
const segmenter = window.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "word" });

/** The search terms of a title: whole words, and words anywhere in scripts without spaces. */
export function wordsOf(title) {
  const runs = runsOf(title.toLowerCase()).map(([run]) => run);
  const [unspaced, words] = [runs.filter((run) => IS_UNSPACED.test(run)), runs.filter((run) => !IS_UNSPACED.test(run))];
  return {
    words: new Set(words.filter((word) => word.length >= LEAST)),
    unspaced: unspaced.flatMap(segmentsOf),
    beginnings: [],
  };
}

function segmentsOf(run) {
  const segments = segmenter ? [...segmenter.segment(run)] : [{ segment: run, index: 0 }];
  const joined = segments.find(({ segment, index }) => index && STARTS_WITH_DE.test(segment));
  if (joined) return [run.slice(0, joined.index), run.slice(joined.index + 1)].flatMap(segmentsOf);
  const found = segments.map(({ segment }) => segment);
  return found.filter((each) => each.length >= (IS_HIRAGANA.test(each) ? LEAST : LEAST_UNSPACED));
}

/** The search terms of typed words: beginnings of words ("lake" finds lakes), or anywhere in scripts without spaces. */
export function ownWordsOf(typed) {
  const runs = runsOf(typed.toLowerCase()).map(([run]) => run);
  return {
    words: new Set(),
    unspaced: runs.filter((run) => IS_UNSPACED.test(run)),
    beginnings: runs.filter((run) => !IS_UNSPACED.test(run)),
  };
}

/** Marks the terms in the texts of `parts`, under the name of a style; returns the number of marks. */
export function highlight(name, terms, parts) {
  const isEmpty = !terms.words.size && !terms.unspaced.length && !terms.beginnings.length;
  const ranges = isEmpty ? [] : parts.flatMap((part) => rangesOf(terms, part));
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
  return ranges.length;
}

function rangesOf(terms, part) {
  const ranges = [];
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const run of runsOf(text.data)) {
      for (const [start, length] of foundIn(terms, run[0].toLowerCase())) {
        ranges.push(rangeOf(text, run.index + start, length));
      }
    }
  }
  return ranges;
}

/** Positions and lengths of the terms in a run of letters. */
function foundIn({ words, unspaced, beginnings }, run) {
  if (!IS_UNSPACED.test(run)) {
    if (words.has(run)) return [[0, run.length]];
    const longest = beginnings.filter((each) => run.startsWith(each)).sort((one, other) => other.length - one.length);
    return longest.length ? [[0, longest[0].length]] : [];
  }
  return unspaced.flatMap((word) => [...run.matchAll(word)].map(({ index }) => [index, word.length]));
}

function rangeOf(text, start, length) {
  const range = new Range();
  range.setStart(text, start);
  range.setEnd(text, Math.min(start + length, text.data.length)); // lower case may be longer
  return range;
}
