// The topic card: open on the topic's first item, then one line; on large screens beside the picture, always open.
// On the smallest screens an open card leaves no space for the picture, so only the reader opens it.

const LARGE = matchMedia("(min-width:60em) and (min-height:38em)");
const SMALLEST = matchMedia("(max-width:40em) and (max-height:30em)");

const card = () => document.getElementById("card");
const topic = () => document.getElementById("topic").dataset.topic;
let isRead = !card().open; // an item of the topic is judged
let current = card();
let shown = topic();

function fit() {
  card().open = LARGE.matches || !(isRead || SMALLEST.matches);
}

export function listenToCard() {
  for (const size of [LARGE, SMALLEST]) size.addEventListener("change", fit);
  fit();
}

/** Called when another item is shown; opens the card of a new topic. */
export function showCard() {
  if (card() === current) return;
  current = card();
  if (topic() !== shown) isRead = false;
  shown = topic();
  fit();
}

/** Called when an item is judged, so its topic was read. */
export function closeCard() {
  isRead = true;
  if (!LARGE.matches) card().open = false;
}
