// Parts that open and close: at most one of those above their buttons at a time.

/** Opens or closes a part; what is opened gives the focus to its first `focused`. */
export function toggle(id, focused) {
  const part = document.getElementById(id);
  if (!part) return;
  const isOpening = !part.open;
  showAround(part);
  if (part.matches(".pop")) closePops();
  part.open = isOpening;
  if (isOpening && focused) part.querySelector(focused).focus();
}

/** A part in the menu of a small screen can be seen only in the open menu. */
function showAround(part) {
  const menu = part.closest("[popover]");
  if (menu && getComputedStyle(menu).display === "none") menu.showPopover();
  const card = part.parentElement.closest("details");
  if (card) card.open = true;
}

/** Closes the menu of a small screen, too. */
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
