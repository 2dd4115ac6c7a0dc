// Parts that open and close: at most one of those above their buttons at a time.

/** Opens or closes a part; what is opened gives the focus to its first `focused`. */
export function toggle(id, focused) {
  const part = document.getElementById(id);
  if (!part) return;
  const isOpening = !part.open;
  if (part.matches(".pop")) closePops();
  part.open = isOpening;
  if (isOpening && focused) part.querySelector(focused).focus();
}

export function closePops() {
  for (const pop of document.querySelectorAll(".pop[open]")) {
    if (pop.contains(document.activeElement)) pop.querySelector("summary").focus();
    pop.open = false;
  }
}
