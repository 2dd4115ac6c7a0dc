// Parts that open and close. Of those above their buttons, at most one is open.

/** Opens or closes a part; opening it focuses its first element that matches `focused`. */
export function toggle(id, focused) {
  const part = document.getElementById(id);
  if (!part) return;
  const isOpening = !part.open;
  showAround(part);
  if (part.matches(".pop")) closePops();
  part.open = isOpening;
  if (isOpening && focused) part.querySelector(focused).focus();
}

/** Opens the menu of a small screen around a part. */
function showAround(part) {
  const menu = part.closest("[popover]");
  if (menu && getComputedStyle(menu).display === "none") menu.showPopover();
  const card = part.parentElement.closest("details");
  if (card) card.open = true;
}

/** Closes all parts and the menu of a small screen. */
export function closeAll() {
  closePops();
  for (const menu of document.querySelectorAll("[popover]:popover-open")) menu.hidePopover();
}

export function closePops() {
  for (const pop of document.querySelectorAll(".pop[open]")) {
    if (pop.contains(document.activeElement)) pop.querySelector("summary").focus();
    pop.open = false;
  }
}
