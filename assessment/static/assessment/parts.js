// The parts of the page that change with the item; on a surface of several topics, also the topic.

const PARTS = ["cells", "stage", "lens", "topic", "record", "band"];

/** The parts in a response of the server, by id. */
export function partsIn(response) {
  const found = PARTS.map((id) => [id, response.querySelector(`#${id}`)]);
  return Object.fromEntries(found.filter(([, part]) => part));
}

/** Replaces and returns the parts on the screen. If the focus was in one of them, the new item gets it. */
export function swap(parts) {
  const left = {};
  let isInside = false;
  for (const [id, part] of Object.entries(parts)) {
    left[id] = document.getElementById(id);
    isInside ||= left[id].contains(document.activeElement);
    left[id].replaceWith(part);
  }
  if (isInside) parts.stage.focus({ preventScroll: true });
  return left;
}
