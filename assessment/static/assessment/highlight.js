// Words of the topic's titles, marked in the texts to judge and in captions.

const LEAST = 3; // letters of a word worth marking

/** Marks the words of `titles` in the texts of `parts` */
export function highlight(titles, parts) {
  CSS.highlights.delete("terms");
  const words =
    titles
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter((word) => word.length >= LEAST) ?? [];
  const ranges = parts.flatMap((part) => rangesOf(new Set(words), part));
  if (ranges.length) CSS.highlights.set("terms", new Highlight(...ranges));
}

function rangesOf(words, part) {
  const ranges = [];
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const found of texts.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (!words.has(found[0].toLowerCase())) continue;
      const range = new Range();
      range.setStart(texts.currentNode, found.index);
      range.setEnd(texts.currentNode, found.index + found[0].length);
      ranges.push(range);
    }
  }
  return ranges;
}
