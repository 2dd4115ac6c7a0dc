// The topic: open on its first item, one line after that; on large screens it stands beside the picture, always open.

const LARGE = matchMedia("(min-width:60em) and (min-height:38em)");

const card = () => document.getElementById("card");
let isRead = !card().open; // an item of the topic is judged

export function listenToCard() {
  const fit = () => {
    card().open = LARGE.matches || !isRead;
  };
  LARGE.addEventListener("change", fit);
  fit();
}

/** An item is judged: its topic was read. */
export function closeCard() {
  isRead = true;
  if (!LARGE.matches) card().open = false;
}
