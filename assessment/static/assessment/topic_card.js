// The topic: open on its first item, one line after that; on large screens it stands beside the picture, always open.

const LARGE = matchMedia("(min-width:60em) and (min-height:38em)");

const card = () => document.getElementById("card");

function openAsNeeded() {
  if (LARGE.matches) card().open = true;
}

export function listenToCard() {
  openAsNeeded();
  LARGE.addEventListener("change", openAsNeeded);
}

/** An item is judged: its topic was read. */
export function closeCard() {
  if (!LARGE.matches) card().open = false;
}
